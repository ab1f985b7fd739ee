import Foundation
import ObjectStore

/// Models for the tests of eviction.
enum Cached {
  /// Has no policy, so it is evicted only by a rule of the call.
  final class Album: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var cover: Photo?
    @Persisted var photos: List<Photo>
    @Persisted var marked: MutableSet<Photo>
    @Persisted var byName: Map<String, Photo?>
    @Persisted var frame: Frame?
  }

  final class Frame: EmbeddedObject {
    @Persisted var photo: Photo?
    @Persisted var inner: Frame?
  }

  final class Photo: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var lastUsed: Date?
    @Persisted var hasEdits = false
    @Persisted var next: Photo?
    @Persisted var tags: List<Tag>
    @Persisted var frame: Frame?

    override class var cachePolicy: CachePolicy? {
      CachePolicy(maximumAge: .seconds(100), since: \Photo.lastUsed)
        .keeping(Photo.self) { $0.hasEdits }
    }
  }

  /// Evicted once no photo links to it.
  final class Tag: Object {
    @Persisted var name = ""

    override class var cachePolicy: CachePolicy? { .whileLinked }
  }

  /// Updates set its date.
  final class Page: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text = ""
    @Persisted var lastUsed: Date?

    override class var cachePolicy: CachePolicy? {
      CachePolicy(maximumAge: .seconds(1_000), since: "lastUsed", updatesCountAsUse: true)
    }
  }

  /// Limited by count.
  final class Entry: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var lastUsed: Date?

    override class var cachePolicy: CachePolicy? { CachePolicy(maximumCount: 3) }
  }

  /// The reference date for ages.
  static let now = Date(timeIntervalSinceReferenceDate: 1_000_000)

  /// The date this number of seconds before `now`.
  static func ago(_ seconds: Double) -> UpdateValue { .date(now - seconds) }

  /// Creates photos with these ages; nil for no date.
  static func makePhotos(_ store: Store, _ ages: [Int: Double?]) throws {
    try store.write {
      for (id, age) in ages.sorted(by: { $0.key < $1.key }) {
        try store.create(
          Photo.self, value: ["id": .int(Int64(id)), "lastUsed": age.map { ago($0) } ?? .null])
      }
    }
  }
}

extension Store {
  /// The ids of all photos.
  var photoIDs: [Int] { objects(Cached.Photo.self).map(\.id) }

  func photo(_ id: Int) throws -> Cached.Photo {
    guard let photo = object(ofType: Cached.Photo.self, forPrimaryKey: id) else {
      throw StoreError(.objectInvalidated(className: "Photo \(id)"))
    }
    return photo
  }
}
