import StoreDatabase

// What keeping a store small asks of its file.

extension StoreFile {
  /// Calls `body` with each row that objects of classes link to which the store has not met: nobody else
  /// speaks for them.
  ///
  /// - Parameters:
  ///   - known: the classes that were met; a class that is met meanwhile links to the same.
  ///   - targets: the classes that are asked about.
  /// - Throws: `fileFailed`, `fileDamaged`: what cannot be read may link to anything.
  /// - Complexity: O(the links), read from the file.
  func forEachLink(
    ofClassesBut known: Set<String>, to targets: Set<String>,
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

  /// The bytes of the file that something stands in: what is left of it after `compact`, roughly.
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
