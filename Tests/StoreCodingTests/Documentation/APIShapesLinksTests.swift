import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

// The code in the article Shapes of public APIs: links.

@Suite struct `The shape of JSON API` {
  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "first-name") var firstName: String?
    override class var codableShape: CodableShape { .jsonAPI(type: "people") }
  }

  final class Comment: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var body = ""
    @Persisted var author: Person?
    override class var codableShape: CodableShape { .jsonAPI(type: "comments") }
  }

  final class Article: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
    @Persisted(json: "created-at") var created: Date?
    @Persisted var author: Person?
    @Persisted var comments: List<Comment>
    override class var codableShape: CodableShape { .jsonAPI(type: "articles") }
  }

  @Test func `a document with included resources is read in one call`() throws {
    let coder = try makeCoder()
    let articles = try apiFixture("jsonapi-articles")

    let sections: [String: DocumentSection] = [
      "data": .list(Article.self),
      "included": .resources(Person.self, Comment.self).optional,
    ]
    let document = try coder.read(sections, from: articles)
    let next = try document.metadata("links.next")?.stringValue
    let body = try coder.encode(document[Article.self].objects[0], useEnvelope: true)

    let article = document[Article.self].objects[0]
    #expect(article.author?.firstName == "Ann")
    #expect(article.comments.map(\.body) == ["First!", "Snow is better."])
    #expect(article.comments[0].author?.id == 2)
    #expect(next == "/articles?page[offset]=1" && document.issues.isEmpty)
    try coder.check(Article.self)
    try expectNoVersion(in: coder.store) {
      _ = try coder.read(sections, from: articles)
      try coder.decode(Article.self, from: body)
    }
    try expectOwnBodiesChangeNothing([article], coder)
    try expectOwnBodiesChangeNothing(document[Comment.self].objects, coder)
  }
}

@Suite struct `The shape of HAL` {
  final class Customer: Object {
    @Persisted(primaryKey: true, json: "_links.self.href") var href: String
    @Persisted var name: String?
  }

  final class Order: Object {
    @Persisted(primaryKey: true, json: "_links.self.href") var href: String
    @Persisted var total: Decimal
    @Persisted var status = ""
    @Persisted(json: "_embedded.customer", .aliases("_links.customer.href"), .byKey)
    var customer: Customer?

    override class var listEnvelope: String? { "_embedded.orders" }
  }

  @Test func `a link is read from the embedded object or from its address`() throws {
    let coder = try makeCoder()
    let orders = try apiFixture("hal-orders")

    let page = try coder.read([Order].self, from: orders)
    let next = try page.metadata("_links.next.href")?.stringValue

    #expect(page.objects.map(\.href) == ["/orders/123", "/orders/124"])
    #expect(page.objects.map { $0.customer?.name } == ["Ann", "Ann"])
    #expect(page.objects[1].total == Decimal(string: "20.5"))
    #expect(next == "/orders?page=2")
    try coder.check(Order.self)
    try expectNoVersion(in: coder.store) { try coder.decodeArray(Order.self, from: orders) }
    try expectOwnBodiesChangeNothing(page.objects, coder)
  }
}

@Suite struct `The shape of GraphQL` {
  final class User: Object {
    @Persisted(primaryKey: true) var login: String
  }

