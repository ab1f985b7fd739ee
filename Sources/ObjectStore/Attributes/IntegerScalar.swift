/// An integer stored as 64 bits: sign-extended if signed, zero-extended if unsigned.
nonisolated public protocol _IntegerScalar: FixedWidthInteger, PrimaryKeyValue, _QueryMeasured,
  _NumberAttribute
{}

extension _IntegerScalar {
  @inlinable public static var _storageDefault: Self { 0 }
  @inlinable public static var _readsInline: Bool { true }
  @inlinable @inline(__always)
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> Self { Self(truncatingIfNeeded: word) }
  @inlinable
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try body(_ScalarCell(word: UInt64(truncatingIfNeeded: self)))
  }
  @inlinable
  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    object.write(word: UInt64(truncatingIfNeeded: value), column: column)
  }
  public static func _sentinel(_ round: Int) -> Self {
    Self(truncatingIfNeeded: 0x5EE1_7A3C_19B4_0D27 &+ round)
  }
  public static func _storageValue(_ any: Any?) -> Self? {
    any as? Self ?? (any as? any BinaryInteger).flatMap { Self(exactly: $0) }
  }
}

extension Int: _IntegerScalar {
  @inlinable public static var _scalarKind: AttributeShape.Kind { .int }
}
extension Int8: _IntegerScalar {
  @inlinable public static var _scalarKind: AttributeShape.Kind { .int8 }
}
extension Int16: _IntegerScalar {
  @inlinable public static var _scalarKind: AttributeShape.Kind { .int16 }
}
extension Int32: _IntegerScalar {
  @inlinable public static var _scalarKind: AttributeShape.Kind { .int32 }
}
extension Int64: _IntegerScalar {
  @inlinable public static var _scalarKind: AttributeShape.Kind { .int64 }
}
extension UInt: _IntegerScalar {
  @inlinable public static var _scalarKind: AttributeShape.Kind { .uint }
}
extension UInt8: _IntegerScalar {
  @inlinable public static var _scalarKind: AttributeShape.Kind { .uint8 }
}
extension UInt16: _IntegerScalar {
  @inlinable public static var _scalarKind: AttributeShape.Kind { .uint16 }
}
extension UInt32: _IntegerScalar {
  @inlinable public static var _scalarKind: AttributeShape.Kind { .uint32 }
}
extension UInt64: _IntegerScalar {
  @inlinable public static var _scalarKind: AttributeShape.Kind { .uint64 }
}
