import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The code in the article Documents.
@Suite struct `The article about documents` {
  final class User: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
  }

  final class Post: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
    @Persisted(.byKey) var author: User?
  }

  class Event: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  final class Push: Event {}
  final class Fork: Event {}

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    override class var codableShape: CodableShape { .jsonAPI(type: "people") }
  }

  final class Comment: Object {
    @Persisted(primaryKey: true) var id: String
    override class var codableShape: CodableShape { .jsonAPI(type: "comments") }
  }

  final class Article: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var title = ""
    @Persisted(json: "created-at") var created: Date?
    @Persisted var author: Person?
    @Persisted var comments: List<Comment>

    override class var codableShape: CodableShape { .jsonAPI(type: "articles") }
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "address.city") var city: String?
    @Persisted(.unread) var rest: JSONValue = [:]
  }

  private let coder: StoreCoder

  init() throws { coder = StoreCoder(store: try Store()) }

  @Test func `the code about sections works`() throws {
    try coder.decode(Post.self, from: Data(#"{"id": 3}"#.utf8))
    let feed = Data(
      #"""
      {"posts": [{"id": 7, "title": "Rain", "author": "jo"}], "removed": {"post_ids": [3]},
       "users": {"jo": {"name": "Jo"}}, "paging": {"next": "/feed?page=2"}}
      """#.utf8)

    let document = try coder.read(
      [
        "posts": .list(Post.self),
        "users": .keyed(User.self),
        "viewer": .one(User.self).optional,
        "removed.post_ids": .deleted(Post.self).optional,
      ], from: feed)

    let posts = document[Post.self]
    print(posts.inserted, posts.updated, posts.deleted)
    let next = try document.metadata("paging.next")?.stringValue

    #expect((posts.inserted, posts.updated, posts.deleted) == (1, 0, 1))
    #expect(posts.objects[0].author?.name == "Jo")
    #expect(next == "/feed?page=2")
    #expect(document[User.self, at: "viewer"].objects.isEmpty)
  }

  @Test func `the code about lists of several classes works`() throws {
    let timeline = Data(
      #"[{"type": "PushEvent", "id": 1}, {"type": "StarEvent", "id": 2}, {"id": 3, "type": "ForkEvent"}]"#
        .utf8)

    let events = try coder.read(
      ["": .mixed(by: "type", ["PushEvent": Push.self, "ForkEvent": Fork.self])], from: timeline)
    let pushes = events[Push.self].objects
    let all = events[Event.self].objects

    #expect(pushes.map(\.id) == [1])
    #expect(all.map(\.id) == [1, 3])
    #expect(events.issueCount == 1)
    #expect(coder.store.objects(Event.self).isEmpty)
  }

  @Test func `the code about JSON API works`() throws {
    let articles = Data(
      #"""
      {"data": [{"type": "articles", "id": "1", "attributes": {"title": "Rain"},
                 "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}],
       "included": [{"type": "people", "id": "9", "attributes": {"name": "Jo"}}]}
      """#.utf8)

    let document = try coder.read(
      ["data": .list(Article.self), "included": .resources(Person.self, Comment.self).optional],
      from: articles)
    let article = document[Article.self].objects[0]
    #expect(article.author?.name == "Jo")

    let body = try coder.encode(article, useEnvelope: true)

    #expect(
      body.text == #"{"data":{"type":"articles","id":"1","attributes":{"title":"Rain"},"#
        + #""relationships":{"author":{"data":{"type":"people","id":"9"}}}}}"#
    )
  }

  @Test func `the code about unread keys works`() throws {
    try coder.decode(
      Order.self, from: Data(#"{"id": 1, "gift": true, "address": {"zip": "1"}}"#.utf8))
    let order = try coder.decode(
      Order.self, from: Data(#"{"id": 1, "address": {"city": "Ulm", "floor": 2}}"#.utf8))
    #expect(order.rest == ["gift": true, "address": ["zip": "1", "floor": 2]])
    #expect(order.rest["address"]?["zip"] == "1")
  }
}
