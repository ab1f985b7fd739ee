import StoreDatabase

// The catalog of files is internal. A build with optimization for another purpose than tests cannot access it.
#if DEBUG || STORE_INVARIANTS
  @testable import ObjectStore

  /// The catalog of a changed store file, which gets right digests, as somebody can give it who makes such a file.
  enum ForgedCatalog {
    /// Writes the digests of all classes. Entries that have no valid form keep theirs.
    static func seal(_ database: Database) throws {
      let rows = try database.prepare(
        """
        SELECT name, table_name, identity, row_count, next_row, checksums, may_dangle
        FROM store_classes
        """)
      var entries: [FileClass] = []
      while try rows.step() {
        guard let identity = TableLayout.Identity(fileName: rows.string(2)) else { continue }
        var entry = FileClass(
          name: rows.string(0), sqlName: rows.string(1), identity: identity,
          attributes: try attributes(of: rows.string(0), database))
        entry.rowCount = Int(clamping: rows.int64(3))
        entry.nextRow = Int(clamping: rows.int64(4))
        entry.mayDangle = rows.int64(6) != 0
        let sums = rows.bytes(5)
        let own = entry.ownSums.count
        for index in 0..<min(sums.count / 8, own + entry.attributes.count) {
          let sum = UInt64(
            littleEndian: sums.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
          if index < own {
            entry.ownSums[index] = sum
          } else {
            entry.attributes[index - own].sum = sum
          }
        }
        entry.schemaDigest = try FileCatalog.schemaDigest(of: entry, database)
        entry.digestDeclarations()
        entries.append(entry)
      }
      rows.reset()
      let update = try database.prepare("UPDATE store_classes SET digest = ? WHERE name = ?")
      for entry in entries {
        update.bind(1, Int64(bitPattern: entry.digest))
        update.bindTextCopy(2, Array(entry.name.utf8))
        try update.run()
      }
    }

    private static func attributes(
      of className: String, _ database: Database
    ) throws -> [FileAttribute] {
      let rows = try database.prepare(
        """
        SELECT name, column_name, form, type, target, is_optional, is_primary_key, is_indexed
        FROM store_attributes WHERE class = ? ORDER BY position
        """)
      rows.bindTextCopy(1, Array(className.utf8))
      var attributes: [FileAttribute] = []
      while try rows.step() {
        guard let form = AttributeShape.Form(fileName: rows.string(2)) else { continue }
        let kind = AttributeShape.Kind(fileName: rows.string(3))
        attributes.append(
          FileAttribute(
            name: rows.string(0), sqlName: rows.string(1), form: form, kind: kind,
            target: kind == nil ? rows.string(4) : nil, isOptional: rows.int64(5) != 0,
            isPrimaryKey: rows.int64(6) == 1, keyPart: max(0, Int(clamping: rows.int64(6)) - 1),
            isIndexed: rows.int64(7) != 0))
      }
      return attributes
    }
  }
#else
  enum ForgedCatalog {
    static func seal(_ database: Database) throws {}
  }
#endif
