/// The classes that one handle has used.
struct HandleClasses {
  /// The classes by table; nil for a class that the handle has not used.
  private(set) var byTable: ContiguousArray<ClassEntry?> = []
  private var byType: [ObjectIdentifier: ClassEntry] = [:]
  private var last: (type: ObjectIdentifier, entry: ClassEntry)?

  /// The class of a table; nil if the handle has not used it.
  @inline(__always)
  subscript(table: Int) -> ClassEntry? {
    table < byTable.count ? byTable[table] : nil
  }

  /// The class of the last lookup if it has this type; nil otherwise.
  @inline(__always)
  func lastEntry(_ type: ObjectIdentifier) -> ClassEntry? {
    guard let last, last.type == type else { return nil }
    return last.entry
  }

  func entry(_ type: ObjectIdentifier) -> ClassEntry? { byType[type] }

  mutating func setLast(_ type: ObjectIdentifier, _ entry: ClassEntry) {
    last = (type, entry)
  }

  mutating func insert(_ entry: ClassEntry) {
    if !entry.model.isDynamic { byType[ObjectIdentifier(entry.model.type)] = entry }
    while byTable.count <= entry.table { byTable.append(nil) }
    byTable[entry.table] = entry
  }
}
