/// The row count and the checksums of some rows of a class.
struct ClassSums: Equatable {
  var rowCount = 0
  /// The checksums of the row numbers and of the engine's own columns, indexed by ``FileClass/OwnColumn``.
  var own = [UInt64](repeating: 0, count: FileClass.OwnColumn.allCases.count)
  /// The checksums of the attributes, by their index in the file.
  var attributes: [UInt64]

  init(attributeCount: Int) {
    attributes = [UInt64](repeating: 0, count: attributeCount)
  }

  /// The count and the checksums of all rows of a class.
  init(of entry: FileClass) {
    rowCount = entry.rowCount
    own = entry.ownSums
    attributes = entry.attributes.map(\.sum)
  }

  mutating func addOwn(_ column: FileClass.OwnColumn, _ sum: UInt64) {
    own[column.rawValue] &+= sum
  }

  /// Adds the count and the checksums of other rows, which are of the same class.
  mutating func add(_ other: ClassSums) {
    rowCount += other.rowCount
    for index in own.indices { own[index] &+= other.own[index] }
    for index in attributes.indices { attributes[index] &+= other.attributes[index] }
  }
}
