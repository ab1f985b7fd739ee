import Foundation
import Testing
import TestSupport

@testable import ObjectStore

/// Random transactions on a store and on a naive model of it. After each transaction both are compared, and one of the
/// older versions that are still held is compared with its expected contents.
///
/// `STORE_RANDOM_STEPS` sets the number of transactions per seed. `STORE_RANDOM_SEED` adds a seed.
@Suite struct `A store under random transactions` {
  static var seeds: [UInt64] {
    SeededRandom.seeds(1...3) + [9]
  }

  static var steps: Int { SeededRandom.steps(300) }

  @Test(arguments: seeds)
  func `every version of a store equals a naive model`(seed: UInt64) throws {
    let run = try RandomizedRun(seed: seed)
    for step in 0..<Self.steps {
      try run.step()
      // Reading every cell of every row is the most expensive check; an error persists until the next check.
      if let difference = run.difference(checksInvariants: step % 4 == 3) {
        Issue.record(
          "seed \(seed), step \(step): \(difference)\n\(run.log.suffix(40).joined(separator: "\n"))"
        )
        return
      }
    }
  }
}

/// Runs the same transactions on a file that is closed and reopened at random.
@Suite struct `A store in a file under random transactions` {
  @Test(
    arguments: `A store under random transactions`.seeds, StoreConfiguration.Durability.allCases)
  func `a store in a file equals a naive model, even after it is reopened`(
    seed: UInt64, durability: StoreConfiguration.Durability
  ) throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(
      folder.url.appending(path: "random.store"), durability: durability)
    let run = try RandomizedRun(seed: seed, configuration)
    var closing = SeededRandom(seed: seed + 100)
    for step in 0..<`A store under random transactions`.steps {
      if closing.once(in: 12) { try run.reopen() }
      try run.step()
      if let difference = run.difference(checksInvariants: step % 4 == 3) {
        Issue.record(
          "seed \(seed), step \(step): \(difference)\n\(run.log.suffix(40).joined(separator: "\n"))"
        )
        return
      }
    }
    #expect(run.store.damage == [])
  }
}

private final class RandomizedRun {
  typealias Value = NaiveStore.Value
  typealias Pair = NaiveStore.Pair
  typealias Row = NaiveStore.Row

  private(set) var store: Store
  private let configuration: StoreConfiguration
  var model = NaiveStore.domain
  var random: SeededRandom
  /// The older versions still held, each with its expected contents.
  var kept: [(handle: StoreHandle, snapshot: [String: [[String: Value]]])] = []
  var log: [String] = []

  init(seed: UInt64, _ configuration: StoreConfiguration = .inMemory()) throws {
    random = SeededRandom(seed: seed)
    self.configuration = configuration
    store = try Store(configuration: configuration)
    try registerClasses()
  }

  /// Releases everything and opens the store again.
  func reopen() throws {
    log.append("— reopen")
    kept = []
    store = try Store()
    store = try Store(configuration: configuration)
    try registerClasses()
  }

  private func registerClasses() throws {
    for type in [EngineFarm.self, EngineAnimal.self, EngineOwner.self] as [ObjectBase.Type] {
      _ = try store.handle.entry(type)
    }
  }

  // MARK: - Comparing

  func difference(checksInvariants: Bool) -> String? {
    if checksInvariants {
      let broken = store.handle.engine.newest.brokenInvariants(store.handle.engine)
      if !broken.isEmpty { return broken.joined(separator: "\n") }
    }
    if let text = difference(EngineSnapshot.of(store.handle), model.snapshot()) { return text }
    guard !kept.isEmpty else { return nil }
    // One older version per step: each is checked many times while it is held.
    let index = random.below(kept.count)
    let old = kept[index]
    if let text = difference(EngineSnapshot.of(old.handle), old.snapshot) {
      return "older version \(index): \(text)"
    }
    return nil
  }

  private func difference(
    _ found: [String: [[String: Value]]], _ expected: [String: [[String: Value]]]
  ) -> String? {
    if found == expected { return nil }
    for (name, rows) in expected {
      let others = found[name] ?? []
      if rows.count != others.count { return "\(name): \(others.count) rows, not \(rows.count)" }
      for (index, row) in rows.enumerated() {
        for (attribute, value) in row where others[index][attribute] != value {
          return "\(name) \(index).\(attribute): \(others[index][attribute] ?? .null), not \(value)"
        }
      }
    }
    return "the snapshots differ"
  }

  // MARK: - Steps

