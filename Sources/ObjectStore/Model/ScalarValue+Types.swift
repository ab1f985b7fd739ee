public import Foundation

// The scalar types. Words hold numbers; texts are bytes in an arena and become values on demand.

extension Bool: ScalarValue {
  @inlinable public static var storageDefault: Bool { false }
  @inlinable public static var isByte: Bool { true }
  @inlinable public static var scalarKind: ScalarKind { .bool }
  @inlinable @inline(__always)
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> Bool { word != 0 }
  @inlinable
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try body(ScalarCell(word: self ? 1 : 0))
  }
  public static func sentinel(_ round: Int) -> Bool { round == 0 }
}

/// An integer kept as its 64 bits: sign-extended, or for unsigned types its bit pattern.
nonisolated public protocol IntegerScalar: FixedWidthInteger, PrimaryKeyValue {}

extension IntegerScalar {
  @inlinable public static var storageDefault: Self { 0 }
  @inlinable @inline(__always)
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> Self { Self(truncatingIfNeeded: word) }
  @inlinable
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try body(ScalarCell(word: UInt64(truncatingIfNeeded: self)))
  }
  @inlinable
  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    object.write(word: UInt64(truncatingIfNeeded: value), column: column)
  }
  public static func sentinel(_ round: Int) -> Self {
    Self(truncatingIfNeeded: 0x5EE1_7A3C_19B4_0D27 &+ round)
  }
}

extension Int: IntegerScalar { @inlinable public static var scalarKind: ScalarKind { .int } }
extension Int8: IntegerScalar { @inlinable public static var scalarKind: ScalarKind { .int8 } }
extension Int16: IntegerScalar { @inlinable public static var scalarKind: ScalarKind { .int16 } }
extension Int32: IntegerScalar { @inlinable public static var scalarKind: ScalarKind { .int32 } }
extension Int64: IntegerScalar { @inlinable public static var scalarKind: ScalarKind { .int64 } }
extension UInt: IntegerScalar { @inlinable public static var scalarKind: ScalarKind { .uint } }
extension UInt8: IntegerScalar { @inlinable public static var scalarKind: ScalarKind { .uint8 } }
extension UInt16: IntegerScalar { @inlinable public static var scalarKind: ScalarKind { .uint16 } }
extension UInt32: IntegerScalar { @inlinable public static var scalarKind: ScalarKind { .uint32 } }
extension UInt64: IntegerScalar { @inlinable public static var scalarKind: ScalarKind { .uint64 } }

extension Double: ScalarValue {
  @inlinable public static var storageDefault: Double { 0 }
  @inlinable public static var scalarKind: ScalarKind { .double }
  @inlinable @inline(__always)
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> Double { Double(bitPattern: word) }
  @inlinable
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try body(ScalarCell(word: bitPattern))
  }
  public static func sentinel(_ round: Int) -> Double { 7.3e120 + Double(round) * 1e110 }
}

/// Kept as the Double of the same value, so that one kind of column serves both.
extension Float: ScalarValue {
  @inlinable public static var storageDefault: Float { 0 }
  @inlinable public static var scalarKind: ScalarKind { .float }
  @inlinable @inline(__always)
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> Float { Float(Double(bitPattern: word)) }
  @inlinable
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try body(ScalarCell(word: Double(self).bitPattern))
  }
  public static func sentinel(_ round: Int) -> Float { 7.3e20 + Float(round) * 1e19 }
}

/// Kept as the Double of seconds since 2001 that it is itself; it must be finite.
extension Date: ScalarValue {
  public static var storageDefault: Date { Date(timeIntervalSince1970: 0) }
  @inlinable public static var scalarKind: ScalarKind { .date }
  @inlinable @inline(__always)
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> Date { Date(timeIntervalSinceReferenceDate: Double(bitPattern: word)) }
  @inlinable
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try body(ScalarCell(word: timeIntervalSinceReferenceDate.bitPattern))
  }
  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: Date) {
    object.write(value, column: column)
  }
  public static func optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Date?) {
    if let value { object.write(value, column: column) } else { object.writeNull(column: column) }
  }
  public static func sentinel(_ round: Int) -> Date {
    Date(timeIntervalSince1970: 8_123_456_789 + Double(round))
  }
}

extension String: PrimaryKeyValue {
  @inlinable public static var storageDefault: String { "" }
  @inlinable public static var scalarKind: ScalarKind { .string }
  @inlinable @inline(__always)
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> String {
    String(decoding: column.pointee.bytes(ofWord: word), as: UTF8.self)
  }
  @inlinable
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    var text = self
    return try text.withUTF8 { try body(ScalarCell(bytes: UnsafeRawBufferPointer($0))) }
  }
  // Calls and not inlined: in each accessor of each model they would be half of what is compiled.
  public static func storageRead(_ object: ObjectBase, _ column: Int) -> String {
    read(object.row, object.columns + column)
  }
  public static func optionalRead(_ object: ObjectBase, _ column: Int) -> String? {
    let column = object.columns + column
    return column.pointee.isNull(object.row) ? nil : read(object.row, column)
  }
  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: String) {
    value.encode { object.write($0, column: column) }
  }
  public static func optionalWrite(_ object: ObjectBase, _ column: Int, _ value: String?) {
    if let value { storageWrite(object, column, value) } else { object.writeNull(column: column) }
  }
  public static func sentinel(_ round: Int) -> String { "\u{1}recorded\u{2}\(round)" }
}

