import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Spellings of nil` {
  final class Media: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var src = ""
  }

  final class Size: EmbeddedObject {
    @Persisted var width = 1
  }

  final class Post: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "featured_media", .byKey, .nilWhen(0)) var media: Media?
    @Persisted(.nilWhen("", 0, "0")) var parent: String?
    @Persisted(.nilWhen(-1, false)) var rank: Int?
    @Persisted(.nilWhen("none"), .writesNil) var mood: String?
    @Persisted(.nilWhen(0)) var scores: List<Int?>
    @Persisted(.byKey, .nilWhen(0)) var icons: Map<String, Media?>
    @Persisted(json: "meta.size", .nilWhen("n/a")) var size: Double?
  }

  final class Deal: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.emptyAsNil) var media: Media?
    @Persisted(.emptyAsNil) var size: Size?
    @Persisted(.emptyAsNil) var icons: Map<String, Media?>
  }

  @Test(arguments: [
    #""featured_media":0"#, #""featured_media":0.0"#, #""featured_media":-0e3"#,
    #""parent":"""#, #""parent":0"#, #""parent":"0""#, #""rank":-1"#, #""rank":false"#,
    #""mood":"none""#, #""meta":{"size":"n/a"}"#,
  ])
  func `a listed value is read as nil, and clears a value that was there`(_ member: String) throws {
    let coder = try makeCoder()
    let full =
      #"{"id":1,"featured_media":7,"parent":"a","rank":3,"mood":"good","meta":{"size":2}}"#
    let post = try coder.decode(Post.self, full)
    let names = ["media", "parent", "rank", "mood", "size"]
    #expect(names.allSatisfy { post[$0] != nil })
    try coder.decode(Post.self, #"{"id":1,\#(member)}"#)
    #expect(names.count { post[$0] == nil } == 1)
    #expect(coder.store.objects(Media.self).count == 1)
  }

  @Test func `elements that are listed are nil and written as the first listed value`() throws {
    let coder = try makeCoder()
    let text = #"{"id":1,"mood":"none","scores":[1,0,2],"icons":{"a":0,"b":5}}"#
    let post = try coder.decode(Post.self, text)
    #expect(Array(post.scores) == [1, nil, 2])
    #expect(post.icons["a"] == .some(nil))
    #expect(try coder.text(post) == text)
    let copy = Post()
    copy.id = 1
    copy.scores.append(contentsOf: [1, nil, 2])
    #expect(try coder.text(copy) == #"{"id":1,"mood":"none","scores":[1,0,2],"icons":{}}"#)
  }

  @Test func `bodies with some attributes and patches write the first listed value for nil`() throws
  {
    let coder = try makeCoder()
    let post = try coder.decode(
      Post.self, #"{"id":1,"featured_media":7,"parent":"a","mood":"good","meta":{"size":2}}"#)
    let before = post.frozen()
    try coder.store.write {
      post.media = nil
      post.parent = nil
      post.mood = nil
      post.size = nil
    }
    #expect(
      try coder.encode(post, only: \.media, \.parent, \.size).text
        == #"{"id":1,"featured_media":0,"parent":"","meta":{"size":"n/a"}}"#)
    #expect(
      try coder.patch(from: before, to: post, as: .mergePatch)?.text
        == #"{"featured_media":0,"meta":{"size":"n/a"},"mood":"none","parent":""}"#)
    let operations = try #require(
      try coder.patch(from: before, to: post, as: .jsonPatch(tests: .none)))
    #expect(operations.text.contains(#"{"op":"add","path":"/featured_media","value":0}"#))
    #expect(!operations.text.contains("remove"))
  }

  @Test(arguments: ["{}", #"{"id":null}"#, #"{"id":null,"src":null}"#])
  func `emptyAsNil reads an object without values as no link`(_ value: String) throws {
    let coder = try makeCoder()
    let deal = try coder.decode(Deal.self, #"{"id":1,"media":{"id":7},"icons":{"a":{"id":8}}}"#)
    try coder.decode(Deal.self, #"{"id":1,"media":\#(value),"icons":{"a":\#(value)}}"#)
    #expect(deal.media == nil)
    #expect(deal.icons["a"] == .some(nil))
    let audit = try coder.audit(
      Deal.self, from: Data(#"{"id":1,"media":\#(value),"icons":{"a":\#(value)}}"#.utf8))
    #expect(audit.mismatches.isEmpty)
  }

  @Test func `emptyAsNil refuses an object with values and without a key`() throws {
    let coder = try makeCoder()
    let text = #"{"id":1,"media":{"id":null,"src":"x"}}"#
    #expect(kind { try coder.decode(Deal.self, text) } == .nullForNonOptional)
  }

  @Test func `emptyAsNil reads an empty object without a primary key as an object`() throws {
    let coder = try makeCoder()
    #expect(try coder.decode(Deal.self, #"{"id":1,"size":{}}"#).size?.width == 1)
  }

  final class Wrong: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.nilWhen([], nil)) var link: Media?
  }

  @Test func `nilWhen refuses arrays, objects and null`() throws {
    let coder = try makeCoder()
    #expect(
      message { try coder.check(Wrong.self) }
        == "Wrong.link: 'nilWhen' takes only strings, numbers and Booleans")
  }

  @Test func `explain lists the spellings of nil`() throws {
    let table = try makeCoder().explain(Post.self)
    #expect(table.contains(#"nil: "", 0, "0""#))
    #expect(!table.contains("empty as nil"))
  }
}