  final class Issue: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var title = ""
    @Persisted var author: User?
    @Persisted(json: "/labels/nodes/*/name") var labels: List<String>
  }

  struct ServerError: Decodable { var message: String }

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  @Test func `connections, page information and errors are read`() throws {
    let response = try apiFixture("graphql-issues")

    let page = try coder.read(
      [Issue].self, from: response, at: "/data/repository/issues/edges/*/node")
    let cursor = try page.metadata("data.repository.issues.pageInfo.endCursor")?.stringValue
    let errors = try page.metadata([ServerError].self, at: "errors")

    #expect(page.objects.map(\.title) == ["Rain gets in", "Paint the door"])
    #expect(page.objects.map { $0.author?.login } == ["ann", nil])
    #expect(Array(page.objects[0].labels) == ["bug", "roof"])
    #expect(cursor == "Y3Vyc29yOjI=")
    #expect(errors?.map(\.message) == ["author of I_2 is not available"])
    #expect(try page.metadata("data.repository.issues.edges") == nil)
    try coder.check(Issue.self)
    try expectNoVersion(in: coder.store) {
      try coder.decodeArray(
        Issue.self, from: response, at: "/data/repository/issues/edges/*/node")
    }
    try expectOwnBodiesChangeNothing(page.objects, coder)
  }

  @Test func `a response without data is an error with the path of the null`() throws {
    #expect(
      message {
        try coder.decodeArray(
          Issue.self, from: Data(#"{"data": null, "errors": [{"message": "no"}]}"#.utf8),
          at: "/data/repository/issues/edges/*/node")
      }
        == "data: expected the envelope '/data/repository/issues/edges/*/node', found null at line 1, column 10"
    )
  }
}

@Suite struct `The shape of Hacker News` {
  final class User: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var karma: Int?
  }

  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.byKey) var by: User?
    @Persisted(.date(.unixSeconds)) var time: Date?
    @Persisted var title: String?
    @Persisted var text: String?
    @Persisted(.emptyAsNil) var url: URL?
    @Persisted(.byKey) var parent: Item?
    @Persisted(.byKey) var kids: List<Item>
  }

  @Test func `items are linked by key in any order`() throws {
    let coder = try makeCoder()
    let (item, comment) = (try apiFixture("hackernews-item"), try apiFixture("hackernews-comment"))
    let topStories = try apiFixture("hackernews-topstories")

    let top = try coder.readKeys(Item.self, from: topStories).objects  // [8863, 9127]
    let story = try coder.decode(Item.self, from: item)
    let reply = try coder.decode(Item.self, from: comment)
    let missing = (top + story.kids).filter { $0.time == nil }.map(\.id)

    #expect(top.map(\.id) == [8863, 9127] && top[0] == story)
    #expect(story.kids.map(\.id) == [9224, 8917] && story.kids[0] == reply)
    #expect(reply.parent == story && reply.by?.id == "jo" && story.url == nil)
    #expect(missing == [9127, 8917])
    try coder.check(Item.self)
    try expectNoVersion(in: coder.store) {
      _ = try coder.readKeys(Item.self, from: topStories)
      try coder.decode(Item.self, from: item)
      try coder.decode(Item.self, from: comment)
    }
    try expectOwnBodiesChangeNothing([story, reply], coder)
  }
}

@Suite struct `The shape of Firebase` {
  final class User: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
    @Persisted(json: "createdAt", .date(.unixMilliseconds)) var created: Date?
    @Persisted(.omitsEmpty) var groups: Map<String, Bool>
  }

  @Test func `the names of the members are the keys of the objects`() throws {
    let coder = try makeCoder()
    let snapshot = try apiFixture("firebase-users")

    let document = try coder.read(["": .keyed(User.self)], from: snapshot)
    let users = document[User.self].objects
    let mathematicians = users.filter { $0.groups["math"] == true }

    #expect(users.map(\.id) == ["-NxA1", "-NxB2"])
    #expect(users[0].created == Date(timeIntervalSince1970: 1_700_000_000.123))
    #expect(mathematicians.map(\.name) == ["Ann Berg"])
    try coder.check(User.self)
    try expectNoVersion(in: coder.store) {
      _ = try coder.read(["": .keyed(User.self)], from: snapshot)
    }
    try expectOwnBodiesChangeNothing(users, coder)
    #expect(
      try coder.text(users[1]) == #"{"id":"-NxB2","name":"Jo Lund","createdAt":1700000050456}"#)
  }

  final class Keyless: Object {
    @Persisted(primaryKey: true) var id: String
    override class var codableIgnoredAttributes: [String] { ["id"] }
  }

  @Test func `a primary key cannot be omitted from bodies`() throws {
    #expect(
      message { try makeCoder().check(Keyless.self) }
        == "Keyless.codableIgnoredAttributes: the primary key 'id' cannot be ignored")
  }
}
