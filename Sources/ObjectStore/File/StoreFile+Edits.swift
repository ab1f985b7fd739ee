// The edits in a file whose classes are not registered.

extension StoreFile {
  /// Returns the names of the classes that have unconfirmed edits in the file, except the registered ones, in ascending order.
  func classesWithEdits(outside registered: Set<String>) -> [String] {
    lock.withLock {
      catalog.classes.values.compactMap { entry in
        guard entry.rowCount > 0, entry.name.hasSuffix(ObjectSchema.baseSuffix) else { return nil }
        let name = String(entry.name.dropLast(ObjectSchema.baseSuffix.count))
        return registered.contains(name) ? nil : name
      }.sorted(byBytesOf: \.self)
    }
  }
}
