/// Reads JSON text one value at a time. The caller requests each value with the type it expects.
///
///     var reader = JSONReader(input)
///     if try reader.beginObject() {
///       repeat {
///         switch try reader.key(keys, predicted: 0) {
///         case 0: legs = try reader.int64()
///         default: try reader.skipValue()
///         }
///       } while try reader.objectContinues()
///     }
///     try reader.finish()
///
/// All text is validated, including skipped values. The reader creates no intermediate objects: a string is a
/// pointer and a count, a container is the loop above.
///
/// Reading cannot continue after a syntax error. After an error about a value (``JSONError/isSyntax`` is
/// false), the reader is at the start of that value and can skip or describe it.
public struct JSONReader: ~Copyable {
  /// The next byte. A zero byte in the padding ends every scan, so `next` never passes `end`.
  @usableFromInline var next: UnsafePointer<UInt8>
  /// The end of the text, where the padding begins.
  @usableFromInline let end: UnsafePointer<UInt8>
  /// The position at which reading continues in the padded copy, see ``JSONInput``. A string that ends after
  /// the seam moves the reader there. Greater than any address if there is no seam or the reader has passed it.
  @usableFromInline var seam: UnsafePointer<UInt8>
  /// The address that byte offset 0 would have if all of the text were contiguous with `next`.
  @usableFromInline var base: UnsafePointer<UInt8>

  /// The number of open containers.
  public var depth: Int {
    @inlinable @inline(__always) get { openCount }
  }
  @usableFromInline var openCount = 0
  let depthLimit: Int

  @usableFromInline let isStrict: Bool
  let repairsUnicode: Bool
  /// True if the last skipped value contains invalid Unicode. Set only with `repairsUnicode`.
  var skippedBadUnicode = false

  let powers: PowersOfTen

  /// The offset of the opening quote of the last key from ``JSONInput/start``.
  public var lastKeyOffset: Int {
    @inlinable @inline(__always) get { keyOffset }
  }
  @usableFromInline var keyOffset = 0
  /// The unescaped bytes of the last key.
  @usableFromInline var lastKeyStart: UnsafePointer<UInt8>
  @usableFromInline var lastKeyCount = 0

  /// The keys of the open objects; nil if duplicate keys are allowed.
  @usableFromInline let openKeys: OpenKeys?

  /// Memory for unescaped string values, unescaped keys, repaired raw values, and the container kinds of
  /// `skipValue` beyond 64 levels.
  var scratch = Scratch()
  var keyScratch = Scratch()
  var rawScratch = Scratch()
  var levelScratch = Scratch()

  /// Keeps the bytes alive.
  let input: JSONInput

  /// Creates a reader at the first byte of `input`.
  ///
  /// - Parameters:
  ///   - depthLimit: The maximum number of open containers. Exceeding it is an error at the bracket, when
  ///     reading and when skipping.
  ///   - repairsUnicode: True to replace invalid UTF-8 and lone surrogate escapes in strings with U+FFFD (one
  ///     per maximal ill-formed subpart) instead of throwing an error.
  ///   - refusesDuplicateKeys: True to throw an error at the opening quote of a duplicate key, when reading and
  ///     when skipping.
  public init(
    _ input: JSONInput, dialect: JSONDialect = .default, depthLimit: Int = 512,
    repairsUnicode: Bool = false, refusesDuplicateKeys: Bool = false
  ) {
    self.input = input
    next = input.start
    end = input.end
    base = input.start
    seam = Self.firstSeam(input)
    lastKeyStart = input.start
    openKeys = refusesDuplicateKeys ? OpenKeys() : nil
    self.depthLimit = depthLimit
    self.repairsUnicode = repairsUnicode
    isStrict = dialect == .strict
    powers = .shared
  }

  deinit {
    scratch.deallocate()
    keyScratch.deallocate()
    rawScratch.deallocate()
    levelScratch.deallocate()
  }

  /// The offset of the next byte from ``JSONInput/start``.
  @inlinable @inline(__always)
  public var byteOffset: Int { next - base }

