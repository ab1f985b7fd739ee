// The classes that a handle uses.

extension StoreHandle {
  /// - Throws: `invalidDeclarations`, `tableNameClash`, and the errors of loading the class from the file.
  func entry(_ type: ObjectBase.Type) throws -> ClassEntry {
    let id = ObjectIdentifier(type)
    if let last = classes.lastEntry(id) { return last }
    if let entry = classes.entry(id) {
      if !isFrozen { classes.setLast(id, entry) }
      return entry
    }
    // Several threads may read a frozen handle, so it is never changed.
    if isFrozen { return try core.entry(type) }
    let entry = try evaluation.run { try core.entry(type) }
    classes.insert(entry)
    classes.setLast(id, entry)
    return entry
  }

  /// The class of a table.
  @inline(__always)
  func entry(ofTable table: Int) -> ClassEntry {
    classes[table] ?? addEntry(ofTable: table)
  }

  @inline(never)
  private func addEntry(ofTable table: Int) -> ClassEntry {
    let entry = core.entry(ofTable: table)
    if !isFrozen { classes.insert(entry) }
    return entry
  }

  /// The class with this table name.
  /// - Throws: `unknownClass`.
  func entry(named name: String) throws(StoreError) -> ClassEntry {
    entry(ofTable: try core.entry(named: name).table)
  }

  /// The class of an object: the class of its table if it is managed, of its type otherwise.
  func entry(of object: ObjectBase) throws -> ClassEntry {
    guard let storage = object.storage, object.handle?.core === core else {
      return try entry(type(of: object))
    }
    return entry(ofTable: storage.pointee.table)
  }

  /// Returns the entry of a class. Any error, such as invalid declarations, is misuse.
  func trustedEntry(_ type: ObjectBase.Type) -> ClassEntry {
    do {
      return try entry(type)
    } catch {
      misuse("\(error)")
    }
  }

  func layout(_ table: Int) -> TableLayout {
    classes[table]?.layout ?? engine.table(table).layout
  }

  /// The index of the attribute that a key path refers to.
  @inline(__always)
  func attribute(_ keyPath: AnyKeyPath, _ entry: ClassEntry) throws -> Int {
    try keyPaths.attribute(keyPath, entry)
  }

  /// The classes of this store, for queries.
  var catalog: QueryCatalog {
    QueryCatalog(
      table: { [unowned self] in
        let entry = entry(ofTable: $0)
        return (entry.schema, entry.layout)
      },
      base: { [unowned self] in entry(ofTable: $0).base },
      payloadAttributes: { [unowned self] in engine.table($0).payloadAttributes },
      tableOf: { [unowned self] id in
        guard let type = id.objectType else { return (try? entry(named: id.name))?.table }
        return (try? entry(type))?.table
      }, store: ObjectIdentifier(core))
  }
}
