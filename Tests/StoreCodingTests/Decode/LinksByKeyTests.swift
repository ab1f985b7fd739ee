import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Barn {
  final class Keeper: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = "nobody"
  }

  final class Cow: Object {
    @Persisted(primaryKey: true) var tag: String
    @Persisted(json: "keeper_id", .byKey, .writesNil) var keeper: Keeper?
    @Persisted(json: "mother_tag", .byKey) var mother: Cow?
    @Persisted(json: "leader_tag", .byKey) var leader: Cow?
    @Persisted(json: "friend_tags", .byKey, .omitsEmpty) var friends: List<Cow>
    @Persisted(.byKey, .omitsEmpty) var vets: MutableSet<Keeper>
    @Persisted(.byKey, .omitsEmpty) var days: Map<String, Keeper?>
    @Persisted(json: "sitter_id", .byKey, .mismatch(.skipAttribute)) var sitter: Keeper?
  }

  final class Stone: Object {
    @Persisted var weight = 1
  }

  final class Wall: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.byKey) var stone: Stone?
  }
}

@Suite struct `Links by key` {
  private let text =
    #"{"tag":"a","keeper_id":7,"mother_tag":"b","friend_tags":["b","a"],"vets":[8],"#
    + #""days":{"mon":7,"tue":null},"sitter_id":9}"#

  @Test func `links by key are written as keys for managed, unmanaged and frozen objects`() throws {
    let coder = try makeCoder()
    _ = try coder.decode(Barn.Keeper.self, #"{"id":7,"name":"Jo"}"#)
    let cow = try coder.decode(Barn.Cow.self, text)
    #expect(cow.keeper?.name == "Jo")
    #expect(cow.mother?.tag == "b")
    #expect(cow.friends.map(\.tag) == ["b", "a"])
    #expect(cow.days["mon"]??.name == "Jo")
    #expect(try coder.text(cow) == text)
    #expect(try coder.encode(cow.frozen()).text == text)
    let (alone, friend) = (Barn.Cow(), Barn.Cow())
    (alone.tag, friend.tag) = ("x", "y")
    alone.mother = friend
    alone.friends.append(friend)
    #expect(
      try coder.text(alone)
        == #"{"tag":"x","keeper_id":null,"mother_tag":"y","friend_tags":["y"]}"#)
  }

  @Test func `a missing object that is linked by key is created and completed by a later payload`()
    throws
  {
    let coder = try makeCoder()
    let cow = try coder.decode(Barn.Cow.self, text)
    #expect(cow.keeper?.name == "nobody")
    #expect(try coder.read(Barn.Cow.self, from: Data(text.utf8)).unchanged == 1)
    _ = try coder.decode(Barn.Keeper.self, #"{"id":7,"name":"Jo"}"#)
    #expect(try coder.read(Barn.Cow.self, from: Data(text.utf8)).unchanged == 1)
    #expect(cow.keeper?.name == "Jo")
    #expect(coder.store.objects(Barn.Keeper.self).count == 3)
  }

  @Test func `a link by key also accepts a complete object and null`() throws {
    let coder = try makeCoder()
    let cow = try coder.decode(Barn.Cow.self, #"{"tag":"a","keeper_id":{"id":7,"name":"Jo"}}"#)
    #expect(try coder.text(cow) == #"{"tag":"a","keeper_id":7}"#)
    _ = try coder.decode(Barn.Cow.self, #"{"tag":"a","keeper_id":null}"#)
    #expect(cow.keeper == nil)
  }

  @Test func `a value that is not a key throws an error unless the policy skips it`() throws {
    let coder = try makeCoder()
    func problem(_ text: String) -> String? {
      do {
        _ = try coder.decode(Barn.Cow.self, text)
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(
      problem(#"{"tag":"a","keeper_id":"7"}"#)
        == "keeper_id (Cow.keeper, tag \"a\"): expected the key of a Keeper (Int), or an object, "
        + "found string \"7\" at line 1, column 24"
    )
    #expect(
      problem(#"{"tag":"a","friend_tags":["b",3]}"#)
        == "friend_tags[1] (Cow.friends, tag \"a\"): expected the key of a Cow (String), or an object, "
        + "found number 3 at line 1, column 31"
    )
    #expect(
      problem(#"{"tag":"a","friend_tags":{}}"#)
        == "friend_tags (Cow.friends, tag \"a\"): expected an array of keys of Cow objects, "
        + "found an object at line 1, column 26")
    #expect(
      problem(#"{"tag":"a","vets":[true]}"#)
        == "vets[0] (Cow.vets, tag \"a\"): expected the key of a Keeper (Int), or an object, "
        + "found true at line 1, column 20")
    #expect(
      problem(#"{"tag":"a","days":[]}"#)
        == "days (Cow.days, tag \"a\"): expected an object whose values are keys of Keeper objects, "
        + "found an array at line 1, column 19")
    let result = try coder.read(Barn.Cow.self, from: Data(#"{"tag":"a","sitter_id":true}"#.utf8))
    #expect(result.issues.count == 1)
    #expect(result.objects[0].sitter == nil)
  }

  @Test func `explain and check take links by key into account`() throws {
    let coder = try makeCoder()
    let lines = coder.explain(Barn.Cow.self).split(separator: "\n")
    #expect(lines.contains { $0.contains("keeper_id") && $0.contains("nil as null, by key") })
    #expect {
      try coder.check(Barn.Wall.self)
    } throws: {
      "\($0)".contains("Wall.stone: 'byKey' needs a primary key, which Stone does not have")
    }
  }

  @Test func `an empty string is a valid string key even if the coder reads empty strings as null`()
    throws
  {
    let coder = try makeCoder { $0.emptyAsNil = true }
    let body = #"{"tag":"a","keeper_id":null,"leader_tag":"","friend_tags":[""]}"#
    let cow = try coder.decode(Barn.Cow.self, body)
    #expect(cow.leader?.tag == "")
    #expect(try coder.text(cow) == body)
    _ = try coder.decode(Barn.Cow.self, #"{"tag":"a","keeper_id":7}"#)
    _ = try coder.decode(Barn.Cow.self, #"{"tag":"a","keeper_id":""}"#)
    #expect(cow.keeper == nil)
  }
}
