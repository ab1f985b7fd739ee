import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Pond {
  final class Leaf: EmbeddedObject {
    @Persisted(.writesNil) var colour: String?
    @Persisted(.omitsEmpty) var spots: List<Int>
  }

  final class Leaves: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.writesNil) var colour: String?
  }

  final class Frog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var plain: Int?
    @Persisted(.writesNil) var int: Int?
    @Persisted(.writesNil) var bool: Bool?
    @Persisted(.writesNil) var double: Double?
    @Persisted(.writesNil) var text: String?
    @Persisted(.writesNil) var born: Date?
    @Persisted(.writesNil, .date(.date)) var day: Date?
    @Persisted(.writesNil) var json: JSONValue?
    @Persisted(.writesNil) var leaf: Leaf?
    @Persisted(.writesNil) var friend: Frog?
    @Persisted(json: "deep.er", .writesNil) var deep: Int?
    @Persisted var list: List<Int>
    @Persisted(.omitsEmpty) var ints: List<Int>
    @Persisted(.omitsEmpty) var set: MutableSet<String>
    @Persisted(.omitsEmpty) var map: Map<String, Int>
    @Persisted(.omitsEmpty) var friends: List<Frog>
    @Persisted(json: "below.all", .omitsEmpty) var below: List<Int>
  }
}

@Suite struct `Nil and empty values in bodies` {
  private let empty =
    #"{"id":1,"int":null,"bool":null,"double":null,"text":null,"born":null,"day":null,"json":null,"#
    + #""leaf":null,"friend":null,"deep":{"er":null},"list":[]}"#

  @Test
  func `writesNil and omitsEmpty apply to managed, unmanaged and frozen objects`()
    throws
  {
    let coder = try makeCoder()
    let frog = Pond.Frog()
    frog.id = 1
    #expect(try coder.text(frog) == empty)
    try coder.store.write { try coder.store.add(frog) }
    #expect(try coder.text(frog) == empty)
    #expect(try coder.encode(frog.frozen()).text == empty)
  }

  @Test func `values of attributes with writesNil and omitsEmpty are written as usual`() throws {
    let coder = try makeCoder()
    let text =
      #"{"id":1,"plain":1,"int":2,"bool":true,"double":0.5,"text":"","born":"1970-01-01T00:00:00Z","#
      + #""day":"1970-01-02","json":[],"leaf":{"colour":null},"friend":{"id":2,"int":null,"#
      + #""bool":null,"double":null,"text":null,"born":null,"day":null,"json":null,"leaf":null,"#
      + #""friend":null,"deep":{"er":null},"list":[]},"deep":{"er":3},"list":[4],"ints":[5],"#
      + #""set":["a"],"map":{"b":6},"below":{"all":[7]}}"#
    let frog = try coder.decode(Pond.Frog.self, text)
    let written = try coder.text(frog)
    #expect(written == text)
    try coder.store.write {
      frog.leaf?.spots.append(3)
      frog.friend = nil
      frog.ints.removeAll()
      frog.set.removeAll()
      frog.map.removeAll()
      frog.below.removeAll()
    }
    let less = try coder.text(frog)
    #expect(
      less
        == #"{"id":1,"plain":1,"int":2,"bool":true,"double":0.5,"text":"","#
        + #""born":"1970-01-01T00:00:00Z","day":"1970-01-02","json":[],"#
        + #""leaf":{"colour":null,"spots":[3]},"friend":null,"deep":{"er":3},"list":[4]}"#)
  }

  @Test func `explain shows writesNil and omitsEmpty`() throws {
    let lines = try makeCoder().explain(Pond.Leaf.self).split(separator: "\n")
    #expect(lines.contains { $0.contains("colour") && $0.contains("nil as null") })
    #expect(lines.contains { $0.contains("spots") && $0.contains("empty omitted") })
  }

  // MARK: - Round trips

