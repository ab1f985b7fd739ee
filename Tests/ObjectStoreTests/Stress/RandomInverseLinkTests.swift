import TestSupport
import Testing

@testable import ObjectStore

private final class Port: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(originProperty: "home") var fleet: LinkingObjects<Ship>
  @Persisted(originProperty: "route") var calling: LinkingObjects<Ship>
  @Persisted(originProperty: "known") var knowing: LinkingObjects<Ship>
  @Persisted(originProperty: "berths") var berthed: LinkingObjects<Ship>
}

private final class Ship: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var home: Port?
  @Persisted var route: List<Port>
  @Persisted var known: MutableSet<Port>
  @Persisted var berths: Map<String, Port?>

  func links(_ kind: Int, to port: Port) -> Bool {
    switch kind {
    case 0: home == port
    case 1: route.contains(port)
    case 2: known.contains(port)
    default: berths.values.contains(port)
    }
  }
}

/// Inverse links of each kind of link, compared with a scan of all objects that may link.
///
/// The number of rounds per seed is a fifth of `STORE_RANDOM_STEPS`. `STORE_RANDOM_SEED` adds a seed.
@Suite struct `Random inverse links` {
  private static let steps = SeededRandom.steps ?? 100
  private static let seeds = SeededRandom.seeds(1...3)

  private static func inverse(_ kind: Int, of port: Port) -> LinkingObjects<Ship> {
    switch kind {
    case 0: port.fleet
    case 1: port.calling
    case 2: port.knowing
    default: port.berthed
    }
  }

  private static let counts = ["fleet", "calling", "knowing", "berthed"]

  private static func expectInverses(_ store: Store, _ step: String) throws {
    let ships = Array(store.objects(Ship.self))
    let ports = Array(store.objects(Port.self))
    for kind in 0..<4 {
      for port in ports {
        let links = inverse(kind, of: port)
        let expected = ships.filter { $0.links(kind, to: port) }.map(\.id)
        #expect(links.isEmpty == expected.isEmpty, "\(step), kind \(kind)")
        #expect(links.first?.id == expected.first, "\(step), kind \(kind)")
        #expect(links.count == expected.count, "\(step), kind \(kind)")
        #expect(links.indices.map { links[$0].id } == expected, "\(step), kind \(kind)")
        #expect(links.last?.id == expected.last, "\(step), kind \(kind)")
        #expect(links.map(\.id) == expected, "\(step), kind \(kind)")
        #expect(links.where { $0.id >= 0 }.map(\.id) == expected, "\(step), kind \(kind)")
      }
      let name = counts[kind]
      #expect(
        try store.objects(Port.self).filter("\(name).@count > 1").map(\.id)
          == ports.filter { inverse(kind, of: $0).count > 1 }.map(\.id))
      #expect(
        try store.objects(Port.self).filter("ANY \(name).id < 3").map(\.id)
          == ports.filter { inverse(kind, of: $0).contains { $0.id < 3 } }.map(\.id))
    }
  }

  private static func change(_ store: Store, _ random: inout SeededRandom) throws {
    let ships = store.objects(Ship.self)
    let ports = Array(store.objects(Port.self))
    for _ in 0..<1 + random.below(4) {
      guard let port = ports.filter({ !$0.isInvalidated }).randomElement(using: &random) else {
        try store.create(Port.self, value: ["id": .init(random.below(1_000))], update: .modified)
        return
      }
      let id = random.below(12)
      let ship = try store.create(Ship.self, value: ["id": .init(id)], update: .modified)
      switch random.below(10) {
      case 0: ship.home = random.once(in: 3) ? nil : port
      case 1: ship.route.append(port)
      case 2: ship.route.insert(port, at: random.below(ship.route.count + 1))
      case 3: if !ship.route.isEmpty { ship.route.remove(at: random.below(ship.route.count)) }
      case 4: ship.known.insert(port)
      case 5: ship.known.remove(port)
      case 6: ship.berths["b\(random.below(3))"] = .some(random.once(in: 4) ? nil : port)
      case 7: ship.berths["b\(random.below(3))"] = nil
      case 8: if ships.count > 4 { store.delete(ship) }
      default:
        if random.once(in: 4) {
          store.delete(port)
        } else {
          try store.create(Port.self, value: ["id": .init(random.below(9))], update: .modified)
        }
      }
    }
  }

  @Test(arguments: Self.seeds)
  func `inverse links equal a scan of all objects that may link`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let configuration = StoreConfiguration.inMemory()
    let store = try Store(configuration: configuration, isolation: nil)
    let other = try Store(configuration: configuration, isolation: nil)
    try store.write {
      for id in 0..<5 { try store.create(Port.self, value: ["id": .init(id)]) }
    }
    for step in 0..<max(2, Self.steps / 5) {
      try store.write {
        try Self.change(store, &random)
        if random.once(in: 2) { try Self.expectInverses(store, "seed \(seed), write \(step)") }
        store.undone {
          try Self.change(store, &random)
          try Self.expectInverses(store, "seed \(seed), savepoint \(step)")
        }
        try Self.expectInverses(store, "seed \(seed), undone \(step)")
        try Self.change(store, &random)
      }
      try Self.expectInverses(store, "seed \(seed), \(step)")
      store.undone {
        try Self.change(store, &random)
        try Self.expectInverses(store, "seed \(seed), cancelled \(step)")
      }
      try Self.expectInverses(store, "seed \(seed), after \(step)")
      if step.isMultiple(of: 7) {
        other.refresh()
        try Self.expectInverses(other, "seed \(seed), other handle \(step)")
      }
    }
    store.checkInvariants("seed \(seed)")
  }
}
