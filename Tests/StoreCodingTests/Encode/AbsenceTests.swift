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

@Suite struct `What is written of nothing` {
  private let empty =
    #"{"id":1,"int":null,"bool":null,"double":null,"text":null,"born":null,"day":null,"json":null,"#
    + #""leaf":null,"friend":null,"deep":{"er":null},"list":[]}"#

  @Test func `the attribute says, of managed, unmanaged and frozen objects`() throws {
    let coder = try makeCoder()
    let frog = Pond.Frog()
    frog.id = 1
    #expect(try coder.text(frog) == empty)
    try coder.store.write { try coder.store.add(frog) }
    #expect(try coder.text(frog) == empty)
    #expect(try coder.encode(frog.frozen()).text == empty)
  }

  @Test func `what is there is written as ever`() throws {
    let coder = try makeCoder()
    let text =
      #"{"id":1,"plain":1,"int":2,"bool":true,"double":0.5,"text":"","born":"1970-01-01T00:00:00.000Z","#
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
        + #""born":"1970-01-01T00:00:00.000Z","day":"1970-01-02","json":[],"#
        + #""leaf":{"colour":null,"spots":[3]},"friend":null,"deep":{"er":3},"list":[4]}"#)
  }

  @Test func `explain tells it`() throws {
    let lines = try makeCoder().explain(Pond.Leaf.self).split(separator: "\n")
    #expect(lines.contains { $0.contains("colour") && $0.contains("nil as null") })
    #expect(lines.contains { $0.contains("spots") && $0.contains("empty left out") })
  }
}
