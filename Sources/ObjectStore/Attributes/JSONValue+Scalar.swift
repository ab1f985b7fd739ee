/// Stored in the store's own binary form; see ``StoredJSON``.
extension JSONValue: ScalarValue {
  public static var _storageDefault: JSONValue { .null }
  public static var _scalarKind: AttributeShape.Kind { .json }

  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> JSONValue {
    JSONValue(stored: column.pointee.bytes(ofWord: word))
  }

  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    var stored = StoredJSON()
    store(into: &stored)
    return try stored.withBytes { try body(_ScalarCell(bytes: $0)) }
  }

  public static func _sentinel(_ round: Int) -> JSONValue { .string("\u{1}recorded\u{2}\(round)") }
}
