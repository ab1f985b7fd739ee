import Foundation
import StoreDatabase
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// The schema version of a file, the conditions for opening it, and the effects of a failed migration.
@Suite struct `The schema version of a file` {
  private let file: MigratedFile

  init() throws {
    file = try MigratedFile()
  }

  private static let number = ObjectSchema(
    "Thing", [Property("id", .int, isPrimaryKey: true), Property("n", .int)])
  private static let text = ObjectSchema(
    "Thing", [Property("id", .int, isPrimaryKey: true), Property("n", .string)])
  private static let mistake = "Thing.n: the file has Int, the class String"

  private struct Refusal: Error {}

  private func write() throws {
    try file.write([Self.number]) { store in
      for id in 1...3 { try store.create(dynamic: "Thing", value: ["id": .init(id), "n": 7]) }
    }
  }

  private static let fill: MigrationBlock = { migration in
    try migration.enumerate("Thing") { old, new in new["n"] = "\(old["n"] as? Int ?? 0)" }
  }

  @Test(arguments: [
    (
      StoreError.Kind.schemaTooNew(path: "/a", version: 3, known: 2),
      "/a: the file has schema version 3, but the configuration has 2"
    ),
    (.migrationFailed(path: "/a", mistakes: ["b", "c"]), "/a: the migration failed:\nb\nc"),
    (.invalidMigration("no"), "no"),
  ])
  func `errors about schema versions describe the problem`(_ kind: StoreError.Kind, _ text: String)
  {
    #expect(StoreError(kind).description == text)
  }

