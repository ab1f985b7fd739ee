import ObjectStore

/// Reads the values of columns. Attributes of the same object are encoded together.
struct RowReader {
  let columns: [QueryColumn]
  private let output: JSONOutput
  private let store: Store
  /// The columns of each object that a row consists of.
  private var owners: [(links: [String], names: [String], indexes: [Int])] = []

  init(_ columns: [QueryColumn], _ store: Store, _ output: JSONOutput) {
    self.columns = columns
    self.output = output
    self.store = store
    for (index, column) in columns.enumerated() {
      let name = column.attribute.name
      if let owner = owners.firstIndex(where: { $0.links == column.links }) {
        if !owners[owner].names.contains(name) { owners[owner].names.append(name) }
        owners[owner].indexes.append(index)
      } else {
        owners.append((column.links, [name], [index]))
      }
    }
  }

  /// Returns the values for an object. Those that the object does not have are null.
  /// - Throws: `CommandError` if a value is damaged.
  func row(_ object: DynamicObject) throws -> [Cell] {
    var row = [Cell](repeating: .null, count: columns.count)
    for owner in owners {
      guard let found = columns[owner.indexes[0]].owner(from: object) else { continue }
      let values = Result { try output.values(of: found, owner.names) }
      try CacheFile.checkDamage(of: store)
      let known = try values.get()
      for index in owner.indexes { row[index] = known[columns[index].attribute.name] ?? .null }
    }
    return row
  }

  /// Calls `body` with the row of each object, in order.
  func forEachRow(
    of objects: Results<DynamicObject>, _ what: String, _ body: ([Cell]) throws -> Void
  ) throws {
    try objects.forEachWithProgress(what) { try body(row($0)) }
    try CacheFile.checkDamage(of: store)
  }
}
