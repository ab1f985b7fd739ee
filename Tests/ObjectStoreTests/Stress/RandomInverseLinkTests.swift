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
  private static let steps = SeededRandom.steps(100)
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

  /// Queries by inverse links, which do not read the inverse links of an object: that would build their backlinks in a
  /// write.
  private static func expectQueries(_ store: Store, _ step: String) throws {
    let ships = Array(store.objects(Ship.self))
    let ports = Array(store.objects(Port.self))
    for (kind, name) in counts.enumerated() {
      let links = ports.map { port in ships.filter { $0.links(kind, to: port) } }
      #expect(
        try store.objects(Port.self).filter("\(name).@count > 1").map(\.id)
          == zip(ports, links).filter { $1.count > 1 }.map(\.0.id), "\(step), \(name)")
      #expect(
        try store.objects(Port.self).filter("ANY \(name).id < 6").map(\.id)
          == zip(ports, links).filter { $1.contains { $0.id < 6 } }.map(\.0.id),
        "\(step), \(name)")
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

  @Test(arguments: Self.seeds)
  func `inverse links of a file equal a scan before, in and after its first write`(_ seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(folder.file("ports"))
    for step in 0..<max(2, Self.steps / 20) {
      let store = try Store(configuration: configuration, isolation: nil)
      let name = "seed \(seed), opening \(step)"
      if random.once(in: 2) { try Self.expectInverses(store, name) }
      let ports = store.objects(Port.self).map(\.id)
      let frozen = store.objects(Port.self).frozen()
      try store.write {
        for _ in 0..<4 {
          try Self.change(store, &random)
          try Self.expectQueries(store, name)
          store.undone {
            try Self.change(store, &random)
            try Self.expectQueries(store, name)
          }
          try Self.expectQueries(store, name)
        }
        if random.once(in: 2) { try Self.expectInverses(store, name) }
      }
      try Self.expectInverses(store, name)
      store.checkInvariants(name)
      #expect(frozen.map(\.id) == ports)
    }
  }

  @Test func `counting inverse links of an opened file builds their backlinks once`() throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(folder.file("ports"))
    do {
      let store = try Store(configuration: configuration, isolation: nil)
      try store.write {
        let ports = try (0..<20).map { try store.create(Port.self, value: ["id": .init($0)]) }
        for id in 0..<100 {
          try store.create(Ship.self, value: ["id": .init(id)]).home = ports[id % 20]
        }
      }
    }
    let store = try Store(configuration: configuration, isolation: nil)
    let version = try store.tableVersion(Ship.self)
    #expect(version.late == nil)
    #expect(store.objects(Port.self).allSatisfy { $0.fleet.count == 5 })
    let column = try #require(ObjectSchema.of(Ship.self)["home"]).column
    #expect(version.knownBacklinks(of: column) != nil)
    // A commit to another class builds none.
    try store.write { try store.create(Port.self, value: ["id": 20]) }
    #expect(try store.tableVersion(Ship.self) === version)
    let port = store.objects(Port.self)[0]
    #expect(store.objects(Ship.self).where { $0.home == port }.explainQuery().contains("links of"))
    try store.write { store.objects(Ship.self)[0].home = nil }
    #expect(try store.tableVersion(Ship.self).indexes.backlinks[column] != nil)
    #expect(store.objects(Port.self)[0].fleet.count == 4)
  }
}
