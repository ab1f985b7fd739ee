import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private enum Linked {
  final class Tag: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    override class var tracksEdits: Bool { true }
  }

  final class Frame: EmbeddedObject {
    @Persisted var width = 0
    @Persisted var tag: Tag?
    @Persisted var tags: List<Tag>
    @Persisted var places: Map<String, Tag?>
  }

  final class Remark: Object {
    @Persisted var text = ""
    @Persisted var tag: Tag?
  }

  final class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.placeholder) var isPlaceholder = false
    @Persisted var name = ""
    override class var tracksEdits: Bool { true }
  }

  final class Photo: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var owner: Owner?
    @Persisted var frame: Frame?
    @Persisted var frames: List<Frame>
    @Persisted var tag: Tag?
    @Persisted var tags: List<Tag>
    @Persisted var set: MutableSet<Tag>
    @Persisted var optionals: List<Tag?>
    @Persisted var remark: Remark?
    @Persisted var remarks: List<Remark>
    @Persisted(.keyed) var keyed: List<Tag>
    override class var tracksEdits: Bool { true }
  }
}

private typealias Tag = Linked.Tag
private typealias Photo = Linked.Photo

@Suite struct `Edits and links` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  private func photo(_ json: String) throws -> Photo {
    try bed.coder.decode(Photo.self, from: Data(json.utf8))
  }

  private func tag(_ id: Int) throws -> Tag {
    try #require(store.object(ofType: Tag.self, forPrimaryKey: id))
  }

  private func text(_ photo: Photo, _ attribute: String) throws -> String {
    String(
      decoding: try bed.coder.encode(photo, only: [attribute], includesKey: false), as: UTF8.self)
  }

  @Test(arguments: [
    ("tag", #"{"id":2}"#),
    ("tags", #"[{"id":2},{"id":1},{"id":2}]"#),
    ("set", #"[{"id":1},{"id":2}]"#),
    ("frame", #"{"width":1,"tag":{"id":2}}"#),
    ("frame", #"{"width":1,"tags":[{"id":2},{"id":1},{"id":2}]}"#),
    ("frame", #"{"width":1,"places":{"a":{"id":2}}}"#),
    ("frames", #"[{"width":1,"tag":{"id":2}},{"width":2}]"#),
    ("optionals", #"[{"id":2},null,{"id":1}]"#),
    ("remark", #"{"text":"t","tag":{"id":2}}"#),
    ("remarks", #"[{"text":"t","tag":{"id":2}}]"#),
  ])
  func `deleting an object is no edit of what links to it, and reverting it restores the links`(
    _ attribute: String, _ value: String
  ) throws {
    let payload = #"{"id":7,"\#(attribute)":\#(value)}"#
    let photo = try photo(payload)
    let text = try text(photo, attribute)
    try store.write { store.delete(try tag(2)) }
    #expect(try store.pendingEdits().map(\.className) == ["Tag"])
    _ = try self.photo(payload)
    let version = store.version
    _ = try self.photo(payload)
    #expect(store.version == version, "The same payload makes a version")
    try store.revertDeletion(of: Tag.self, key: 2)
    #expect(try self.text(photo, attribute) == text)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `a link of the user returns as an edit when a deletion is reverted`() throws {
    let photo = try photo(#"{"id":7,"tag":null}"#)
    let tag = try bed.coder.decode(Tag.self, from: Data(#"{"id":2}"#.utf8))
    try store.write { photo.tag = tag }
    try store.write { store.delete(tag) }
    try store.revertDeletion(of: Tag.self, key: 2)
    #expect(photo.tag?.id == 2)
    #expect(photo.editedAttributes == ["tag"])
  }

  @Test func `deleting an object without a key is an edit of what links to it`() throws {
    let photo = try photo(#"{"id":7,"remark":{"text":"a"},"remarks":[{"text":"b"},{"text":"c"}]}"#)
    try store.write {
      store.delete(photo.remarks[0])
      store.delete(try #require(photo.remark))
    }
    #expect(photo.editedAttributes == ["remark", "remarks"])
    _ = try self.photo(#"{"id":7,"remark":{"text":"a"},"remarks":[{"text":"b"},{"text":"c"}]}"#)
    #expect(photo.remarks.map(\.text) == ["c"])
    #expect(photo.remark == nil)
    try store.revertEdits(of: photo)
    #expect(photo.remarks.map(\.text) == ["b", "c"])
    #expect(photo.remark?.text == "a")
  }

  @Test func `deleting many objects with many links takes linear time`() throws {
    func seconds(_ count: Int) throws -> Double {
      let bed = try EditBed()
      let photos = (1...count).map { #"{"id":\#($0),"tags":[{"id":\#($0)}],"tag":{"id":\#($0)}}"# }
      try bed.coder.decodeArray(
        Photo.self, from: Data("[\(photos.joined(separator: ","))]".utf8))
      let all = photos.indices.map { #"{"id":\#($0 + 1)}"# }.joined(separator: ",")
      _ = try bed.coder.decode(Photo.self, from: Data(#"{"id":0,"tags":[\#(all)]}"#.utf8))
      return try threadSeconds {
        try bed.store.write { bed.store.delete(bed.store.objects(Tag.self)) }
      }
    }
    // Linear is 8 times as long, quadratic 64 times.
    let (small, large) = (try seconds(500), try seconds(4_000))
    #expect(large < 25 * small)
  }

  @Test func `an object of which only the key is known is no creation`() throws {
    try store.write {
      try store.create(Photo.self, value: ["id": -1, "owner": ["id": 6]])
    }
    #expect(
      try store.pendingEdits().map(\.description).map { $0.prefix(16) } == ["created Photo -1"])
  }

  @Test(arguments: ["tag", "tags", "set", "frame"])
  func `the values of a conflict can be chosen`(_ attribute: String) throws {
    func payload(_ id: Int) -> Data {
      let value =
        switch attribute {
        case "tag": #"{"id":\#(id)}"#
        case "frame": #"{"width":1,"tag":{"id":\#(id)},"tags":[{"id":\#(id)}],"places":{}}"#
        default: #"[{"id":\#(id)}]"#
        }
      return Data(#"{"id":7,"\#(attribute)":\#(value)}"#.utf8)
    }
    let choices: [@Sendable (Edit.Conflict) -> UpdateValue?] = [
      { $0.base }, { $0.local }, { $0.server },
    ]
    for (index, choice) in choices.enumerated() {
      let bed = try EditBed()
      var configuration = CodingConfiguration()
      configuration.resolveConflict = { .value(choice($0) ?? .null) }
      let coder = StoreCoder(store: bed.store, configuration: configuration)
      let photo = try coder.decode(Photo.self, from: payload(1))
      var user = CodingConfiguration()
      user.decodesAs = .user
      try StoreCoder(store: bed.store, configuration: user).decode(Photo.self, from: payload(2))
      let edited = try coder.encode(photo, only: [attribute], includesKey: true)
      #expect(photo.editedAttributes == [attribute])
      try coder.decode(Photo.self, from: payload(3))
      let chosen = try coder.encode(photo, only: [attribute], includesKey: true)
      let expected = [
        String(decoding: edited, as: UTF8.self).replacing("2", with: "1"),
        String(decoding: edited, as: UTF8.self),
        String(decoding: edited, as: UTF8.self).replacing("2", with: "3"),
      ]
      #expect(String(decoding: chosen, as: UTF8.self) == expected[index])
      #expect(photo.editState == .edited)
    }
  }

  @Test func `a chosen value of a rejected object is offered again`() throws {
    var configuration = CodingConfiguration()
    configuration.resolveConflict = { _ in .value(.string("both")) }
    let coder = StoreCoder(store: store, configuration: configuration)
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
    try coder.decode(EditOrder.self, from: Data(#"{"id":7,"note":"c"}"#.utf8))
    #expect(order.note == "both")
    #expect(order.editState == .edited)
    #expect(try store.takeEdit(of: order) != nil)
  }

  @Test func `a key cannot be taken from an object that the open write has deleted`() throws {
    try bed.orders(#"[{"id":7},{"id":8}]"#)
    let error = #expect(throws: StoreError.self) {
      try store.write {
        store.delete(try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 8)))
        try store.rekey(EditOrder.self, from: 7, to: 8)
      }
    }
    #expect(
      error?.description
        == "EditOrder 8: the object was deleted locally, and the server has not confirmed the deletion"
    )
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `objects that are merged occur once in a list`() throws {
    let photo = try photo(#"{"id":7,"keyed":{"101":{"name":"x"}}}"#)
    let tag = try store.write { try store.create(Tag.self, value: ["id": -1]) }
    try store.write { photo.keyed.append(tag) }
    let edit = try #require(try store.takeEdit(of: tag))
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":101}"#.utf8)))
    #expect(photo.keyed.map(\.id) == [101])
    #expect(try text(photo, "keyed") == #"{"keyed":{"101":{"id":101}}}"#)
  }

  @Test func `an edit made since the creation was sent survives a merge with an equal value`()
    throws
  {
    let order = try store.write {
      try store.create(EditOrder.self, value: ["id": -1, "note": "a"])
    }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.note = nil }
    // A refresh delivers the object before the server stores the note.
    let other = try bed.order(#"{"id":44,"note":null}"#)
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":44,"note":"a"}"#.utf8)))
    #expect(other.note == nil)
    #expect(other.editedAttributes == ["note"])
  }

  @Test func `a link to the key of a deleted object ends the deletion`() throws {
    _ = try bed.coder.decode(Linked.Owner.self, from: Data(#"{"id":5,"name":"Jo"}"#.utf8))
    try store.write {
      store.delete(try #require(store.object(ofType: Linked.Owner.self, forPrimaryKey: 5)))
    }
    try store.write { try store.create(Photo.self, value: ["id": 7, "owner": ["id": 5]]) }
    #expect(try store.revertDeletion(of: Linked.Owner.self, key: 5) == nil)
    #expect(store.objects(Linked.Owner.self).count == 1)
    #expect(try store.pendingEdits().map { "\($0.kind) \($0.className)" } == ["created Photo"])
  }

  @Test func `a created object that the server deletes a target of stays a created one`() throws {
    let tag = try bed.coder.decode(Tag.self, from: Data(#"{"id":2}"#.utf8))
    let photo = try store.write {
      let photo = try store.create(Photo.self, value: ["id": -1])
      photo.tag = tag
      return photo
    }
    try store.write(as: .server) { store.delete(tag) }
    #expect(photo.editState == .created)
  }

  @Test func `a created object that links to itself is sent without this link at first`() throws {
    let order = try store.write {
      let order = try store.create(EditOrder.self, value: ["id": -1])
      order.related.append(order)
      return order
    }
    let creation = try #require(try store.takeEdit())
    #expect(!creation.attributes.contains("related"))
    try bed.coder.settle(creation, .confirmed(Data(#"{"id":44}"#.utf8)))
    let edit = try #require(try store.takeEdit())
    #expect(edit.value(of: "related") == .array([.int(44)]))
    try store.settle(edit, .confirmed)
    #expect(order.editState == .clean)
  }

  @Test(arguments: [true, false])
  func `a link that a creation was sent without is nil on the server`(isConfirmed: Bool) throws {
    let order = try store.write {
      let order = try store.create(EditOrder.self, value: ["id": 9, "note": "a"])
      order.related.append(order)
      return order
    }
    let creation = try #require(try store.takeEdit())
    if isConfirmed {
      try store.settle(creation, .confirmed)
    } else {
      try store.settle(creation, .later)
      try bed.orders(#"[{"id":9,"note":"a"}]"#)
    }
    #expect(try store.pendingEdits().first?.attributesWithBase == ["related"])
    try store.revertEdits(of: order)
    #expect(order.related.isEmpty && order.editState == .clean)
  }

  @Test func `an edit that links to an object is settled after the object was merged`() throws {
    try store.write {
      let customer = try store.create(EditCustomer.self, value: ["id": -5])
      let order = try store.create(EditOrder.self, value: ["id": 1])
      order.customer = customer
    }
    let edits = try store.takeEdits()
    _ = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":5}"#.utf8))
    try bed.coder.settle(edits[0], .confirmed(Data(#"{"id":5}"#.utf8)))
    try store.settle(edits[1], .confirmed)
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 1))
    #expect(order.editState == .clean)
    try store.write { order.customer = nil }
    #expect(
      try store.pendingEdits().map(\.description) == ["edited EditOrder 1: customer 5 → null"])
  }

  @Test func `a merge that is rolled back is forgotten`() throws {
    struct Undo: Error {}
    let (first, second) = try store.write {
      (
        try store.create(EditCustomer.self, value: ["id": -1]),
        try store.create(EditCustomer.self, value: ["id": -2])
      )
    }
    let order = try bed.order(#"{"id":7}"#)
    try store.write { order.customer = first }
    let edit = try #require(try store.takeEdit(of: order))
    for isNested in [false, true] {
      try store.write {
        try? store.write {
          try store.merge(first, into: second)
          throw Undo()
        }
        if isNested { try store.merge(second, into: first) }
      }
    }
    try store.settle(edit, .confirmed)
    #expect(order.customer == first)
    #expect(order.editState == .clean)
  }

  @Test func `an edit that is merged into a rejected object is offered`() throws {
    let order = try bed.order(#"{"id":44,"count":1}"#)
    try store.write { order.count = 2 }
    try store.settle(
      try #require(try store.takeEdit(of: order)), .rejected(Edit.Rejection(general: ["no"])))
    let created = try store.write {
      try store.create(EditOrder.self, value: ["id": -1, "note": "b"])
    }
    try store.merge(created, into: order)
    #expect(try store.takeEdit(of: order)?.attributes == ["note", "count"])
  }

  @Test func `a repeated creation whose response is that to the first request keeps later changes`()
    throws
  {
    let order = try store.write {
      try store.create(EditOrder.self, value: ["id": -1, "note": "a"])
    }
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.write { order.note = "b" }
    let again = try #require(try store.takeEdit(of: order))
    try bed.coder.settle(again, .confirmed(Data(#"{"id":44,"note":"a","count":1}"#.utf8)))
    #expect(order.id == 44)
    #expect(order.note == "b")
    // The server has assigned the count.
    #expect(order.count == 1)
    #expect(
      try store.takeEdit(of: order)?.description == #"edited EditOrder 44: note "a" → "b""#)
  }

  @Test func `an object with two keys of a map returns under both`() throws {
    final class Places: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var tags: Map<String, Tag?>
      override class var tracksEdits: Bool { true }
    }
    let places = try bed.coder.decode(
      Places.self, from: Data(#"{"id":1,"tags":{"a":{"id":2},"b":{"id":2}}}"#.utf8))
    try store.write { store.delete(try tag(2)) }
    try store.revertDeletion(of: Tag.self, key: 2)
    #expect(places.tags["a"]??.id == 2)
    #expect(places.tags["b"]??.id == 2)
  }

  @Test func `a confirmed link is that to the object with its key`() throws {
    let order = try bed.order(#"{"id":1}"#)
    let customer = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":5}"#.utf8))
    try store.write { order.customer = customer }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { store.delete(customer) }
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    try store.settle(edit, .confirmed)
    #expect(order.editState == .clean)
    try store.write { order.customer = nil }
    #expect(
      try store.pendingEdits().map(\.description) == ["edited EditOrder 1: customer 5 → null"])
  }

  @Test func `a link changed and its object deleted in one write can both be reverted`() throws {
    let order = try bed.order(
      #"{"id":7,"customer":{"id":5},"related":[{"id":1},{"id":2},{"id":3}]}"#)
    let other = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":9}"#.utf8))
    let former = try #require(order.customer)
    try store.write {
      order.customer = other
      order.related.move(from: 2, to: 0)
      store.delete(order.related[1])
      store.delete(former)
    }
    #expect(order.related.map(\.id) == [3, 2])
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    try store.revertDeletion(of: EditOrder.self, key: 1)
    #expect(order.customer?.id == 9)
    #expect(order.related.map(\.id) == [1, 3, 2])
    try store.revertEdits(of: order)
    #expect(order.customer?.id == 5)
    #expect(order.related.map(\.id) == [1, 2, 3])
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `nil stays an edit while the object of the base value is deleted`() throws {
    let order = try bed.order(#"{"id":7,"customer":{"id":5}}"#)
    let other = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":9}"#.utf8))
    let former = try #require(order.customer)
    try store.write { order.customer = other }
    try store.write { store.delete(former) }
    try store.write { order.customer = nil }
    #expect(order.editState == .edited)
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    #expect(order.customer == nil)
    try store.revertEdits(of: order)
    #expect(order.customer?.id == 5)
  }

  @Test func `nil is an edit if the object of the base value was deleted before the first edit`()
    throws
  {
    let order = try bed.order(#"{"id":7,"customer":{"id":5}}"#)
    let other = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":9}"#.utf8))
    try store.write { store.delete(try #require(order.customer)) }
    try store.write { order.customer = other }
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    try store.write { order.customer = nil }
    #expect(order.editState == .edited)
    try bed.coder.decode(EditOrder.self, from: Data(#"{"id":7,"customer":{"id":5}}"#.utf8))
    #expect(order.customer == nil)
  }

  @Test func `a link that was not sent stays an edit if its object is deleted and returns`() throws
  {
    let order = try bed.order(#"{"id":7,"customer":null}"#)
    let customer = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":6}"#.utf8))
    try store.write { order.customer = customer }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { store.delete(customer) }
    try store.settle(edit, .unapplied)
    try store.revertDeletion(of: EditCustomer.self, key: 6)
    #expect(order.customer?.id == 6)
    #expect(order.editedAttributes == ["customer"])
  }

  @Test func `nil stays an edit if the object of the sent link is deleted and returns`() throws {
    let order = try bed.order(#"{"id":7,"customer":null}"#)
    let customer = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":6}"#.utf8))
    try store.write { order.customer = customer }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.customer = nil }
    try store.write { store.delete(customer) }
    try store.settle(edit, .confirmed)
    try store.revertDeletion(of: EditCustomer.self, key: 6)
    #expect(order.customer == nil)
    #expect(order.editedAttributes == ["customer"])
    try store.revertEdits(of: order)
    #expect(order.customer?.id == 6)
  }

  @Test func `a rolled back revert leaves the knowledge that an object is deleted`() throws {
    let order = try bed.order(#"{"id":7,"customer":{"id":5}}"#)
    let other = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":9}"#.utf8))
    try store.write { store.delete(try #require(order.customer)) }
    struct Undo: Error {}
    #expect(throws: Undo.self) {
      try store.write {
        try store.revertDeletion(of: EditCustomer.self, key: 5)
        order.customer = other
        _ = try store.pendingEdits()
        throw Undo()
      }
    }
    try store.write { order.customer = other }
    try store.write { order.customer = nil }
    #expect(order.editState == .edited)
  }

  @Test func `a reverted edit gets the links that its base value lacked`() throws {
    let order = try bed.order(#"{"id":7,"related":[{"id":2},{"id":3}]}"#)
    let removed = order.related[0]
    try store.write { order.related.remove(at: 0) }
    try store.write { store.delete(removed) }
    try store.revertEdits(of: order)
    try store.revertDeletion(of: EditOrder.self, key: 2)
    #expect(order.related.map(\.id) == [2, 3])
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test(arguments: [[1, 2], [2, 1]])
  func `an edited owner that was deleted returns with each link once`(keys: [Int]) throws {
    let order = try bed.order(#"{"id":1,"related":[{"id":2},{"id":3}]}"#)
    let added = try bed.order(#"{"id":4}"#)
    try store.write { order.related.append(added) }
    try store.write { store.delete(order.related[0]) }
    try store.write { store.delete(order) }
    for key in keys { try store.revertDeletion(of: EditOrder.self, key: key) }
    let found = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 1))
    #expect(found.related.map(\.id) == [2, 3])
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `a list is edited while a deleted object of it may return`() throws {
    let order = try bed.order(#"{"id":7,"related":[]}"#)
    let others = try [2, 3].map { try bed.order(#"{"id":\#($0)}"#) }
    try store.write { order.related.append(others[0]) }
    try store.write { store.delete(others[0]) }
    try store.write { order.related.append(others[1]) }
    try store.write { order.related.removeAll() }
    try store.revertDeletion(of: EditOrder.self, key: 2)
    #expect(order.related.map(\.id) == [2])
    #expect(order.editState == .edited)
  }

  @Test func `a link returns to the object into which its owner was merged`() throws {
    let created = try store.write {
      try store.create(EditOrder.self, value: ["id": -1, "customer": ["id": 5, "name": "A"]])
    }
    let order = try bed.order(#"{"id":44}"#)
    let customer = try #require(created.customer)
    try store.settle(try #require(try store.takeEdit(of: customer)), .confirmed)
    try store.write { store.delete(customer) }
    try store.merge(created, into: order)
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    #expect(order.customer?.id == 5)
    #expect(order.editState == .edited)
  }

  @Test(arguments: [true, false])
  func `objects that were deleted one after the other return with their links`(isOwnerFirst: Bool)
    throws
  {
    let order = try bed.order(#"{"id":7,"customer":{"id":5},"related":[{"id":7}]}"#)
    try store.write { store.delete(try #require(order.customer)) }
    try store.write { store.delete(order) }
    if isOwnerFirst { try store.revertDeletion(of: EditOrder.self, key: 7) }
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    if !isOwnerFirst { try store.revertDeletion(of: EditOrder.self, key: 7) }
    let found = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 7))
    #expect(found.customer?.id == 5)
    #expect(found.related.map(\.id) == [7])
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test(arguments: [true, false])
  func `reverting the deletions of a chain takes linear time`(inOneWrite: Bool) throws {
    let count = 1500
    let orders = try bed.coder.decodeArray(
      EditOrder.self,
      from: Data(
        "[\((1...count).map { #"{"id":\#($0),"related":[{"id":\#($0 % count + 1)}]}"# }.joined(separator: ","))]"
          .utf8))
    try store.write { store.delete(orders) }
    let start = ContinuousClock.now
    func revert() throws {
      for key in 1...count { try store.revertDeletion(of: EditOrder.self, key: key) }
    }
    if inOneWrite { try store.write(revert) } else { try revert() }
    // A quadratic algorithm takes minutes.
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(store.objects(EditOrder.self).allSatisfy { $0.related.count == 1 })
  }

  @Test(arguments: [true, false])
  func `objects that were deleted together return with their links`(isOwnerFirst: Bool) throws {
    let text = #"{"id":7,"customer":{"id":5},"related":[{"id":1},{"id":2},{"id":1}]}"#
    let order = try bed.order(text)
    try store.write {
      let related = Array(order.related)
      store.delete(try #require(order.customer))
      store.delete(order)
      store.delete(related[0])
      store.delete(related[1])
    }
    if isOwnerFirst { try store.revertDeletion(of: EditOrder.self, key: 7) }
    for key in [1, 2] { try store.revertDeletion(of: EditOrder.self, key: key) }
    try store.revertDeletion(of: EditCustomer.self, key: 5)
    if !isOwnerFirst { try store.revertDeletion(of: EditOrder.self, key: 7) }
    let found = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 7))
    #expect(found.customer?.id == 5)
    #expect(found.related.map(\.id).sorted() == [1, 1, 2])
    #expect(try store.pendingEdits().isEmpty)
    let version = store.version
    try store.revertDeletion(of: EditOrder.self, key: 7)
    #expect(store.version == version)
  }

  @Test func `a merge keeps values as edits whose sent values the server may have`() throws {
    let created = try store.write {
      try store.create(EditOrder.self, value: ["id": -1, "note": "b"])
    }
    try store.settle(try #require(try store.takeEdit(of: created)), .later)
    try store.write { created.note = "a" }
    let order = try bed.order(#"{"id":44,"note":"a"}"#)
    try store.merge(created, into: order)
    #expect(order.editedAttributes.contains("note"))
  }

  @Test func `a creation that is deleted in flight and not applied leaves nothing`() throws {
    let order = try store.write { try store.create(EditOrder.self, value: ["id": -1]) }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { store.delete(order) }
    try store.settle(edit, .unapplied)
    #expect(try store.pendingEdits().isEmpty)
  }

  @Test func `an edit that is set back in flight and not applied ends`() throws {
    let order = try bed.order(#"{"id":7,"count":1}"#)
    try store.write { order.count = 2 }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write { order.count = 1 }
    try store.settle(edit, .unapplied)
    #expect(order.editState == .clean)
  }

  @Test func `a repeated creation that is merged keeps later changes`() throws {
    let order = try store.write {
      try store.create(EditOrder.self, value: ["id": -1, "note": "a"])
    }
    try store.settle(try #require(try store.takeEdit(of: order)), .later)
    try store.write { order.note = "b" }
    let again = try #require(try store.takeEdit(of: order))
    let other = try bed.order(#"{"id":44,"note":"a"}"#)
    try bed.coder.settle(again, .confirmed(Data(#"{"id":44,"note":"a"}"#.utf8)))
    #expect(other.note == "b")
    #expect(other.editedAttributes == ["note"])
  }

  @Test func `many changes of a key keep few confirmations`() throws {
    let order = try bed.order(#"{"id":1}"#)
    let requested = store.holdVersion()
    try store.write { order.note = "b" }
    try store.settle(try #require(try store.takeEdit(of: order)), .confirmed)
    try store.write {
      for index in 0..<200 { try store.rekey(order, to: index % 2 == 0 ? 2 : 1) }
    }
    _ = try bed.coder.read(
      [EditOrder].self, from: Data(#"[{"id":1,"note":"a"}]"#.utf8), asOf: requested)
    #expect(order.note == "b")
  }

  @Test func `a confirmed link is back if its object was deleted and returned in flight`() throws {
    let order = try bed.order(#"{"id":1}"#)
    let customer = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":5}"#.utf8))
    try store.write { order.customer = customer }
    let edit = try #require(try store.takeEdit(of: order))
    try store.write(as: .server) { store.delete(customer) }
    _ = try bed.coder.decode(EditCustomer.self, from: Data(#"{"id":5}"#.utf8))
    try store.settle(edit, .confirmed)
    #expect(order.editState == .clean)
    #expect(order.customer?.id == 5)
  }

  @Test func `a deletion that is gone leaves an object that was created again`() throws {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { store.delete(order) }
    let deletion = try #require(try store.takeEdits().first)
    let again = try store.write { try store.create(EditOrder.self, value: ["id": 1]) }
    try bed.coder.settle(deletion, .gone)
    #expect(again.editState == .created)
  }

  @Test func `an object that is gone for a settled edit stays`() throws {
    let order = try bed.order(#"{"id":1,"note":"a"}"#)
    try store.write { order.note = "b" }
    let edit = try #require(try store.takeEdit(of: order))
    try store.settle(edit, .confirmed)
    try store.write { order.count = 2 }
    #expect(try bed.coder.settle(edit, .gone).isEmpty)
    #expect(order.editedAttributes == ["count"])
  }

  @Test func `a sent link to an object whose memory was reclaimed is no link to another one`()
    throws
  {
    func create(_ ids: [Int]) throws {
      for id in ids { try store.create(EditCustomer.self, value: ["id": .int(Int64(id))]) }
    }
    let order = try bed.order(#"{"id":1}"#)
    // Whole chunks of rows, so that the one of customer 5000 dies.
    try store.write(as: .server) { try create(Array(0..<512)) }
    let edit = try store.write {
      try store.write(as: .server) { try create([5000] + Array(1000..<2000)) }
      order.customer = store.object(ofType: EditCustomer.self, forPrimaryKey: 5000)
      return try #require(try store.takeEdit(of: order))
    }
    try store.write(as: .server) {
      store.delete(store.objects(EditCustomer.self).where { $0.id >= 1000 })
    }
    for count in 0..<20 { try store.write { order.count = count } }
    try store.settle(edit, .confirmed)
    #expect(order.customer == nil)
  }
}
