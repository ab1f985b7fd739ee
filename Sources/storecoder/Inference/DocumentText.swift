import Foundation
import JSONText

/// The text of a JSON document that is read from a file in pieces. Only the values in progress are in memory.
///
/// Values are validated as by ``JSONReader``. The errors of the text are ``JSONError``s, whose offsets are indexes of
/// ``bytes``. Text in UTF-16 or UTF-32 is read as a whole.
final class DocumentText {
  /// The number of bytes in a piece of the file.
  private static let pieceByteCount = 1 << 18
  /// The size in bytes above which a skipped array or object is read in parts, and a value in progress is checked for
  /// errors before it is complete.
  private static let valueByteCount = 4 << 20
  /// The number of bytes after a value or an error on which the error may depend.
  private static let lookahead = 128
  private static let maximumDepth = 512

  private let file: InputFile
  private let handle: FileHandle
  /// The size of the file in bytes; nil for a pipe.
  private let byteCount: Int?
  /// The number of bytes that were read from the file.
  private var receivedCount = 0
  /// True if no more bytes follow.
  private var isComplete = false

  /// The bytes in memory.
  private(set) var bytes: [UInt8] = []
  /// The index in `bytes` of the next byte.
  private(set) var start = 0
  /// The position of the next byte in the document.
  private(set) var position = JSONTextPosition()
  /// The number of arrays and objects around the next byte.
  private(set) var depth = 0

  /// - Throws: `JSONError` for invalid UTF-16 or UTF-32; `CommandError` if the file cannot be read.
  init(_ handle: FileHandle, of file: InputFile) throws {
    self.file = file
    self.handle = handle
    byteCount = InputFile.size(of: handle)
    while bytes.count < 4, try fill() {}
    let start = Array(bytes.prefix(4))
    if let markCount = start.withUnsafeBytes(JSONInput.utf8MarkCount) {
      bytes.removeFirst(markCount)
      return
    }
    while try fill() {}
    let input = try bytes.withUnsafeBytes { try JSONInput(copying: $0) }
    bytes = Array(input.bytes(0..<input.count))
  }

  /// The fraction of the file that was read, 0 to 1; 0 for a pipe.
  var progress: Double { Double(receivedCount) / Double(max(1, byteCount ?? .max)) }

  /// Reads the next piece. Returns false at the end of the file.
  private func fill() throws -> Bool {
    if isComplete { return false }
    guard let piece = try? handle.read(upToCount: Self.pieceByteCount) ?? Data() else {
      throw file.unreadable
    }
    isComplete = piece.isEmpty
    receivedCount += piece.count
    bytes.append(contentsOf: piece)
    return !isComplete
  }

  /// Moves to an index, and may drop bytes before it.
  /// - Returns: The number of dropped bytes.
  @discardableResult
  func advance(to index: Int) -> Int {
    bytes.withUnsafeBytes {
      position.advance(over: UnsafeRawBufferPointer(rebasing: $0[start..<index]))
    }
    start = index
    guard start > bytes.count / 2 else { return 0 }
    bytes.removeFirst(start)
    start = 0
    return index
  }

