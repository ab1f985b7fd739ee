/// The properties of a class that a batch needs.
package struct BatchShape: Sendable {
  package let table: Int
  /// The number of cells of a row.
  package let attributeCount: Int
  /// The attribute index of the primary key; -1 without one.
  let keyAttribute: Int32
  /// The initial flags of every row of the class.
  let flags: UInt32

  init(
    table: Int, attributeCount: Int, keyAttribute: Int?, isKeyBytes: Bool, isEmbedded: Bool = false
  ) {
    self.table = table
    self.attributeCount = attributeCount
    self.keyAttribute = keyAttribute.map { Int32(truncatingIfNeeded: $0) } ?? -1
    flags = (isKeyBytes ? BatchRow.hasBytesKey : 0) | (isEmbedded ? BatchRow.isEmbedded : 0)
  }
}
