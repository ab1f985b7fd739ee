import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Random changes to random classes, compared with a model of the expected values.
@Suite struct `Random migrations` {
  @Test(arguments: 0..<24)
  func `objects have the values of a naive model after random migrations`(_ seed: Int) async throws
  {
    let file = try MigratedFile()
    var world = MigratedWorld(seed: UInt64(seed))
    try file.write(world.schemas) { try world.fill($0) }
    for version in 2...7 {
      let step = world.change()
      do {
        let store = try file.open(world.schemas, UInt64(version)) { try step.run($0) }
        try await file.check(store)
        try world.expect(store, "\(seed), \(version): at once")
      }
      let store = try file.open(world.schemas, UInt64(version))
      try world.expect(store, "\(seed), \(version)")
      let isServer = version % 2 == 0
      try store.write(as: isServer ? .server : .user) { try world.fill(store, isServer: isServer) }
      try world.expect(store, "\(seed), \(version): written to")
      try await file.check(store)
    }
  }
}

/// A class of things, the homes that they own and the notes that they link to, with all their expected values.
struct MigratedWorld {
  enum Form: CaseIterable {
    case int, string, double, ints, texts, link, links, home, homes, note
  }

  struct Attribute {
    var name: String
    var form: Form
    var isOptional: Bool
    /// Identifies the attribute across renames.
    let id: Int
  }

  enum Value: Equatable {
    case null
    case int(Int)
    case string(String)
    case double(Double)
    case ints([Int?])
    case texts([String: String])
    case link(Int?)
    case links([Int])
    case home(Int?)
    case homes([Int])
    case note(String?)

    var text: String {
      switch self {
      case .null: "nil"
      case .int(let value): "\(value)"
      case .string(let value): value
      case .double(let value): "\(value)"
      case .ints(let values): "\(values)"
      case .texts(let values): "\(values.sorted { $0.key < $1.key })"
      case .link(let value), .home(let value): value.map { "\($0)" } ?? "nil"
      case .links(let values), .homes(let values): "\(values)"
      case .note(let value): value ?? "nil"
      }
    }
  }

