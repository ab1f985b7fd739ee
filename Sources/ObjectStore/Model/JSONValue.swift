/// Any JSON value, for attributes whose shape is the server's business.
///
///     @Persisted var extra: JSONValue
///     animal.extra = ["color": "brown", "spots": [1, 2]]
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  /// A number that neither an Int64 nor a Double holds exactly, as its text.
  ///
  /// Decoding makes it of JSON numbers only. The text that code gives is kept as it is; if it is no
  /// JSON number, encoding the object throws `invalidRawJSON`.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// Levels of arrays and objects that are decoded: values are freed level by level on the stack
  /// of whoever lets go of them, which may be small.
  package static let depthLimit = 512

  /// The member of an object; nil for any other value.
  public subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The element of an array; nil for any other value or a wrong index.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let elements) = self, elements.indices.contains(index) {
      elements[index]
    } else {
      nil
    }
  }
}

// MARK: - Literals

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
  }
}

// MARK: - Storage

/// Kept in a form of the store's own, in which equal values have equal bytes (the store itself
/// knows no JSON text): a tag byte, then
///
///     n f t          null, false, true
///     i <8 bytes>    integer, little endian
///     d <8 bytes>    double, the bits little endian
///     N s <4 bytes count> <UTF-8>     number text, string
///     a <4 bytes count> <values>      array
///     o <4 bytes count> <string value>…   object, keys sorted by their bytes
extension JSONValue: ScalarValue {
  public static var storageDefault: JSONValue { .null }
  public static var scalarKind: ScalarKind { .json }

  public static func decode(
    _ word: UInt64, _ column: UnsafeMutablePointer<StorageColumn>
  ) -> JSONValue {
    JSONValue(stored: column.pointee.bytes(ofWord: word))
  }

  public func encode<R>(_ body: (ScalarCell) throws -> R) rethrows -> R {
    var bytes: [UInt8] = []
    store(into: &bytes)
    return try bytes.withUnsafeBytes { try body(ScalarCell(bytes: $0)) }
  }

  public static func sentinel(_ round: Int) -> JSONValue { .string("\u{1}recorded\u{2}\(round)") }

  /// The value in stored bytes; null for none, and for bytes that are no value.
  package init(stored bytes: UnsafeRawBufferPointer) {
    var place = 0
    self = Self.load(bytes, &place) ?? .null
  }

  /// Whether stored bytes are those of null.
  package static func isNull(stored bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count == 1 && bytes[0] == UInt8(ascii: "n")
  }

  package func store(into bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(UInt8(ascii: "n"))
    case .bool(let value): bytes.append(UInt8(ascii: value ? "t" : "f"))
    case .int(let value): Self.append("i", UInt64(bitPattern: value), 8, &bytes)
    case .double(let value): Self.append("d", value.bitPattern, 8, &bytes)
    case .number(let text):
      let exact = JSONValue(exactNumber: text)
      if case .number = exact { Self.append("N", text, &bytes) } else { exact.store(into: &bytes) }
    case .string(let text): Self.append("s", text, &bytes)
    case .array(let elements):
      Self.append("a", UInt64(elements.count), 4, &bytes)
      for element in elements { element.store(into: &bytes) }
    case .object(let members):
      Self.append("o", UInt64(members.count), 4, &bytes)
      for (key, value) in members {
        Self.append("s", key, &bytes)
        value.store(into: &bytes)
      }
    }
  }

  private static func append(
    _ tag: Unicode.Scalar, _ value: UInt64, _ size: Int, _ bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(ascii: tag))
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0.prefix(size)) }
  }

  private static func append(_ tag: Unicode.Scalar, _ text: String, _ bytes: inout [UInt8]) {
    append(tag, UInt64(text.utf8.count), 4, &bytes)
    bytes.append(contentsOf: text.utf8)
  }

  private static func loadNumber(
    _ bytes: UnsafeRawBufferPointer, _ place: inout Int, _ size: Int
  ) -> UInt64? {
    guard place + size <= bytes.count else { return nil }
    defer { place += size }
    return size == 8
      ? UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      : UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
  }

  private static func loadText(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> String? {
    guard let count = loadNumber(bytes, &place, 4), place + Int(count) <= bytes.count else {
      return nil
    }
    defer { place += Int(count) }
    return String(decoding: bytes[place..<place + Int(count)], as: UTF8.self)
  }

  private static func load(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> JSONValue? {
    guard place < bytes.count else { return nil }
    place += 1
    switch Unicode.Scalar(bytes[place - 1]) {
    case "n": return .null
    case "f": return .bool(false)
    case "t": return .bool(true)
    case "i": return loadNumber(bytes, &place, 8).map { .int(Int64(bitPattern: $0)) }
    case "d": return loadNumber(bytes, &place, 8).map { .double(Double(bitPattern: $0)) }
    case "N": return loadText(bytes, &place).map { .number($0) }
    case "s": return loadText(bytes, &place).map { .string($0) }
    case "a":
      guard let count = loadNumber(bytes, &place, 4) else { return nil }
      var elements: [JSONValue] = []
      for _ in 0..<count {
        guard let element = load(bytes, &place) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    case "o":
      guard let count = loadNumber(bytes, &place, 4) else { return nil }
      var members: [(key: String, value: JSONValue)] = []
      for _ in 0..<count {
        place += 1
        guard let key = loadText(bytes, &place), let value = load(bytes, &place) else {
          return nil
        }
        members.append((key, value))
      }
      return .object(JSONObject(members))
    default: return nil
    }
  }
}
