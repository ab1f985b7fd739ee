import ObjectStore

/// An observer that repeats the changes that it is notified of.
@MainActor
protocol Watch {
  /// The first difference between the repeated changes and the store; nil if there is none. The handle has just been
  /// refreshed.
  func difference() -> String?
}

/// Repeats the changes of a collection, by their indices.
@MainActor
final class CollectionWatch<T: Object>: Watch {
  private struct Element: Equatable {
    let id: Int
    /// The values of the object's own attributes.
    let values: [Value]
  }

  private let kind: Kind
  private let read: () -> [T]?
  private var token: ObservationToken?
  private var elements: [Element] = []
  private var hasBegun = false
  private var mistake: String?

  /// - Parameter start: Starts the observer, which passes each change as the collection and the indices.
  init(
    _ kind: Kind, _ read: @escaping () -> [T]?,
    _ start: (
      @escaping @MainActor ([T], (deletions: [Int], insertions: [Int], modifications: [Int])?) ->
        Void
    )
      -> ObservationToken
  ) {
    self.kind = kind
    self.read = read
    token = start { [unowned self] objects, change in receive(objects, change) }
  }

  private func element(_ object: T) -> Element {
    Element(id: kind.id(of: object), values: Attribute.of(kind).map { $0.read(object) })
  }

  private func receive(
    _ objects: [T], _ change: (deletions: [Int], insertions: [Int], modifications: [Int])?
  ) {
    guard let (deletions, insertions, modifications) = change else {
      if hasBegun { mistake = "began twice" }
      hasBegun = true
      elements = objects.map(element)
      return
    }
    if deletions.isEmpty, insertions.isEmpty, modifications.isEmpty { mistake = "empty change" }
    let modified = Set(
      modifications.compactMap { elements.indices.contains($0) ? elements[$0].id : nil })
    for index in deletions.reversed() {
      guard elements.indices.contains(index) else { return mistake = "deletion \(index)" }
      elements.remove(at: index)
    }
    for index in insertions {
      guard index <= elements.count, index < objects.count else {
        return mistake = "insertion \(index)"
      }
      elements.insert(element(objects[index]), at: index)
    }
    for index in elements.indices where modified.contains(elements[index].id) {
      guard index < objects.count else { return mistake = "modification \(index)" }
      elements[index] = element(objects[index])
    }
  }

  func difference() -> String? {
    if let mistake { return mistake }
    // The observation has ended with the object that has the collection.
    guard let objects = read() else { return nil }
    if !hasBegun { return "not notified" }
    let now = objects.map(element)
    if now == elements { return nil }
    if now.map(\.id) != elements.map(\.id) { return "\(elements.map(\.id)), not \(now.map(\.id))" }
    for (old, new) in zip(elements, now) where old != new {
      for (index, attribute) in Attribute.of(kind).enumerated()
      where old.values[index] != new.values[index] {
        return "\(kind) \(old.id).\(attribute.name) \(old.values[index]), not \(new.values[index])"
      }
    }
    return nil
  }
}

/// Repeats the changes of the whole store, by keys and attributes.
@MainActor
final class StoreWatch: Watch {
  private let store: Store
  private var token: ObservationToken?
  private var values: [World.Id: [Value]] = [:]
  private var mistake: String?

  init(_ store: Store) {
    self.store = store
    values = Self.all(store)
    token = store.observe(isolation: nil) { [unowned self] changes in
      MainActor.assumeIsolated { receive(changes) }
    }
  }

  private static func all(_ store: Store) -> [World.Id: [Value]] {
    var all: [World.Id: [Value]] = [:]
    for kind in Kind.allCases {
      for id in 0..<World.idCount {
        guard let object = kind.object(id, in: store) else { continue }
        all[World.Id(kind: kind, number: id)] = Self.values(kind, object)
      }
    }
    return all
  }

  /// The values of an object, followed by the state of its edits.
  private static func values(_ kind: Kind, _ object: Object) -> [Value] {
    Attribute.of(kind).map { $0.read(object) } + [state(object)]
  }

