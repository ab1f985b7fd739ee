import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Objects, elements and strings of a page that do not match the class.
@Suite struct `Content that does not match the class` {
  enum Grade: String, PersistableEnum { case unmarked = "", good }

  final class Graded: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.emptyAsNil) var grade: Grade?
    @Persisted(.emptyAsNil) var list: List<Grade?>
  }

  private func read(_ text: String, _ coder: StoreCoder) throws -> ReadResult<Coding.Page> {
    try coder.read(Coding.Page.self, from: Data(text.utf8))
  }

  @Test func `embedded objects and objects without a primary key may have no known keys`() throws {
    let coder = try makeCoder()
    let page = try coder.decode(
      Coding.Page.self, #"{"id":1,"place":{},"notes":[{},{"x":1},{"text":"t"}]}"#)
    #expect(page.place?.city == "")
    #expect(page.notes.map(\.text) == ["", "", "t"])
    #expect(
      message { try coder.decode(Coding.Page.self, #"{"id":1,"strict":[{"login":"x"}]}"#) }
        == "strict[0] (Page.strict, id 1): no key of the object belongs to Key, found the key 'login' "
        + "at line 1, column 19"
    )
  }

  @Test(
    arguments: [
      (
        #"{"login":"x"}"#,
        "owner (Page.owner, id 7): no key of the object belongs to Key, found the key 'login'"
      ),
      (#"{"name":"x"}"#, "owner (Key.id): no value for the primary key 'id', found the key 'name'"),
      (#"{"id":"x"}"#, #"owner.id (Key.id): expected Int, found string "x""#),
      (#"{"id":null}"#, "owner.id (Key.id): null for an Int that is not optional"),
      (#"[]"#, "owner (Page.owner, id 7): expected Key?, found an array"),
    ])
  func `a lenient link skips an object of another class with an issue that states the cause`(
    owner: String, cause: String
  ) throws {
    let coder = try makeCoder()
    let text = #"{"id":7,"owner":\#(owner),"numbers":[1]}"#
    let result = try read(text, coder)
    #expect(result.objects[0].owner == nil)
    #expect(Array(result.objects[0].numbers) == [1])
    #expect(result.issues.count == 1)
    let issue = try #require(result.issues.first).description
    #expect(issue.hasPrefix(cause + " at line 1, column "))
    #expect(coder.store.objects(Coding.Key.self).isEmpty)
  }

  @Test func `lists, sets and maps with skipElement skip a bad element`() throws {
    let coder = try makeCoder()
    let text = #"""
      {"id":1,"members":[{"id":1},{"id":"x"},{"login":1},null,5,{"id":2,"name":3},{"id":3}],
       "numbers":[1,"2",1e30,null,4],"limits":{"a":1,"b":"x","c":3},"tags":["a",1,"b"]}
      """#
    let result = try read(text, coder)
    let page = result.objects[0]
    #expect(page.members.map(\.id) == [1, 3])
    #expect(Array(page.numbers) == [1, 4])
    #expect(page.limits.dictionary == ["a": 1, "c": 3])
    #expect(Set(page.tags) == ["a", "b"])
    #expect(coder.store.objects(Coding.Key.self).map(\.id) == [1, 3])
    #expect(
      result.issues.map(\.path) == [
        "members[1].id", "members[2]", "members[3]", "members[4]", "members[5].name", "numbers[1]",
        "numbers[2]", "numbers[3]", "limits.b", "tags[1]",
      ])
    let version = coder.store.version
    _ = try read(text, coder)
    #expect(coder.store.version == version)
    #expect(kind { try coder.decode(Coding.Page.self, #"{"id":1,"numbers":[1,}"#) } == .syntax)
  }

  @Test
  func
    `a bad element of a list without a policy follows the policy of the coder`()
    throws
  {
    let payload = #"[{"id":1,"strict":[{"id":1},{"id":"x"}]},{"id":2}]"#
    let coder = try makeCoder()
    #expect(
      message { try coder.decodeArray(Coding.Page.self, payload) }
        == #"[0].strict[1].id (Key.id): expected Int, found string "x" at line 1, column 35"#)
    let lenient = try makeCoder { $0.mismatches = .skipElement }
    #expect(try lenient.decodeArray(Coding.Page.self, payload).map(\.id) == [2])
    #expect(lenient.store.objects(Coding.Key.self).isEmpty)
  }

  // MARK: - Enums

  @Test func `unknown enum cases in collections are replaced by the fallback with an issue each`()
    throws
  {
    let coder = try makeCoder()
    let result = try coder.read(
      Coding.Moods.self,
      from: Data(
        #"""
        {"id":1,"one":"sleepy","list":["happy","sad"],"sizes":[1,null,9],"set":["x","grumpy"],
         "map":{"a":"?","b":"happy"},"optionalMap":{"a":null,"b":"?"}}
        """#.utf8))
    let moods = result.objects[0]
    #expect(moods.one == .other)
    #expect(Array(moods.list) == [.happy, .other])
    #expect(Array(moods.sizes) == [.small, nil, .unknown])
    #expect(Set(moods.set) == [.other, .grumpy])
    #expect(moods.map["a"] == .other && moods.map["b"] == .happy)
    #expect(moods.optionalMap["b"] == .other)
    #expect(
      result.issues.map(\.path) == [
        "one", "list[1]", "sizes[2]", "set[0]", "map.a", "optionalMap.b",
      ])
    #expect(
      result.issues[0].description
        == #"one (Moods.one, id 1): expected Mood (happy, grumpy, other), found string "sleepy" at line 1, column 15"#
    )
    #expect(kind { try coder.decode(Coding.Moods.self, #"{"id":1,"list":[3]}"#) } == .typeMismatch)
    // A number outside the range of the raw type is also an unknown case.
    let large = try coder.decode(
      Coding.Moods.self, #"{"id":2,"sizes":[1,300,99999999999999999999]}"#)
    #expect(Array(large.sizes) == [.small, .unknown, .unknown])
  }

  @Test func `the fallback is encoded instead of the original raw value`() throws {
    let coder = try makeCoder()
    let sent = #"{"id":1,"one":"sleepy","list":["sad"]}"#
    let result = try coder.read(Coding.Moods.self, from: Data(sent.utf8))
    #expect(result.issueCount == 2)
    let body = try coder.text(result.objects[0])
    #expect(body.hasPrefix(#"{"id":1,"one":"other","list":["other"]"#), "\(body)")
    #expect(try coder.read(Coding.Moods.self, from: Data(body.utf8)).issues.isEmpty)
  }

  // MARK: - Empty strings

  private static let blanks =
    #"{"id":1,"url":"","date":"","mood":"","uuid":"","count":"","text":"","owner":"","#
    + #""kept":"","dates":["","2018-05-18T14:53:37Z"]}"#

  @Test func `an empty string is nil if the attribute declares it`() throws {
    let coder = try makeCoder()
    let full =
      #"{"id":1,"url":"a:b","date":"2018-05-18T14:53:37Z","mood":"happy","count":3,"text":"t","#
      + #""owner":{"id":1},"kept":"a:b"}"#
    let object = try coder.decode(Coding.Blanks.self, full)
    #expect(object.url != nil && object.mood == .happy && object.owner != nil)
    let result = try coder.read(Coding.Blanks.self, from: Data(Self.blanks.utf8))
    #expect(result.issues.isEmpty)
    #expect(object.url == nil && object.date == nil && object.mood == nil && object.uuid == nil)
    #expect(object.count == nil && object.text == nil && object.owner == nil)
    #expect(object.kept == URL(string: "a:b"))
    #expect(Array(object.dates) == [nil, Date(timeIntervalSince1970: 1_526_655_217)])
    #expect(
      message { try coder.decode(Coding.Blanks.self, #"{"id":1,"refused":""}"#) }
        == "refused (Blanks.refused, id 1): null for a URL? that rejects it at line 1, column 19")
    #expect(
      message { try coder.decode(Coding.Blanks.self, #"{"id":1,"plainURL":""}"#) }
        == #"plainURL (Blanks.plainURL, id 1): expected URL?, found string "" at line 1, column 20"#
    )
    try coder.decode(Coding.Blanks.self, #"{"id":1,"dates":""}"#)
    #expect(object.dates.isEmpty)
  }

  @Test(arguments: [false, true])
  func `an empty string is an enum case if the enum declares one`(isCoders: Bool) throws {
    let coder = try makeCoder { $0.emptyAsNil = isCoders }
    let object = try coder.decode(Graded.self, #"{"id":1,"grade":"","list":["",null,"good"]}"#)
    #expect(object.grade == .unmarked && Array(object.list) == [.unmarked, nil, .good])
    #expect(try coder.text(object) == #"{"id":1,"grade":"","list":["",null,"good"]}"#)
  }

  @Test func `an empty string set in code is encoded and reads back as nil`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(Coding.Blanks.self, #"{"id":1,"text":"t"}"#)
    try coder.store.write { object.text = "" }
    let body = try coder.text(object)
    #expect(body.contains(#""text":"""#))
    try coder.decode(Coding.Blanks.self, body)
    #expect(object.text == nil)
  }

  @Test func `a coder can read empty strings as nil for all optional attributes except strings`()
    throws
  {
    let coder = try makeCoder { $0.emptyAsNil = true }
    let object = try coder.decode(
      Coding.Blanks.self, #"{"id":1,"plainURL":"","plainText":""}"#)
    #expect(object.plainURL == nil)
    #expect(object.plainText == "")
    #expect(
      kind { try coder.decode(Coding.Blanks.self, #"{"id":1,"plainNumber":""}"#) }
        == .typeMismatch)
    #expect(
      coder.explain(Coding.Blanks.self)
        .contains("plainURL     plainURL     URL?         empty as nil"))
  }
}
