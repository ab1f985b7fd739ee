/// A class of one store, for the coder.
package struct CodingClass: Sendable {
  package var schema: ObjectSchema { entry.schema }
  package let shape: BatchShape
  /// The class; ``DynamicObject`` if only a schema describes it.
  package var modelType: ObjectBase.Type { entry.model.type }
  /// False if only a schema describes the class.
  package var isDeclared: Bool { !entry.model.isDynamic }
  let entry: ClassEntry

  init(_ entry: ClassEntry) {
    self.entry = entry
    shape = entry.shape
  }

  /// Creates an object of the class, to read its initial values. Nil for a dynamic class, whose objects have none.
  package func makeObject() -> ObjectBase? { entry.model.isDynamic ? nil : entry.model.type.init() }

  /// Runs user code that evaluates defaults while a payload is read. It may read the store, but not write to it.
  package func evaluating(in batch: RowBatch, _ body: () -> Void) { batch.evaluation.run(body) }

  /// Assigns the declared default of an attribute, evaluated now, in place of a value that a policy refuses. The attribute
  /// is missing, because nobody has said the default.
  package func assignDefault(
    of attribute: Int, to row: BatchRow, in batch: RowBatch
  ) throws(StoreError) {
    let value = try entry.defaults.value(of: attribute, in: batch)
    row.setMissing(value, of: attribute, keepsGiven: true)
  }

  /// Makes an attribute missing that the payload says the server does not have, such as one at a position that an array
  /// lacks: it is nil, an empty collection, or the declared default of an attribute that cannot be nil.
  ///
  /// - Parameter keepsGiven: True if an attribute that has the value already stays given, because a body leaves out nil at
  ///   the end of an array.
  package func assignMissing(
    _ attribute: Int, to row: BatchRow, in batch: RowBatch, keepsGiven: Bool
  ) throws(StoreError) {
    let shape = schema.storedProperties[attribute].shape
    let isEmpty = shape.isOptional || shape.isCollection || shape.form == .link
    let value = isEmpty ? .null : try entry.defaults.value(of: attribute, in: batch)
    row.setMissing(value, of: attribute, keepsGiven: keepsGiven)
  }

  /// Generates the key of a row that lacks it, if the class generates one for each object (`UUID()`).
  package func makeKey(
    _ attribute: Int, of row: BatchRow, in batch: RowBatch
  ) throws(StoreError) {
    try entry.defaults.makeKey(attribute, of: row, in: batch)
  }
}