  /// Returns the line and column of a byte, which is not before the next one.
  func lineAndColumn(at index: Int) -> (line: Int, column: Int) {
    var position = position
    bytes.withUnsafeBytes {
      position.advance(
        over: UnsafeRawBufferPointer(rebasing: $0[start..<min(index, bytes.count)]))
    }
    return (position.line, position.column)
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  // MARK: - Structure

  /// Returns the index of the next byte from `index` on that is not white space; nil at the end.
  func peek(from index: Int) throws -> Int? {
    var index = index
    while true {
      while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
      if index < bytes.count { return index }
      guard try fill() else { return nil }
    }
  }

  private func next() throws -> Int {
    guard let index = try peek(from: start) else { throw endError }
    return index
  }

  /// The error for a text that ends before its value does.
  var endError: JSONError {
    let isEmpty = position.byteOffset == 0 && bytes.allSatisfy(Self.isSpace)
    return JSONError(isEmpty ? .empty : .unexpectedEnd, at: bytes.count)
  }

  /// Moves into an array if the next value is one. Returns false otherwise.
  func enterArray() throws -> Bool {
    let index = try next()
    guard bytes[index] == UInt8(ascii: "[") else { return false }
    try open(at: index)
    return true
  }

  /// A member that was not found, at the position of the value that lacks it.
  struct MissingMember: Error {
    let line: Int
    let column: Int
    /// The first names of the object's other members; nil if the value is not an object.
    let names: [String]?
  }

  /// The maximum number of names in a `MissingMember`.
  private static let nameCount = 1_000

  /// Moves to the value of a member of the next object.
  /// - Throws: `MissingMember` if the next value is not an object or has no such member.
  func enter(_ name: String) throws {
    let index = try next()
    let (line, column) = lineAndColumn(at: index)
    guard bytes[index] == UInt8(ascii: "{") else {
      throw MissingMember(line: line, column: column, names: nil)
    }
    try open(at: index)
    var names: [String] = []
    if try bytes[next()] != UInt8(ascii: "}") {
      repeat {
        let key = try key()
        if key == name { return }
        if names.count < Self.nameCount { names.append(key) }
        try skipValue()
      } while try continues(UInt8(ascii: "}"))
    }
    throw MissingMember(line: line, column: column, names: names)
  }

  private func open(at index: Int) throws {
    guard depth < Self.maximumDepth else { throw JSONError(.depthLimit, at: index) }
    depth += 1
    advance(to: index + 1)
  }

  private func key() throws -> String {
    let index = try next()
    guard bytes[index] == UInt8(ascii: "\"") else { throw JSONError(.expectedKey, at: index) }
    let range = try completeValue(at: index)
    var key = ""
    _ = try read(range) { reader throws(JSONError) in key = try reader.string().string }
    advance(to: range.upperBound)
    let colon = try next()
    guard bytes[colon] == UInt8(ascii: ":") else { throw JSONError(.expectedColon, at: colon) }
    advance(to: colon + 1)
    return key
  }

  /// Moves from a value to the next one, or behind the closing bracket. Returns true if there is another one.
  private func continues(_ close: UInt8) throws -> Bool {
    var index = try next()
    if bytes[index] == UInt8(ascii: ",") {
      advance(to: index + 1)
      index = try next()
      if bytes[index] != close { return true }
    }
    guard bytes[index] == close else { throw JSONError(.expectedCommaOrEnd, at: index) }
    depth -= 1
    advance(to: index + 1)
    return false
  }

  // MARK: - Values

  /// Validates and skips a value. A large array or object is not in memory as a whole.
  private func skipValue() throws {
    let index = try next()
    if let range = try value(at: index, limit: Self.valueByteCount) {
      let end = try read(range) { reader throws(JSONError) in try reader.skipValue() }
      if end < range.upperBound { throw JSONError(.expectedCommaOrEnd, at: end) }
      advance(to: range.upperBound)
      return
    }
    let isObject = bytes[index] == UInt8(ascii: "{")
    let close = UInt8(ascii: isObject ? "}" : "]")
    try open(at: index)
    let first = try next()
    if bytes[first] == close {
      depth -= 1
      advance(to: first + 1)
      return
    }
    repeat {
      if isObject { _ = try key() }
      try skipValue()
    } while try continues(close)
  }

  private func completeValue(at index: Int) throws -> Range<Int> {
    guard let range = try value(at: index, limit: .max) else { throw endError }
    return range
  }

  /// Returns the range of the value at an index, which may be invalid; nil if it is an array or object with more than
  /// `limit` bytes.
  private func value(at index: Int, limit: Int) throws -> Range<Int>? {
    var scanner = JSONElementScanner(.sequence, from: index)
    while true {
      switch scan(&scanner) {
      case .element(let range): return range
      case .incomplete:
        let canBeSkipped = bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "[")
        if canBeSkipped, bytes.count - index > limit { return nil }
        guard try fill(valueAt: index) else { throw error(at: index) ?? endError }
      case .end, .malformed:
        throw error(at: index) ?? JSONError(.unexpectedCharacter, at: index)
      }
    }
  }

  /// Continues a scan in the bytes in memory.
  func scan(_ scanner: inout JSONElementScanner) -> JSONElementScanner.Event {
    bytes.withUnsafeBytes { scanner.next(in: $0, isComplete: isComplete) }
  }

  /// Reads the next piece of an incomplete value, or of the space before it. Returns false if the end of the file was
  /// reached before, so that a scan cannot continue.
  /// - Parameter index: The index of the value; nil between values.
  /// - Throws: The error of the value if it is large and the error cannot depend on further bytes.
  func fill(valueAt index: Int?) throws -> Bool {
    if isComplete { return false }
    let before = bytes.count
    guard try fill(), let index else { return true }
    // A value without its closing bracket or quote would otherwise extend to the end of the file. The check is
    // repeated when the size has doubled, so its cost is linear.
    let (old, new) = (before - index, bytes.count - index)
    var limit = Self.valueByteCount
    while limit <= old { limit *= 2 }
    if new >= limit, let error = error(at: index),
      error.byteOffset + Self.lookahead <= bytes.count
    {
      throw error
    }
    return true
  }

  /// Returns the error of the value at an index; nil if it is valid.
  func error(at index: Int) -> JSONError? {
    do throws(JSONError) {
      _ = try read(index..<bytes.count) { reader throws(JSONError) in try reader.skipValue() }
      return nil
    } catch {
      return error
    }
  }

  /// Reads a value with `body`.
  /// - Returns: The index after the value.
  private func read(
    _ range: Range<Int>, _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) -> Int {
    var reader = JSONReader(try input(range))
    reader.rewind(to: 0, depth: depth)
    do throws(JSONError) {
      try body(&reader)
    } catch {
      throw JSONError(error.kind, at: range.lowerBound + error.byteOffset)
    }
    return range.lowerBound + reader.byteOffset
  }

  /// Returns the bytes of a range, and those after it on which an error may depend.
  func input(_ range: Range<Int>) throws(JSONError) -> JSONInput {
    let end = min(range.upperBound + Self.lookahead, bytes.count)
    return try bytes.withUnsafeBufferPointer { all throws(JSONError) in
      let part = UnsafeBufferPointer(rebasing: all[range.lowerBound..<end])
      return try JSONInput(copying: UnsafeRawBufferPointer(part), encoding: .utf8)
    }
  }
}
