import Foundation
import ObjectStore

/// A class of a simulated app. The raw value is the index of its objects in the model.
enum Kind: Int, CaseIterable, Sendable, Codable {
  /// Tracks no edits.
  case shop
  case order, customer
}

final class Address: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city: String?

  convenience init(_ street: String, _ city: String?) {
    self.init()
    self.street = street
    self.city = city
  }
}

/// An object without a primary key: its attribute's value.
final class Line: Object {
  @Persisted var text = ""

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

final class Customer: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name = ""
  @Persisted var rank: Int?
  @Persisted var best: Customer?
  @Persisted(originProperty: "customer") var orders: LinkingObjects<Order>
  override class var tracksEdits: Bool { true }
}

final class Order: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var note: String?
  @Persisted(indexed: true) var count = 0
  @Persisted var total = 0.0
  @Persisted var isPaid: Bool?
  @Persisted var address: Address?
  @Persisted var stops: List<Address>
  @Persisted var tags: MutableSet<String>
  @Persisted var prices: Map<String, Int>
  @Persisted var extra: JSONValue = .null
  @Persisted var lines: List<Line>
  @Persisted var customer: Customer?
  @Persisted var guests: List<Customer>
  override class var tracksEdits: Bool { true }
}

final class Shop: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted(searchable: true) var name: String?
  @Persisted(indexed: true) var city = ""
  @Persisted var rating = 0.0
  @Persisted var opened: Date?
  @Persisted var doses: List<Double?>
  @Persisted var address: Address?
  @Persisted var lines: List<Line>
  @Persisted var lead: Customer?
  @Persisted var next: Shop?
  @Persisted var staff: List<Customer>
  @Persisted var orders: MutableSet<Order>
  @Persisted var byDay: Map<String, Customer?>
}

extension Kind {
  var type: Object.Type {
    switch self {
    case .shop: Shop.self
    case .order: Order.self
    case .customer: Customer.self
    }
  }

  var tracksEdits: Bool { self != .shop }

  /// The JSON of a key.
  func keyText(_ id: Int) -> String { self == .shop ? "\"s\(id)\"" : "\(id)" }

  /// A key as a value of an update.
  func keyValue(_ id: Int) -> UpdateValue { self == .shop ? .string("s\(id)") : .int(Int64(id)) }

  /// The number of an object's key; nil for other values.
  func id(of key: UpdateValue) -> Int? {
    switch key {
    case .string(let text): Int(text.dropFirst())
    case .int(let number): Int(number)
    default: nil
    }
  }

  func object(_ id: Int, in store: Store) -> Object? {
    switch self {
    case .shop: store.object(ofType: Shop.self, forPrimaryKey: "s\(id)")
    case .order: store.object(ofType: Order.self, forPrimaryKey: id)
    case .customer: store.object(ofType: Customer.self, forPrimaryKey: id)
    }
  }

  func id(of object: Object) -> Int {
    switch object {
    case let shop as Shop: Int(shop.id.dropFirst()) ?? -1
    case let order as Order: order.id
    case let customer as Customer: customer.id
    default: -1
    }
  }
}
