import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Random objects, links and policies, compared with a mark and sweep over plain values. R29
///
/// `STORE_RANDOM_STEPS` sets the number of evictions per seed. `STORE_RANDOM_SEED` adds a seed.
@Suite struct `Random eviction` {
  private static let steps = SeededRandom.steps(12)
  private static let seeds = SeededRandom.seeds(1...6)

  /// No other class links to it, so a reopened store may not know the class.
  final class Root: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var link: A?
    @Persisted var list: List<B>
    @Persisted var map: Map<String, B?>
    @Persisted var box: Box?
  }

  final class A: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var date: Date?
    @Persisted var isEdited = false
    @Persisted var link: A?
    @Persisted var list: List<B>
    @Persisted var box: Box?
    @Persisted var notes: List<Note>
  }

  final class B: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var date: Date?
    @Persisted var isEdited = false
    @Persisted var set: MutableSet<B>
    @Persisted var map: Map<String, A>
    @Persisted var boxes: List<Box>
  }

  final class Box: EmbeddedObject {
    @Persisted var a: A?
    @Persisted var bs: List<B>
    @Persisted var inner: Box?
  }

  /// A keyless class.
  final class Note: Object {
    @Persisted var number = 0
    @Persisted var date: Date?
    @Persisted var b: B?
  }

  // MARK: - The naive model

  private enum Kind: Int, CaseIterable { case root, a, b, note }

  private struct ID: Hashable {
    let kind: Kind
    let number: Int
  }

  private struct Thing {
    var date: Double?
    var isEdited = false
    /// The targets of its links, including those of its boxes.
    var links: Set<ID> = []
    var boxCount = 0
    /// Its position in the order of insertion.
    let order: Int
  }

  private struct Limits {
    var age: Double?
    var count: Int?
    var keepsEdited = false
    var hasDate = true

    var policy: CachePolicy {
      var policy =
        if let age {
          CachePolicy(maximumAge: .seconds(age), since: "date", maximumCount: count)
        } else {
          CachePolicy(maximumCount: count ?? 1_000_000, since: hasDate ? "date" : nil)
        }
      if keepsEdited { policy = policy.keeping("isEdited == true") }
      return policy
    }
  }

  private static func sweep(
    _ things: [ID: Thing], _ limits: [Kind: Limits], observed: Set<ID>
  ) -> Set<ID> {
    var asked: Set<ID> = []
    for (kind, limits) in limits {
      let all = things.filter { $0.key.kind == kind }
      if let age = limits.age {
        asked.formUnion(all.filter { $0.value.date.map { $0 > age } ?? false }.keys)
      }
      if let count = limits.count {
        let newest = all.sorted {
          let (one, other) = ($0.value.date ?? .infinity, $1.value.date ?? .infinity)
          return limits.hasDate && one != other ? one < other : $0.value.order > $1.value.order
        }
        asked.formUnion(newest.dropFirst(count).map(\.key))
      }
      if limits.keepsEdited { asked.subtract(all.filter(\.value.isEdited).keys) }
    }
    asked.subtract(observed)
    var staying = Set(things.keys).subtracting(asked)
    var pending = Array(staying)
    while let id = pending.popLast() {
      for target in things[id]?.links ?? [] where staying.insert(target).inserted {
        pending.append(target)
      }
    }
    return staying
  }

  // MARK: - The world

  private struct World {
    var things: [ID: Thing] = [:]
    var random: SeededRandom
    var next = 1

    func some(_ kind: Kind, _ random: inout SeededRandom) -> ID? {
      let ids = things.keys.filter { $0.kind == kind }.sorted { $0.number < $1.number }
      return ids.isEmpty || random.once(in: 3) ? nil : ids[random.below(ids.count)]
    }

    mutating func link(_ kind: Kind, _ thing: inout Thing) -> ID? {
      let id = some(kind, &random)
      if let id { thing.links.insert(id) }
      return id
    }

    mutating func box(_ store: Store, _ thing: inout Thing, depth: Int = 0) -> Box {
      let box = Box()
      thing.boxCount += 1
      if let a = link(.a, &thing) { box.a = store.a(a.number) }
      for _ in 0..<random.below(3) {
        if let b = link(.b, &thing), let b = store.b(b.number) { box.bs.append(b) }
      }
      if depth < 2, random.once(in: 3) { box.inner = self.box(store, &thing, depth: depth + 1) }
      return box
    }

    /// Inserts an object with links to existing ones.
    mutating func make(_ kind: Kind, _ store: Store) throws {
      let number = next
      next += 1
      var thing = Thing(order: number)
      if kind != .root, !random.once(in: 5) { thing.date = Double(random.below(20)) }
      let date = thing.date.map { Cached.now - $0 }
      switch kind {
      case .root:
        let root = try store.create(Root.self, value: ["id": .int(Int64(number))])
        if let a = link(.a, &thing) { root.link = store.a(a.number) }
        if let b = link(.b, &thing), let b = store.b(b.number) { root.list.append(b) }
        if let b = link(.b, &thing) { root.map["x"] = store.b(b.number) }
        if random.once(in: 2) { root.box = box(store, &thing) }
      case .a:
        let a = try store.create(A.self, value: ["id": .int(Int64(number))])
        a.date = date
        thing.isEdited = random.once(in: 6)
        a.isEdited = thing.isEdited
        if let other = link(.a, &thing) { a.link = store.a(other.number) }
        if let b = link(.b, &thing), let b = store.b(b.number) { a.list.append(b) }
        if random.once(in: 3) { a.box = box(store, &thing) }
        if let note = link(.note, &thing), let note = store.note(note.number) {
          a.notes.append(note)
        }
      case .b:
        let b = try store.create(B.self, value: ["id": .string("\(number)")])
        b.date = date
        thing.isEdited = random.once(in: 6)
        b.isEdited = thing.isEdited
        if let other = link(.b, &thing), let other = store.b(other.number) { b.set.insert(other) }
        if let a = link(.a, &thing) { b.map["y"] = store.a(a.number) }
        for _ in 0..<random.below(2) { b.boxes.append(box(store, &thing)) }
      case .note:
        let note = try store.create(Note.self, value: ["number": .int(Int64(number))])
        note.date = date
        if let b = link(.b, &thing) { note.b = store.b(b.number) }
      }
      things[ID(kind: kind, number: number)] = thing
    }

    /// Occasionally closes a cycle by adding a link to an existing object.
    mutating func turn(_ store: Store) {
      guard let id = some(.a, &random), var thing = things[id], let a = store.a(id.number),
        let b = link(.b, &thing), let target = store.b(b.number)
      else { return }
      a.list.append(target)
      things[id] = thing
    }
  }

  private static func limits(_ random: inout SeededRandom) -> [Kind: Limits] {
    var all: [Kind: Limits] = [:]
    for kind in [Kind.a, .b, .note] where !random.once(in: 4) {
      var limits = Limits()
      if random.once(in: 2) { limits.age = Double(random.below(20)) }
      if limits.age == nil || random.once(in: 2) { limits.count = random.below(12) }
      if limits.age == nil { limits.hasDate = !random.once(in: 3) }
      if kind != .note { limits.keepsEdited = random.once(in: 2) }
      all[kind] = limits
    }
    return all
  }

  private static func rules(_ limits: [Kind: Limits]) -> [CachePolicy.Rule] {
    limits.compactMap { kind, limits in
      switch kind {
      case .root: nil
      case .a: .policy(limits.policy, of: A.self)
      case .b: .policy(limits.policy, of: B.self)
      case .note: .policy(limits.policy, of: Note.self)
      }
    }
  }

  /// The location of the store, and whether it is reopened before each eviction.
  enum Place: CaseIterable { case memory, file, reopenedFile }

  @Test(arguments: seeds, Place.allCases)
  func `an eviction deletes the same objects as a naive mark and sweep`(
    _ seed: UInt64, _ place: Place
  ) throws {
    let folder = try TemporaryFolder()
    let configuration: StoreConfiguration =
      place == .memory ? .inMemory() : .file(folder.file("random.store"))
    var store: Store? = try ObjectStore.Store(configuration: configuration, isolation: nil)
    var world = World(random: SeededRandom(seed: seed))
    var evictedCount = 0
    for step in 0..<Self.steps {
      do {
        let store = try #require(store)
        try store.write {
          for _ in 0..<12 {
            let kinds: [Kind] = [.root, .a, .a, .b, .b, .note]
            try world.make(kinds[world.random.below(kinds.count)], store)
            world.turn(store)
          }
          // Otherwise roots would eventually retain everything.
          for id in world.things.keys.filter({ $0.kind == .root }).sorted(by: {
            $0.number < $1.number
          })
          where world.random.once(in: 3) {
            guard let root = store.object(ofType: Root.self, forPrimaryKey: id.number) else {
              Issue.record("\(id)")
              continue
            }
            store.delete(root)
            world.things[id] = nil
          }
        }
      }
      if place == .reopenedFile {
        store = nil
        store = try ObjectStore.Store(configuration: configuration, isolation: nil)
      }
      let opened = try #require(store)
      let limits = Self.limits(&world.random)
      var observed: Set<ID> = []
      var tokens: [ObservationToken] = []
      if let a = world.some(.a, &world.random) {
        observed.insert(a)
        tokens.append(try #require(opened.a(a.number)).observe { _ in })
      }
      if let b = world.some(.b, &world.random) {
        observed.insert(b)
        tokens.append(opened.objects(B.self).where { $0.id == "\(b.number)" }.observe { _ in })
      }
      let staying = Self.sweep(world.things, limits, observed: observed)
      let comment = Comment(rawValue: "seed \(seed), step \(step), \(place)")
      let dry = try opened.evict(by: Self.rules(limits), asOf: Cached.now, dryRun: true)
      let report = try opened.evict(by: Self.rules(limits), asOf: Cached.now)
      withExtendedLifetime(tokens) {}
      #expect(dry == report, comment)
      #expect(report.evictedCount == world.things.count - staying.count, comment)
      evictedCount += report.evictedCount
      world.things = world.things.filter { staying.contains($0.key) }
      if place == .reopenedFile {
        #expect(opened.schemas.allSatisfy { $0.className != "Root" })
        store = nil
        store = try ObjectStore.Store(configuration: configuration, isolation: nil)
      }
      try Self.compare(#require(store), world, comment)
    }
    #expect(evictedCount > Self.steps * 2)
  }

  private static func compare(_ store: Store, _ world: World, _ comment: Comment) throws {
    func numbers(_ kind: Kind) -> [Int] {
      world.things.keys.filter { $0.kind == kind }.map(\.number).sorted()
    }
    #expect(store.objects(Root.self).map(\.id) == numbers(.root), comment)
    #expect(store.objects(A.self).map(\.id) == numbers(.a), comment)
    #expect(store.objects(B.self).map { Int($0.id) ?? 0 } == numbers(.b), comment)
    #expect(store.objects(Note.self).map(\.number) == numbers(.note), comment)
    let boxes = try store.handle.entry(Box.self)
    #expect(
      store.handle.tableVersion(boxes.table).liveCount
        == world.things.values.reduce(0) { $0 + $1.boxCount }, comment)
    for a in store.objects(A.self) {
      let links = world.things[ID(kind: .a, number: a.id)]?.links ?? []
      #expect(a.list.allSatisfy { links.contains(ID(kind: .b, number: Int($0.id) ?? 0)) }, comment)
    }
    #expect(store.damage == [], comment)
    store.checkInvariants("\(comment)")
  }
}

extension Store {
  fileprivate func a(_ id: Int) -> `Random eviction`.A? {
    object(ofType: `Random eviction`.A.self, forPrimaryKey: id)
  }

  fileprivate func b(_ id: Int) -> `Random eviction`.B? {
    object(ofType: `Random eviction`.B.self, forPrimaryKey: "\(id)")
  }

  fileprivate func note(_ number: Int) -> `Random eviction`.Note? {
    objects(`Random eviction`.Note.self).where { $0.number == number }.first
  }
}
