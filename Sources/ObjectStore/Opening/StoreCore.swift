/// One open store: its engine and the classes that it has registered. Handles of one configuration share it.
// Sendable: `lock` guards `entries`, their indexes by type and name, and `held`; everything else is immutable or has
// its own lock.
final class StoreCore: @unchecked Sendable {
  let engine: StoreEngine
  let configuration: StoreConfiguration
  /// The file; nil in memory.
  let file: StoreFile?
  /// The copy of the file that an in-memory store was opened with; nil for none.
  private let origin: FileCopy?
  /// The old or the new classes of a migration, if the store contains these; nil for the store of a configuration.
  let side: MigrationSide?
  private let lock = Lock()
  /// The entries by table. Every table of the engine has one.
  private var entries: [ClassEntry] = []
  private var tableByType: [ObjectIdentifier: Int] = [:]
  private var tableByName: [String: Int] = [:]
  /// The observed contents of all handles.
  let observed = ObservedContents()
  /// The types of values that were checked and found valid. They have their own lock.
  let checkedTypes = CheckedTypes()
  /// The versions that can be requested by number, with the number of their holders.
  private var held: [UInt64: (version: Version, count: Int)] = [:]

  /// - Parameter schemas: The classes that a migration knows in addition to those of the configuration.
  /// - Throws: The error of opening the file; errors of its migration.
  init(_ configuration: StoreConfiguration, _ schemas: [ObjectSchema] = []) throws {
    self.configuration = configuration
    side = nil
    file = try configuration.path.map {
      try StoreFile.open(path: $0, configuration, schemas)
    }
    origin = try configuration.original.map { path throws(StoreError) in
      try FileCopy(
        of: path, open: OpenStores.shared.open(path: path)?.file,
        acceptsExternalEdits: configuration.file.acceptsExternalEdits)
    }
    engine = StoreEngine(file ?? origin)
    file?.watchWriter(engine)
  }

  /// Creates an in-memory store with all old classes or all new classes of a migration.
  init(_ side: MigrationSide) {
    configuration = .inMemory()
    self.side = side
    file = nil
    origin = nil
    engine = StoreEngine()
    lock.withLock { add(side.classes.map { ModelClass(describedBy: $0.schema) }) }
  }

  /// The file with the rows that existed before the store was opened.
  var rowsFile: StoreFile? { file ?? origin?.file }

  /// The errors found while reading the file, in order of discovery.
  var damage: [StoreError] { rowsFile?.damage ?? [] }

  deinit {
    OpenStores.shared.remove(self)
    file?.close(engine)
  }

  // MARK: - Versions

  func hold(_ version: Version) {
    lock.withLock { held[version.number, default: (version, 0)].count += 1 }
  }

  /// May be called on any thread (R22).
  func release(_ version: Version) {
    lock.withLock {
      guard let count = held[version.number]?.count else { return }
      if count > 1 { held[version.number]?.count = count - 1 } else { held[version.number] = nil }
    }
  }

  func heldVersion(_ number: UInt64) -> Version? { lock.withLock { held[number]?.version } }

  // MARK: - Lookup

  /// Returns the entry of a class. A new class is registered together with the classes that it links to.
  /// - Throws: `invalidDeclarations`, `tableNameClash`.
  func entry(_ type: ObjectBase.Type) throws -> ClassEntry {
    if let entry = known(type) { return entry }
    let models = try Self.validated(reachable(from: ModelClass.of(type)))
    return try lock.withLock {
      try addUnlessNamed(models.filter { known($0) == nil })
      guard let table = tableByType[ObjectIdentifier(type)] else {
        misuse("\(type) was not registered")
      }
      return entries[table]
    }
  }

  /// Returns the entry of the class with this table name.
  /// - Throws: `unknownClass`.
  func entry(named name: String) throws(StoreError) -> ClassEntry {
    let known = lock.withLock { tableByName[name].map { entries[$0] } }
    if let known, !known.isBase { return known }
    let names = allEntries().filter { !$0.isBase }.map(\.schema.tableName).sorted()
    throw StoreError(
      .unknownClass(name: name, suggestion: Suggestion.nearest(to: name, among: names)))
  }

