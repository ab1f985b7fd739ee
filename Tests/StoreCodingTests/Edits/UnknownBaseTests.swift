import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Edits of attributes of which the server's value was not known.
@Suite struct `Edits of unknown attributes` {
  final class Place: EmbeddedObject {
    @Persisted var x = 0
    @Persisted var y: String?
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title: String?
    @Persisted var total = 9.5
    @Persisted var note: String?
    @Persisted var tags: List<String>
    @Persisted var version = 1
    @Persisted(.inPlace) var place: Place?
    @Persisted var other: Place?
    override class var tracksEdits: Bool { true }
    override class var codableAlwaysEncoded: [String] { ["version"] }
  }

  private let coder: StoreCoder
  private var store: Store { coder.store }

  init() throws { coder = try makeCoder() }

  private func order(_ text: String, _ absent: AbsentAttributes = .keep) throws -> Order {
    try coder.decode(Order.self, from: Data(text.utf8), absent: absent)
  }

  /// K5
  @Test func `an edit that was sent ends with a deletion and its revert`() throws {
    let order = try order(#"{"id":1,"title":"t"}"#)
    try store.write { order.note = "mine" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.settle(edit, .later)
    try store.write { store.delete(order) }
    let again = try #require(try store.revertDeletion(of: Order.self, key: 1))
    #expect(again.unknownAttributes.contains("note") && again.editState == .clean)
    #expect(try store.takeEdit(of: again) == nil)
    #expect(try coder.text(again) == #"{"id":1,"title":"t"}"#)
  }

  /// K5
  @Test func `a revert leaves an edit that is in flight, because what the server had is unknown`()
    throws
  {
    let order = try order(#"{"id":1,"title":"t"}"#)
    try store.write { (order.note, order.title) = ("mine", "u") }
    let edit = try #require(try store.takeEdit(of: order))
    try store.revertEdits(of: order)
    #expect(order.editedAttributes == ["title", "note"])
    #expect(order.title == "t" && order.note == "mine")
    try coder.settle(edit, .confirmed)
    #expect(order.editedAttributes == ["title"])
    let next = try #require(try store.takeEdit(of: order))
    #expect(try coder.encode(next).text == #"{"id":1,"title":"t"}"# && order.note == "mine")
  }

  /// K5
  @Test
  func `an edit that was sent ends with a revert, and the next payload has what the server has`()
    throws
  {
    let order = try order(#"{"id":1,"title":"t"}"#)
    try store.write { (order.note, order.title) = ("mine", "u") }
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.revertEdits(of: order)
    #expect(order.editedAttributes == ["title"] && order.title == "t" && order.note == nil)
    let next = try #require(try store.takeEdit(of: order))
    #expect(try coder.encode(next).text == #"{"id":1,"title":"t"}"#)
    #expect(!order.isKnown(\.note))
    try coder.settle(next, .confirmed(Data(#"{"id":1,"title":"t","note":"mine"}"#.utf8)))
    #expect(order.note == "mine" && order.editState == .clean)
  }

  @Test(arguments: [0, 1, 2])
  func `a deleted object keeps its known values when code changes it for the server`(_ way: Int)
    throws
  {
    for (text, unknown) in [
      (#"{"id":1,"title":"t","note":"n","tags":["x"]}"#, ["total", "version", "place", "other"]),
      (#"{"id":2,"title":"t"}"#, ["total", "note", "tags", "version", "place", "other"]),
    ] {
      let order = try order(text)
      let key = order.id
      try store.write { store.delete(order) }
      try store.write(as: .server) {
        switch way {
        case 0:
          try store.create(Order.self, value: ["id": .init(key), "title": "u"], update: .modified)
        case 1: try store.update(Order.self, key: key, \.title <- "u", missing: .orInsert)
        default: try store.create(Order.self, value: ["id": .init(key)]).title = "u"
        }
      }
      let again = try #require(try store.revertDeletion(of: Order.self, key: key))
      #expect(again.unknownAttributes == unknown && again.editState == .clean)
      #expect(try coder.text(again) == text.replacing("\"t\"", with: "\"u\""))
    }
  }

  @Test func `a sent deletion that is reverted leaves unknown attributes to the next payload`()
    throws
  {
    let order = try order(#"{"id":1,"title":"t"}"#)
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdits().first)
    let again = try #require(try store.revertDeletion(of: Order.self, key: 1))
    try store.settle(deletion, .later)
    let result = try coder.read(
      [Order].self, from: Data(#"[{"id":1,"title":"t","note":"server","tags":["x"]}]"#.utf8))
    #expect(result.conflicts.isEmpty && again.note == "server" && again.tags == ["x"])
  }

  @Test func `the body of a deletion leaves out a version that is unknown`() throws {
    for (text, body) in [
      (#"{"id":1}"#, #"{"id":1}"#), (#"{"id":2,"version":7}"#, #"{"id":2,"version":7}"#),
    ] {
      let order = try order(text)
      try store.write { store.delete(order) }
      let edit = try #require(try store.takeEdits().first)
      let encoded = try coder.encode(edit).text
      #expect(encoded == body)
      try store.settle(edit, .confirmed)
    }
  }

  @Test func `an unknown attribute that is marked as edited is unknown again after a revert`()
    throws
  {
    let order = try order(#"{"id":1}"#)
    try store.markEdited(order, \.total)
    #expect(order.isKnown(\.total) && order.editedAttributes == ["total"])
    try store.revertEdits(of: order)
    #expect(!order.isKnown(\.total))
    #expect(try coder.text(order) == #"{"id":1}"#)
  }

  @Test func `a confirmed creation gives its values to the object that a summary delivered`() throws
  {
    let order = try store.write { try store.create(Order.self, value: ["id": -1, "title": "b"]) }
    let edit = try #require(try store.takeEdit(of: order))
    let delivered = try self.order(#"{"id":44,"note":"n"}"#)
    try coder.settle(edit, .confirmed(Data(#"{"id":44}"#.utf8)))
    #expect(delivered.title == "b" && delivered.note == "n" && delivered.unknownAttributes == [])
    #expect(delivered.editState == .clean && store.objects(Order.self).count == 1)
  }

  @Test func `an object after a null in the same payload replaces the stored one`() throws {
    let order = try order(#"{"id":1,"place":{"x":1,"y":"a"}}"#)
    try coder.decodeArray(
      Order.self, from: Data(#"[{"id":1,"place":null},{"id":1,"place":{"y":"z"}}]"#.utf8))
    #expect(order.place?.x == 0 && order.place?.y == "z")
    #expect(order.place?.unknownAttributes == ["x"])
  }

  @Test func `an object whose edit is reverted stays whole after a complete payload`() throws {
    let order = try order(
      #"{"id":1,"title":"t","total":1,"note":null,"tags":[],"version":1,"place":null,"other":null}"#
    )
    try store.write { order.total = 2 }
    _ = try self.order(#"{"id":1,"title":"t"}"#, .clear)
    #expect(order.isWhole && order.total == 2)
    try store.revertEdits(of: order)
    #expect(order.isWhole && order.total == 9.5)
    #expect(try coder.text(order) == #"{"id":1,"title":"t"}"#)
  }

  @Test func `a copy of a whole embedded object is whole`() throws {
    let order = try order(#"{"id":1,"place":{"y":"a"}}"#, .clear)
    try store.write { order.other = order.place }
    #expect(order.other?.isWhole == true && order.isWhole)
  }

  @Test func `an object stays whole if its class gets an attribute that payloads do not contain`()
    throws
  {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(folder.file("local.store"), schemaVersion: 1)
    let properties = [
      Property("id", .int, isPrimaryKey: true), Property("note", .string, isOptional: true),
    ]
    do {
      let store = try Store(
        configuration: configuration, schemas: [ObjectSchema("Item", properties)])
      try StoreCoder(store: store).decode(
        dynamic: "Item", from: Data(#"{"id":1}"#.utf8), absent: .clear)
    }
    let local = Property("isOpen", .bool, options: [.local])
    let store = try Store(
      configuration: configuration, schemas: [ObjectSchema("Item", properties + [local])])
    #expect(try store.objects(dynamic: "Item").map(\.isWhole) == [true])
  }
}
