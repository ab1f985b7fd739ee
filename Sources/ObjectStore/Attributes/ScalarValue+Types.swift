public import Foundation

// The scalar types. Numbers are stored in words; strings are bytes in an arena and are decoded on demand.

extension Bool: ScalarValue {
  @inlinable public static var _storageDefault: Bool { false }
  @inlinable public static var _readsInline: Bool { true }
  @inlinable public static var _isByte: Bool { true }
  @inlinable public static var _scalarKind: AttributeShape.Kind { .bool }
  @inlinable @inline(__always)
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> Bool { word != 0 }
  @inlinable
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try body(_ScalarCell(word: self ? 1 : 0))
  }
  public static func _sentinel(_ round: Int) -> Bool { round == 0 }
}

extension Double: ScalarValue {
  @inlinable public static var _storageDefault: Double { 0 }
  @inlinable public static var _readsInline: Bool { true }
  @inlinable public static var _scalarKind: AttributeShape.Kind { .double }
  @inlinable @inline(__always)
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> Double { Double(bitPattern: word) }
  @inlinable
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try body(_ScalarCell(word: bitPattern))
  }
  public static func _sentinel(_ round: Int) -> Double { 7.3e120 + Double(round) * 1e110 }
  public static func _storageValue(_ any: Any?) -> Double? {
    any as? Double ?? (any as? Float).map { Double($0) }
      ?? (any as? any BinaryInteger).map { Double($0) }
  }
}

/// Stored as the Double of the same value, so that both types share one kind of column.
extension Float: ScalarValue {
  @inlinable public static var _storageDefault: Float { 0 }
  @inlinable public static var _readsInline: Bool { true }
  @inlinable public static var _scalarKind: AttributeShape.Kind { .float }
  @inlinable @inline(__always)
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> Float { Float(Double(bitPattern: word)) }
  @inlinable
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try body(_ScalarCell(word: Double(self).bitPattern))
  }
  public static func _sentinel(_ round: Int) -> Float { 7.3e20 + Float(round) * 1e19 }
  public static func _storageValue(_ any: Any?) -> Float? {
    guard let double = Double._storageValue(any) else { return nil }
    let float = Float(double)
    return float.isFinite || !double.isFinite ? float : nil
  }
}

/// Stored as the Double of its seconds since 2001; must be finite.
extension Date: ScalarValue {
  public static var _storageDefault: Date { Date(timeIntervalSince1970: 0) }
  @inlinable public static var _scalarKind: AttributeShape.Kind { .date }
  @inlinable @inline(__always)
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> Date { Date(timeIntervalSinceReferenceDate: Double(bitPattern: word)) }
  @inlinable
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try body(_ScalarCell(word: timeIntervalSinceReferenceDate.bitPattern))
  }
  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: Date) {
    object.write(value, column: column)
  }
  public static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Date?) {
    if let value { object.write(value, column: column) } else { object.writeNull(column: column) }
  }
  public static func _sentinel(_ round: Int) -> Date {
    Date(timeIntervalSince1970: 8_123_456_789 + Double(round))
  }
}

extension String: PrimaryKeyValue {
  @inlinable public static var _storageDefault: String { "" }
  @inlinable public static var _scalarKind: AttributeShape.Kind { .string }
  @inlinable @inline(__always)
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> String {
    String(decoding: column.pointee.bytes(ofWord: word), as: UTF8.self)
  }
  @inlinable
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    var text = self
    return try text.withUTF8 { try body(_ScalarCell(bytes: UnsafeRawBufferPointer($0))) }
  }
  // Not inlined: these would be half of the compiled code of each accessor of each model.
  public static func _storageRead(_ object: ObjectBase, _ column: Int) -> String {
    read(object.row, object.columns + column)
  }
  public static func _optionalRead(_ object: ObjectBase, _ column: Int) -> String? {
    let column = object.columns + column
    return column.pointee.isNull(object.row) ? nil : read(object.row, column)
  }
  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: String) {
    value._encode { object.write($0, column: column) }
  }
  public static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: String?) {
    if let value { _storageWrite(object, column, value) } else { object.writeNull(column: column) }
  }
  public static func _sentinel(_ round: Int) -> String { "\u{1}recorded\u{2}\(round)" }
}

extension Data: ScalarValue {
  public static var _storageDefault: Data { Data() }
  @inlinable public static var _scalarKind: AttributeShape.Kind { .data }
  @inlinable
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> Data { Data(column.pointee.bytes(ofWord: word)) }
  @inlinable
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try withUnsafeBytes { try body(_ScalarCell(bytes: $0)) }
  }
  public static func _sentinel(_ round: Int) -> Data {
    Data([0x5E, 0xE1, 0x7A, 0x3C, UInt8(truncatingIfNeeded: round)])
  }
}

/// Stored as its 16 bytes.
extension UUID: PrimaryKeyValue {
  /// A new UUID for each object, as in Realm: a constant would be of no use.
  public static var _storageDefault: UUID { UUID() }
  @inlinable @inline(__always)
  public static var _storagePlaceholder: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  @inlinable public static var _scalarKind: AttributeShape.Kind { .uuid }
  @inlinable
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> UUID {
    let bytes = column.pointee.bytes(ofWord: word)
    guard bytes.count == 16 else {
      return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
  @inlinable
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try withUnsafeBytes(of: uuid) { try body(_ScalarCell(bytes: $0)) }
  }
  public static func _sentinel(_ round: Int) -> UUID {
    UUID(
      uuid: (
        0x5E, 0xE1, 0x7A, 0x3C, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
        UInt8(truncatingIfNeeded: round)
      ))
  }
}

/// Stored as its string.
extension URL: ScalarValue {
  public static var _storageDefault: URL { URL(fileURLWithPath: "/") }
  private static let placeholder = URL(fileURLWithPath: "/")
  public static var _storagePlaceholder: URL { placeholder }
  @inlinable public static var _scalarKind: AttributeShape.Kind { .url }
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> URL {
    URL(string: String(decoding: column.pointee.bytes(ofWord: word), as: UTF8.self))
      ?? _storageDefault
  }
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try absoluteString._encode(body)
  }
  public static func _sentinel(_ round: Int) -> URL {
    URL(fileURLWithPath: "/recorded/\(round)")
  }
}

/// Stored as its canonical text, so that equal values have equal bytes; must not be NaN.
extension Decimal: ScalarValue {
  public static var _storageDefault: Decimal { 0 }
  @inlinable public static var _scalarKind: AttributeShape.Kind { .decimal }
  public static func _decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<_StorageColumn>
  ) -> Decimal {
    let text = String(decoding: column.pointee.bytes(ofWord: word), as: UTF8.self)
    return Decimal(plain: text) ?? 0
  }
  public func _encode<R>(_ body: (_ScalarCell) throws -> R) rethrows -> R {
    try canonicalText._encode(body)
  }
  public static func _storageWrite(_ object: ObjectBase, _ column: Int, _ value: Decimal) {
    object.write(value, column: column)
  }
  public static func _optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Decimal?) {
    if let value { object.write(value, column: column) } else { object.writeNull(column: column) }
  }
  public static func _sentinel(_ round: Int) -> Decimal {
    Decimal(8_123_456_789_012_345) + Decimal(round)
  }
}
