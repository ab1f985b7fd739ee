import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Resources of JSON:API` {
  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "first-name") var firstName: String?
    @Persisted(json: "twitter", .aliases("x")) var handle: String?

    override class var codableShape: CodableShape { .jsonAPI(type: "people") }
  }

  final class Comment: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var body: String?
    @Persisted var author: Person?

    override class var codableShape: CodableShape { .jsonAPI(type: "comments") }
  }

  final class Size: EmbeddedObject {
    @Persisted var words = 0
  }

  final class Article: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var title = ""
    @Persisted var size: Size?
    @Persisted(json: "/links/self") var url: String?
    @Persisted(.writesNil) var author: Person?
    @Persisted(.omitsEmpty) var comments: List<Comment>
    @Persisted(json: "see.also", .mismatch(.skipAttribute), .omitsEmpty) var others:
      MutableSet<Article>
    @Persisted(.local) var draft = ""

    override class var codableShape: CodableShape { .jsonAPI(type: "articles") }
  }

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  private let list = #"""
    {"data": [{
      "type": "articles", "id": "1",
      "attributes": {"title": "JSON:API paints my bikeshed!", "size": {"words": 7}, "extra": 1},
      "links": {"self": "/articles/1"},
      "relationships": {
        "author": {"links": {"self": "/articles/1/author"}, "data": {"type": "people", "id": "9"}},
        "comments": {"data": [{"type": "comments", "id": "5"}, {"type": "comments", "id": "12"}]}
      }
    }],
    "included": [
      {"type": "people", "id": "9", "attributes": {"first-name": "Dan", "x": "dgeb"}},
      {"type": "comments", "id": "5", "attributes": {"body": "First!"},
       "relationships": {"author": {"data": {"type": "people", "id": "2"}}}},
      {"type": "comments", "id": "12", "attributes": {"body": "XML is better"},
       "relationships": {"author": {"data": {"id": "9", "type": "people"}}}},
      {"type": "planets", "id": "3"}
    ],
    "links": {"next": "/articles?page=2"}}
    """#

  private let sections: [String: DocumentSection] = [
    "data": .list(Article.self),
    "included": .resources(Person.self, Comment.self, Article.self).optional,
  ]

  @Test func `a document with included resources is decoded with its links`() throws {
    let document = try coder.read(sections, from: Data(list.utf8))
    let article = try #require(document[Article.self].objects.first)
    #expect(article.title == "JSON:API paints my bikeshed!")
    #expect(article.size?.words == 7)
    #expect(article.url == "/articles/1")
    #expect(article.author?.firstName == "Dan")
    #expect(article.author?.handle == "dgeb")
    #expect(article.comments.map(\.body) == ["First!", "XML is better"])
    #expect(article.comments[0].author?.id == 2)
    #expect(document[Person.self].inserted == 1)
    #expect(try document.metadata("links.next") == "/articles?page=2")
    #expect(
      document.issues.map(\.description) == [
        #"included[3].type: expected one of 'articles', 'comments', 'people', found string "planets" at line 16, column 12"#
      ])
    let version = coder.store.version
    _ = try coder.read(sections, from: Data(list.utf8))
    #expect(coder.store.version == version)
  }

  @Test func `a resource is encoded as it is decoded`() throws {
    _ = try coder.read(sections, from: Data(list.utf8))
    let article = try #require(coder.store.object(ofType: Article.self, forPrimaryKey: "1"))
    let body = #"""
      {"data":{"type":"articles","id":"1",\#
      "attributes":{"title":"JSON:API paints my bikeshed!","size":{"words":7}},\#
      "links":{"self":"/articles/1"},\#
      "relationships":{"author":{"data":{"type":"people","id":"9"}},\#
      "comments":{"data":[{"type":"comments","id":"5"},{"type":"comments","id":"12"}]}}}}
      """#
    #expect(try coder.text(article, useEnvelope: true) == body)
    #expect(try coder.encode(article.frozen(), useEnvelope: true).text == body)
    #expect(try coder.read(Article.self, from: Data(body.utf8)).unchanged == 1)
    let person = Person()
    (person.id, person.firstName) = (3, "Jo")
    let unmanaged = Article()
    (unmanaged.id, unmanaged.author) = ("2", person)
    #expect(
      try coder.text(unmanaged) == #"""
        {"type":"articles","id":"2","attributes":{"title":""},\#
        "relationships":{"author":{"data":{"type":"people","id":"3"}}}}
        """#)
    unmanaged.author = nil
    let sorted = try makeCoder { $0.outputFormatting = [.sortedKeys] }
    #expect(
      try sorted.text(unmanaged) == #"""
        {"attributes":{"title":""},"id":"2","relationships":{"author":{"data":null}},"type":"articles"}
        """#)
    let comment = Comment()
    (comment.id, comment.author) = ("7", person)
    #expect(
      try sorted.encodeArray([comment], useEnvelope: true).text == #"""
        {"data":[{"id":"7","relationships":{"author":{"data":{"id":"3","type":"people"}}},"type":"comments"}]}
        """#)
  }

  @Test func `a null relationship clears the link, and an absent one leaves it`() throws {
    _ = try coder.read(sections, from: Data(list.utf8))
    let article = try coder.decode(
      Article.self, #"{"data": {"type": "articles", "id": "1", "relationships": {"comments": {}}}}"#
    )
    #expect(article.author?.id == 9)
    #expect(article.comments.count == 2)
    try coder.decode(
      Article.self,
      #"{"data": {"type": "articles", "id": "1", "relationships": {"author": {"data": null}, "comments": {"data": []}}}}"#
    )
    #expect(article.author == nil)
    #expect(article.comments.isEmpty)
  }

  @Test(arguments: [
    (
      #"{"data": {"type": "people", "id": "1"}}"#,
      #"data.type (Article.codableShape): expected the type articles, found string "people" at line 1, column 19"#
    ),
    (
      #"{"data": {"type": 3, "id": "1"}}"#,
      "data.type (Article.codableShape): expected the type articles, found number 3 at line 1, column 19"
    ),
    (
      #"{"data": {"type": "articles", "id": "1", "relationships": {"author": {"data": {"type": "comments", "id": "5"}}}}}"#,
      #"data.relationships.author.data.type (Person.codableShape): expected the type people, found string "comments" at line 1, column 88"#
    ),
    (
      #"{"data": {"type": "articles", "attributes": {"title": "x"}}}"#,
      "data (Article.id): no value for the primary key 'id', found the keys 'type', 'attributes' at line 1, column 10"
    ),
    (
      #"{"data": {"type": "articles", "lid": "1", "attributes": {"title": "x"}}}"#,
      "data (Article.id): no value for the primary key 'id', found the keys 'type', 'lid', 'attributes' at line 1, column 10"
    ),
    (
      #"{"data": {"id": "1", "attributes": {"title": "x"}}}"#,
      "data (Article.codableShape, id \"1\"): expected the type articles, found an object without 'type' at line 1, column 10"
    ),
    (
      #"{"data": {"type": "articles", "id": "1", "relationships": {"author": {"data": {"id": "5"}}}}}"#,
      "data.relationships.author.data (Person.codableShape, id 5): expected the type people, found an object without 'type' at line 1, column 79"
    ),
  ])
  func `a resource of another type or without id is refused`(
    text: String, expected: String
  ) throws {
    #expect(message { try coder.decode(Article.self, text) } == expected)
    #expect(coder.store.objects(Article.self).isEmpty)
  }

  @Test func `an audit reports resources without a type`() throws {
    let text = #"{"data": {"id": "1", "relationships": {"author": {"data": {"id": "5"}}}}}"#
    let audit = try coder.audit(Article.self, from: Data(text.utf8))
    #expect(
      audit.mismatches.map { "\($0.path) \($0.attribute ?? "-") \($0.outcome)" } == [
        " Article.codableShape refused",
        "relationships.author.data Person.codableShape refused",
      ])
  }

  @Test func `null in place of one resource is no resource and no error`() throws {
    let empty = Data(#"{"data": null}"#.utf8)
    #expect(try coder.read(Person.self, from: empty).objects.isEmpty)
    for section in [DocumentSection.one(Person.self), .resources(Person.self, Comment.self)] {
      let document = try coder.read(["data": section], from: empty)
      #expect(document[Person.self].objects.isEmpty && document.issues.isEmpty)
      #expect(try coder.audit(["data": section], from: empty).mismatches.isEmpty)
    }
    #expect(try coder.audit(Person.self, from: empty).mismatches.isEmpty)
    #expect(kind { try coder.decode(Person.self, from: empty) } == .nonDictionaryTopLevelObject)
    #expect(
      kind { _ = try coder.read([Person].self, from: empty) } == .nonArrayTopLevelObject)
  }

  @Test func `a section of resources reads a single resource`() throws {
    let sections = ["data": DocumentSection.resources(Person.self, Comment.self)]
    let text = Data(#"{"data": {"type": "comments", "id": "5", "attributes": {"body": "x"}}}"#.utf8)
    let document = try coder.read(sections, from: text)
    #expect(document[Comment.self].objects.map(\.body) == ["x"])
    #expect(try coder.audit(sections, from: text).mismatches.isEmpty)
    let other = try coder.read(
      sections, from: Data(#"{"data": {"type": "planets", "id": "5"}}"#.utf8))
    #expect(
      other.issues.map(\.description) == [
        #"data.type: expected one of 'comments', 'people', found string "planets" at line 1, column 19"#
      ])
  }

  @Test func `a merge patch of a resource has its type and id, and whole resource identifiers`()
    throws
  {
    _ = try coder.read(sections, from: Data(list.utf8))
    let article = try #require(coder.store.object(ofType: Article.self, forPrimaryKey: "1"))
    let before = article.frozen()
    try coder.store.write {
      article.title = "New"
      article.author = try coder.store.create(Person.self, value: ["id": 3])
    }
    #expect(
      try coder.patch(from: before, to: article, as: .mergePatch, useEnvelope: true)?.text == #"""
        {"data":{"attributes":{"title":"New"},"id":"1",\#
        "relationships":{"author":{"data":{"id":"3","type":"people"}}},"type":"articles"}}
        """#)
  }

  @Test func `a link to a resource of another type is subject to the policy of its attribute`()
    throws
  {
    let result = try coder.read(
      Article.self,
      from: Data(
        #"{"data": {"type": "articles", "id": "1", "relationships": {"see": {"also": {"data": [{"type": "people", "id": "2"}]}}}}}"#
          .utf8))
    #expect(result.objects[0].others.isEmpty)
    #expect(result.issueCount == 1)
    #expect(coder.store.objects(Person.self).isEmpty)
  }

  final class Plain: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  final class Keyless: Object {
    @Persisted var plain: Plain?
    @Persisted(.byKey) var people: List<Person>
    @Persisted var byName: Map<String, Person?>

    override class var codableShape: CodableShape { .jsonAPI(type: "keyless") }
  }

  final class Part: EmbeddedObject {
    @Persisted var size = 0
    override class var codableShape: CodableShape { .jsonAPI(type: "parts") }
  }

  final class Whole: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var part: Part?
    @Persisted(json: "/type") var kind = ""
    override class var codableShape: CodableShape { .jsonAPI(type: "wholes") }
  }

  @Test func `wrong declarations of resources are reported`() throws {
    #expect(
      message { try coder.check(Keyless.self, Whole.self) } == """
        Keyless.plain: the class Plain is not a JSON:API resource
        Keyless.people: 'byKey' cannot be combined with the shape of JSON:API
        Keyless.byName: a relationship of a JSON:API resource is a link, a list or a set
        Keyless.codableShape: a JSON:API resource needs a primary key, which Keyless does not have
        Whole: the attribute 'kind' has the key 'type', which is that of the resource's type
        Part.codableShape: an embedded object cannot be a JSON:API resource
        """)
    #expect(
      message {
        _ = try coder.read(["data": .resources(Plain.self)], from: Data("{}".utf8))
      } == "section 'data': Plain is not a JSON:API resource")
    #expect(
      coder.explain(Comment.self) == """
        Comment, JSON:API 'comments', object in 'data', list in 'data'
        attribute  JSON path                  type     options      declared by
        id         id                         String   primary key  name
        body       attributes.body            String?               name
        author     relationships.author.data  Person?               name
        """)
  }

  /// Encodes random resources, decodes the bodies in another store, and encodes them again.
  @Test(arguments: SeededRandom.seeds(1...20))
  func `random resources are decoded from their own bodies`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let other = try makeCoder()
    try coder.store.write {
      for id in 0..<6 {
        try coder.store.create(
          Article.self,
          value: [
            "id": .string("\(id)"), "title": .string("\(random.below(3))"),
            "author": random.once(in: 2) ? ["id": .int(Int64(random.below(3)))] : .null,
            "comments": .array(
              (0..<random.below(4)).map { _ in ["id": .string("c\(random.below(5))")] }),
            "size": random.once(in: 2) ? ["words": .int(Int64(random.below(9)))] : .null,
            "others": .array(
              random.once(in: 2) ? [["id": .string("\(random.below(6))")]] : []),
          ], update: .modified)
      }
    }
    let body = try coder.encodeArray(coder.store.objects(Article.self), useEnvelope: true)
    let decoded = try other.decodeArray(Article.self, from: body)
    #expect(try other.encodeArray(decoded, useEnvelope: true).text == body.text)
    #expect(try coder.read([Article].self, from: body).unchanged == decoded.count)
  }
}
