import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Collections of a deleted object` {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var items: List<Item>
    @Persisted var numbers: List<Int>
    @Persisted var parts: List<Part>
    @Persisted var itemSet: MutableSet<Item>
    @Persisted var numberSet: MutableSet<Int>
    @Persisted var itemByName: Map<String, Item?>
    @Persisted var numberByName: Map<String, Int>
  }

  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(originProperty: "items") var owners: LinkingObjects<Owner>
  }

  final class Part: EmbeddedObject {
    @Persisted var name = ""
  }

  /// Observes every collection of an owner and records the number of elements in each delivery.
  private final class Observer {
    private(set) var lines: [String] = []
    private var tokens: [ObservationToken] = []

    init(_ owner: Owner) {
      observe("items", owner.items)
      observe("numbers", owner.numbers)
      observe("parts", owner.parts)
      observe("itemSet", owner.itemSet)
      observe("numberSet", owner.numberSet)
      observe("itemByName", owner.itemByName)
      observe("numberByName", owner.numberByName)
    }

    private func observe<C: _BoxedCollection>(_ name: String, _ collection: C) {
      tokens.append(
        collection.observe { [unowned self] change in
          switch change {
          case .initial(let whole): lines.append("\(name) initial \(whole.snapshot.count)")
          case .update(let whole, let deletions, _, _):
            lines.append("\(name) -\(deletions) \(whole.snapshot.count)")
          case .error(let error): lines.append("\(error)")
          }
        })
    }

    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  private static let names = [
    "items", "numbers", "parts", "itemSet", "numberSet", "itemByName", "numberByName",
  ]

  private static func fill(_ store: Store) throws -> Owner {
    try store.write {
      try store.create(
        Owner.self,
        value: [
          "id": 1, "items": [["id": 1], ["id": 2]], "numbers": [1, 2],
          "parts": [["name": "a"], ["name": "b"]], "itemSet": [["id": 1], ["id": 2]],
          "numberSet": [1, 2], "itemByName": ["a": ["id": 1], "b": nil],
          "numberByName": ["a": 1, "b": 2],
        ], update: .modified)
    }
  }

  @Test func `a collection is empty in the change that reports the deletion of its elements`()
    throws
  {
    let store = try Store()
    let owner = try Self.fill(store)
    let observer = Observer(owner)
    store.refresh()
    #expect(observer.take() == Self.names.map { "\($0) initial 2" })
    try store.write { store.delete(owner) }
    store.refresh()
    #expect(observer.take() == Self.names.map { "\($0) -[0, 1] 0" })
    try store.write { store.delete(store.objects(Item.self)) }
    store.refresh()
    #expect(observer.take() == [])
    #expect(store.handle.delivery == nil)
  }

  @Test
  func `a collection is reported as empty if its object is deleted before the first delivery`()
    throws
  {
    let store = try Store(configuration: .inMemory(identifier: "deleted owner"))
    let other = try Store(configuration: store.configuration)
    let observer = Observer(try Self.fill(store))
    try other.write { other.delete(other.objects(Owner.self)) }
    store.refresh()
    #expect(observer.take() == Self.names.map { "\($0) initial 0" })
    try other.write { other.delete(other.objects(Item.self)) }
    store.refresh()
    #expect(observer.take() == [])
    #expect(store.handle.delivery == nil)
  }

  @Test func `a collection is empty after its object is deleted, until a rollback`() throws {
    struct Undo: Error {}
    let store = try Store()
    let owner = try Self.fill(store)
    let (items, numbers, parts) = (owner.items, owner.numbers, owner.parts)
    let (itemSet, numberSet) = (owner.itemSet, owner.numberSet)
    let (itemByName, numberByName) = (owner.itemByName, owner.numberByName)
    let item = try #require(items.first)
    func counts() -> [Int] {
      [
        items.count, numbers.count, parts.count, itemSet.count, numberSet.count, itemByName.count,
        numberByName.count,
      ]
    }
    #expect(throws: Undo.self) {
      try store.write {
        store.delete(owner)
        #expect(counts() == Array(repeating: 0, count: 7))
        #expect(Array(items).isEmpty && items.where { $0.id > 0 }.isEmpty && items.first == nil)
        #expect(!itemSet.contains(item) && !numberSet.contains(1) && Array(numberSet).isEmpty)
        #expect(numberByName["a"] == nil && numberByName.keys.isEmpty && itemByName["a"] == nil)
        #expect(numbers == [] && numberByName == [:] && owner.description.contains("numbers: []"))
        throw Undo()
      }
    }
    #expect(counts() == Array(repeating: 2, count: 7))
    #expect(numberByName["a"] == 1 && numberSet.contains(1) && itemSet.contains(item))
  }

  @Test func `frozen views and running loops keep the elements of a deleted object`() throws {
    let store = try Store()
    let owner = try Self.fill(store)
    let frozen = owner.frozen()
    var seen: [Int] = []
    try store.write {
      for number in owner.numbers {
        if seen.isEmpty { store.delete(owner) }
        seen.append(number)
      }
    }
    #expect(seen == [1, 2])
    #expect(frozen.numbers == [1, 2] && frozen.items.map(\.id) == [1, 2])
  }

  @MainActor @Test func `the sequence of a collection ends after its object is deleted`()
    async throws
  {
    let store = try Store()
    let owner = try Self.fill(store)
    let numbers = owner.numbers
    try store.write { store.delete(owner) }
    var counts: [Int] = []
    for await change in numbers.changes {
      if case .initial(let whole) = change { counts.append(whole.count) }
    }
    #expect(counts == [0])
  }
}