  /// The last key, unescaped; empty before the first. Valid until the next key is read.
  public var lastKey: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: lastKeyStart, count: lastKeyCount)
  }

  // MARK: - The seam

  private static func firstSeam(_ input: JSONInput) -> UnsafePointer<UInt8> {
    input.seam < input.count
      ? input.start + input.seam : UnsafePointer(bitPattern: UInt.max).unsafelyUnwrapped
  }

  /// Consumes a string up to its closing quote.
  @inlinable @inline(__always)
  mutating func endString(_ closingQuote: UnsafePointer<UInt8>) {
    next = closingQuote + 1
    if next > seam { crossSeam() }
  }

  @usableFromInline @inline(never)
  mutating func crossSeam() {
    move(to: next - base)
  }

  /// Moves to an offset, in the borrowed text or in the padded copy.
  mutating func move(to byteOffset: Int) {
    if byteOffset > input.seam {
      seam = UnsafePointer(bitPattern: UInt.max).unsafelyUnwrapped
      base = input.padded - input.seam
    } else {
      seam = Self.firstSeam(input)
      base = input.start
    }
    next = base + byteOffset
  }

  // MARK: - White space and kinds

  public mutating func skipWhitespace() {
    skipSpace()
  }

  /// Skips white space and returns the kind of the next value, determined by its first byte only.
  @inlinable
  public mutating func kind() -> JSONKind {
    skipSpace()
    return kindOfNext
  }

  @inlinable
  var kindOfNext: JSONKind {
    switch next.pointee {
    case Byte.quote: .string
    case Byte.openBrace: .object
    case Byte.openBracket: .array
    case 0x30...0x39, Byte.minus: .number
    case 0x74, 0x66: .bool
    case 0x6E: .null
    default: .invalid
    }
  }

  @inlinable @inline(__always)
  mutating func skipSpace() {
    if next.pointee > 0x20 { return }
    skipSomeSpace()
  }

  @usableFromInline @inline(never)
  mutating func skipSomeSpace() {
    while true {
      let byte = next.pointee
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      next += 1
      // Indentation often has many spaces.
      while true {
        let others = next.word ^ 0x2020_2020_2020_2020
        if others != 0 {
          next += others.trailingZeroBitCount &>> 3
          break
        }
        next += 8
      }
    }
  }

  // MARK: - Objects

  /// Consumes `{`, or all of `{}`.
  ///
  /// - Returns: True if the object has members; the reader is then at the first key.
  public mutating func beginObject() throws(JSONError) -> Bool {
    try begin(Byte.openBrace, Byte.closeBrace)
  }

  /// Moves from a member's value to the next key, or consumes the `}`.
  ///
  /// - Returns: True if there is another member.
  @inlinable @inline(__always)
  public mutating func objectContinues() throws(JSONError) -> Bool {
    try continues(Byte.closeBrace)
  }

  /// Consumes a key, its colon and the white space around it.
  ///
  /// - Parameter predicted: The index of the expected key; any number is safe. A correct prediction costs two
  ///   word comparisons, a wrong one a scan and a hash lookup.
  /// - Returns: The index of the key in `keys`, or -1; see ``lastKey``.
  @inlinable @inline(__always)
  public mutating func key(
    _ keys: JSONKeySet, predicted: Int
  ) throws(JSONError) -> Int {
    skipSpace()
    if predicted >= 0, predicted < keys.count {
      let key = keys.keys + predicted
      if JSONKeySet.Key.matches(key, next) {
        let count = key.pointee.quotedCount
        keyOffset = byteOffset
        lastKeyStart = next + 1
        lastKeyCount = count &- 2
        endString(next + (count &- 1))
        if openKeys != nil { try enterKey(isInPlace: true, depth: depth) }
        try consumeColon()
        return predicted
      }
    }
    return try unpredictedKey(keys)
  }

  @usableFromInline @inline(never)
  mutating func unpredictedKey(_ keys: JSONKeySet) throws(JSONError) -> Int {
    _ = try anyKey(depth: depth)
    return keys.index(of: lastKey)
  }

  /// Consumes a key, its colon and the white space around it, and returns the unescaped key.
  public mutating func key() throws(JSONError) -> JSONString {
    skipSpace()
    return try anyKey(depth: depth)
  }

  /// Consumes a key of the object at nesting level `depth`.
  @inline(__always)
  mutating func anyKey(depth: Int) throws(JSONError) -> JSONString {
    guard next.pointee == Byte.quote else { throw syntaxError(.expectedKey, at: next) }
    keyOffset = byteOffset
    let key = try stringBody()
    if !key.isInPlace { swap(&scratch, &keyScratch) }
    lastKeyStart = key.start
    lastKeyCount = key.count
    if openKeys != nil { try enterKey(isInPlace: key.isInPlace, depth: depth) }
    try consumeColon()
    return key
  }

  /// Adds the last key to the keys of its object; throws an error if the object already has it.
  @usableFromInline @inline(never)
  func enterKey(isInPlace: Bool, depth: Int) throws(JSONError) {
    guard let openKeys, openKeys.enter(lastKey, isInPlace: isInPlace, depth: depth) else { return }
    throw JSONError(.duplicateKey, at: lastKeyOffset)
  }

  @inlinable @inline(__always)
  mutating func consumeColon() throws(JSONError) {
    if next.pointee != Byte.colon {
      skipSpace()
      guard next.pointee == Byte.colon else { throw syntaxError(.expectedColon, at: next) }
    }
    next += 1
    skipSpace()
  }

  // MARK: - Arrays

  /// Consumes `[`, or all of `[]`.
  ///
  /// - Returns: True if the array has elements; the reader is then at the first one.
  public mutating func beginArray() throws(JSONError) -> Bool {
    try begin(Byte.openBracket, Byte.closeBracket)
  }

  /// Moves from an element to the next one, or consumes the `]`.
  ///
  /// - Returns: True if there is another element.
  @inlinable @inline(__always)
  public mutating func arrayContinues() throws(JSONError) -> Bool {
    try continues(Byte.closeBracket)
  }

  @inline(__always)
  private mutating func begin(_ open: UInt8, _ close: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard next.pointee == open else { throw mismatch() }
    guard depth < depthLimit else { throw syntaxError(.depthLimit, at: next) }
    next += 1
    skipSpace()
    if next.pointee == close {
      next += 1
      return false
    }
    openCount += 1
    return true
  }

  @inlinable @inline(__always)
  mutating func continues(_ close: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    let byte = next.pointee
    if byte == Byte.comma {
      let comma = next
      next += 1
      skipSpace()
      if next.pointee != close { return true }
      if isStrict { throw syntaxError(.trailingComma, at: comma) }
    } else if byte != close {
      throw syntaxError(.expectedCommaOrEnd, at: next)
    }
    next += 1
    if openKeys != nil { closeKeys() }
    openCount -= 1
    return false
  }

  /// Removes the keys of the closed object.
  @usableFromInline @inline(never)
  func closeKeys() {
    openKeys?.close(downTo: depth)
  }

  // MARK: - Words

  /// Consumes `true` or `false`.
  public mutating func bool() throws(JSONError) -> Bool {
    skipSpace()
    let first = next.halfWord
    if first == 0x6575_7274 {  // "true"
      next += 4
      return true
    }
    if first == 0x736C_6166, next[4] == Byte.lowerE {  // "fals" and "e"
      next += 5
      return false
    }
    throw wordError()
  }

  /// Consumes `null` if it is next.
  ///
  /// - Returns: True if it was consumed; otherwise the reader does not move.
  public mutating func null() throws(JSONError) -> Bool {
    skipSpace()
    if next.pointee != 0x6E { return false }
    guard next.halfWord == 0x6C6C_756E else { throw wordError() }
    next += 4
    return true
  }

  // MARK: - The end

  /// Skips white space and returns true if nothing follows.
  public mutating func isAtEnd() -> Bool {
    skipSpace()
    return next == end
  }

  /// Throws an error if anything other than white space follows.
  public mutating func finish() throws(JSONError) {
    skipSpace()
    if next != end { throw JSONError(.trailingContent, at: byteOffset) }
  }

  // MARK: - Errors

  /// An error at `position`. At the end of the text, the error is `unexpectedEnd`, or `empty` if the text is only white
  /// space.
  @usableFromInline @inline(never)
  func syntaxError(_ kind: JSONError.Kind, at position: UnsafePointer<UInt8>) -> JSONError {
    guard position == end else { return JSONError(kind, at: position - base) }
    var first = input.start
    while [0x20, 0x0A, 0x0D, 0x09].contains(first.pointee) { first += 1 }
    return JSONError(first == end ? .empty : .unexpectedEnd, at: input.count)
  }

  /// The error for a value of an unexpected type or for text that is not a value.
  @usableFromInline @inline(never)
  func mismatch() -> JSONError {
    if kindOfNext == .invalid { return syntaxError(.unexpectedCharacter, at: next) }
    return JSONError(.notThatType, at: byteOffset)
  }

  /// The error for text that is not the expected `true`, `false` or `null`: a misspelling of one of them, or a
  /// value of another type.
  @inline(never)
  func wordError() -> JSONError {
    let word: StaticString
    switch next.pointee {
    case 0x74: word = "true"
    case 0x66: word = "false"
    case 0x6E: word = "null"
    default: return mismatch()
    }
    for index in 0..<word.utf8CodeUnitCount where next[index] != word.utf8Start[index] {
      return syntaxError(.unexpectedCharacter, at: next + index)
    }
    return JSONError(.notThatType, at: byteOffset)
  }
}
