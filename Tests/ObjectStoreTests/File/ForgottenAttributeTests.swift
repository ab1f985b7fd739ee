import Foundation
import ObjectStore
import TestSupport
import Testing

/// Files that classes with fewer attributes open in between. K6, R15
@Suite struct `A file that a class with fewer attributes has opened` {
  private let file: MigratedFile

  init() throws { file = try MigratedFile() }

  private static let key = Property("id", .int, isPrimaryKey: true)
  private static let all = [
    Property("a", .string), Property("b", .int, isOptional: true), Property("c", .list(.int)),
    Property("d", .double), Property("e", .map(.string)), Property("next", .object("Thing")),
  ]

  private func open(_ attributes: [Property], isKeyed: Bool = true) throws -> Store {
    let key = isKeyed ? Self.key : Property("id", .int)
    return try file.open([ObjectSchema("Thing", [key] + attributes)])
  }

  private static func value(_ attribute: Property, _ number: Int) -> UpdateValue {
    switch attribute.name {
    case "a": .string("t\(number)")
    case "b": number % 2 == 0 ? .null : .init(number)
    case "c": [.init(number), 2]
    case "d": .double(Double(number))
    case "e": ["k": .string("v\(number)")]
    default: .null
    }
  }

  @Test func `unknown attributes are unknown again when the class has them again`() async throws {
    do {
      let store = try open(Self.all)
      try store.write(as: .server) {
        try store.create(dynamic: "Thing", value: ["id": 1, "a": "one"])
        try store.create(dynamic: "Thing", value: ["id": 2, "a": "two", "b": 2, "c": [1]])
      }
    }
    do {
      let store = try open([Self.all[0]])
      #expect(try store.objects(dynamic: "Thing").allSatisfy { $0.unknownAttributes == [] })
      try store.write {
        try store.create(dynamic: "Thing", value: ["id": 1, "a": "new"], update: .modified)
        try store.create(dynamic: "Thing", value: ["id": 3, "a": "three"])
      }
      try await store.integrityCheck()
    }
    let store = try open(Self.all)
    #expect(
      try store.objects(dynamic: "Thing").map { $0["a"] as? String } == ["new", "two", "three"])
    #expect(
      try store.objects(dynamic: "Thing").map(\.unknownAttributes) == [
        ["b", "c", "d", "e", "next"], ["d", "e", "next"], ["b", "c", "d", "e", "next"],
      ])
    try await store.integrityCheck()
  }

  @Test(arguments: 0..<16)
  func `objects know what a naive model knows while attributes come and go`(_ seed: Int)
    async throws
  {
    var random = SeededRandom(seed: UInt64(seed))
    let isKeyed = seed % 4 != 3
    var rows: [Int: (values: [String: UpdateValue], known: Set<String>)] = [:]
    var lastID = 0
    for round in 0..<10 {
      let attributes = round == 0 ? Self.all : Self.all.filter { _ in !random.once(in: 3) }
      let store = try open(attributes, isKeyed: isKeyed)
      for _ in 0..<4 {
        let isServer = !random.once(in: 3)
        try store.write(as: isServer ? .server : .user) {
          let isNew = !isKeyed || rows.isEmpty || random.once(in: 2)
          if isNew { lastID += 1 }
          guard let id = isNew ? lastID : rows.keys.sorted().randomElement(using: &random) else {
            return
          }
          if !isNew, random.once(in: 4) {
            store.delete(try store.objects(dynamic: "Thing").filter("id == \(id)"))
            rows[id] = nil
            return
          }
          var update: UpdateDictionary = ["id": .init(id)]
          var row = rows[id] ?? ([:], isServer ? [] : Set(attributes.map(\.name)))
          for attribute in attributes where random.once(in: 2) {
            let value = Self.value(attribute, random.below(100))
            update[attribute.name] = value
            row.values[attribute.name] = value
            row.known.insert(attribute.name)
          }
          rows[id] = row
          try store.create(dynamic: "Thing", value: update, update: isNew ? .error : .modified)
        }
      }
      for object in try store.objects(dynamic: "Thing") {
        let id = try #require(object["id"] as? Int)
        let row = try #require(rows[id])
        #expect(
          object.unknownAttributes == attributes.map(\.name).filter { !row.known.contains($0) },
          "\(seed), \(round): \(id)")
        for attribute in attributes {
          let expected = row.values[attribute.name] ?? .null
          let found = UpdateValue(any: object[attribute.name])
          #expect(
            found == expected || expected == .null && Self.isZero(found),
            "\(seed), \(round): \(id).\(attribute.name)")
        }
      }
      #expect(try store.objects(dynamic: "Thing").count == rows.count)
      try await store.integrityCheck()
      #expect(store.damage == [])
    }
  }

  private static func isZero(_ value: UpdateValue?) -> Bool {
    switch value {
    case .null, .string(""), .int(0), .double(0): true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: false
    }
  }
}

/// Deleted objects of classes that get attributes. K6, R30
@Suite struct `A deleted object of a class that has got attributes` {
  private static let key = Property("id", .int, isPrimaryKey: true)
  private static let first = Property("a", .int, isOptional: true)
  private static let others = [
    Property("b", .int, isOptional: true), Property("r", .int), Property("l", .list(.int)),
  ]

