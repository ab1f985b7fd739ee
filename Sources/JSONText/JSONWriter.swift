/// Writes JSON text into its own memory, including commas, colons and indentation.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.key(name)
///     writer.int(4)
///     writer.endObject()
///     writer.withBytes { send($0) }     // {"legs":4}
///
/// Compact by default. With `prettyPrinted`, the output is identical byte for byte to that of Foundation's
/// JSONEncoder: two spaces per level, `"key" : value`, and an empty line in empty containers.
///
/// The caller is responsible for the order of calls: each value in an object follows a key, and every `begin`
/// has its `end`. The writer holds one value; ``removeAll()`` starts the next one in the same memory.
public struct JSONWriter: ~Copyable {
  /// Options for the output.
  public struct Formatting: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Writes one member or element per line, indented by two spaces.
    public static let prettyPrinted = Formatting(rawValue: 1)
    /// Sorts the keys of values passed to ``JSONWriter/raw(_:)``, by their bytes. The caller orders all other
    /// keys.
    public static let sortedKeys = Formatting(rawValue: 2)
    /// With `sortedKeys`, uses the order of ``JSONKeyOrder/numericCaseInsensitive``, as JSONSerialization does.
    public static let readableKeyOrder = Formatting(rawValue: 8)
    /// Writes `/` as `\/`, as JSONEncoder does by default. Does not affect text passed to ``raw(_:)`` and
    /// ``key(literal:)``.
    public static let escapesSlashes = Formatting(rawValue: 4)
  }

  /// The separator to write before the next key or value.
  @usableFromInline
  enum Separator: UInt8 {
    /// None: at the beginning, or after a key.
    case nothing = 0
    /// A comma; in pretty-printed text, also a line break.
    case comma = 1
    /// In pretty-printed text, a line break.
    case newLine = 2

    /// 1 if a comma is required, else 0.
    @inlinable @inline(__always)
    var commaCount: Int { self == .comma ? 1 : 0 }
  }

  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  /// The length of the text in bytes.
  @usableFromInline package var count = 0
  /// The number of bytes that fit, without the `slack`.
  @usableFromInline package var capacity: Int

  let formatting: Formatting
  @usableFromInline let isPretty: Bool
  @usableFromInline var separator = Separator.nothing
  private(set) var depth = 0
  let powers: PowersOfTen

  /// The number of bytes that may be written past `capacity`, so that a short token needs only one capacity check.
  private static let slack = 64

  /// - Parameter capacity: The initial capacity in bytes. The memory grows by doubling.
  public init(formatting: Formatting = [], capacity: Int = 4096) {
    self.formatting = formatting
    isPretty = formatting.contains(.prettyPrinted)
    self.capacity = max(256, capacity)
    start = .allocate(capacity: self.capacity + Self.slack)
    powers = .shared
  }

  deinit {
    start.deallocate()
  }

  /// Calls `body` with the text; the bytes are valid during the call.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Transfers the memory with the text to the caller, who must deallocate it, and starts over.
  public mutating func takeBytes() -> UnsafeMutableRawBufferPointer {
    let bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
    capacity = 256
    start = .allocate(capacity: capacity + Self.slack)
    removeAll()
    return bytes
  }

  /// Starts over and reuses the memory.
  public mutating func removeAll() {
    count = 0
    depth = 0
    separator = .nothing
  }

  // MARK: - Containers

  public mutating func beginObject() {
    begin(Byte.openBrace)
  }

  public mutating func endObject() {
    end(Byte.closeBrace)
  }

  public mutating func beginArray() {
    begin(Byte.openBracket)
  }

  public mutating func endArray() {
    end(Byte.closeBracket)
  }

  @inline(__always)
  private mutating func begin(_ bracket: UInt8) {
    separate()
    start[count] = bracket
    count += 1
    depth += 1
    separator = .newLine
  }

  @inline(__always)
  private mutating func end(_ bracket: UInt8) {
    reserve(0)
    depth -= 1
    if isPretty { breakLine(isEmpty: separator == .newLine) }
    start[count] = bracket
    count += 1
    separator = .comma
  }

  // MARK: - Keys

  /// Writes a key and escapes it where necessary. `utf8` must be valid UTF-8.
  public mutating func key(_ utf8: UnsafeBufferPointer<UInt8>) {
    separate()
    quote(utf8)
    writeColon()
  }

  /// Writes a key that is already a JSON string with quotes and escapes.
  public mutating func key(literal: UnsafeBufferPointer<UInt8>) {
    separate()
    copy(literal)
    writeColon()
  }

  /// Writes a key that is already a JSON string, in memory that is readable up to the next multiple of eight bytes.
  @inlinable @inline(__always)
  public mutating func key(paddedLiteral literal: UnsafeBufferPointer<UInt8>) {
    if isPretty || literal.count > Self.shortKey { return key(literal: literal) }
    // Most keys have two or three words, so a loop costs less than a call.
    reserve(0)
    start[count] = Byte.comma
    let out = UnsafeMutableRawPointer(start + count + separator.commaCount)
    let source = literal.baseAddress.unsafelyUnwrapped
    var offset = 0
    while offset < literal.count {
      out.storeBytes(of: (source + offset).word.littleEndian, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    out.storeBytes(of: Byte.colon, toByteOffset: literal.count, as: UInt8.self)
    count += separator.commaCount + literal.count + 1
    separator = .nothing
  }

  /// The maximum length of a key that fits into the slack with its comma, colon and padding.
  @usableFromInline static let shortKey = 48

  @inline(__always)
  private mutating func writeColon() {
    if isPretty {
      start[count] = 0x20
      start[count + 1] = Byte.colon
      start[count + 2] = 0x20
      count += 3
    } else {
      start[count] = Byte.colon
      count += 1
    }
    separator = .nothing
  }

  // MARK: - Values

  /// Writes a string and escapes it where necessary. `utf8` must be valid UTF-8.
  ///
  /// Escapes like JSONEncoder: short escapes where JSON has them, `\u00xx` for other control characters; U+007F
  /// and U+2028 are not escaped.
  public mutating func string(_ utf8: UnsafeBufferPointer<UInt8>) {
    separate()
    quote(utf8)
    separator = .comma
  }

  public mutating func int(_ value: Int64) {
    separate()
    if value < 0 {
      start[count] = Byte.minus
      count += 1
    }
    count += writeDecimal(value.magnitude, to: start + count)
    separator = .comma
  }

  public mutating func uint(_ value: UInt64) {
    separate()
    count += writeDecimal(value, to: start + count)
    separator = .comma
  }

  /// Writes the shortest text that reads back as `value`, as JSONEncoder does: `1`, `-0`, `0.1`, `1e+16`,
  /// `5e-324`.
  ///
  /// - Returns: False for a number that is not finite; then nothing is written.
  public mutating func double(_ value: Double) -> Bool {
    guard value.isFinite else { return false }
    separate()
    count += writeShortest(value, to: start + count, powers)
    separator = .comma
    return true
  }

  /// Writes the shortest text that reads back as `value` with the precision of a `Float`.
  ///
  /// - Returns: False for a number that is not finite; then nothing is written.
  public mutating func float(_ value: Float) -> Bool {
    guard value.isFinite else { return false }
    separate()
    count += writeShortest(value, to: start + count, powers)
    separator = .comma
    return true
  }

  /// Returns true if ``double(_:)`` writes this text for `value`.
  public static func isText(_ text: UnsafeBufferPointer<UInt8>, of value: Double) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: slack) { out in
      guard let start = out.baseAddress, value.isFinite else { return false }
      let count = writeShortest(value, to: start, .shared)
      guard count == text.count else { return false }
      for index in 0..<count where start[index] != text[index] { return false }
      return true
    }
  }

  public mutating func bool(_ value: Bool) {
    copyToken(value ? "true" : "false")
  }

  public mutating func null() {
    copyToken("null")
  }

  /// Writes the text of a number, which must be one valid JSON number.
  public mutating func numberText(_ bytes: UnsafeBufferPointer<UInt8>) {
    separate()
    copy(bytes)
    separator = .comma
  }

  // MARK: - Between tokens

  /// Reserves capacity and writes the separator between the last token and the next one.
  @inline(__always)
  mutating func separate() {
    reserve(0)
    if isPretty {
      separatePretty()
      return
    }
    // Branch-free: the comma is always written, but counted only if required.
    start[count] = Byte.comma
    count += separator.commaCount
  }

  @inline(never)
  private mutating func separatePretty() {
    if separator == .nothing { return }
    if separator == .comma {
      start[count] = Byte.comma
      count += 1
    }
    breakLine(isEmpty: false)
  }

  /// Writes a line break and the indentation; two line breaks in an empty container, as JSONEncoder does.
  @inline(never)
  private mutating func breakLine(isEmpty: Bool) {
    reserve(2 * depth + 2)
    if isEmpty {
      start[count] = 0x0A
      count += 1
    }
    start[count] = 0x0A
    (start + count + 1).update(repeating: 0x20, count: 2 * depth)
    count += 1 + 2 * depth
  }

  // MARK: - Memory

  /// Ensures capacity for `needed` bytes plus the slack.
  @inlinable @inline(__always)
  mutating func reserve(_ needed: Int) {
    if count &+ needed > capacity { grow(needed) }
  }

  @usableFromInline @inline(never)
  mutating func grow(_ needed: Int) {
    capacity = max(2 * capacity, count + needed)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Self.slack)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  @inline(__always)
  mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  @inline(__always)
  private mutating func copyToken(_ token: StaticString) {
    separate()
    UnsafeMutableRawPointer(start + count).copyMemory(
      from: token.utf8Start, byteCount: token.utf8CodeUnitCount)
    count += token.utf8CodeUnitCount
    separator = .comma
  }

  // MARK: - Strings

  @inline(__always)
  private mutating func quote(_ utf8: UnsafeBufferPointer<UInt8>) {
    reserve(utf8.count)
    start[count] = Byte.quote
    count += 1
    guard let source = utf8.baseAddress, utf8.count > 0 else {
      start[count] = Byte.quote
      count += 1
      return
    }
    if formatting.contains(.escapesSlashes) { return escape(source, utf8.count) }
    let length = utf8.count
    let out = UnsafeMutableRawPointer(start + count)
    var offset = 0
    while offset + 8 <= length {
      let word = (source + offset).word
      if word.stringSpecials != 0 {
        count += offset
        return escape(source + offset, length - offset)
      }
      out.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    while offset < length {
      let byte = source[offset]
      if byte < 0x20 || byte == Byte.quote || byte == Byte.backslash {
        count += offset
        return escape(source + offset, length - offset)
      }
      out.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
      offset += 1
    }
    out.storeBytes(of: Byte.quote, toByteOffset: length, as: UInt8.self)
    count += length + 1
  }

  /// Writes the rest of a string that may need escapes, and its closing quote.
  @inline(never)
  private mutating func escape(_ source: UnsafePointer<UInt8>, _ length: Int) {
    let slash: UInt8 = formatting.contains(.escapesSlashes) ? Byte.slash : Byte.quote
    var offset = 0
    while offset < length {
      // Capacity for the remaining bytes unescaped; the slack holds one escape.
      reserve(length - offset)
      if offset + 8 <= length {
        let word = (source + offset).word
        let specials = word.stringSpecials | word.bytes(equalTo: slash)
        UnsafeMutableRawPointer(start + count).storeBytes(
          of: word.littleEndian, as: UInt64.self)
        let plain = specials == 0 ? 8 : specials.trailingZeroBitCount >> 3
        count += plain
        offset += plain
        if specials == 0 { continue }
      }
      let byte = source[offset]
      if byte < 0x20 || byte == Byte.quote || byte == Byte.backslash || byte == slash {
        count += Self.writeEscape(of: byte, to: start + count)
      } else {
        start[count] = byte
        count += 1
      }
      offset += 1
    }
    reserve(0)
    start[count] = Byte.quote
    count += 1
  }

  /// Writes the short escape if JSON has one, otherwise six bytes; returns the number of bytes.
  @inline(__always)
  private static func writeEscape(
    of byte: UInt8, to out: UnsafeMutablePointer<UInt8>
  ) -> Int {
    out[0] = Byte.backslash
    switch byte {
    case 0x08: out[1] = 0x62
    case 0x09: out[1] = 0x74
    case 0x0A: out[1] = 0x6E
    case 0x0C: out[1] = 0x66
    case 0x0D: out[1] = 0x72
    case 0..<0x20:
      out[1] = Byte.lowerU
      out[2] = Byte.zero
      out[3] = Byte.zero
      out[4] = Byte.zero + byte >> 4
      out[5] = byte & 15 < 10 ? Byte.zero + byte & 15 : 0x57 + byte & 15
      return 6
    default: out[1] = byte
    }
    return 2
  }
}
