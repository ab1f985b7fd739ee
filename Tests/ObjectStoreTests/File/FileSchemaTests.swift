import Foundation
import ObjectStore
import TestSupport
import Testing

/// Files that were written with different declarations of their classes. R14, R15
@Suite struct `A file whose class has changed` {
  private let folder: TemporaryFolder
  private let configuration: StoreConfiguration
  private var path: String {
    folder.file("things.store").resolvingSymlinksInPath().path
  }

  init() throws {
    folder = try TemporaryFolder()
    configuration = .file(folder.file("things.store"))
  }

  private static let before = [
    Property("id", .int, isPrimaryKey: true), Property("name", .string),
    Property("small", .value(.int8)), Property("rank", .value(.int32)), Property("old", .string),
    Property("oldTags", .list(.string)), Property("next", .object("Thing")),
  ]

  /// Writes three things with the first declaration.
  private func write() throws {
    let store = try open(Self.before)
    try store.write {
      var last: DynamicObject?
      for id in 1...3 {
        let thing = try store.create(
          dynamic: "Thing",
          value: [
            "id": .init(id), "name": .init("n\(id)"), "small": .init(-id), "rank": .init(id * 1000),
            "old": .init("o\(id)"), "oldTags": ["a", "b"],
          ])
        thing["next"] = last
        last = thing
      }
    }
  }

  private func open(_ properties: [Property], isCache: Bool = false) throws -> Store {
    try Store(
      configuration: isCache ? .file(folder.file("things.store"), isCache: true) : configuration,
      schemas: [ObjectSchema("Thing", properties)])
  }

  /// The values of an attribute as strings.
  private func values(_ store: Store, _ name: String) throws -> [String] {
    try store.objects(dynamic: "Thing").map { $0[name].map { "\($0)" } ?? "nil" }
  }

  @Test func `a new attribute reads as its default, and the next commit adds it to the file`()
    throws
  {
    try write()
    let properties = [
      Property("id", .int, isPrimaryKey: true), Property("name", .string, isIndexed: true),
      Property("weight", .double), Property("note", .string, isOptional: true),
      Property("tags", .list(.int)),
    ]
    do {
      let store = try open(properties)
      #expect(try values(store, "weight") == ["0.0", "0.0", "0.0"])
      #expect(try values(store, "note") == ["nil", "nil", "nil"])
      try store.write {
        try store.create(
          dynamic: "Thing", value: ["id": 2, "weight": 1.5, "tags": [1, 2]], update: .modified)
      }
    }
    let store = try open(properties)
    #expect(try values(store, "name") == ["n1", "n2", "n3"])
    #expect(try values(store, "weight") == ["0.0", "1.5", "0.0"])
    #expect(try values(store, "tags") == ["[]", "[1, 2]", "[]"])
    #expect(store.damage == [])
  }

  @Test func `removed attributes stay in the file when rows are deleted and inserted`() async throws
  {
    try write()
    do {
      let store = try open([Property("id", .int, isPrimaryKey: true)])
      try store.write {
        if let two = try store.object(dynamic: "Thing", forPrimaryKey: 2) { store.delete(two) }
        try store.create(dynamic: "Thing", value: ["id": 4])
        if let one = try store.object(dynamic: "Thing", forPrimaryKey: 1) {
          try store.rekey(one, to: 11)
        }
      }
      try await store.integrityCheck()
    }
    for _ in 0..<2 {
      let store = try open(Self.before)
      #expect(try values(store, "id") == ["11", "3", "4"])
      #expect(try values(store, "old") == ["o1", "o3", ""])
      #expect(try values(store, "rank") == ["1000", "3000", "0"])
      #expect(try values(store, "oldTags") == [#"["a", "b"]"#, #"["a", "b"]"#, "[]"])
      try store.write {
        try store.create(dynamic: "Thing", value: ["id": 4, "small": 7], update: .modified)
      }
      try await store.integrityCheck()
      #expect(store.damage == [])
    }
  }

  @Test(arguments: [
    ("small", Property("small", .value(.int16)), ["-1", "-2", "-3"]),
    ("small", Property("small", .double), ["-1.0", "-2.0", "-3.0"]),
    ("rank", Property("rank", .int), ["1000", "2000", "3000"]),
    ("rank", Property("rank", .double, isIndexed: true), ["1000.0", "2000.0", "3000.0"]),
    ("name", Property("name", .string, isOptional: true), ["n1", "n2", "n3"]),
  ])
  func `values of a widened attribute are kept`(
    _ name: String, _ property: Property, _ expected: [String]
  ) async throws {
    try write()
    let properties = Self.before.map { $0.name == name ? property : $0 }
    for _ in 0..<2 {
      let store = try open(properties)
      #expect(try values(store, name) == expected)
      try store.write {
        try store.create(dynamic: "Thing", value: ["id": 2, "old": "x"], update: .modified)
      }
      try await store.integrityCheck()
      #expect(store.damage == [])
    }
  }

