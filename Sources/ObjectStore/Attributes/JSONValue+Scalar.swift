/// Stored in the store's own binary form; see ``StoredJSON``.
extension JSONValue: ScalarValue {
  public static var _storageDefault: JSONValue { .null }
  public static var _scalarKind: AttributeShape.Kind { .json }

  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> JSONValue {
    JSONValue(stored: column.pointee.bytes(ofWord: word))
  }

  /// The cell has no notations, so that equal elements of collections, and equal values of a query, have equal bytes.
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try withStored(keepsNotation: false) { try body(_ScalarCell(bytes: $0)) }
  }

  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: JSONValue) {
    value.withStored(keepsNotation: true) {
      object.write(_ScalarCell(bytes: $0), column: column)
    }
  }

  public static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: JSONValue?) {
    if let value { _storageWrite(object, column, value) } else { object.writeNull(column: column) }
  }

  public static func _storageExport(
    _ value: JSONValue, _ export: _BatchExport
  ) throws -> _BatchCell {
    var cell = try value.withStored(keepsNotation: true) {
      try export.cell(_ScalarCell(bytes: $0), _scalarKind)
    }
    cell.keepsEqualJSON = true
    return cell
  }

  public func _elementExport(_ export: _BatchExport) throws -> _BatchCell {
    try _encode { try export.cell($0, Self._scalarKind) }
  }

  public static func _sentinel(_ round: Int) -> JSONValue { .string("\u{1}recorded\u{2}\(round)") }
}
