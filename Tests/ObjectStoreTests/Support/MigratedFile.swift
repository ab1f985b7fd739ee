import Foundation
import StoreDatabase
import TestSupport
import Testing

@testable import ObjectStore

typealias MigrationBlock = @Sendable (Migration) throws -> Void

/// A file that a test opens repeatedly with changing classes.
struct MigratedFile {
  let folder: TemporaryFolder
  var url: URL { folder.file("things.store") }
  /// The path as error messages show it.
  var path: String { url.resolvingSymlinksInPath().path }

  init() throws {
    folder = try TemporaryFolder()
  }

  func configuration(
    _ version: UInt64, classes: [ObjectBase.Type] = [], readOnly: Bool = false,
    isCache: Bool = false, _ block: MigrationBlock? = nil
  ) -> StoreConfiguration {
    .file(
      url, readOnly: readOnly, classes: classes, schemaVersion: version, isCache: isCache,
      migration: block)
  }

  func open(
    _ schemas: [ObjectSchema], _ version: UInt64 = 0, isCache: Bool = false,
    _ block: MigrationBlock? = nil
  ) throws -> Store {
    try Store(configuration: configuration(version, isCache: isCache, block), schemas: schemas)
  }

  /// Creates the file with schema version 1.
  func write(_ schemas: [ObjectSchema], _ body: (Store) throws -> Void) throws {
    let store = try open(schemas, 1)
    try store.write { try body(store) }
  }

  /// Opens the file with schema version 2, reopens it twice with checks each time, and returns the last store.
  nonisolated(nonsending) func migrate(
    _ schemas: [ObjectSchema], sourceLocation: SourceLocation = #_sourceLocation,
    _ block: @escaping MigrationBlock
  ) async throws -> Store {
    do {
      let store = try open(schemas, 2, block)
      try await check(store, sourceLocation: sourceLocation)
    }
    do {
      let store = try open(schemas, 2, Self.isOver)
      try await check(store, sourceLocation: sourceLocation)
      // Write on top of the migrated contents.
      try store.write {
        for schema in store.schemas where !schema.isEmbedded {
          var value: UpdateDictionary = [:]
          switch schema.primaryKeyProperty?.type {
          case .int: value = [schema.primaryKeyProperty?.name ?? "": .int(Int64.max)]
          case .string: value = [schema.primaryKeyProperty?.name ?? "": "nobody's"]
          default: break
          }
          store.delete(try store.create(dynamic: schema.className, value: value))
        }
      }
      try await check(store, sourceLocation: sourceLocation)
    }
    let store = try open(schemas, 2, Self.isOver)
    try await check(store, sourceLocation: sourceLocation)
    return store
  }

  private static let isOver: MigrationBlock = { _ in Issue.record("the migration block ran again") }

  nonisolated(nonsending) func check(
    _ store: Store, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    store.checkInvariants(sourceLocation: sourceLocation)
    try await store.integrityCheck()
    #expect(store.damage == [], sourceLocation: sourceLocation)
  }

  /// The whole contents of the file as text.
  func dump() throws -> [String] {
    let database = try Database(path: path, .read)
    var lines: [String] = []
    let tables = try database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")
    var names: [String] = []
    while try tables.step() {
      lines.append("\(tables.string(0)): \(tables.string(1))")
      if tables.string(1).hasPrefix("CREATE TABLE") { names.append(tables.string(0)) }
    }
    for name in names {
      let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
      let info = try database.prepare("SELECT name FROM pragma_table_info(?) ORDER BY cid")
      info.bindTextCopy(1, Array(name.utf8))
      var columns: [String] = []
      while try info.step() {
        columns.append("quote(\"\(info.string(0).replacing("\"", with: "\"\""))\")")
      }
      let rows = try database.prepare(
        "SELECT \(columns.joined(separator: " || ',' || ")) FROM \(quoted) ORDER BY 1")
      while try rows.step() { lines.append("\(name): \(rows.string(0))") }
    }
    return lines
  }
}

extension Store {
  /// The values of one attribute of all objects of a class, as text.
  func texts(_ className: String, _ name: String) throws -> [String] {
    try objects(dynamic: className).map { text(of: $0[name]) }
  }
}

/// The text of a value; objects are represented by their first attribute.
func text(of value: Any?) -> String {
  switch value {
  case nil: return "nil"
  case let object as DynamicObject:
    return object.objectSchema.properties.first.map { text(of: object[$0.name]) } ?? ""
  case let objects as List<DynamicObject>: return "\(objects.map { text(of: $0) })"
  case let objects as MutableSet<DynamicObject>: return "\(objects.map { text(of: $0) })"
  case let objects as Map<String, DynamicObject>:
    return "\(objects.map { "\($0.key): \(text(of: $0.value))" })"
  case let value?: return "\(value)"
  }
}
