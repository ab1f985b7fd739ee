extension Persisted: PersistedWrapper {
  static var shape: AttributeShape { Value._storageShape }
  static var tagOffset: Int {
    guard let offset = MemoryLayout<Self>.offset(of: \.tag) else {
      misuse("\(Self.self): internal error: MemoryLayout has no offset of the tag")
    }
    return offset
  }
  var probeTag: UInt32 { tag }

  static func export(
    _ object: ObjectBase, _ offset: Int, _ export: BatchExport
  ) throws -> BatchCell {
    try Value._storageExport(wrapper(object, offset).pointee.value, export)
  }

  static func exportDefault(_ export: BatchExport) throws -> BatchCell {
    try Value._storageExport(Value._storageDefault, export)
  }

  static func releaseValue(_ object: ObjectBase, _ offset: Int) {
    wrapper(object, offset).pointee.value = Value._storagePlaceholder
  }

  static func readAny(_ object: ObjectBase, _ attribute: ModelAttribute) -> Any? {
    let offset = attribute.offset
    guard object.isManaged else {
      return Value._storageAny(
        Value._storageGet(&wrapper(object, offset).pointee.value, object, offset))
    }
    return Value._storageAny(Value._storageRead(object, object.locate(offset)))
  }

  static func assignAny(_ object: ObjectBase, _ attribute: ModelAttribute, _ value: Any?) throws {
    let property = attribute.property
    let offset = attribute.offset
    guard let new = Value._storageValue(value) else {
      throw StoreError(
        .typeMismatch(
          attribute: "\(property.declaringClass).\(property.name)", expected: property.shape.name,
          found: UpdateValue(any: value)?.found ?? "\(value.map { "\(type(of: $0))" } ?? "nil")"))
    }
    guard object.isManaged else {
      Value._storageSet(
        &wrapper(object, offset).pointee.value, new, object, offset)
      return
    }
    Value._storageWrite(object, object.writableColumn(offset), new)
  }

  static func assignTyped(
    _ object: ObjectBase, _ attribute: ModelAttribute, _ value: Any?
  ) -> Bool {
    guard let new = Value._storageValue(value) else { return false }
    Value._storageWrite(object, object.writableColumn(attribute.offset), new)
    return true
  }

  static func sentinel(_ round: Int, _ recorder: _KeyPathRecorder) throws -> BatchCell {
    try Value._storageExport(Value._storageSentinel(round, recorder), recorder.export)
  }

  static func isSentinel(_ value: Any, _ round: Int, _ recorder: _KeyPathRecorder) -> Bool {
    guard let value = value as? Value else { return false }
    return Value._storageIsSentinel(value, round, recorder)
  }
}
