import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

// The declarations and the code of the article Shapes of public APIs: APIs with partial objects.

@Suite struct `The shape of WordPress` {
  final class Writer: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
  }

  final class Media: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "source_url") var url: URL?
  }

  final class Post: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "date_gmt", .date(.format("yyyy-MM-dd'T'HH:mm:ss", timeZone: "GMT")))
    var published: Date?
    @Persisted(json: "title.rendered") var title = ""
    @Persisted(.byKey) var author: Writer?
    @Persisted(json: "featured_media", .byKey, .nilWhen(0)) var image: Media?
    @Persisted var tags: List<Int>
    @Persisted(.emptyAsNil) var meta: Map<String, JSONValue>
  }

  @Test func `embedded objects are read from the same payload`() throws {
    let coder = try makeCoder()
    let posts = try apiFixture("wordpress-posts")

    let list = try coder.decodeArray(Post.self, from: posts)
    try coder.decodeArray(Writer.self, from: posts, at: "/*/_embedded/author/0")
    let author = list[0].author?.name

    #expect(author == "Ann" && list[0].image == nil && list[0].meta.isEmpty)
    #expect(list[0].published == Date(timeIntervalSince1970: 1_709_280_000))
    try coder.check(Post.self)
    try expectOwnBodiesChangeNothing(list, coder)
  }
}

@Suite struct `The shape of YouTube` {
  final class Thumbnail: EmbeddedObject {
    @Persisted var url: URL?
    @Persisted var width: Int?
    @Persisted var height: Int?
  }

  final class Video: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted(json: "snippet.title") var title: String?
    @Persisted(json: "snippet.tags") var tags: List<String>
    @Persisted(json: "snippet.thumbnails") var thumbnails: Map<String, Thumbnail>
    @Persisted(json: "statistics.viewCount", .flexible, .asString) var views: Int?

    override class var listEnvelope: String? { "items" }
  }

  @Test func `a search gives the keys of the videos whose details are unknown`() throws {
    let coder = try makeCoder()
    let (search, videos) = (try apiFixture("youtube-search"), try apiFixture("youtube-videos"))

    let found = try coder.readKeys(Video.self, from: search, at: "/items/*/id/videoId").objects
    let wanted = found.filter { !$0.isKnown(\.views) }.map(\.id)
    try coder.decodeArray(Video.self, from: videos, absent: .clear)  // &id=v1,v2

    #expect(wanted == ["v1", "v2"])
    #expect(found[0].views == 9_007_199_254_740_993 && found[0].thumbnails["default"]?.width == 120)
    #expect(found.map { $0.isKnown(\.views) } == [true, false])
    let body = try parsedJSON(coder.encode(found[0]))
    #expect(body["statistics"] == ["viewCount": "9007199254740993"])
    #expect(try coder.text(found[1]) == #"{"id":"v2"}"#)
    try coder.check(Video.self)
    try expectOwnBodiesChangeNothing(Array(found), coder)
  }
}

@Suite struct `The shape of Google Calendar` {
  final class Event: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var status: String?
    @Persisted var summary: String?
    @Persisted(json: "start.date", .date(.date)) var startDay: Date?
    @Persisted(json: "start.dateTime") var startTime: Date?
    @Persisted(json: "start.timeZone") var timeZone: String?

    override class var listEnvelope: String? { "items" }
  }

  @Test func `an event that becomes a whole day loses its time`() throws {
    let coder = try makeCoder()
    let (response, changes) = (
      try apiFixture("calendar-events"), try apiFixture("calendar-changes")
    )

    let events = try coder.read([Event].self, from: response, absent: .clear).objects
    let token = try coder.read([Event].self, from: changes, absent: .clear)
      .metadata("nextSyncToken")?.stringValue

    #expect(token == "s2" && events[0].startTime == nil && events[0].summary == nil)
    #expect(events[0].startDay == Date(timeIntervalSince1970: 1_709_251_200))
    #expect(
      try coder.text(events[0])
        == #"{"id":"e1","status":"confirmed","start":{"date":"2024-03-01"}}"#)
    #expect(try coder.text(events[1]) == #"{"id":"e2","status":"cancelled"}"#)
    try coder.check(Event.self)
  }
}
