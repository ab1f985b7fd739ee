/// The access tables of one handle: one for each class that it has created an object of.
struct AccessTables: ~Copyable {
  private var tables: ContiguousArray<UnsafeMutablePointer<AccessTable>?> = []
  /// True while every read of an attribute is reported to the tracker.
  var tracksReads = false {
    didSet { forEach { $0.pointee.isTracked = tracksReads } }
  }

  deinit {
    forEach { $0.deallocate() }
  }

  /// The access table of a class by the index of its table; nil if the handle has not created an object of
  /// the class.
  @inline(__always)
  subscript(table: Int) -> UnsafeMutablePointer<AccessTable>? {
    table < tables.count ? tables[table] : nil
  }

  mutating func add(
    _ entry: ClassEntry, layouts: UnsafePointer<ColumnLayout>, isWritable: Bool,
    tracker: ReadTracker?
  ) -> UnsafeMutablePointer<AccessTable> {
    while tables.count <= entry.table { tables.append(nil) }
    let table = UnsafeMutablePointer<AccessTable>.allocate(capacity: 1)
    table.initialize(
      to: AccessTable(
        entry.model, table: entry.table, layouts: layouts, isWritable: isWritable,
        tracker: tracker, isTracked: tracksReads))
    tables[entry.table] = table
    return table
  }

  func setWritable(_ isWritable: Bool) {
    forEach { $0.pointee.isWritable = isWritable }
  }

  /// Makes all accessors look up their columns again at their next access.
  func moveEpochs() {
    forEach { $0.pointee.moveEpoch() }
  }

  private func forEach(_ body: (UnsafeMutablePointer<AccessTable>) -> Void) {
    for case let table? in tables { body(table) }
  }
}
