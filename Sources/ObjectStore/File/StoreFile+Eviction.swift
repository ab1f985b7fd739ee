import StoreDatabase

// The parts of eviction that use the file.

extension StoreFile {
  /// Calls `body` with each row that objects of unregistered classes link to. Only the file knows these links.
  ///
  /// - Parameters:
  ///   - known: The registered classes. Registering a class during the call does not change its links.
  ///   - targets: The classes whose incoming links are reported.
  /// - Throws: `fileFailed`, `fileDamaged`, because content that cannot be read may link to any row.
  /// - Complexity: O(links), read from the file.
  func forEachLink(
    ofClassesExcept known: Set<String>, to targets: Set<String>,
    _ body: (_ target: String, _ slot: Int) -> Void
  ) throws(StoreError) {
    try read {
      for entry in catalog.classes.values where !known.contains(entry.name) {
        for attribute in entry.attributes {
          guard let target = attribute.target, targets.contains(target) else { continue }
          let (table, column) =
            attribute.isCollection
            ? (attribute.sqlName, "value") : (entry.sqlName, attribute.sqlName)
          let name = FileNames.quoted(column)
          let statement = try database.prepare(
            "SELECT DISTINCT \(name) FROM \(FileNames.quoted(table)) WHERE \(name) IS NOT NULL")
          while try statement.step() { body(target, Int(clamping: statement.int64(0)) - 1) }
        }
      }
    }
  }

  /// Returns the number of bytes in use in the file, roughly its size after `compact`.
  func usedBytes(_ engine: StoreEngine) throws(StoreError) -> Int {
    try queue?.drain(self, engine)
    return try read {
      func number(_ pragma: String) throws(DatabaseError) -> Int {
        let statement = try database.prepare("PRAGMA \(pragma)")
        return try statement.step() ? Int(clamping: statement.int64(0)) : 0
      }
      return try (number("page_count") - number("freelist_count")) * number("page_size")
    }
  }

  private func read<R>(_ body: () throws -> R) throws(StoreError) -> R {
    try lock.withLock { () throws(StoreError) in
      if let closed { throw closed }
      do {
        return try body()
      } catch {
        throw self.error(error)
      }
    }
  }
}