  private var random: SeededRandom
  private var name = "Thing"
  private var homeName = "Home"
  private var isKeyed = true
  private var attributes: [Attribute] = []
  private var lastAttribute = 0
  private var lastID = 0
  /// The expected rows; `unknown` has the attributes that were never given a value.
  private var rows: [(id: Int, values: [Int: Value], unknown: Set<Int>)] = []

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    for _ in 0..<4 + random.below(5) { attributes.append(newAttribute()) }
  }

  private mutating func newAttribute() -> Attribute {
    lastAttribute += 1
    let form = Form.allCases[random.below(Form.allCases.count)]
    let mayBeNull = form == .int || form == .string || form == .ints
    return Attribute(
      name: "a\(lastAttribute)", form: form, isOptional: mayBeNull && random.once(in: 2),
      id: lastAttribute)
  }

  // MARK: - Schemas

  var schemas: [ObjectSchema] {
    [
      ObjectSchema(
        name,
        [Property("id", .int, isPrimaryKey: isKeyed)] + attributes.map(property)),
      ObjectSchema(homeName, [Property("number", .int)], isEmbedded: true),
      ObjectSchema("Note", [Property("text", .string)]),
    ]
  }

  private func property(_ attribute: Attribute) -> Property {
    let shape: AttributeShape =
      switch attribute.form {
      case .int: .int
      case .string: .string
      case .double: .double
      case .ints: .list(.int)
      case .texts: .map(.string)
      case .link: .object(name)
      case .links: .list(name)
      case .home: .object(homeName)
      case .homes: .list(homeName)
      case .note: .object("Note")
      }
    return Property(
      attribute.name, shape, isOptional: attribute.isOptional,
      isIndexed: attribute.id % 3 == 0 && (attribute.form == .int || attribute.form == .string))
  }

  private static func zero(_ attribute: Attribute) -> Value {
    switch attribute.form {
    case .int: attribute.isOptional ? .null : .int(0)
    case .string: attribute.isOptional ? .null : .string("")
    case .double: .double(0)
    case .ints: .ints([])
    case .texts: .texts([:])
    case .link: .link(nil)
    case .links: .links([])
    case .home: .home(nil)
    case .homes: .homes([])
    case .note: .note(nil)
    }
  }

  // MARK: - Rows

  private mutating func randomValue(_ attribute: Attribute) -> Value {
    if attribute.isOptional, attribute.form != .ints, random.once(in: 3) { return .null }
    let n = random.below(1000)
    let other = rows.isEmpty ? nil : rows[random.below(rows.count)].id
    return switch attribute.form {
    case .int: .int(n)
    case .string: .string("text \(n)")
    case .double: .double(Double(n) / 8)
    case .ints: .ints([n, attribute.isOptional ? nil : 5, n + 1])
    case .texts: .texts(["k\(n)": "v", "k": "\(n)"])
    case .link: .link(random.once(in: 4) ? nil : other)
    case .links: .links([other, other].compactMap { $0 })
    case .home: .home(random.once(in: 4) ? nil : n)
    case .homes: .homes([n, n + 1])
    case .note: .note("note \(n)")
    }
  }

  private static func update(_ value: Value) -> UpdateValue? {
    switch value {
    case .null: .null
    case .int(let value): .init(value)
    case .string(let value): .init(value)
    case .double(let value): .init(value)
    case .ints(let values): .array(values.map { $0.map { .init($0) } ?? .null })
    case .texts(let values):
      .object(UpdateDictionary(values.sorted { $0.key < $1.key }.map { ($0.key, .init($0.value)) }))
    case .home(let value): value.map { ["number": .init($0)] }
    case .homes(let values): .array(values.map { ["number": .init($0)] })
    case .note(let value): value.map { ["text": .init($0)] }
    case .link, .links: nil
    }
  }

  /// Adds three rows with random values. Those of the server lack some attributes.
  mutating func fill(_ store: Store, isServer: Bool = false) throws {
    for _ in 0..<3 {
      lastID += 1
      var values: [Int: Value] = [:]
      var update: UpdateDictionary = ["id": .init(lastID)]
      var unknown: Set<Int> = []
      for attribute in attributes {
        if isServer, random.once(in: 3) {
          unknown.insert(attribute.id)
          continue
        }
        let value = randomValue(attribute)
        values[attribute.id] = value
        if let cell = Self.update(value) {
          update[attribute.name] = cell
        } else if isServer, attribute.form != .link, attribute.form != .links {
          unknown.insert(attribute.id)
        }
      }
      let object = try store.create(dynamic: name, value: update)
      rows.append((lastID, values, unknown))
      try setLinks(of: object, values, try store.objects(dynamic: name).map { $0 })
    }
  }

  private func setLinks(
    of object: DynamicObject, _ values: [Int: Value], _ all: [DynamicObject]
  ) throws {
    func find(_ id: Int) -> DynamicObject? { all.first { $0["id"] as? Int == id } }
    for attribute in attributes {
      switch values[attribute.id] {
      case .link(let id): object[attribute.name] = id.flatMap(find)
      case .links(let ids):
        (object[attribute.name] as? List<DynamicObject>)?.append(
          contentsOf: ids.compactMap(find))
      default: break
      }
    }
  }

  func expect(_ store: Store, _ comment: String) throws {
    let objects = try store.objects(dynamic: name)
    #expect(objects.map { $0["id"] as? Int } == rows.map(\.id), "\(comment)")
    for (object, row) in zip(objects, rows) {
      for attribute in attributes {
        let expected = row.values[attribute.id] ?? Self.zero(attribute)
        #expect(
          Self.text(object[attribute.name]) == expected.text,
          "\(comment): \(row.id).\(attribute.name), \(attribute.form)")
      }
      #expect(
        object.unknownAttributes
          == attributes.filter { row.unknown.contains($0.id) }.map(\.name), "\(comment): \(row.id)")
    }
    let homes = rows.flatMap { row in
      attributes.map { attribute in
        switch row.values[attribute.id] {
        case .home(let value): value == nil ? 0 : 1
        case .homes(let values): values.count
        default: 0
        }
      }
    }
    #expect(
      try store.objects(dynamic: homeName).count == homes.reduce(0, +), "\(comment): homes")
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case let values as List<Int>: "\(values.map { Optional($0) })"
    case let values as List<Int?>: "\(values.map { $0 })"
    case let values as Map<String, String>:
      "\(values.map { (key: $0.key, value: $0.value) }.sorted { $0.key < $1.key })"
    case let values as List<DynamicObject>:
      "[\(values.map { text(of: $0) }.joined(separator: ", "))]"
    default: ObjectStoreTests.text(of: value)
    }
  }

  private static func text(of object: DynamicObject) -> String {
    ObjectStoreTests.text(of: object)
  }

  // MARK: - Changing

  /// The work of a migration block.
  struct Step: Sendable {
    var renames: [(class: String, from: String, to: String)] = []
    var classRenames: [(from: String, to: String)] = []
    var name = ""
    var deleted: Set<Int> = []
    /// The values to fill in, by row.
    var filled: [Int: [(name: String, value: FilledValue)]] = [:]
    var created: [Int] = []

    enum FilledValue: Sendable {
      case int(Int)
      case string(String)
    }

    func run(_ migration: Migration) throws {
      for rename in renames {
        try migration.renameAttribute(rename.class, from: rename.from, to: rename.to)
      }
      for rename in classRenames { try migration.renameClass(from: rename.from, to: rename.to) }
      try migration.enumerate(name) { old, new in
        guard let id = old["id"] as? Int else { throw Undo() }
        #expect(new["id"] as? Int == id)
        if deleted.contains(id) { return try migration.delete(new) }
        for (name, value) in filled[id] ?? [] {
          switch value {
          case .int(let value): new[name] = value
          case .string(let value): new[name] = value
          }
        }
      }
      for id in created { try migration.create(name, ["id": .init(id)]) }
    }
  }

  /// Changes the expected classes and rows. Returns a migration step that makes the same changes.
  mutating func change() -> Step {
    var step = Step()
    changeAttributes(&step)
    if random.once(in: 3) {
      let new = name + "x"
      step.classRenames.append((name, new))
      name = new
    }
    if random.once(in: 3) {
      let new = homeName + "x"
      step.classRenames.append((homeName, new))
      homeName = new
    }
    if random.once(in: 3) { isKeyed.toggle() }
    step.name = name
    changeRows(&step)
    return step
  }

  private mutating func changeAttributes(_ step: inout Step) {
    var new: [Attribute] = []
    for var attribute in attributes {
      switch random.below(6) {
      case 0:
        // The attribute is removed.
        forget(attribute)
        continue
      case 1:
        let name = attribute.name + "x"
        step.renames.append((self.name, attribute.name, name))
        attribute.name = name
      case 2:
        let changed = newAttribute()
        if changed.form != attribute.form {
          // A different attribute takes over the name.
          forget(attribute)
          new.append(
            Attribute(
              name: attribute.name, form: changed.form, isOptional: changed.isOptional,
              id: changed.id))
          continue
        }
      case 3:
        toggleOptional(&attribute)
      default: break
      }
      new.append(attribute)
    }
    if random.once(in: 2) { new.append(newAttribute()) }
    if new.count < 3 { new.append(newAttribute()) }
    // Nothing is known of an attribute that the migration adds.
    let added = Set(new.map(\.id)).subtracting(attributes.map(\.id))
    for index in rows.indices { rows[index].unknown.formUnion(added) }
    attributes = new
  }

  private mutating func forget(_ attribute: Attribute) {
    for index in rows.indices { rows[index].values[attribute.id] = nil }
  }

  private mutating func toggleOptional(_ attribute: inout Attribute) {
    guard [.int, .string, .ints].contains(attribute.form) else { return }
    attribute.isOptional.toggle()
    if attribute.isOptional {
      // Rows inserted without the attribute have its default, which is not null.
      let zero = Self.zero(
        Attribute(name: "", form: attribute.form, isOptional: false, id: 0))
      for index in rows.indices where rows[index].values[attribute.id] == nil {
        rows[index].values[attribute.id] = zero
      }
      return
    }
    var optional = attribute
    optional.isOptional = true
    for index in rows.indices {
      switch rows[index].values[attribute.id] ?? Self.zero(optional) {
      case .null:
        // The default that takes the place of null is no value that anyone gave.
        rows[index].values[attribute.id] = nil
        rows[index].unknown.insert(attribute.id)
      case .ints(let values):
        rows[index].values[attribute.id] = .ints(values.filter { $0 != nil })
      default: break
      }
    }
  }

  private mutating func changeRows(_ step: inout Step) {
    for index in rows.indices {
      let id = rows[index].id
      if random.once(in: 8) {
        step.deleted.insert(id)
        continue
      }
      for attribute in attributes where random.once(in: 5) {
        let n = random.below(1000)
        switch attribute.form {
        case .int:
          step.filled[id, default: []].append((attribute.name, .int(n)))
          rows[index].values[attribute.id] = .int(n)
          rows[index].unknown.remove(attribute.id)
        case .string:
          step.filled[id, default: []].append((attribute.name, .string("f\(n)")))
          rows[index].values[attribute.id] = .string("f\(n)")
          rows[index].unknown.remove(attribute.id)
        default: break
        }
      }
    }
    let deleted = step.deleted
    rows.removeAll { deleted.contains($0.id) }
    for index in rows.indices {
      rows[index].values = rows[index].values.mapValues { value in
        switch value {
        case .link(let id?) where deleted.contains(id): .link(nil)
        case .links(let ids): .links(ids.filter { !deleted.contains($0) })
        default: value
        }
      }
    }
    if random.once(in: 2) {
      lastID += 1
      step.created.append(lastID)
      rows.append((lastID, [:], []))
    }
  }
}
