import Foundation
import ObjectStore
import TestSupport
import Testing

/// A file with rows that another tool changed. R19
@Suite struct `A file that another tool edited` {
  private let folder: TemporaryFolder
  private let url: URL
  private var path: String { url.resolvingSymlinksInPath().path }

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("farm.store")
    let store = try Store(configuration: .file(url), schemas: [Self.thing])
    try store.write {
      let farm = try store.create(
        Farm.self,
        value: [
          "name": "Hill", "address": ["street": "Home"], "prices": ["eggs": 0.25, "milk": 1.5],
          "fields": [["street": "North"], ["street": "South"]], "colours": ["green", "red"],
        ])
      for id in 1...3 {
        let animal = try store.create(
          Animal.self, value: ["id": .init(id), "name": .init("animal \(id)"), "tags": ["a", "b"]])
        farm.animals.append(animal)
      }
      try store.create(dynamic: "Thing", value: ["id": 1, "next": ["id": 2], "json": 5])
    }
  }

  private static let thing = ObjectSchema(
    "Thing",
    [
      Property("id", .int, isPrimaryKey: true), Property("small", .value(.int8)),
      Property("next", .object("Thing")), Property("price", .decimal),
      Property("json", .json, isOptional: true),
    ])

  private func open(_ edits: StoreConfiguration.ExternalEdits) throws -> Store {
    try Store(configuration: .file(url, externalEdits: edits), schemas: [Self.thing])
  }

  @Test func `a refresh keeps the copy in which a reader has accepted edits`() throws {
    try EditedFile.execute("UPDATE Animal SET name = 'edited' WHERE id = 1", in: url)
    let reader = try Store(
      configuration: .file(url, readOnly: true, externalEdits: .accept), isolation: nil)
    #expect(reader.objects(Animal.self).count == 3)
    reader.refresh()
    #expect(reader.damage.isEmpty)
    #expect(reader.object(ofType: Animal.self, forPrimaryKey: 1)?.name == "edited")
  }

  @Test func `accepted edits read like values that the store wrote`() async throws {
    try EditedFile.execute(
      """
      UPDATE Animal SET name = 'edited' WHERE id = 1;
      DELETE FROM Animal WHERE id = 2;
      INSERT INTO Animal (id, name) VALUES (50, 'new');
      DELETE FROM "Farm.fields" WHERE position = 0;
      UPDATE "Farm.prices" SET value = 9 WHERE key = 'milk';
      UPDATE Thing SET price = '1.25' WHERE id = 1;
      """, in: url)
    for edits in [StoreConfiguration.ExternalEdits.accept, .refuse] {
      let store = try open(edits)
      let farm = try #require(store.object(ofType: Farm.self, forPrimaryKey: "Hill"))
      #expect(farm.animals.map(\.id) == [1, 3])
      #expect(farm.fields.map(\.street) == ["South"])
      #expect(farm.address?.street == "Home")
      #expect(farm.prices["milk"] == 9)
      #expect(
        try store.objects(dynamic: "Address").map { $0["street"] as? String } == ["Home", "South"])
      #expect(store.objects(Animal.self).map(\.name) == ["edited", "animal 3", "new"])
      #expect(store.objects(Animal.self).map { Array($0.tags) } == [["a", "b"], ["a", "b"], []])
      #expect(store.damage == [])
      try await store.integrityCheck()
      if edits == .accept {
        try store.write {
          try store.create(Animal.self, value: ["id": 51, "name": "last"])
          farm.fields.removeAll()
          store.delete(store.objects(Animal.self).where { $0.id == 51 })
        }
        try store.write { farm.fields.append(Address(street: "South")) }
      }
    }
  }

  /// The bits of missing attributes need not be in the form that the store writes.
  @Test(arguments: ["x'00'", "x'02'", "x'0300'", "x'FFFFFFFFFF'", "NULL"])
  func `a row that another tool inserts with unusual bits of missing attributes is accepted`(
    _ missing: String
  ) async throws {
    try EditedFile.execute(
      """
      INSERT INTO Address (street, _references, _nested, _missing) VALUES ('New', 0, 1, \(missing));
      UPDATE Farm SET address = (SELECT _row FROM Address WHERE street = 'New');
      """, in: url)
    do {
      let store = try open(.accept)
      let farm = try #require(store.object(ofType: Farm.self, forPrimaryKey: "Hill"))
      #expect(farm.address?.street == "New")
      try store.write { farm.address = nil }
      try await store.integrityCheck()
    }
    let store = try open(.refuse)
    #expect(store.objects(Farm.self).first?.fields.map(\.street) == ["North", "South"])
    #expect(store.damage == [])
  }

  @Test func `accepting edits deletes embedded objects that own each other in a cycle`()
    async throws
  {
    let part = ObjectSchema(
      "Part",
      [
        Property("name", .string), Property("inner", .object("Part")),
        Property("parts", .list("Part")),
      ], isEmbedded: true)
    let machine = ObjectSchema(
      "Machine", [Property("id", .int, isPrimaryKey: true), Property("part", .object("Part"))])
    let machines = folder.file("machines.store")
    func open(_ edits: StoreConfiguration.ExternalEdits) throws -> Store {
      try Store(
        configuration: .file(machines, externalEdits: edits), schemas: [part, machine])
    }
    do {
      let store = try open(.refuse)
      try store.write {
        for id in 1...3 {
          try store.create(
            dynamic: "Machine",
            value: [
              "id": .init(id),
              "part": [
                "name": .string("outer \(id)"),
                "inner": ["name": .string("inner \(id)"), "parts": [["name": "x"]]],
              ],
            ])
        }
      }
    }
    try EditedFile.execute(
      """
      UPDATE Part SET inner = _row WHERE name = 'outer 1';
      INSERT INTO "Part.parts" (_row, position, value)
        SELECT i._row, 1, o._row FROM Part i, Part o WHERE i.name = 'inner 2' AND o.name = 'outer 2';
      UPDATE Machine SET part = NULL WHERE id < 3;
      """, in: machines)
    for edits in [StoreConfiguration.ExternalEdits.accept, .refuse] {
      let store = try open(edits)
      #expect(
        try store.objects(dynamic: "Part").map { $0["name"] as? String }.sorted {
          ($0 ?? "") < ($1 ?? "")
        }
          == ["inner 3", "outer 3", "x"])
      #expect(store.damage == [])
      try await store.integrityCheck()
    }
  }

  @Test func `edits are reported as damage if the configuration refuses them`() throws {
    try EditedFile.execute("UPDATE Animal SET name = 'edited' WHERE id = 1", in: url)
    let store = try open(.refuse)
    #expect(store.objects(Animal.self).isEmpty)
    #expect(
      store.damage == [
        StoreError(
          .fileDamaged(path: path, details: "Animal.name: the checksum is wrong", setAside: nil))
      ])
  }

  @Test func `read-only access shows accepted edits without changing the file`() throws {
    try EditedFile.execute(
      "UPDATE Animal SET name = 'edited' WHERE id = 1; DELETE FROM Animal WHERE id = 2", in: url)
    let before = try Data(contentsOf: url)
    for configuration in [
      StoreConfiguration.file(url, readOnly: true, externalEdits: .accept),
      .inMemory(copyOf: url, externalEdits: .accept),
    ] {
      let store = try Store(configuration: configuration)
      #expect(store.objects(Animal.self).map(\.name) == ["edited", "animal 3"])
      #expect(store.objects(Farm.self).first?.animals.map(\.id) == [1, 3])
      #expect(store.damage == [])
    }
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func `accepting edits does not write a file without edits`() throws {
    let before = try Data(contentsOf: url)
    do { _ = try open(.accept) }
    #expect(try Data(contentsOf: url) == before)
  }

  @Test(arguments: [
    ("UPDATE Thing SET small = 'many'", "Thing.small: row 1 has no valid value of type Int8"),
    ("UPDATE Thing SET small = 128", "Thing.small: row 1 has no valid value of type Int8"),
    ("UPDATE Thing SET id = NULL", "Thing.id: row 1 has no valid value of type Int"),
    ("UPDATE Thing SET next = -1", "Thing.next: row 1 has no valid value of type Thing?"),
    ("UPDATE Thing SET price = '1.50'", "Thing.price: row 1 has no valid value of type Decimal"),
    ("UPDATE Thing SET json = '{5}'", "Thing.json: row 1 has no valid value of type JSONValue?"),
    ("UPDATE Animal SET born = 9e999", "Animal.born: row 1 has no valid value of type Date?"),
    (
      "UPDATE Animal SET born = -9e999 WHERE id = 2",
      "Animal.born: row 2 has no valid value of type Date?"
    ),
    (
      "UPDATE Animal SET born = x'7FF8000000000000'",
      "Animal.born: row 1 has no valid value of type Date?"
    ),
    (
      "UPDATE Animal SET name = CAST(x'FF' AS TEXT)",
      "Animal.name: row 1 has no valid value of type String"
    ),
    (
      "INSERT INTO Thing (_row, id) VALUES (1 << 40, 9)",
      "Thing: the row number 1099511627776 is out of range"
    ),
    (
      "UPDATE \"Farm.prices\" SET key = CAST(x'FF' AS TEXT) WHERE position = 1",
      "Farm.prices: row 1 has no valid value of type Map<String, Double>"
    ),
    (
      "UPDATE \"Farm.colours\" SET value = 'yellow' WHERE position = 0",
      "Farm.colours: the elements of row 1 are not in order"
    ),
    (
      "UPDATE \"Farm.fields\" SET value = (SELECT min(value) FROM \"Farm.fields\")",
      "Address: row 2 is embedded more than once"
    ),
  ])
  func `edits that the store could not have written are reported as damage`(
    _ sql: String, _ details: String
  ) throws {
    try EditedFile.execute(sql, in: url)
    let bytes = try Data(contentsOf: url)
    #expect(
      throws: StoreError(
        .fileDamaged(path: path, details: details, setAside: path + ".damaged"))
    ) {
      try open(.accept)
    }
    #expect(try Data(contentsOf: folder.file("farm.store.damaged")) == bytes)
  }
}
