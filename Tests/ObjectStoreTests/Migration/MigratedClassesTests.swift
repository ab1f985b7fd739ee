import TestSupport
import Testing

@testable import ObjectStore

/// Declared classes that read the result of a migration.
@Suite struct `Migrated classes` {
  private let file: MigratedFile

  init() throws {
    file = try MigratedFile()
  }

  @Test func `declared classes have migrated values, defaults and links after a migration`()
    async throws
  {
    try file.write(Citizen.before) { try Citizen.fill($0, count: 4) }
    for _ in 0..<2 {
      let store = try Store(
        configuration: file.configuration(2, classes: [Citizen.self]) { try Citizen.migrate($0) })
      let citizens = store.objects(Citizen.self)
      #expect(citizens.map(\.id) == [1, 2, 3, 4])
      #expect(citizens.map(\.fullName) == ["n1", "n2", "n3", "n4"])
      #expect(citizens.map(\.age) == [1, 18, 3, 18])
      #expect(citizens.map(\.rank) == [.high, .low, .high, .low])
      #expect(citizens.map(\.nickname) == [nil, nil, nil, nil])
      #expect(citizens.map { $0.town?.name } == ["t1", "t2", "t0", "t1"])
      #expect(citizens.map { $0.towns.map(\.name) }.last == ["t0", "t1"])
      #expect(store.object(ofType: Citizen.self, forPrimaryKey: 4)?.governs.map(\.name) == ["t1"])
      #expect(store.object(ofType: Town.self, forPrimaryKey: "t0")?.mayor?.id == 3)
      try await file.check(store)
    }
    let store = try Store(configuration: file.configuration(2, classes: [Citizen.self]))
    try store.write {
      try store.create(Citizen.self, value: ["id": 9])
      store.object(ofType: Citizen.self, forPrimaryKey: 3)?.age += 1
    }
    #expect(store.objects(Citizen.self).map(\.badge?.number) == [nil, nil, nil, nil, 7])
    try await file.check(store)
  }

  @Test func `objects created in a migration have the defaults of their class`() async throws {
    try file.write(Citizen.before) { try Citizen.fill($0, count: 1) }
    let store = try Store(
      configuration: file.configuration(2, classes: [Citizen.self]) { migration in
        try Citizen.migrate(migration)
        let new = try migration.create("Person", ["id": 5])
        #expect((new["badge"] as? DynamicObject)?["number"] as? Int == 7)
        #expect(new["rank"] as? String == "high")
        #expect(new["town"] == nil)
      })
    #expect(store.objects(Citizen.self).map(\.age) == [1, 18])
    #expect(store.objects(Citizen.self).map(\.badge?.number) == [nil, 7])
    try await file.check(store)
  }

  @Test func `a migration removes undeclared attributes from listed classes only`() async throws {
    try file.write(
      Citizen.before + [ObjectSchema("Other", [Property("a", .int), Property("b", .list(.int))])]
    ) { store in
      try Citizen.fill(store, count: 2)
      try store.create(dynamic: "Other", value: ["a": 1, "b": [2]])
    }
    do {
      let store = try Store(
        configuration: file.configuration(2, classes: [Citizen.self]) { migration in
          try migration.renameAttribute("Other", from: "a", to: "c")
          try Citizen.migrate(migration)
          try migration.enumerate("Other") { old, new in
            new["c"] = (old["a"] as? Int ?? 0) + 1
          }
        })
      try await file.check(store)
    }
    let other = ObjectSchema(
      "Other", [Property("a", .int), Property("b", .list(.int)), Property("c", .int)])
    let store = try file.open([other], 2)
    #expect(try store.texts("Other", "a") == ["0"])
    #expect(try store.texts("Other", "b") == ["[2]"])
    #expect(try store.texts("Other", "c") == ["2"])
    // Attributes that a listed class lacks are removed.
    #expect(try !file.dump().contains { $0.contains("years") })
  }

  @Test func `a migration can create objects of a new class`() async throws {
    try file.write(Citizen.before) { try Citizen.fill($0, count: 3) }
    let badges = ObjectSchema(
      "Medal", [Property("id", .int, isPrimaryKey: true), Property("of", .object("Person"))])
    let store = try await file.migrate(Citizen.before + [badges]) { migration in
      try migration.enumerate("Medal") { _, _ in Issue.record("a new class must have no objects") }
      try migration.enumerate("Person") { old, new in
        let medal = try migration.create("Medal", ["id": .init(old["years"] as? Int ?? 0)])
        medal["of"] = new
      }
    }
    #expect(try store.texts("Medal", "id") == ["1", "0", "3"])
    #expect(try store.texts("Medal", "of") == ["1", "2", "3"])
  }

  @Test func `a migration of 2,000 objects of a declared class keeps all of them`() async throws {
    let count = 2000
    try file.write(Citizen.before) { try Citizen.fill($0, count: count) }
    let store = try Store(
      configuration: file.configuration(2, classes: [Citizen.self]) { try Citizen.migrate($0) })
    #expect(store.objects(Citizen.self).count == count)
    #expect(store.object(ofType: Citizen.self, forPrimaryKey: count)?.fullName == "n\(count)")
  }
}