  final class Nest: EmbeddedObject {
    @Persisted(.omitsEmpty) var tags: List<String> = ["new"]
    @Persisted(.omitsEmpty) var sizes: MutableSet<Int> = [1]
    @Persisted(.omitsEmpty) var names: Map<String, Int> = ["a": 1]
    @Persisted(.omitsEmpty) var eggs: List<Int>
    @Persisted var n = 0
  }

  final class Bird: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var nest: Nest?
    @Persisted(.omitsEmpty) var tags: List<String> = ["new"]
  }

  @Test func `an empty collection is written if the declared default has elements`() throws {
    let coder = try makeCoder()
    let bird = try coder.decode(
      Bird.self,
      #"{"id":1,"nest":{"tags":[],"sizes":[],"names":{},"eggs":[],"n":1},"tags":[]}"#)
    let body = try coder.encode(bird)
    #expect(
      body.text == #"{"id":1,"nest":{"tags":[],"sizes":[],"names":{},"n":1},"tags":[]}"#)
    #expect(try coder.encode(bird.frozen()).text == body.text)
    let unmanaged = Bird()
    unmanaged.id = 1
    unmanaged.tags = []
    #expect(try coder.text(unmanaged) == #"{"id":1,"tags":[]}"#)
    let version = coder.store.version
    try coder.decode(Bird.self, from: body)
    #expect(coder.store.version == version)
    let other = try makeCoder()
    #expect(try other.encode(other.decode(Bird.self, from: body)) == body)
  }

  final class Refusing: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.writesNil, .null(.fail)) var x: String?
    @Persisted(.writesNil, .null(.default)) var y: Int? = 4
    @Persisted(.writesNil, .null(.skip)) var z: Int?
    @Persisted(.writesNil) var link: Refusing?
    @Persisted(.null(.fail)) var ignored: Int?
  }

  @Test func `check reports writesNil if null does not read back as nil`() throws {
    #expect(
      message { try makeCoder().check(Refusing.self) } == """
        Refusing.x: nil is written as null, which its null policy 'fail' rejects
        Refusing.y: nil is written as null, which its null policy 'default' reads as the default
        """)
    #expect(
      message { try makeCoder { $0.nulls = .fail }.decode(Pond.Leaves.self, #"{"id":1}"#) }
        == "Leaves.colour: nil is written as null, which its null policy 'fail' rejects")
  }

  final class Kept: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.raw()) var raw = ""
    @Persisted(.raw(.exact)) var exact = ""
    @Persisted(.raw()) var maybe: String?
    @Persisted(.raw(), .writesNil) var written: String?
    @Persisted(.raw(), .null(.skip)) var skipping = ""
  }

  @Test func `raw JSON that is null reads back as written`() throws {
    let coder = try makeCoder()
    let body = #"{"id":1,"raw":null,"exact":null,"written":null}"#
    let kept = try coder.decode(Kept.self, body)
    #expect((kept.raw, kept.exact) == ("null", "null"))
    #expect(kept.maybe == nil && kept.written == nil)
    #expect(try coder.text(kept) == body)
    // Strings assigned in code that no payload produces.
    try coder.store.write {
      kept.maybe = " null"
      kept.written = "null"
      kept.skipping = "null"
      kept.exact = " null "
    }
    let text = try coder.text(kept)
    #expect(text == #"{"id":1,"raw":null,"exact": null }"#)
    try coder.decode(Kept.self, text)
    #expect(kept.maybe == " null" && kept.written == "null" && kept.skipping == "null")
  }

  @Test func `raw JSON from code is formatted like the output unless its policy keeps it verbatim`()
    throws
  {
    let kept = Kept()
    kept.raw = "{ \"b\": 1,\n \"a\": \"x y\" }"
    kept.exact = "[ 1 ]"
    #expect(
      try makeCoder().text(kept)
        == #"{"id":0,"raw":{"b":1,"a":"x y"},"exact":[ 1 ],"written":null}"#)
  }
}
