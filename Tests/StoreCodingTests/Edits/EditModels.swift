import Foundation
import ObjectStore
import StoreCoding

final class EditAddress: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city: String?

  convenience init(_ street: String) {
    self.init()
    self.street = street
  }
}

final class EditCustomer: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  override class var tracksEdits: Bool { true }
}

/// An object without a key, which belongs to no edit of its own.
final class EditRemark: Object {
  @Persisted var text = ""

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

final class EditOrder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var note: String?
  @Persisted var count = 0
  @Persisted var isPaid: Bool?
  @Persisted var address: EditAddress?
  @Persisted var stops: List<EditAddress>
  @Persisted var tags: MutableSet<String>
  @Persisted var prices: Map<String, Int>
  @Persisted var extra: JSONValue = .null
  @Persisted var customer: EditCustomer?
  @Persisted var related: List<EditOrder>
  @Persisted var remarks: List<EditRemark>
  @Persisted(.local) var isSelected = false
  @Persisted var views = 0

  override class var tracksEdits: Bool { true }
  override class var codableIgnoredAttributes: [String] { ["views"] }
}

/// An object whose key the client chooses.
final class EditTask: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var value = 0
  override class var tracksEdits: Bool { true }
}

/// A class with no attributes but its key.
final class EditFavorite: Object {
  @Persisted(primaryKey: true) var id: Int
  override class var tracksEdits: Bool { true }
}

/// A class that does not track edits.
final class PlainOrder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var note: String?
}

/// A store and a coder for it.
struct EditBed {
  let store: Store
  let coder: StoreCoder

  init(_ configuration: StoreConfiguration = .inMemory()) throws {
    store = try Store(configuration: configuration)
    coder = StoreCoder(store: store)
  }

  @discardableResult
  func order(_ json: String) throws -> EditOrder {
    try coder.decode(EditOrder.self, from: Data(json.utf8))
  }

  @discardableResult
  func orders(_ json: String) throws -> ReadResult<EditOrder> {
    try coder.read([EditOrder].self, from: Data(json.utf8))
  }
}