  func entry(ofTable table: Int) -> ClassEntry { lock.withLock { entries[table] } }

  func allEntries() -> [ClassEntry] { lock.withLock { entries } }

  private func known(_ type: ObjectBase.Type) -> ClassEntry? {
    lock.withLock { tableByType[ObjectIdentifier(type)].map { entries[$0] } }
  }

  /// The entry of exactly this class. Requires `lock`.
  private func known(_ model: ModelClass) -> ClassEntry? {
    let table =
      model.isDynamic
      ? tableByName[model.schema.tableName] : tableByType[ObjectIdentifier(model.type)]
    return table.map { entries[$0] }.flatMap { $0.model === model ? $0 : nil }
  }

  /// Returns a class and all classes that its attributes refer to, directly or indirectly, even if declarations are
  /// invalid.
  func reachable(from model: ModelClass) -> [ModelClass] {
    var models = [model]
    var seen: Set<ClassID> = [model.schema.id]
    var next = 0
    while next < models.count {
      for id in models[next].schema.properties.compactMap(\.shape.target)
      where seen.insert(id).inserted {
        if let type = id.objectType {
          if !ModelClass.isBase(type) { models.append(ModelClass.of(type)) }
        } else if let entry = try? entry(named: id.name) {
          models.append(entry.model)
        }
      }
      next += 1
    }
    return models
  }

  /// Registers classes that the file must fit.
  /// - Throws: `invalidDeclarations`, `tableNameClash`, `migrationNeeded`.
  func register(checked classes: [ClassID]) throws {
    var mistakes: [String] = []
    for type in classes.compactMap(\.objectType) {
      for model in reachable(from: try entry(type).model) {
        mistakes += file?.mistakes(in: model.schema.tableName) ?? []
      }
    }
    if !mistakes.isEmpty, !configuration.file.isCache {
      throw StoreError(.migrationNeeded(path: configuration.path ?? "", mistakes: mistakes))
    }
  }

  /// - Throws: `invalidDeclarations` with all mistakes.
  private static func validated(_ models: [ModelClass]) throws(StoreError) -> [ModelClass] {
    let mistakes = models.flatMap(\.mistakes)
    if !mistakes.isEmpty { throw StoreError(.invalidDeclarations(mistakes)) }
    return models
  }

  // MARK: - Registration

  /// Registers schemas. A schema that no class declares is skipped if an equal one is registered. For the schema of a
  /// declared class, registers the class.
  /// - Throws: `invalidDeclarations`, `tableNameClash`.
  func register(_ all: [ObjectSchema]) throws {
    for type in all.compactMap(\.id.objectType) { _ = try entry(type) }
    let schemas = all.filter { $0.id.objectType == nil }
    try lock.withLock {
      let new = schemas.filter { schema in
        guard let table = tableByName[schema.tableName] else { return true }
        return !(entries[table].model.isDynamic && entries[table].schema.isSame(as: schema))
      }
      let byID = Dictionary(
        (schemas + entries.map(\.schema)).map { ($0.id, $0) },
        uniquingKeysWith: { first, _ in first })
      var mistakes = new.flatMap(\.mistakes)
      for schema in new {
        mistakes +=
          LinkCheck(schema.className, schema.properties) { id in
            byID[id].map { ($0.properties, $0.isEmbedded) }
          } leadsHere: {
            $0 == schema.id
          }.mistakes
      }
      if !mistakes.isEmpty { throw StoreError(.invalidDeclarations(mistakes)) }
      try addUnlessNamed(new.map { ModelClass(describedBy: $0) })
    }
  }