  private let file: MigratedFile

  init() throws { file = try MigratedFile() }

  private func open(_ attributes: [Property]) throws -> Store {
    try file.open([ObjectSchema("Thing", [Self.key] + attributes, tracksEdits: true)])
  }

  /// Deletes an object that has or lacks the other attributes, with a class that lacks them.
  private func delete(hasOthers: Bool) throws {
    let classes = hasOthers ? [[Self.first] + Self.others, [Self.first]] : [[Self.first]]
    for (index, attributes) in classes.enumerated() {
      let store = try open(attributes)
      if index == 0 {
        try store.write(as: .server) {
          let value: UpdateDictionary =
            hasOthers ? ["id": 1, "a": 1, "b": 1, "r": 1, "l": [1]] : ["id": 1, "a": 1]
          try store.create(dynamic: "Thing", value: value)
        }
      }
      if index == classes.count - 1 {
        try store.write { store.delete(try store.objects(dynamic: "Thing")) }
      }
    }
  }

  @Test(arguments: [false, true])
  func `they are unknown when the deletion is reverted`(_ hadOthers: Bool) async throws {
    try delete(hasOthers: hadOthers)
    let store = try open([Self.first] + Self.others)
    try store.settle(try #require(try store.takeEdits().first), .reverted)
    let thing = try #require(try store.objects(dynamic: "Thing").first)
    #expect(thing.unknownAttributes == ["b", "r", "l"] && thing["a"] as? Int == 1)
    #expect(try store.pendingEdits().isEmpty)
    try await store.integrityCheck()
  }

  @Test func `they are unknown when the object is created again and that is reverted`() throws {
    try delete(hasOthers: true)
    let store = try open([Self.first] + Self.others)
    try store.write { try store.create(dynamic: "Thing", value: ["id": 1, "a": 2]) }
    try store.settle(try #require(try store.takeEdits().first), .reverted)
    let thing = try #require(try store.objects(dynamic: "Thing").first)
    #expect(thing.unknownAttributes == ["b", "r", "l"] && thing["a"] as? Int == 1)
    #expect(try store.pendingEdits().isEmpty)
  }
}

/// Edits of attributes that a class lacks for a time. R30
@Suite struct `Edits of attributes that a class lacks` {
  private let file: MigratedFile

  init() throws { file = try MigratedFile() }

  private func open(_ names: [String]) throws -> Store {
    let properties = names.map { Property($0, .int, isPrimaryKey: $0 == "id") }
    return try file.open([ObjectSchema("Thing", properties, tracksEdits: true)])
  }

  @Test func `end with a deletion and its revert`() throws {
    do {
      let store = try open(["id", "a", "b"])
      try store.write(as: .server) { try store.create(dynamic: "Thing", value: ["id": 1, "b": 1]) }
      try store.write { try store.objects(dynamic: "Thing")[0]["b"] = 2 }
    }
    do {
      let store = try open(["id", "a"])
      try store.write { store.delete(try store.objects(dynamic: "Thing")) }
      try store.settle(try #require(try store.takeEdits().first), .reverted)
    }
    let store = try open(["id", "a", "b"])
    #expect(try store.pendingEdits().isEmpty)
    #expect(try store.objects(dynamic: "Thing").map(\.unknownAttributes) == [["a", "b"]])
  }

  @Test(arguments: 0..<4)
  func `stay until the class has the attributes again`(_ way: Int) async throws {
    do {
      let store = try open(["id", "a", "b"])
      try store.write(as: .server) {
        for id in 1...2 {
          try store.create(dynamic: "Thing", value: ["id": .init(id), "a": 1, "b": 1])
        }
      }
      try store.write { for thing in try store.objects(dynamic: "Thing") { thing["b"] = 2 } }
      // An edit of the second object is confirmed: it has none left.
      let edits = try store.takeEdits()
      try store.settle(edits[1], .confirmed)
      try store.settle(edits[0], .unapplied)
    }
    do {
      let store = try open(["id", "a"])
      let things = try store.objects(dynamic: "Thing").map { $0 }
      #expect(try store.pendingEdits().isEmpty)
      for thing in things {
        try store.write { thing["a"] = 5 }
        switch way {
        case 0: try store.write { thing["a"] = 1 }
        case 1: try store.settle(try #require(try store.takeEdit(of: thing)), .confirmed)
        case 2: try store.revertEdits(of: thing)
        default: try store.settle(try #require(try store.takeEdit(of: thing)), .reverted)
        }
      }
      #expect(try store.pendingEdits().isEmpty && things.allSatisfy { $0.editState == .clean })
      try await store.integrityCheck()
    }
    let store = try open(["id", "a", "b"])
    let edit = try #require(try store.takeEdits().first)
    #expect(edit.keyText == "1" && edit.attributes == ["b"])
    try store.settle(edit, .reverted)
    let things = try store.objects(dynamic: "Thing").map { $0 }
    #expect(try things.map { $0["b"] as? Int } == [1, 2] && store.pendingEdits().isEmpty)
    try await store.integrityCheck()
  }
}
