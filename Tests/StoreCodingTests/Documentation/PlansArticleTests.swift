import Foundation
import ObjectStore
import StoreCoding
import Testing

private final class Order: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var total = 0
  @Persisted var note: String?
}

/// The code of the article Plans.
@Suite struct `The article Plans` {
  private let coder: StoreCoder
  private var store: Store { coder.store }

  init() throws {
    coder = StoreCoder(store: try Store(configuration: .inMemory()))
    try coder.decodeArray(
      Order.self, from: Data(#"[{"id":4},{"id":7,"note":"a","total":3}]"#.utf8))
  }

  @Test func `a plan of a write`() throws {
    let plan = try store.plan {
      for order in store.objects(Order.self).where({ $0.total == 0 }) { store.delete(order) }
    }
    print(plan)
    try plan.apply()
    #expect(plan.description == "- Order 4")
    #expect(store.objects(Order.self).map(\.id) == [7])
  }

  @Test func `a plan of a payload`() throws {
    let data = Data(#"[{"id":7,"note":null},{"id":9}]"#.utf8)
    let plan = try coder.plan([Order].self, from: data, complete: .all)
    print(plan)
    let result = try plan.apply()
    #expect(plan.description == "~ Order 7: note \"a\" → null\n+ Order 9\n- Order 4")
    #expect(result.deleted == 1)
    for change in plan.changes where change.kind == .updated {
      for name in change.attributes {
        let (old, new) = (change.oldValue(of: name), change.newValue(of: name))
        print(change.key, name, old ?? .null, new ?? .null)
      }
    }
  }

  @Test func `a plan that is out of date`() throws {
    let plan = try coder.plan(Order.self, from: Data(#"{"id":7,"note":null}"#.utf8))
    try store.write { store.deleteAll() }
    do {
      try plan.apply()
    } catch let stale as PlannedChanges.Stale {
      print("Please review again:\n\(stale.changes)")
    }
    #expect(plan.description == "+ Order 7")
  }
}