extension Data: ScalarValue {
  public static var storageDefault: Data { Data() }
  @inlinable public static var scalarKind: ScalarKind { .data }
  @inlinable
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> Data { Data(column.pointee.bytes(ofWord: word)) }
  @inlinable
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try withUnsafeBytes { try body(ScalarCell(bytes: $0)) }
  }
  public static func sentinel(_ round: Int) -> Data {
    Data([0x5E, 0xE1, 0x7A, 0x3C, UInt8(truncatingIfNeeded: round)])
  }
}

/// Kept as its 16 bytes.
extension UUID: PrimaryKeyValue {
  /// A new one for each object, as Realm does: a UUID without a value is of no use.
  public static var storageDefault: UUID { UUID() }
  @inlinable @inline(__always)
  public static var storagePlaceholder: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  @inlinable public static var scalarKind: ScalarKind { .uuid }
  @inlinable
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> UUID {
    let bytes = column.pointee.bytes(ofWord: word)
    guard bytes.count == 16 else {
      return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
  @inlinable
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try withUnsafeBytes(of: uuid) { try body(ScalarCell(bytes: $0)) }
  }
  public static func sentinel(_ round: Int) -> UUID {
    UUID(
      uuid: (
        0x5E, 0xE1, 0x7A, 0x3C, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
        UInt8(truncatingIfNeeded: round)
      ))
  }
}

/// Kept as its text.
extension URL: ScalarValue {
  public static var storageDefault: URL { URL(fileURLWithPath: "/") }
  private static let placeholder = URL(fileURLWithPath: "/")
  public static var storagePlaceholder: URL { placeholder }
  @inlinable public static var scalarKind: ScalarKind { .url }
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> URL {
    URL(string: String(decoding: column.pointee.bytes(ofWord: word), as: UTF8.self))
      ?? storageDefault
  }
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try absoluteString.encode(body)
  }
  public static func sentinel(_ round: Int) -> URL {
    URL(fileURLWithPath: "/recorded/\(round)")
  }
}

/// Kept as its canonical text: equal values have equal bytes. It must be a number.
extension Decimal: ScalarValue {
  public static var storageDefault: Decimal { 0 }
  @inlinable public static var scalarKind: ScalarKind { .decimal }
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> Decimal {
    let text = String(decoding: column.pointee.bytes(ofWord: word), as: UTF8.self)
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) ?? 0
  }
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try canonicalText.encode(body)
  }
  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: Decimal) {
    object.write(value, column: column)
  }
  public static func optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Decimal?) {
    if let value { object.write(value, column: column) } else { object.writeNull(column: column) }
  }
  public static func sentinel(_ round: Int) -> Decimal {
    Decimal(8_123_456_789_012_345) + Decimal(round)
  }

  /// Plain digits without exponent, superfluous zeros or a negative zero.
  public var canonicalText: String { description }
}

/// An enum whose raw values are stored: `enum Role: String, PersistableEnum { case guest, admin }`.
///
/// A stored raw value that is no case (from a newer version of the app, say) reads as the first
/// case and is kept until assigned.
nonisolated public protocol PersistableEnum: ScalarValue, RawRepresentable, CaseIterable
where RawValue: ScalarValue {}

extension PersistableEnum {
  @inlinable
  public static var storageDefault: Self {
    guard let first = allCases.first else { misuse("\(Self.self) has no case") }
    return first
  }

  public static var isByte: Bool { RawValue.isByte }

  public static var scalarKind: ScalarKind { RawValue.scalarKind }

  public static var scalarType: ScalarType {
    let kind = RawValue.scalarKind
    var words: [UInt64] = []
    var texts: [[UInt8]] = []
    for value in allCases {
      value.rawValue.encode { cell in
        if kind.column == .text { texts.append(Array(cell.bytes)) } else { words.append(cell.word) }
      }
    }
    return ScalarType(
      kind, cases: EnumCases(typeName: "\(Self.self)", words: words, texts: texts))
  }

  @inlinable
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> Self {
    Self(rawValue: RawValue.decode(word, column)) ?? storageDefault
  }

  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try rawValue.encode(body)
  }

  public static func sentinel(_ round: Int) -> Self {
    let values = Array(allCases)
    return values[min(round, values.count - 1)]
  }
}

/// A type of the app's own, stored as another: `struct Meters: CustomPersistable`.
///
///     struct Meters: CustomPersistable {
///       var value: Double
///       init(persistedValue: Double) { value = persistedValue }
///       var persistableValue: Double { value }
///     }
nonisolated public protocol CustomPersistable: ScalarValue, KeyAttribute {
  /// What the store keeps.
  associatedtype PersistedType: ScalarValue
  /// The value of what the store kept.
  init(persistedValue: PersistedType)
  /// What to keep of the value.
  var persistableValue: PersistedType { get }
}

extension CustomPersistable {
  public static var storageDefault: Self { Self(persistedValue: PersistedType.storageDefault) }
  public static var isByte: Bool { PersistedType.isByte }
  public static var scalarKind: ScalarKind { PersistedType.scalarKind }
  public static var scalarType: ScalarType { PersistedType.scalarType }
  @inlinable
  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> Self {
    Self(persistedValue: PersistedType.decode(word, column))
  }
  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    try persistableValue.encode(body)
  }
  public static func storageWrite(_ object: ObjectBase, _ column: Int, _ value: Self) {
    PersistedType.storageWrite(object, column, value.persistableValue)
  }
  public static func optionalWrite(_ object: ObjectBase, _ column: Int, _ value: Self?) {
    PersistedType.optionalWrite(object, column, value?.persistableValue)
  }
  public static func sentinel(_ round: Int) -> Self {
    Self(persistedValue: PersistedType.sentinel(round))
  }
}