  @Test func `a new file gets the schema version of its configuration`() throws {
    do {
      let store = try file.open([Self.number], 5) { _ in
        Issue.record("a new file must not be migrated")
      }
      #expect(store.configuration.file.schemaVersion == 5)
    }
    #expect(throws: StoreError(.schemaTooNew(path: file.path, version: 5, known: 4))) {
      try file.open([Self.number], 4)
    }
    #expect(throws: StoreError(.schemaTooNew(path: file.path, version: 5, known: 0))) {
      try Store(configuration: .file(file.url, readOnly: true))
    }
    _ = try file.open([Self.number], 5)
  }

  @Test func `configurations are compared by schema version but not by migration block`() throws {
    let one = file.configuration(1) { _ in }
    #expect(one == file.configuration(1))
    #expect(one.hashValue == file.configuration(1).hashValue)
    #expect(one == file.configuration(1) { _ in throw Refusal() })
    #expect(one != file.configuration(2) { _ in })
    let store = try Store(configuration: one)
    #expect(throws: StoreError(.otherConfiguration(path: file.path))) {
      try Store(configuration: file.configuration(2) { _ in })
    }
    let other = try Store(configuration: file.configuration(1) { _ in throw Refusal() })
    withExtendedLifetime((store, other)) {}
  }

  @Test func `opening a file raises its schema version without a block if all classes fit`() throws
  {
    try write()
    let wider = ObjectSchema("Thing", Self.number.properties + [Property("new", .string)])
    #expect(throws: StoreError(.migrationNeeded(path: file.path, mistakes: [Self.mistake]))) {
      try file.open([Self.text], 2)
    }
    do {
      let store = try file.open([wider], 3)
      #expect(try store.texts("Thing", "n") == ["7", "7", "7"])
    }
    #expect(throws: StoreError(.schemaTooNew(path: file.path, version: 3, known: 2))) {
      try file.open([wider], 2)
    }
  }

  @Test func `a new schema version needs a block if an attribute that is now required has null`()
    throws
  {
    func schema(isOptional: Bool) -> ObjectSchema {
      ObjectSchema(
        "Thing",
        [
          Property("id", .int, isPrimaryKey: true),
          Property("n", .int, isOptional: isOptional),
          Property("list", .list(.string), isOptional: isOptional),
          Property("map", .map(.int), isOptional: isOptional),
        ])
    }
    let required = schema(isOptional: false)
    func write(_ value: UpdateDictionary, _ version: UInt64) throws {
      let store = try file.open([schema(isOptional: true)], version)
      try store.write { try store.create(dynamic: "Thing", value: value) }
    }
    try write(["id": 1, "n": 7, "list": ["a"], "map": ["a": 1]], 0)
    try #require(try file.open([required], 1).objects(dynamic: "Thing").count == 1)

    try write(["id": 2, "n": nil, "list": ["b", nil], "map": ["b": nil]], 1)
    let mistakes = ["Thing.n", "Thing.list", "Thing.map"].map {
      "\($0): the file has null for an attribute that is no longer optional"
    }
    for _ in 1...2 {
      #expect(throws: StoreError(.migrationNeeded(path: file.path, mistakes: mistakes))) {
        try file.open([required], 2)
      }
    }
    let store = try file.open([required], 2) { _ in }
    #expect(try store.texts("Thing", "n") == ["7", "0"])
    #expect(try store.texts("Thing", "list").last?.contains("nil") == false)
    #expect(store.damage == [])
  }

  @Test func `a read-only store opens an older file only without a migration block`() throws {
    try write()
    do {
      let reader = try Store(
        configuration: file.configuration(2, readOnly: true), schemas: [Self.number])
      #expect(try reader.texts("Thing", "n") == ["7", "7", "7"])
    }
    let error = StoreError(
      .migrationNeeded(
        path: file.path,
        mistakes: [
          "the file has schema version 1 and the configuration 2, "
            + "but a file opened with readOnly: true is not migrated"
        ]))
    #expect(throws: error) {
      try Store(
        configuration: file.configuration(2, readOnly: true) { _ in Issue.record("it ran") })
    }
    _ = try file.open([Self.number], 1)
  }

  @Test func `a cache whose migration fails begins empty with the new schema version`() async throws
  {
    try write()
    do {
      // A class that does not fit begins empty, as in a cache without schema versions.
      let store = try file.open([Self.text], 2, isCache: true)
      #expect(try store.objects(dynamic: "Thing").isEmpty)
      #expect(
        store.damage == [StoreError(.migrationNeeded(path: file.path, mistakes: [Self.mistake]))])
      try store.write { try store.create(dynamic: "Thing", value: ["id": 1, "n": "x"]) }
    }
    do {
      let store = try file.open([Self.text], 3, isCache: true) { _ in throw Refusal() }
      #expect(
        store.damage == [
          StoreError(.migrationFailed(path: file.path, mistakes: ["Refusal()"]))
        ])
      #expect(try store.objects(dynamic: "Thing").isEmpty)
      try store.write { try store.create(dynamic: "Thing", value: ["id": 1, "n": "y"]) }
    }
    do {
      let store = try file.open([Self.text], 4, isCache: true) { migration in
        try migration.create("Thing", ["id": 1])
      }
      #expect(
        store.damage == [
          StoreError(
            .migrationFailed(
              path: file.path, mistakes: ["Thing.id: 2 objects have the primary key 1"]))
        ])
    }
    let store = try file.open([Self.number], 5, isCache: true) { migration in
      try migration.create("Thing", ["id": 1, "n": 9])
    }
    #expect(try store.texts("Thing", "n") == ["9"])
    try await file.check(store)
  }

  /// Changes a value without updating the checksums.
  private func damage() throws {
    let database = try Database(path: file.path, .create)
    try database.execute("UPDATE Thing SET n = 8 WHERE id = 2")
  }

  @Test func `a damaged file is renamed instead of migrated`() throws {
    try write()
    try damage()
    let details = "Thing.n: the checksum is wrong"
    #expect(
      throws: StoreError(
        .fileDamaged(path: file.path, details: details, setAside: file.path + ".damaged"))
    ) {
      try file.open([Self.text], 2) { migration in
        // A block that ignores the error does not prevent the failure.
        try? Self.fill(migration)
      }
    }
    try FileManager.default.removeItem(atPath: file.path + ".damaged")
    let store = try file.open([Self.text], 2) { _ in Issue.record("a new file must not be migrated")
    }
    #expect(try store.objects(dynamic: "Thing").isEmpty)
  }

  @Test func `a damaged cache begins empty instead of being migrated`() throws {
    try write()
    try damage()
    let store = try file.open([Self.text], 2, isCache: true, Self.fill)
    #expect(store.damage.count == 1)
    #expect(try store.objects(dynamic: "Thing").isEmpty)
    try store.write { try store.create(dynamic: "Thing", value: ["id": 1]) }
  }

  @Test func `a waiting thread runs the migration again if the first attempt fails`() async throws {
    try write()
    let threadCount = 4
    let (openings, runs) = (CallCounter(), CallCounter())
    let outcomes = Mutex<[String]>([])
    let configuration = file.configuration(2) { migration in
      // By then each other thread waits for this migration, or is about to.
      while openings.count < threadCount { sched_yield() }
      if runs.next() == 1 { throw Refusal() }
      try Self.fill(migration)
    }
    for _ in 0..<threadCount {
      Thread.detachNewThread {
        openings.next()
        let outcome: String
        do {
          let store = try Store(
            configuration: configuration, schemas: [Self.text], isolation: nil)
          outcome = try store.texts("Thing", "n").joined(separator: " ")
        } catch {
          outcome = "\(error)"
        }
        outcomes.withLock { $0.append(outcome) }
      }
    }
    await waitUntil { outcomes.withLock { $0.count } == threadCount }
    #expect(outcomes.withLock { $0.sorted() } == ["7 7 7", "7 7 7", "7 7 7", "Refusal()"])
    #expect(runs.count == 2)
  }

  @Test func `opening a store inside its own migration is misuse`() async throws {
    let folder = file.folder.url.path(percentEncoded: false)
    try write()
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      [folder = folder as String] in
      let url = URL(filePath: folder).appending(path: "things.store")
      _ = try Store(
        configuration: .file(url, schemaVersion: 2) { _ in
          _ = try Store(configuration: .file(url, schemaVersion: 2))
        })
    }
    result.says(
      "\(file.path): a store cannot be opened inside its own migration; use the Migration passed to "
        + "the block")
  }

  @Test func `a migration on a full disk leaves the file unchanged`() async throws {
    let folder = file.folder.url.path(percentEncoded: false)
    try file.write([Self.number]) { store in
      for id in 1...3000 { try store.create(dynamic: "Thing", value: ["id": .init(id), "n": 7]) }
    }
    let before = try file.dump()
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      try FullDisk.migrate(folder)
    }
    #expect(try file.dump() == before)
    let store = try file.open([Self.text], 2, Self.fill)
    #expect(Set(try store.texts("Thing", "n")) == ["7"])
  }

  @Test func `using a migration after its block returned is misuse`() async throws {
    try write()
    let folder = file.folder.url.path(percentEncoded: false)
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      [folder = folder as String] in
      let url = URL(filePath: folder).appending(path: "things.store")
      let kept = Kept()
      _ = try Store(
        configuration: .file(url, schemaVersion: 2) { kept.migration = $0 })
      _ = try kept.migration?.objects("Thing")
    }
    result.says("Migration: the migration is used after its block has returned")
  }
}

/// Holds a migration after its block has returned.
// Sendable: one thread uses it.
private final class Kept: @unchecked Sendable {
  var migration: Migration?
}

/// Counts the calls of several threads.
// Sendable: guarded by `lock`.
private final class CallCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var calls = 0

  /// The number of calls of `next()`.
  var count: Int { lock.withLock { calls } }

  /// Returns the number of this call, counted from 1.
  @discardableResult
  func next() -> Int {
    lock.withLock {
      calls += 1
      return calls
    }
  }
}