  @Test(arguments: [
    (
      Property("small", .value(.uint8)),
      "Thing.small: the file has Int8, the class UInt8"
    ),
    (Property("rank", .value(.int16)), "Thing.rank: the file has Int32, the class Int16"),
    (Property("name", .int), "Thing.name: the file has String, the class Int"),
    (
      Property("oldTags", .set(.string)),
      "Thing.oldTags: the file has List<String>, the class MutableSet<String>"
    ),
  ])
  func `a class with an incompatible attribute is empty and cannot be written`(
    _ property: Property, _ mistake: String
  ) throws {
    try write()
    let properties = Self.before.map { $0.name == property.name ? property : $0 }
    let error = StoreError(.migrationNeeded(path: path, mistakes: [mistake]))
    do {
      let store = try open(properties)
      #expect(try store.objects(dynamic: "Thing").isEmpty)
      #expect(store.damage == [error])
      #expect(error.description == "\(path): the file does not match the classes:\n\(mistake)")
      #expect(throws: error) {
        try store.write { try store.create(dynamic: "Thing", value: ["id": 9]) }
      }
    }
    // The file is unchanged for a class that is declared as in the file.
    let store = try open(Self.before)
    #expect(try values(store, "name") == ["n1", "n2", "n3"])
  }

  @Test func `a list of integers is not widened to a list of floating-point numbers`() throws {
    let key = Property("id", .int, isPrimaryKey: true)
    do {
      let store = try open([key, Property("ranks", .list(.int32))])
      try store.write { try store.create(dynamic: "Thing", value: ["id": 1, "ranks": [1, 2]]) }
    }
    let store = try open([key, Property("ranks", .list(.double))])
    #expect(try store.objects(dynamic: "Thing").isEmpty)
    #expect(
      store.damage == [
        StoreError(
          .migrationNeeded(
            path: path,
            mistakes: ["Thing.ranks: the file has List<Int32>, the class List<Double>"]))
      ])
  }

  @Test func `the next commit creates an index in the file or removes it`() throws {
    try write()
    for isIndexed in [true, false] {
      let properties = Self.before.map {
        $0.name == "name" ? Property("name", .string, isIndexed: isIndexed) : $0
      }
      do {
        let store = try open(properties)
        try store.write {
          try store.create(
            dynamic: "Thing", value: ["id": 2, "old": .init("x\(isIndexed)")], update: .modified)
        }
      }
      let count = try EditedFile.texts(
        "SELECT COUNT(*) FROM sqlite_master WHERE type = 'index' AND sql LIKE '%name%'",
        in: folder.file("things.store"))
      #expect(count == [isIndexed ? "1" : "0"])
    }
  }

  @Test func `a class of a cache with an incompatible attribute begins empty`() throws {
    try write()
    let properties = Self.before.map { $0.name == "name" ? Property("name", .int) : $0 }
    do {
      let store = try open(properties, isCache: true)
      #expect(try store.objects(dynamic: "Thing").isEmpty)
      #expect(store.damage.count == 1)
      try store.write { try store.create(dynamic: "Thing", value: ["id": 9, "name": 5]) }
    }
    let store = try open(properties, isCache: true)
    #expect(try values(store, "name") == ["5"])
    #expect(store.damage == [])
  }

  @Test func `null values of an attribute that is no longer optional need a migration`() throws {
    let optional = Self.before.map {
      $0.name == "name" ? Property("name", .string, isOptional: true) : $0
    }
    do {
      let store = try open(optional)
      try store.write { try store.create(dynamic: "Thing", value: ["id": 1, "name": "x"]) }
    }
    do {
      let store = try open(Self.before)
      #expect(try values(store, "name") == ["x"])
    }
    do {
      let store = try open(optional)
      try store.write { try store.create(dynamic: "Thing", value: ["id": 2]) }
    }
    let store = try open(Self.before)
    #expect(try store.objects(dynamic: "Thing").isEmpty)
    #expect(
      store.damage == [
        StoreError(
          .migrationNeeded(
            path: path,
            mistakes: [
              "Thing.name: the file has null for an attribute that is no longer optional"
            ]
          ))
      ])
  }

  private static let owner = ObjectSchema("Owner", [Property("id", .int, isPrimaryKey: true)])
  private static let pet = ObjectSchema(
    "Pet",
    [
      Property("id", .int, isPrimaryKey: true), Property("owner", .object("Owner")),
      Property("friends", .list("Owner")),
    ])

  /// Writes three pets, each with an owner and two friends.
  private func writePets() throws {
    let store = try Store(configuration: configuration, schemas: [Self.owner, Self.pet])
    try store.write {
      for id in 1...3 {
        try store.create(
          dynamic: "Pet",
          value: [
            "id": .init(id), "owner": ["id": .init(id)], "friends": [["id": 1], ["id": 2]],
          ], update: .modified)
      }
    }
  }

  private func owners(_ store: Store) throws -> [Int?] {
    try store.objects(dynamic: "Pet").map { ($0["owner"] as? DynamicObject)?["id"] as? Int }
  }

  @Test func `links to an object deleted in an open write are cleared after its commit`() throws {
    try writePets()
    do {
      let store = try Store(configuration: configuration, schemas: [Self.owner])
      try store.beginWrite()
      if let two = try store.object(dynamic: "Owner", forPrimaryKey: 2) { store.delete(two) }
      let other = try Store(configuration: configuration, schemas: [Self.pet])
      #expect(try owners(other) == [1, 2, 3])
      try store.commitWrite()
      other.refresh()
      #expect(try owners(other) == [1, nil, 3])
    }
    let store = try Store(configuration: configuration, schemas: [Self.owner, Self.pet])
    #expect(try owners(store) == [1, nil, 3])
    #expect(store.damage == [])
  }

  @Test func `links to an object whose deletion is not yet written are cleared`() async throws {
    let background = StoreConfiguration.file(
      folder.file("things.store"), durability: .background)
    for _ in 0..<20 {
      try Store.deleteFiles(configuration)
      try writePets()
      do {
        let store = try Store(configuration: background, schemas: [Self.owner])
        try store.write {
          if let two = try store.object(dynamic: "Owner", forPrimaryKey: 2) { store.delete(two) }
        }
        let other = try Store(configuration: background, schemas: [Self.pet])
        #expect(try owners(other) == [1, nil, 3])
        try await other.integrityCheck()
      }
      let store = try Store(configuration: configuration, schemas: [Self.owner, Self.pet])
      #expect(try owners(store) == [1, nil, 3])
    }
  }

  @Test func `links of an unregistered class to deleted objects are cleared`() async throws {
    try writePets()
    do {
      let store = try Store(configuration: configuration, schemas: [Self.owner])
      try store.write {
        if let two = try store.object(dynamic: "Owner", forPrimaryKey: 2) { store.delete(two) }
      }
      // A new owner does not get the slot of the deleted one.
      try store.write { try store.create(dynamic: "Owner", value: ["id": 4]) }
    }
    for _ in 0..<2 {
      let store = try Store(configuration: configuration, schemas: [Self.owner, Self.pet])
      let pets = try store.objects(dynamic: "Pet")
      #expect(try owners(store) == [1, nil, 3])
      #expect(pets.map { ($0["friends"] as? List<DynamicObject>)?.count } == [1, 1, 1])
      try store.write {
        if let one = try store.object(dynamic: "Pet", forPrimaryKey: 1) { one["id"] = 1 }
      }
      try await store.integrityCheck()
    }
  }

  /// Opens a store of owners, each with an embedded home that has these attributes.
  private func openHomes(_ attributes: [String]) throws -> Store {
    try Store(
      configuration: configuration,
      schemas: [
        ObjectSchema(
          "Home", attributes.map { Property($0, .value(.int)) }, isEmbedded: true),
        ObjectSchema(
          "Owner", [Property("id", .int, isPrimaryKey: true), Property("home", .object("Home"))]),
      ])
  }

  @Test func `embedded objects are kept when the attributes of their class change`() async throws {
    do {
      let store = try openHomes(["a", "b"])
      try store.write {
        for id in 1...3 {
          try store.create(
            dynamic: "Owner", value: ["id": .init(id), "home": id == 2 ? ["a": 7] : [:]])
        }
      }
    }
    for (round, attributes) in [
      ["a", "b", "c"], ["a"], ["a", "c", "d"], ["b", "e"], ["a", "b"],
    ]
    .enumerated() {
      let store = try openHomes(attributes)
      let homes = try store.objects(dynamic: "Owner").map { $0["home"] as? DynamicObject }
      #expect(homes.map { $0 != nil } == [true, true, true], "\(round)")
      try store.write {
        homes[2]?[attributes[0]] = round
        try store.create(
          dynamic: "Owner", value: ["id": 1, "home": [attributes[0]: .init(round)]],
          update: .modified)
      }
      try await store.integrityCheck()
      #expect(store.damage == [], "\(round)")
    }
  }

  @Test func `an attribute that is declared again with a wider type has its old values`()
    async throws
  {
    try write()
    do {
      let store = try open(Self.before.filter { $0.name != "small" })
      try store.write { try store.create(dynamic: "Thing", value: ["id": 4]) }
    }
    for _ in 0..<2 {
      let store = try open(
        Self.before.map { $0.name == "small" ? Property("small", .double) : $0 })
      #expect(try values(store, "small") == ["-1.0", "-2.0", "-3.0", "0.0"])
      #expect(store.damage == [])
      try await store.integrityCheck()
    }
  }

  @Test func `null elements of a list whose elements are no longer optional need a migration`()
    throws
  {
    func open(_ isOptional: Bool) throws -> Store {
      try Store(
        configuration: configuration,
        schemas: [
          ObjectSchema(
            "Row",
            [
              Property("id", .int, isPrimaryKey: true),
              Property("list", .list(.int), isOptional: isOptional),
            ])
        ])
    }
    do {
      let store = try open(true)
      try store.write { try store.create(dynamic: "Row", value: ["id": 1, "list": [1, nil, 3]]) }
    }
    do {
      let store = try open(false)
      #expect(try store.objects(dynamic: "Row").isEmpty)
      #expect(
        store.damage == [
          StoreError(
            .migrationNeeded(
              path: path,
              mistakes: [
                "Row.list: the file has null for an attribute that is no longer optional"
              ]))
        ])
    }
    let store = try open(true)
    #expect(try store.objects(dynamic: "Row").map { "\($0["list"] ?? "")" }.count == 1)
  }

  @Test func `links to a deleted object are cleared even if their attribute was undeclared then`()
    throws
  {
    try writePets()
    do {
      let store = try Store(
        configuration: configuration,
        schemas: [Self.owner, ObjectSchema("Pet", [Property("id", .int, isPrimaryKey: true)])])
      try store.write {
        #expect(try store.objects(dynamic: "Pet").count == 3)
        if let two = try store.object(dynamic: "Owner", forPrimaryKey: 2) { store.delete(two) }
      }
    }
    let store = try Store(configuration: configuration, schemas: [Self.owner, Self.pet])
    #expect(try owners(store) == [1, nil, 3])
    #expect(store.damage == [])
  }

  @Test(arguments: [
    "a\"b", "a\"\u{301}", "sqlite_\u{301}x", "sqlite_x", "store_x", "_row", "É", "e\u{301}", "a.b",
    "",
    "select", "x\0y",
  ])
  func `attributes and classes may have any name`(_ name: String) throws {
    let schema = ObjectSchema(
      "C\(name)",
      [
        Property("id", .int, isPrimaryKey: true), Property(name, .string, isIndexed: true),
        Property(name + "S", .list(.string)), Property(name + "s", .string),
      ])
    for round in 0..<2 {
      #expect(schema.mistakes == [])
      let store = try Store(configuration: configuration, schemas: [schema])
      if round == 1 {
        #expect(try store.objects(dynamic: "C\(name)").map { $0[name] as? String } == ["v"])
      }
      try store.write {
        try store.create(
          dynamic: "C\(name)", value: UpdateDictionary([("id", 1), (name, "v")]), update: .modified)
      }
      #expect(store.damage == [])
    }
  }

  @Test func `classes of the configuration are checked when the file is opened`() throws {
    do {
      let store = try Store(
        configuration: configuration,
        schemas: [ObjectSchema("Entry", [Property("id", .int, isPrimaryKey: true)])])
      try store.write { try store.create(dynamic: "Entry", value: ["id": 1]) }
    }
    let checked = StoreConfiguration.file(folder.file("things.store"), classes: [Ledger.self])
    #expect(
      throws: StoreError(
        .migrationNeeded(
          path: path, mistakes: ["Entry.id: the file has Int, the class String"]))
    ) {
      try Store(configuration: checked)
    }
  }
}
