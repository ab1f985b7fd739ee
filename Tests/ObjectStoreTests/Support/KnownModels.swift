import ObjectStore

/// Models for the tests of known attributes.
enum Known {
  enum Status: String, PersistableEnum {
    case open, closed
  }

  final class Line: EmbeddedObject {
    @Persisted var sku = ""
    @Persisted var count = 1
  }

  final class Customer: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var parent: Customer?
    @Persisted(originProperty: "customer") var orders: LinkingObjects<Order>
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var title = ""
    @Persisted var note: String?
    @Persisted var amount = 5
    @Persisted var status = Status.open
    @Persisted var extra: JSONValue?
    @Persisted var customer: Customer?
    @Persisted var first: Line?
    @Persisted var lines: List<Line>
    @Persisted var others: List<Order>
    @Persisted var tags: List<String>
    @Persisted var labels: MutableSet<String>
    @Persisted var prices: Map<String, Int>
    @Persisted(.local) var isOpen = true
  }
}

extension Store {
  /// Applies an update of the server's.
  @discardableResult
  func receive<T: Object>(_ type: T.Type, _ update: UpdateDictionary) throws -> T {
    try write(as: .server) { try create(type, value: update, update: .modified) }
  }
}
