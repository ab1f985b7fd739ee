import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Keys from the call` {
  final class Settings: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var theme = "light"
    @Persisted var owner: User?
  }

  final class User: Object {
    @Persisted(primaryKey: true) var id: Int8
    @Persisted var name = ""
    @Persisted var friends: List<User>
  }

  final class Seat: Object {
    @Persisted(primaryKey: true) var key: String
    @Persisted var row: Int
    @Persisted var name: String
    @Persisted var isTaken = false

    override class var compoundKey: [String] { ["row", "name"] }
  }

  final class Bare: Object {
    @Persisted var text = ""
  }

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  @Test func `a payload without key updates the object with the key of the call`() throws {
    let dark = Data(#"{"theme": "dark"}"#.utf8)
    let settings = try coder.decode(Settings.self, from: dark, key: "me")
    #expect(settings.id == "me")
    #expect(try coder.read(Settings.self, from: dark, key: "me").unchanged == 1)
    #expect(coder.store.objects(Settings.self).count == 1)
    let update = try coder.updateDictionary(for: Settings.self, from: dark, key: "me")
    #expect(update["id"] == "me")
    #expect(
      try coder.decode(dynamic: "Settings", from: dark, key: "me")["theme"] as? String == "dark")
    #expect(try coder.read(dynamic: "Settings", from: dark, key: "you").inserted == 1)
    #expect(
      try coder.updateDictionary(dynamic: "Settings", from: dark, key: "me")["id"] == "me")
  }

  @Test func `the key applies to the object of the payload and not to nested objects`() throws {
    let data = Data(#"{"owner": {"id": 3, "friends": [{"id": 4}]}, "theme": "x"}"#.utf8)
    let settings = try coder.decode(Settings.self, from: data, key: "me")
    #expect(settings.owner?.id == 3)
    #expect(settings.owner?.friends.map(\.id) == [4])
    let nested = Data(#"{"owner": {"name": "x"}}"#.utf8)
    #expect(
      kind { try coder.decode(Settings.self, from: nested, key: "me") } == .primaryKeyNotFound)
  }

  @Test func `a payload with the same key is accepted, also inside an envelope`() throws {
    let data = Data(#"{"data": {"id": 7, "name": "x"}}"#.utf8)
    #expect(try coder.decode(User.self, from: data, at: "data", key: 7).name == "x")
    #expect(try coder.decode(User.self, from: data, at: "data", key: Int8(7)).name == "x")
  }

  @Test func `a payload with another key is an error and changes nothing`() throws {
    let data = Data(#"{"data": {"id": 7, "name": "x"}}"#.utf8)
    #expect(
      message { try coder.decode(User.self, from: data, at: "data", key: 8) }
        == "data.id (User.id, id 7): expected 8, the key of the call, found number 7 "
        + "at line 1, column 17")
    #expect(coder.store.objects(User.self).isEmpty)
  }

  @Test func `a compound key supplies each part that the payload lacks`() throws {
    let data = Data(#"{"isTaken": true, "row": 4}"#.utf8)
    let seat = try coder.decode(Seat.self, from: data, key: CompoundKey(4, "b"))
    #expect((seat.row, seat.name, seat.isTaken) == (4, "b", true))
    #expect(seat.key == CompoundKey(4, "b").text)
    #expect(
      message { try coder.decode(Seat.self, from: data, key: CompoundKey(5, "b")) }
        .hasPrefix("row (Seat.row"))
  }

  @Test(arguments: [#"{"isTaken": true}"#, #"{"row": 4, "name": "b|c"}"#, "{}"])
  func `the string of a compound key supplies its parts`(text: String) throws {
    let key = CompoundKey(4, "b|c").text
    let seat = try coder.decode(Seat.self, from: Data(text.utf8), key: key)
    #expect((seat.row, seat.name, seat.key) == (4, "b|c", key))
    #expect(try coder.read(Seat.self, from: Data("{}".utf8), key: seat.key).unchanged == 1)
  }

  @Test(arguments: ["4", "4|b|c", "x|b", "04|b", "4,b", "4|b\\", ""])
  func `a string that is not that of a compound key is refused`(key: String) throws {
    #expect(throws: StoreError.self) {
      try coder.decode(Seat.self, from: Data("{}".utf8), key: key)
    }
    #expect(coder.store.objects(Seat.self).isEmpty)
  }

  @Test func `an empty payload is the object with the key of the call`() throws {
    let user = try coder.decode(User.self, from: Data(#"{"data": {}}"#.utf8), at: "data", key: 7)
    #expect((user.id, user.name) == (7, ""))
    let foreign = Data(#"{"zzz": 1}"#.utf8)
    #expect(kind { try coder.decode(User.self, from: foreign, key: 8) } == .noKeysFound)
  }

  final class Wrapped: Object {
    @Persisted(primaryKey: true, json: "meta.id") var id: UUID = UUID()
    @Persisted(json: "meta.x") var x: Int
  }

  @Test func `the key of the call remains if the parent of its path occurs twice`() throws {
    let id = UUID()
    let data = Data(#"{"meta": {"x": 1}, "meta": {"x": 2}}"#.utf8)
    let wrapped = try coder.decode(Wrapped.self, from: data, key: id)
    #expect((wrapped.id, wrapped.x) == (id, 2))
  }

  @Test func `a key that does not fit the class is an error`() throws {
    let data = Data(#"{"name": "x"}"#.utf8)
    #expect(throws: StoreError.self) { try coder.decode(User.self, from: data, key: "x") }
    #expect(throws: StoreError.self) { try coder.decode(User.self, from: data, key: 300) }
    #expect(throws: StoreError.self) { try coder.decode(Bare.self, from: data, key: 1) }
    #expect(throws: StoreError.self) { try coder.decode(Seat.self, from: data, key: "4,b") }
    #expect(throws: StoreError.self) {
      try coder.decode(User.self, from: data, key: CompoundKey(1, 2))
    }
    #expect(coder.store.objects(User.self).isEmpty)
  }

  @Test func `null in place of the key is an error despite the key of the call`() throws {
    let data = Data(#"{"id": null, "name": "x"}"#.utf8)
    #expect(kind { try coder.decode(User.self, from: data, key: 1) } == .nullForNonOptional)
  }
}
