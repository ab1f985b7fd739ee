/// The declared defaults of a class: those of its attributes, and the values that its `init()` assigns.
///
/// They are evaluated for each new row that lacks an attribute, by creating an object of the class. Values are not
/// cached from one row to the next: samples cannot show whether a default is the same for all rows (R25).
// Sendable: immutable.
final class ClassDefaults: RowDefaults, @unchecked Sendable {
  private let model: ModelClass
  private let shape: (ObjectBase.Type) throws -> BatchShape
  private let attributes: ContiguousArray<Source>

  /// The parts of an attribute that evaluation needs, without the references of a ``Property``.
  struct Source: Sendable {
    let wrapper: any PersistedWrapper.Type
    let offset: Int
    let isScalar: Bool

    init(_ attribute: ModelAttribute) {
      wrapper = attribute.wrapper
      offset = attribute.offset
      isScalar = attribute.property.shape.form == .scalar
    }
  }

  init(_ model: ModelClass, _ core: StoreCore) {
    self.model = model
    shape = { [unowned core] in try core.shape(of: $0) }
    attributes = model.defaultSources
  }

  func fill(_ row: BatchRow, in batch: RowBatch) throws(StoreError) {
    for attribute in 0..<attributes.count where row.cells[attribute].state == .absent {
      try batch.evaluation.run { () throws(StoreError) in
        try fill(row, from: model.type.init(), in: batch)
      }
      return
    }
  }

  @inline(never)
  private func fill(
    _ row: BatchRow, from object: ObjectBase, in batch: RowBatch
  ) throws(StoreError) {
    let export = BatchExport(batch, shape: shape)
    for attribute in 0..<attributes.count where row.cells[attribute].state == .absent {
      row.setDefault(try value(of: attribute, of: object, export), of: attribute)
    }
    row.header.pointee.flags |= BatchRow.isFilled
  }

  /// Evaluates and returns the default of one attribute.
  func value(of attribute: Int, in batch: RowBatch) throws(StoreError) -> BatchCell {
    try batch.evaluation.run { () throws(StoreError) in
      try value(of: attribute, of: model.type.init(), BatchExport(batch, shape: shape))
    }
  }

  /// Fills a row that lacks its key with a generated key and the other defaults of the same object, if the
  /// default of the key differs between objects (`UUID()`).
  func makeKey(
    _ attribute: Int, of row: BatchRow, in batch: RowBatch
  ) throws(StoreError) {
    try batch.evaluation.run { () throws(StoreError) in
      let (object, other) = (model.type.init(), model.type.init())
      let export = BatchExport(batch, shape: shape)
      let one = try value(of: attribute, of: object, export)
      let another = try value(of: attribute, of: other, export)
      let isBytes = model.schema.storedProperties[attribute].isBytes
      let isSame = isBytes ? one.bytes.hasSameBytes(as: another.bytes) : one.bits == another.bits
      if !isSame { try fill(row, from: object, in: batch) }
    }
  }

  /// The value of the attribute in a newly created object.
  ///
  /// - Throws: `invalidDeclarations` for a value that cannot be stored. An initializer may assign such a value only
  ///   sometimes, so the check of the declarations may not detect it.
  private func value(
    of index: Int, of object: ObjectBase, _ export: BatchExport
  ) throws(StoreError) -> BatchCell {
    let attribute = attributes[index]
    let schema = model.schema
    do {
      // Attributes of a dynamic class have only the default of their type.
      if model.isDynamic { return try attribute.wrapper.exportDefault(export) }
      if !attribute.isScalar {
        export.attribute = (schema.className, schema.storedProperties[index])
      }
      return try attribute.wrapper.export(object, attribute.offset, export)
    } catch {
      let name = schema.storedProperties[index].name
      throw StoreError(
        .invalidDeclarations(["\(schema.className).\(name): its default cannot be stored: \(error)"]
        ))
    }
  }
}
