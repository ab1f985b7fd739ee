import Foundation
import ObjectStore

extension Benchmark {
  /// P21 for the standard benchmark files of JSON libraries that exist in `folder`.
  static func dataFiles(in folder: String?) -> [Benchmark] {
    guard let folder else { return [] }
    return file(
      "twitter", "statuses", StoredTweet.self, PlainTweets.self, in: folder)
      + file(
        "citm_catalog", "performances", StoredPerformance.self, PlainPerformances.self, in: folder)
      + file("canada", "features", StoredFeature.self, PlainFeatures.self, in: folder)
      + file("github_events", "events", StoredEvent.self, [PlainEvent].self, in: folder)
  }

  private static func file<Stored: Object, Document: ListDocument>(
    _ name: String, _ content: String, _ stored: Stored.Type, _ document: Document.Type,
    in folder: String
  ) -> [Benchmark] {
    let file = URL(filePath: folder).appending(path: name + ".json")
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
      return []
    }
    return ListShape("P21." + name, "\(name).json, its \(content)", stored, document) { _ in
      try Data(contentsOf: file)
    }.with {
      $0.targets = [.timesFaster(10)]
      $0.dates = .iso8601
    }.benchmarks
  }
}

// MARK: - twitter.json

private final class StoredTweet: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var created_at = ""
  @Persisted var text = ""
  @Persisted var source = ""
  @Persisted var retweet_count = 0
  @Persisted var favorite_count = 0
  @Persisted var lang = ""
  @Persisted var user: StoredTweeter?
  @Persisted var retweeted_status: StoredTweet?

  override class var listEnvelope: String? { "statuses" }
}

private final class StoredTweeter: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var screen_name = ""
  @Persisted var followers_count = 0
  @Persisted var location = ""
  @Persisted(json: "description") var about = ""
  @Persisted var verified = false
}

private struct PlainTweets: ListDocument {
  var statuses: [PlainTweet]
  var elements: [PlainTweet] { statuses }
}

/// A class, because a struct cannot contain itself.
private final class PlainTweet: Codable, Hashable {
  let id: Int
  let created_at, text, source: String
  let retweet_count, favorite_count: Int
  let lang: String
  let user: PlainTweeter
  let retweeted_status: PlainTweet?

  static func == (a: PlainTweet, b: PlainTweet) -> Bool {
    a.id == b.id && a.texts == b.texts && a.counts == b.counts && a.user == b.user
      && a.retweeted_status == b.retweeted_status
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(texts)
    hasher.combine(counts)
    hasher.combine(user)
    hasher.combine(retweeted_status)
  }

  private var texts: [String] { [created_at, text, source, lang] }
  private var counts: [Int] { [retweet_count, favorite_count] }
}

private struct PlainTweeter: Codable, Hashable {
  var id: Int
  var name, screen_name: String
  var followers_count: Int
  var location, description: String
  var verified: Bool
}

// MARK: - citm_catalog.json

private final class StoredPerformance: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var eventId = 0
  @Persisted var logo: String?
  @Persisted var name: String?
  @Persisted var prices: List<StoredPrice>
  @Persisted var seatCategories: List<StoredSeatCategory>
  @Persisted var seatMapImage: String?
  @Persisted var start = 0
  @Persisted var venueCode = ""

  override class var listEnvelope: String? { "performances" }
}

private final class StoredPrice: EmbeddedObject {
  @Persisted var amount = 0
  @Persisted var audienceSubCategoryId = 0
  @Persisted var seatCategoryId = 0
}

private final class StoredSeatCategory: EmbeddedObject {
  @Persisted var seatCategoryId = 0
  @Persisted var areas: List<StoredArea>
}

private final class StoredArea: EmbeddedObject {
  @Persisted var areaId = 0
  @Persisted var blockIds: List<Int>
}

private struct PlainPerformances: ListDocument {
  var performances: [PlainPerformance]
  var elements: [PlainPerformance] { performances }
}

private struct PlainPerformance: Codable, Hashable {
  var id, eventId: Int
  var logo, name: String?
  var prices: [PlainPrice]
  var seatCategories: [PlainSeatCategory]
  var seatMapImage: String?
  var start: Int
  var venueCode: String
}

private struct PlainPrice: Codable, Hashable {
  var amount, audienceSubCategoryId, seatCategoryId: Int
}

private struct PlainSeatCategory: Codable, Hashable {
  var seatCategoryId: Int
  var areas: [PlainArea]
}

private struct PlainArea: Codable, Hashable {
  var areaId: Int
  var blockIds: [Int]
}

// MARK: - canada.json

private final class StoredFeature: Object {
  @Persisted var type = ""
  @Persisted var properties: StoredFeatureName?
  @Persisted var geometry: StoredGeometry?

  override class var listEnvelope: String? { "features" }
}

private final class StoredFeatureName: EmbeddedObject {
  @Persisted var name = ""
}

private final class StoredGeometry: EmbeddedObject {
  @Persisted var type = ""
  /// There is no attribute type for lists of lists.
  @Persisted var coordinates: JSONValue
}

private struct PlainFeatures: ListDocument {
  var features: [PlainFeature]
  var elements: [PlainFeature] { features }
}

private struct PlainFeature: Codable, Hashable {
  struct Name: Codable, Hashable {
    var name: String
  }
  struct Geometry: Codable, Hashable {
    var type: String
    var coordinates: [[[Double]]]
  }
  var type: String
  var properties: Name
  var geometry: Geometry
}

// MARK: - github_events.json

private final class StoredEvent: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var type = ""
  @Persisted var created_at = Date.distantPast
  @Persisted(json: "public") var isPublic = false
  @Persisted var actor: StoredActor?
  @Persisted var repo: StoredRepository?
  @Persisted var payload: JSONValue
}

private final class StoredActor: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var login = ""
  @Persisted var gravatar_id = ""
  @Persisted var avatar_url = ""
  @Persisted var url = ""
}

private final class StoredRepository: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var url = ""
}

private struct PlainEvent: Codable, Hashable {
  struct Actor: Codable, Hashable {
    var id: Int
    var login, gravatar_id, avatar_url, url: String
  }
  struct Repository: Codable, Hashable {
    var id: Int
    var name, url: String
  }
  var id, type: String
  var created_at: Date
  var `public`: Bool
  var actor: Actor
  var repo: Repository
  var payload: PlainJSON
}
