/// Writes JSON text into memory of its own; commas, colons and indentation come by themselves.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.key(name)
///     writer.int(4)
///     writer.endObject()
///     writer.withBytes { send($0) }     // {"legs":4}
///
/// Compact by default. `prettyPrinted` gives byte for byte what Foundation's JSONEncoder writes:
/// two spaces a level, `"key" : value`, and an empty line in empty containers.
///
/// The caller keeps the calls in order: values in an object follow a key, and every `begin` has
/// its `end`. One value per text; ``removeAll()`` starts the next one in the same memory.
public struct JSONWriter: ~Copyable {
  /// How the text looks.
  public struct Formatting: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// One member or element a line, indented by two spaces.
    public static let prettyPrinted = Formatting(rawValue: 1)
    /// Sorts the keys of values passed to ``JSONWriter/raw(_:)``, by their bytes. Callers order
    /// the keys they write themselves.
    public static let sortedKeys = Formatting(rawValue: 2)
    /// With `sortedKeys`, sorts them as a reader expects it and JSONSerialization does.
    public static let readableKeyOrder = Formatting(rawValue: 8)
    /// Writes `/` as `\/`, which JSONEncoder does by default. Text passed to ``raw(_:)`` and
    /// ``key(literal:)`` stays as it is.
    public static let escapesSlashes = Formatting(rawValue: 4)
  }

  /// What has to be written before the next key or value.
  @usableFromInline
  enum Place: UInt8 {
    /// Nothing: at the beginning, or after a key.
    case nothing = 0
    /// A comma; and in pretty text a new line.
    case comma = 1
    /// In pretty text a new line.
    case newLine = 2

    /// 1 where a comma is wanted, else 0.
    @inlinable @inline(__always)
    var commas: Int { self == .comma ? 1 : 0 }
  }

  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  /// Bytes of text so far.
  @usableFromInline package var count = 0
  /// Bytes that fit, not counting `slack` more.
  @usableFromInline package var capacity: Int

  let formatting: Formatting
  @usableFromInline let isPretty: Bool
  @usableFromInline var place = Place.nothing
  private(set) var depth = 0
  let powers: PowersOfTen

  /// What may be written past `capacity`, so that short tokens need one test of it.
  private static let slack = 64

  /// - Parameter capacity: Bytes to allocate at first; it grows by doubling.
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

  /// Passes the text; the bytes are valid during the call.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Hands the memory with the text over to the caller, who deallocates it, and starts over.
  public mutating func takeBytes() -> UnsafeMutableRawBufferPointer {
    let bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
    capacity = 256
    start = .allocate(capacity: capacity + Self.slack)
    removeAll()
    return bytes
  }

  /// Starts over, with the memory that is there.
  public mutating func removeAll() {
    count = 0
    depth = 0
    place = .nothing
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
    place = .newLine
  }

  @inline(__always)
  private mutating func end(_ bracket: UInt8) {
    reserve(0)
    depth -= 1
    if isPretty { breakLine(isEmpty: place == .newLine) }
    start[count] = bracket
    count += 1
    place = .comma
  }

  // MARK: - Keys

  /// Writes a key, with escapes where it needs them. `utf8` must be valid UTF-8.
  public mutating func key(_ utf8: UnsafeBufferPointer<UInt8>) {
    separate()
    quote(utf8)
    writeColon()
  }

  /// Writes a key that is a JSON string already: quoted, and escaped as far as needed.
  public mutating func key(literal: UnsafeBufferPointer<UInt8>) {
    separate()
    copy(literal)
    writeColon()
  }

  /// Writes a key that is a JSON string already and can be read to the next multiple of eight bytes.
  @inlinable @inline(__always)
  public mutating func key(paddedLiteral literal: UnsafeBufferPointer<UInt8>) {
    if isPretty || literal.count > Self.shortKey { return key(literal: literal) }
    // Most keys take two or three words: a loop over them costs less than a call.
    reserve(0)
    start[count] = Byte.comma
    let out = UnsafeMutableRawPointer(start + count + place.commas)
    let source = literal.baseAddress.unsafelyUnwrapped
    var offset = 0
    while offset < literal.count {
      out.storeBytes(of: (source + offset).word.littleEndian, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    out.storeBytes(of: Byte.colon, toByteOffset: literal.count, as: UInt8.self)
    count += place.commas + literal.count + 1
    place = .nothing
  }

  /// Bytes of a key that fits into the slack, with its comma, colon and padding.
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
    place = .nothing
  }

  // MARK: - Values

  /// Writes a string, with escapes where it needs them. `utf8` must be valid UTF-8.
  ///
  /// Escapes are JSONEncoder's: the short ones where JSON has them, `\u00xx` for other control
  /// characters; U+007F and U+2028 stay.
  public mutating func string(_ utf8: UnsafeBufferPointer<UInt8>) {
    separate()
    quote(utf8)
    place = .comma
  }

  public mutating func int(_ value: Int64) {
    separate()
    if value < 0 {
      start[count] = Byte.minus
      count += 1
    }
    count += writeDecimal(value.magnitude, to: start + count)
    place = .comma
  }

  public mutating func uint(_ value: UInt64) {
    separate()
    count += writeDecimal(value, to: start + count)
    place = .comma
  }

  /// Writes the shortest text that reads back as `value`, as JSONEncoder does: `1`, `-0`, `0.1`,
  /// `1e+16`, `5e-324`.
  ///
  /// - Returns: False for a number that is not finite; then nothing was written.
  public mutating func double(_ value: Double) -> Bool {
    guard value.isFinite else { return false }
    separate()
    count += writeShortest(value, to: start + count, powers)
    place = .comma
    return true
  }

  /// Writes the shortest text that reads back as `value` with the precision of a `Float`.
  ///
  /// - Returns: False for a number that is not finite; then nothing was written.
  public mutating func float(_ value: Float) -> Bool {
    guard value.isFinite else { return false }
    separate()
    count += writeShortest(value, to: start + count, powers)
    place = .comma
    return true
  }

  /// Whether ``double(_:)`` writes this text.
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

  /// Writes a number that is text already: one valid JSON number.
  public mutating func numberText(_ bytes: UnsafeBufferPointer<UInt8>) {
    separate()
    copy(bytes)
    place = .comma
  }

  // MARK: - Between tokens

  /// Makes room and writes what has to be between the last token and the next one.
  @inline(__always)
  mutating func separate() {
    reserve(0)
    if isPretty {
      separatePretty()
      return
    }
    // The byte is always written and counted when it is wanted: no branch to mispredict.
    start[count] = Byte.comma
    count += place.commas
  }

  @inline(never)
  private mutating func separatePretty() {
    if place == .nothing { return }
    if place == .comma {
      start[count] = Byte.comma
      count += 1
    }
    breakLine(isEmpty: false)
  }

  /// A line end and the indentation; two line ends in an empty container, as JSONEncoder does.
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

  /// Makes room for `needed` bytes and the slack behind them.
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
    place = .comma
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

  /// The rest of a string that needs escapes, and its closing quote.
  @inline(never)
  private mutating func escape(_ source: UnsafePointer<UInt8>, _ length: Int) {
    let slash: UInt8 = formatting.contains(.escapesSlashes) ? Byte.slash : Byte.quote
    var offset = 0
    while offset < length {
      // All that is left as it is, and the slack for one escape.
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

  /// The short escape where JSON has one, else six bytes; returns how many.
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