  private static func state(_ object: Object) -> Value {
    let states: [Edit.State] = [.clean, .created, .edited, .rejected]
    return .plain(states.firstIndex(of: object.editState) ?? -1)
  }

  private func receive(_ changes: Store.Changes) {
    for kind in Kind.allCases {
      guard let change = changes[kind.type] else { continue }
      func key(_ value: UpdateValue) -> World.Id {
        World.Id(kind: kind, number: kind.id(of: value) ?? -1)
      }
      for value in change.deleted {
        if values.removeValue(forKey: key(value)) == nil { mistake = "deleted \(kind) \(value)" }
      }
      for value in change.inserted {
        let id = key(value)
        guard let object = kind.object(id.number, in: store) else {
          mistake = "inserted \(kind) \(value)"
          continue
        }
        values[id] = Self.values(kind, object)
      }
      for modification in change.modified {
        let id = key(modification.key)
        guard let object = kind.object(id.number, in: store) else {
          mistake = "modified \(kind) \(modification.key)"
          continue
        }
        for name in modification.attributes where name != "id" && name != "rejection" {
          if name == "editState" {
            values[id]?[Attribute.of(kind).count] = Self.state(object)
            continue
          }
          let index = Attribute.index(kind, name)
          values[id]?[index] = Attribute.of(kind)[index].read(object)
        }
      }
    }
  }

  func difference() -> String? {
    if let mistake { return mistake }
    let now = Self.all(store)
    if now == values { return nil }
    for (id, new) in now where values[id] != new {
      guard let old = values[id] else {
        return "\(id.kind) \(id.number) was not reported as inserted"
      }
      for (index, attribute) in Attribute.of(id.kind).enumerated() where old[index] != new[index] {
        return "\(id.kind) \(id.number).\(attribute.name) \(old[index]), not \(new[index])"
      }
      return "\(id.kind) \(id.number) has another edit state"
    }
    return "a deletion was not reported"
  }
}

extension Simulation {
  /// The number of different observers.
  nonisolated static let watchCount = 6

  /// Starts an observer, or ends it.
  func observe(_ number: Int, _ handle: Handle) {
    if handle.watches.removeValue(forKey: number) != nil { return }
    let store = handle.store
    switch number {
    case 0: handle.watches[0] = watch(.order, store.objects(Order.self))
    case 1:
      let results = store.objects(Order.self).where { $0.customer.name == "jo" || $0.count > 0 }
      handle.watches[1] = watch(.order, results.sorted(by: \.count, ascending: false))
    case 2: handle.watches[2] = watch(.shop, store.objects(Shop.self).sorted(by: \.city))
    case 3:
      handle.watches[3] = watch(
        .customer, store.objects(Customer.self).where { $0.rank == nil || $0.rank > 1 })
    case 4: handle.watches[4] = StoreWatch(store)
    default:
      guard let shop = Kind.shop.object(1, in: store) as? Shop else { return }
      let staff = shop.staff
      handle.watches[5] = CollectionWatch<Customer>(
        .customer, { shop.isInvalidated ? nil : Array(staff) }
      ) { receive in
        staff.observe(isolation: nil) { change in
          MainActor.assumeIsolated {
            switch change {
            case .initial(let list): receive(Array(list), nil)
            case .update(let list, let deletions, let insertions, let modifications):
              receive(Array(list), (deletions, insertions, modifications))
            case .error: break
            }
          }
        }
      }
    }
    store.refresh()
  }

  private func watch<T: Object>(_ kind: Kind, _ results: Results<T>) -> CollectionWatch<T> {
    CollectionWatch(kind, { Array(results) }) { receive in
      results.observe(isolation: nil) { change in
        MainActor.assumeIsolated {
          switch change {
          case .initial(let list): receive(Array(list), nil)
          case .update(let list, let deletions, let insertions, let modifications):
            receive(Array(list), (deletions, insertions, modifications))
          case .error: break
          }
        }
      }
    }
  }
}