  func step() throws {
    if random.once(in: 8) { kept.append((store.handle.freeze(), model.snapshot())) }
    if kept.count > 3 { kept.remove(at: random.below(kept.count)) }
    if random.once(in: 6) {
      try reimport()
      return
    }
    let before = model
    model.isServer = random.once(in: 2)
    do {
      try store.write(as: model.isServer ? .server : .user) {
        for _ in 0...random.below(5) { try operation(depth: 0) }
        if random.once(in: 5) {
          log.append("roll back")
          throw Undo()
        }
      }
    } catch is Undo {
      model = before
    }
    log.append("— version \(store.version)")
  }

  /// Applies the same update twice; the second time changes nothing.
  private func reimport() throws {
    let (type, pairs) = update()
    model.isServer = random.once(in: 2)
    for round in 0..<2 {
      let version = store.version
      try store.write(as: model.isServer ? .server : .user) { try create(type, pairs, .modified) }
      model.update(type, pairs)
      if round == 1 {
        #expect(store.version == version, "an equal update made a version: \(type) \(pairs)")
      }
    }
  }

  private func operation(depth: Int) throws {
    if depth < 2, random.once(in: 8) {
      try savepoint(depth: depth)
      return
    }
    if random.once(in: 25) { kept.append((store.handle.freeze(), model.snapshot())) }
    switch random.below(16) {
    case 0..<5:
      let (type, pairs) = update()
      log.append("update \(type) \(pairs)")
      try create(type, pairs, random.once(in: 4) ? .all : .modified)
      model.update(type, pairs)
    case 5: try refusedCreate()
    case 6, 7: try addGraph()
    case 8, 9: try delete()
    case 10: try rekey()
    default: try assign()
    }
  }

  private func savepoint(depth: Int) throws {
    let before = model
    log.append("savepoint")
    do {
      try store.write {
        for _ in 0...random.below(4) { try operation(depth: depth + 1) }
        if random.once(in: 2) { throw Undo() }
      }
      log.append("release")
    } catch is Undo {
      log.append("undo savepoint")
      model = before
    }
  }

  private func create(_ type: String, _ pairs: [Pair], _ policy: UpdatePolicy) throws {
    let update = UpdateDictionary(
      pairs.map { ($0.key, UpdateValue($0.value) { self.object($0) }) })
    switch type {
    case "Owner": try store.create(EngineOwner.self, value: update, update: policy)
    case "Animal": try store.create(EngineAnimal.self, value: update, update: policy)
    default: try store.create(EngineFarm.self, value: update, update: policy)
    }
  }

