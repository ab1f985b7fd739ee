// Opens a file whose schema version may be lower than that of its configuration.

extension StoreFile {
  /// Opens or creates a file, and adapts its content to the current classes.
  static func open(
    path: String, _ configuration: StoreConfiguration, _ schemas: [ObjectSchema]
  ) throws -> StoreFile {
    do {
      return try migrated(path: path, configuration, schemas)
    } catch let error as StoreError {
      // Unless a tool opened the file, the lock file now records the damage, so opening it again verifies and renames
      // the file; a cache then begins empty.
      guard case .fileDamaged(path, _, nil) = error.kind, !configuration.file.isReadOnly else {
        throw error
      }
      let file = try open(path: path, configuration.file)
      // A file that is intact after all still needs its migration.
      if file.damage.isEmpty { throw error }
      return file
    }
  }

  private static func migrated(
    path: String, _ configuration: StoreConfiguration, _ schemas: [ObjectSchema]
  ) throws -> StoreFile {
    let file = try open(path: path, configuration.file)
    let old = file.schemaVersion
    let keepsNumber = configuration.file.keepsSchemaVersion
    let new = keepsNumber ? old : configuration.file.schemaVersion
    guard old < new || keepsNumber && configuration.migration.run != nil else { return file }
    if file.options.isReadOnly {
      // Without a migration block, the classes that still fit the file can be read.
      guard configuration.migration.run != nil else { return file }
      throw StoreError(
        .migrationNeeded(
          path: path,
          mistakes: [
            "the file has schema version \(old) and the configuration \(new), "
              + "but a file opened with readOnly: true is not migrated"
          ]))
    }
    let classes = try declaredClasses(configuration, schemas)
    do {
      guard let block = configuration.migration.run else {
        try file.raise(to: new, classes)
        return file
      }
      try file.migrate(to: new) { files in
        let migration = Migration(files, from: old, to: new, classes)
        defer { migration.end() }
        do {
          try block(migration)
          try migration.validate(path)
        } catch {
          try files.throwIfFailed()
          throw Stopped(error: error)
        }
        try migration.write()
      }
    } catch let error as Stopped {
      guard file.options.isCache else { throw error.error }
      try file.reset(to: new, failure(error.error, path))
    }
    return file
  }

  /// Returns the error that a cache reports for a failed migration.
  private static func failure(_ error: any Error, _ path: String) -> StoreError {
    if let error = error as? StoreError, case .migrationFailed = error.kind { return error }
    return StoreError(.migrationFailed(path: path, mistakes: ["\(error)"]))
  }

  /// Returns the classes that a store of the configuration would register when it is opened.
  /// - Throws: `invalidDeclarations`, `tableNameClash`.
  private static func declaredClasses(
    _ configuration: StoreConfiguration, _ schemas: [ObjectSchema]
  ) throws -> [MigrationClass] {
    let core = try StoreCore(.inMemory())
    for type in configuration.classes.compactMap(\.objectType) { _ = try core.entry(type) }
    try core.register(schemas)
    return zip(core.allEntries(), core.fileTables).map { entry, table in
      MigrationClass(table.name, table.identity, table.attributes, declared: entry.model)
    }
  }

  /// Sets the schema version after checking that the file fits the classes. Used if there is no migration block.
  /// - Throws: `migrationNeeded`.
  private func raise(to number: UInt64, _ classes: [MigrationClass]) throws {
    try migrate(to: number) { files in
      if options.isCache { return }
      let mistakes = try classes.flatMap { known in
        let table = known.table(known.schema.layout { _ in 0 })
        return try (files.mapping(of: table)?.mistakes ?? []) + files.nullMistakes(of: table)
      }
      if !mistakes.isEmpty {
        throw Stopped(error: StoreError(.migrationNeeded(path: path, mistakes: mistakes)))
      }
    }
  }
}
