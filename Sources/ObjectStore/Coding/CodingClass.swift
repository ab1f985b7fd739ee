/// A class as the coder sees it in one store.
package struct CodingClass: Sendable {
  /// Its attributes.
  package var schema: ObjectSchema { entry.schema }
  /// The class as a batch needs it.
  package let shape: BatchShape
  let entry: ClassEntry

  init(_ entry: ClassEntry) {
    self.entry = entry
    shape = entry.shape
  }

  /// A new object of the class, to see what it holds; nil for a class that nobody declares, whose
  /// objects hold nothing of their own.
  package func makeObject() -> ObjectBase? { entry.model.isDynamic ? nil : entry.model.type.init() }

  /// Assigns the declared default of an attribute, evaluated now. In a row without a key it is noted
  /// as one, so that the same payload again finds the same row.
  package func assignDefault(
    of attribute: Int, to row: BatchRow, in batch: RowBatch
  ) throws(StoreError) {
    let cell = try entry.defaults.value(of: attribute, in: batch)
    if entry.keyColumn < 0 {
      row.setDefault(cell, of: attribute)
    } else {
      row[attribute] = cell
    }
  }

  /// Gives a row that lacks its key a new one, if the class makes one for each object (`UUID()`).
  package func makeKey(
    _ attribute: Int, of row: BatchRow, in batch: RowBatch
  ) throws(StoreError) {
    try entry.defaults.makeKey(attribute, of: row, in: batch)
  }
}