  /// Checks that a creation rejected because of an existing key changes nothing.
  private func refusedCreate() throws {
    guard let row = pick("Animal"), case .int(let id) = model.value(row, "id") else { return }
    log.append("refused \(row)")
    let pairs = [
      Pair("friends", .list([.content("Animal", [Pair("id", .int(100_000))])])),
      Pair("id", .int(id)),
    ]
    #expect(throws: StoreError(.duplicatePrimaryKey(className: "Animal", key: "\(id)"))) {
      try create("Animal", pairs, .error)
    }
  }

  private func delete() throws {
    // Otherwise added animals and unreferenced notes would accumulate.
    while model.rows("Animal").count > 25, let row = model.rows("Animal").first {
      if let object = object(row) as? EngineAnimal { store.delete(object) }
      model.delete(row)
    }
    for note in model.unreferenced("Note") {
      if let object = object(note) as? EngineNote { store.delete(object) }
      model.delete(note)
    }
    guard let row = pick(["Owner", "Animal", "Farm", "Note"][random.below(4)]) else { return }
    log.append("delete \(row)")
    switch object(row) {
    case let owner as EngineOwner: store.delete(owner)
    case let animal as EngineAnimal: store.delete(animal)
    case let farm as EngineFarm: store.delete(farm)
    case let note as EngineNote: store.delete(note)
    default: return
    }
    model.delete(row)
  }

  private func rekey() throws {
    guard let row = pick("Owner"), let owner = object(row) as? EngineOwner else { return }
    let key = "o\(random.below(9))"
    log.append("rekey \(row) \(key)")
    let holder = model.find("Owner", .string(key))
    if let holder, holder != row {
      #expect(throws: StoreError(.duplicatePrimaryKey(className: "Owner", key: "\"\(key)\""))) {
        try store.rekey(owner, to: key)
      }
    } else {
      try store.rekey(owner, to: key)
      model.assign(row, "id", .string(key))
    }
  }

  /// Adds new objects that link to each other and to managed ones.
  private func addGraph() throws {
    let id = 1000 + random.below(1_000_000)
    guard model.find("Animal", .int(id)) == nil, model.find("Animal", .int(id + 1)) == nil else {
      return
    }
    log.append("add \(id)")
    let (animal, friend) = (EngineAnimal(), EngineAnimal())
    animal.id = id
    friend.id = id + 1
    friend.friends.append(animal)
    animal.friends.append(friend)
    let note = EngineNote()
    note.text = text()
    animal.notes = List([note, note])
    let collar = EngineCollar()
    collar.size = random.below(5)
    collar.bells.append(EngineBell())
    animal.collar = collar
    var friends: [Value] = [.node(1)]
    if let row = pick("Animal"), let other = object(row) as? EngineAnimal {
      animal.friends.append(other)
      friends.append(.row(row))
    }
    try store.add(animal)
    func pairs(_ id: Int, _ pairs: [Pair]) -> [Pair] {
      [Pair("id", .int(id)), Pair("name", .string("unnamed")), Pair("legs", .int(4))] + pairs
    }
    model.add([
      (
        "Animal",
        pairs(
          id,
          [
            Pair("friends", .list(friends)), Pair("notes", .list([.node(2), .node(2)])),
            Pair("collar", .node(3)),
          ])
      ),
      ("Animal", pairs(id + 1, [Pair("friends", .list([.node(0)]))])),
      ("Note", [Pair("text", .string(note.text))]),
      (
        "Collar",
        [
          Pair("color", .string("red")), Pair("size", .int(collar.size)),
          Pair("bells", .list([.node(4)])),
        ]
      ),
      ("Bell", []),
    ])
  }

  // MARK: - Setters

  private func assign() throws {
    guard let row = pick("Animal"), let animal = object(row) as? EngineAnimal else { return }
    let kind = random.below(16)
    log.append("assign \(kind) \(row)")
    switch kind {
    case 0:
      animal.name = text()
      model.assign(row, "name", .string(animal.name))
    case 1:
      animal.weight = [0, -0.0, .nan, 1.5, .infinity][random.below(5)]
      model.assign(row, "weight", .number(animal.weight))
    case 2:
      animal.isWild = [nil, true, false][random.below(3)]
      model.assign(row, "isWild", animal.isWild.map { .bool($0) } ?? .null)
    case 3:
      let target = random.once(in: 3) ? nil : pick("Owner")
      animal.owner = target.flatMap { object($0) as? EngineOwner }
      model.assign(row, "owner", target.map { .row($0) } ?? .null)
    case 4, 5:
      for _ in 0...random.below(3) { animal.tags.append(text()) }
      model.assign(row, "tags", .list(animal.tags.map { .string($0) }))
      if random.once(in: 2), !animal.tags.isEmpty {
        animal.tags.remove(at: random.below(animal.tags.count))
        model.assign(row, "tags", .list(animal.tags.map { .string($0) }))
      }
    case 6:
      animal.doses.append(random.once(in: 3) ? nil : Double(random.below(5)))
      model.assign(row, "doses", .list(animal.doses.map { $0.map { .number($0) } ?? .null }))
    case 7:
      let color = ["red", "blue", "green", ""][random.below(4)]
      if animal.colors.contains(color) {
        animal.colors.remove(color)
      } else {
        animal.colors.insert(color)
      }
      model.assign(row, "colors", .list(animal.colors.map { .string($0) }))
    case 8:
      let (key, score) = (text(), random.once(in: 3) ? nil : random.below(9))
      // Removing an absent key does not give the map.
      let isIdle = score == nil && animal.scores[key] == nil
      animal.scores[key] = score
      if isIdle { return }
      model.assign(row, "scores", .map(animal.scores.map { Pair($0.key, .int($0.value)) }))
    case 9, 10:
      guard let target = pick("Animal"), let other = object(target) as? EngineAnimal,
        case .list(var friends) = model.value(row, "friends")
      else { return }
      if random.once(in: 3), !friends.isEmpty {
        let place = random.below(friends.count)
        animal.friends.remove(at: place)
        friends.remove(at: place)
      } else {
        animal.friends.append(other)
        friends.append(.row(target))
      }
      model.assign(row, "friends", .list(friends))
    case 11:
      // A note of another owner, shared from now on.
      guard let target = pick("Note"), let note = object(target) as? EngineNote,
        case .list(let notes) = model.value(row, "notes")
      else { return }
      animal.notes.append(note)
      model.assign(row, "notes", .list(notes + [.row(target)]))
    case 12:
      guard case .list(var notes) = model.value(row, "notes"), !notes.isEmpty else { return }
      let place = random.below(notes.count)
      animal.notes.remove(at: place)
      notes.remove(at: place)
      model.assign(row, "notes", .list(notes))
    case 13:
      // Another owner's collar is copied.
      guard let target = pick("Collar"), let collar = object(target) as? EngineCollar,
        model.value(row, "collar") != .row(target)
      else { return }
      let copy = model.copy(target)
      animal.collar = collar
      model.assign(row, "collar", .row(copy))
    case 14:
      animal.collar = nil
      model.assign(row, "collar", .null)
    default:
      try assignFarm()
    }
  }

  private func assignFarm() throws {
    guard let row = pick("Farm"), let farm = object(row) as? EngineFarm,
      let target = pick("Animal"),
      let animal = object(target) as? EngineAnimal
    else { return }
    log.append("farm \(row)")
    guard case .list(var herd) = model.value(row, "herd"),
      case .map(var byName) = model.value(row, "byName")
    else { return }
    if farm.herd.contains(animal) {
      farm.herd.remove(animal)
      herd.removeAll { $0 == .row(target) }
    } else {
      farm.herd.insert(animal)
      herd.append(.row(target))
    }
    model.assign(row, "herd", .list(herd))
    let key = text()
    let isNull = random.once(in: 3)
    farm.byName[key] = .some(isNull ? nil : animal)
    byName.removeAll { $0.key.utf8.elementsEqual(key.utf8) }
    byName.append(Pair(key, isNull ? .null : .row(target)))
    byName.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    model.assign(row, "byName", .map(byName))
  }

  // MARK: - Choosing

  private func pick(_ type: String) -> Row? {
    let rows = model.rows(type)
    return rows.isEmpty ? nil : rows[random.below(rows.count)]
  }

  /// Returns the store's row at the same index as a row of the model.
  private func object(_ row: Row) -> ObjectBase {
    let place = model.rows(row.model).firstIndex(of: row) ?? -1
    func object<T: ObjectBase>(_ type: T.Type) -> ObjectBase {
      let entry = store.handle.trustedEntry(type)
      var slots: [Int] = []
      store.handle.tableVersion(entry.table).forEachLive {
        slots.append($0)
        return true
      }
      guard slots.indices.contains(place) else {
        Issue.record("\(row) is not in the store")
        return T()
      }
      let object: T = store.handle.object(entry, slots[place])
      return object
    }
    return switch row.model {
    case "Owner": object(EngineOwner.self)
    case "Animal": object(EngineAnimal.self)
    case "Farm": object(EngineFarm.self)
    case "Note": object(EngineNote.self)
    case "Collar": object(EngineCollar.self)
    default: object(EngineBell.self)
    }
  }

  private func text() -> String {
    let texts = ["", "a", "b", "caf\u{E9}", "cafe\u{301}", "a rather long text, to fill the arena"]
    return texts[random.below(texts.count)]
  }

  // MARK: - Updates

  private func update() -> (String, [Pair]) {
    switch random.below(6) {
    case 0: ("Owner", ownerPairs())
    case 1, 2: ("Farm", farmPairs())
    default: ("Animal", animalPairs(depth: 0))
    }
  }

  private func ownerPairs() -> [Pair] {
    var pairs = [Pair("id", .string("o\(random.below(9))"))]
    if random.once(in: 2) { pairs.append(Pair("rank", .int(random.below(4)))) }
    if random.once(in: 2) {
      pairs.append(Pair("name", random.once(in: 3) ? .null : .string(text())))
    }
    if random.once(in: 4) {
      pairs.append(
        Pair(
          "friend", random.once(in: 3) ? .null : .content("Owner", ownerPairs())))
    }
    return shuffled(pairs)
  }

  private func shuffled(_ pairs: [Pair]) -> [Pair] { pairs.shuffled(using: &random) }

  private func notePairs(depth: Int) -> [Pair] {
    var pairs: [Pair] = []
    if !random.once(in: 4) { pairs.append(Pair("text", .string(text()))) }
    if random.once(in: 3) {
      pairs.append(Pair("stars", random.once(in: 2) ? .null : .int(random.below(3))))
    }
    if random.once(in: 5) { pairs.append(Pair("author", .content("Owner", ownerPairs()))) }
    if depth < 2, random.once(in: 3) {
      pairs.append(Pair("replies", noteList(depth: depth + 1)))
    }
    return shuffled(pairs)
  }

  private func noteList(depth: Int) -> Value {
    var notes: [Value] = []
    for _ in 0..<random.below(4) {
      notes.append(.content("Note", notePairs(depth: depth)))
    }
    return .list(notes)
  }

  private func collarPairs() -> [Pair] {
    var pairs: [Pair] = []
    if random.once(in: 2) { pairs.append(Pair("size", .int(random.below(3)))) }
    if random.once(in: 2) { pairs.append(Pair("color", .string(text()))) }
    if random.once(in: 2) {
      var bells: [Value] = []
      for _ in 0..<random.below(3) {
        bells.append(.content("Bell", [Pair("tone", .int(random.below(3)))]))
      }
      pairs.append(Pair("bells", .list(bells)))
    }
    if random.once(in: 4) { pairs.append(Pair("maker", .content("Owner", ownerPairs()))) }
    if random.once(in: 4) {
      pairs.append(Pair("label", .content("Note", notePairs(depth: 2))))
    }
    return shuffled(pairs)
  }

  private func animalPairs(depth: Int) -> [Pair] {
    var pairs = [Pair("id", .int(random.below(25)))]
    for _ in 0..<random.below(4) {
      let name: String
      let value: Value
      switch random.below(13) {
      case 0: (name, value) = ("name", .string(text()))
      case 1: (name, value) = ("legs", .int(random.below(5)))
      case 2: (name, value) = ("weight", .number([0, -0.0, 2.5, .nan][random.below(4)]))
      case 3: (name, value) = ("isWild", [.null, .bool(true), .bool(false)][random.below(3)])
      case 4: (name, value) = ("isTame", .bool(random.once(in: 2)))
      case 5:
        (name, value) = (
          "owner", random.once(in: 4) ? .null : .content("Owner", ownerPairs())
        )
      case 6:
        (name, value) = (
          "tags",
          random.once(in: 5) ? .null : .list((0..<random.below(5)).map { _ in .string(text()) })
        )
      case 7:
        (name, value) = ("colors", .list((0..<random.below(4)).map { _ in .string(text()) }))
      case 8:
        (name, value) = (
          "scores", .map((0..<random.below(4)).map { Pair("k\(9 - $0)", .int(random.below(3))) })
        )
      case 9 where depth < 2:
        var friends: [Value] = []
        for _ in 0..<random.below(3) {
          friends.append(.content("Animal", animalPairs(depth: depth + 1)))
        }
        (name, value) = ("friends", .list(friends))
      case 10:
        (name, value) = (
          "note", random.once(in: 4) ? .null : .content("Note", notePairs(depth: 0))
        )
      case 11: (name, value) = ("notes", noteList(depth: 0))
      default:
        (name, value) = (
          "collar", random.once(in: 4) ? .null : .content("Collar", collarPairs())
        )
      }
      pairs.removeAll { $0.key == name }
      pairs.append(Pair(name, value))
    }
    return shuffled(pairs)
  }

  private func farmPairs() -> [Pair] {
    var pairs = [Pair("id", .int(random.below(4)))]
    func animal() -> Value {
      if random.once(in: 3), let row = pick("Animal") { return .row(row) }
      return .content("Animal", animalPairs(depth: 1))
    }
    if random.once(in: 2) {
      pairs.append(Pair("animals", .list((0..<random.below(4)).map { _ in animal() })))
    }
    if random.once(in: 4) { pairs.append(Pair("boss", animal())) }
    if random.once(in: 4) {
      pairs.append(Pair("herd", .list((0..<random.below(4)).map { _ in animal() })))
    }
    if random.once(in: 3) {
      let members = (0..<random.below(4)).map {
        Pair("n\($0 * 7 % 5)", random.once(in: 4) ? .null : animal())
      }
      pairs.append(Pair("byName", .map(members)))
    }
    if random.once(in: 3) {
      let members = (0..<random.below(4)).map {
        Pair("d\($0 * 7 % 5)", .content("Note", notePairs(depth: 1)))
      }
      pairs.append(Pair("notesByDay", .map(members)))
    }
    if random.once(in: 3) {
      let collars = (0..<random.below(3)).map { _ in Value.content("Collar", collarPairs()) }
      pairs.append(Pair("collars", .list(collars)))
    }
    return shuffled(pairs)
  }
}