  /// Registers classes whose attributes may refer to each other and to registered classes. Requires `lock`.
  /// - Throws: `tableNameClash`.
  private func addUnlessNamed(_ models: [ModelClass]) throws {
    var new: [String: ModelClass] = [:]
    for model in models {
      // R14
      let name = model.schema.tableName
      let known = tableByName[name].map { entries[$0].model }
      if let other = known ?? new.updateValue(model, forKey: name) {
        throw StoreError(
          .tableNameClash(
            name: model.schema.tableName, first: other.fullName, second: model.fullName))
      }
    }
    add(models)
  }

  /// Registers classes with unique names. Requires `lock`.
  private func add(_ new: [ModelClass]) {
    let models = new.flatMap { [$0] + ($0.baseModel.map { [$0] } ?? []) }
    engine.addTables { first in
      var tables: [ClassID: Int] = [:]
      let schemas = entries.map(\.schema) + models.map(\.schema)
      for (table, schema) in schemas.enumerated() { tables[schema.id] = table }
      return models.enumerated().map { index, model in
        let columns = model.columns { tables[$0] ?? -1 }
        let layout = columns.layout
        let defaults = ClassDefaults(side?.declared(model.schema) ?? model, self)
        let base = model.baseModel.map { _ in
          let baseLayout = models[index + 1].columns { tables[$0] ?? -1 }.layout
          assert(
            baseLayout.firstAttribute == layout.firstAttribute,
            "The columns of \(layout.name) and its base table differ")
          return BaseLayout(
            table: first + index + 1, baseLayout,
            attributeCount: model.schema.storedProperties.count,
            propertyCount: model.schema.properties.count, tracked: model.trackedAttributes)
        }
        let entry = ClassEntry(model, table: first + index, columns, defaults, base: base)
        entries.append(entry)
        tableByName[model.schema.tableName] = entry.table
        if !model.isDynamic { tableByType[ObjectIdentifier(model.type)] = entry.table }
        let rows: (any RowSource)? =
          side?.rows(model.schema, layout)
          ?? rowsFile?.register(Self.fileTable(model.schema, layout, among: schemas))
        return Table(
          index: first + index, layout: layout, empty: columns.emptyChunk,
          defaults: entry.defaults, source: rows,
          useDate: model.useDate,
          placeholderColumn: model.schema.placeholderProperty?.column,
          payloadAttributes: model.payloadAttributes, base: base)
      }
    }
    maintainInverses(of: models)
  }

  /// Returns the shape of a declared class's rows. In a migration, the class is found by its name.
  func shape(of type: ObjectBase.Type) throws -> BatchShape {
    try side == nil ? entry(type).shape : entry(named: type.tableName).shape
  }

  /// The registered classes, described in the same form as the classes of a file.
  var fileTables: [FileTable] {
    let entries = allEntries()
    let schemas = entries.map(\.schema)
    return entries.map { Self.fileTable($0.schema, $0.layout, among: schemas) }
  }

  private static func fileTable(
    _ schema: ObjectSchema, _ layout: TableLayout, among schemas: [ObjectSchema]
  ) -> FileTable {
    FileTable(schema, layout) { id in schemas.first { $0.id == id }?.tableName ?? id.name }
  }

  /// Writes the current content of the store to a new file, including the classes of its file that it has not used.
  func copy(to path: String, _ progress: FileProgress) throws {
    if let file { return try file.copy(to: path, engine, progress) }
    try StoreFile.write(
      engine.newest, fileTables, over: origin?.file, to: path, engine, progress)
  }

  /// Maintains the backlinks of declared inverses from the first row on, so that finding linking objects needs no scan.
  private func maintainInverses(of models: [ModelClass]) {
    for property in models.flatMap(\.schema.properties) {
      guard !property.isStored, let origin = property.originPropertyName,
        let source = property.shape.target,
        let entry = entries.first(where: { $0.schema.id == source }),
        let link = entry.schema[origin], link.shape.target != nil, link.isStored
      else { continue }
      engine.table(entry.table).needed.insert(\.backlinks, link.column)
    }
  }
}

extension ModelClass {
  /// The class's name with its module, or a description of the schema.
  fileprivate var fullName: String {
    isDynamic ? "the schema '\(schema.className)'" : String(reflecting: type)
  }
}
