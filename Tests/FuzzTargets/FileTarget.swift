import Foundation
import ObjectStore
import StoreDatabase

/// Opens a changed store file, reads all of it, checks it and writes to it.
enum FileTarget {
  private static let fixtures = ["format-1", "format-2", "columns-3"].map {
    StoreFolder.fixture("\($0).store")
  }

  static func run(_ bytes: [UInt8]) {
    var input = InputBytes(bytes)
    let fixture = fixtures[input.byte() % fixtures.count]
    let options = input.byte()
    do {
      let folder = try StoreFolder()
      let url = folder.url.appending(path: "a.store")
      try write(fixture, changedBy: &input, isForged: options & 1 != 0, to: url)
      wait { await use(url, options) }
      for name in folder.names {
        law(name.hasPrefix("a.store"), "no foreign file is left: \(folder.names)")
      }
    } catch {
      fatalError("\(error)")
    }
  }

  // MARK: - Changes

  /// Writes a fixture with changed bytes, and then with changed values.
  /// - Parameter isForged: True to give the changed catalog right digests.
  private static func write(
    _ fixture: [UInt8], changedBy input: inout InputBytes, isForged: Bool, to url: URL
  ) throws {
    var file = fixture
    var values: [ValueChange] = []
    while !input.isEmpty, values.count < 8 {
      let kind = input.byte()
      if kind >= 128 {
        values.append(ValueChange(kind, &input))
        continue
      }
      let offset = input.number(byteCount: 3) % file.count
      for (index, byte) in input.bytes(1 + kind % 16).enumerated()
      where offset + index < file.count {
        file[offset + index] = byte
      }
    }
    try Data(file).write(to: url)
    if values.isEmpty, !isForged { return }
    // A file that SQLite cannot read keeps its values.
    guard let database = try? Database(path: url.path, .create) else { return }
    for value in values { try? value.apply(to: database) }
    if isForged { try? ForgedCatalog.seal(database) }
  }

  /// A change of one value of the database, as another tool can make it.
  private struct ValueChange {
    private let type: Int
    private let table: Int
    private let column: Int
    private let row: Int
    private let value: [UInt8]

    init(_ kind: Int, _ input: inout InputBytes) {
      type = kind % 8
      table = input.byte()
      column = input.byte()
      row = input.byte()
      value = input.bytes(input.byte() % 64)
    }

    private func rows(_ database: Database, _ sql: String) throws -> [(name: String, key: Bool)] {
      let statement = try database.prepare(sql)
      var rows: [(name: String, key: Bool)] = []
      while try statement.step() { rows.append((statement.string(0), statement.int64(1) > 0)) }
      return rows
    }

    private func quoted(_ name: String) -> String {
      "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    func apply(to database: Database) throws {
      let tables = try rows(
        database, "SELECT name, 0 FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      if tables.isEmpty { return }
      let table = quoted(tables[table % tables.count].name)
      let columns = try rows(database, "SELECT name, pk FROM pragma_table_info(\(table))")
      if columns.isEmpty { return }
      let keys = columns.filter(\.key).map { quoted($0.name) }
      let key = keys.isEmpty ? "rowid" : keys.joined(separator: ", ")
      let name = quoted(columns[column % columns.count].name)
      let place = "(\(key)) = (SELECT \(key) FROM \(table) LIMIT 1 OFFSET \(row))"
      if type == 7 { return try database.execute("DELETE FROM \(table) WHERE \(place)") }
      let statement = try database.prepare(
        "UPDATE OR REPLACE \(table) SET \(name) = ? WHERE \(place)")
      bind(to: statement)
      try statement.run()
    }

    private func bind(to statement: Statement) {
      var input = InputBytes(value)
      switch type {
      case 0: statement.bindNull(1)
      case 1: statement.bind(1, Int64(input.byte()))
      case 2: statement.bind(1, Int64(input.number(byteCount: 8)))
      case 3:
        statement.bindReal(
          1, Double(bitPattern: UInt64(bitPattern: Int64(input.number(byteCount: 8)))))
      case 4: statement.bindTextCopy(1, value)
      default: value.withUnsafeBytes { statement.bindBlobCopy(1, $0) }
      }
    }
  }

  // MARK: - Use

  private static func use(_ url: URL, _ options: Int) async {
    let configuration = StoreConfiguration.file(
      url, isCache: options & 4 != 0,
      externalEdits: options & 1 != 0 ? .accept : .refuse)
    let reader = StoreConfiguration.file(url, readOnly: true)
    if options & 2 != 0 { await open(reader, writes: false) }
    await open(configuration, writes: true)
    // A file in which damage was found is verified, and set aside.
    if options & 8 != 0 { await open(configuration, writes: true) }
    if options & 16 != 0 { await open(reader, writes: false) }
    if options & 32 != 0 {
      await open(
        .inMemory(copyOf: url, externalEdits: options & 1 != 0 ? .accept : .refuse), writes: true,
        of: reader)
    }
  }

  private static func open(
    _ configuration: StoreConfiguration, writes: Bool, of file: StoreConfiguration? = nil
  ) async {
    do {
      let schemas = try Store.schemas(of: file ?? configuration)
      let store = try Store(configuration: configuration, schemas: schemas)
      try read(store)
      _ = await failureOfCheck(store)
      if writes {
        _ = failure { try change(store) }
        try read(store)
        try await store.flush()
      }
      _ = store.damage.map(\.description)
    } catch {
      _ = "\(error)"
    }
  }

  private static func failureOfCheck(_ store: Store) async -> String? {
    do {
      try await store.integrityCheck()
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func read(_ store: Store) throws {
    for schema in store.schemas where !schema.isEmbedded {
      // All rows are checked when they are loaded.
      for object in try store.objects(dynamic: schema.className).prefix(40) {
        for property in schema.properties { touch(object[property.name]) }
        _ = object.unknownAttributes
      }
    }
  }

  /// Creates an object of each class, and deletes the first.
  private static func change(_ store: Store) throws {
    try store.write {
      for schema in store.schemas where !schema.isEmbedded {
        var update: UpdateDictionary = [:]
        if let key = schema.properties.first(where: \.isPrimaryKey) {
          update[key.name] = key.type == .string ? "new" : .int(77)
        }
        if let first = try store.objects(dynamic: schema.className).first { store.delete(first) }
        try store.create(dynamic: schema.className, value: update, update: .modified)
      }
    }
  }
}
