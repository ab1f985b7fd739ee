import JSONText

/// Reads the pieces of a value that ``StoredJSON`` built.
package struct StoredJSONReader {
  private let bytes: UnsafeRawBufferPointer
  private let keepsNotation: Bool
  private var offset = 0

  /// A piece of a value. An array is followed by its elements; an object by the key and the value of each member.
  package enum Piece {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case number(UnsafeRawBufferPointer)
    case string(UnsafeRawBufferPointer)
    case array(Int)
    case object(Int)
  }

  /// Creates a reader. The bytes must remain valid while it is used.
  ///
  /// - Parameter keepsNotation: True to read a number with a notation of its own as `number`; false to read its value.
  package init(_ bytes: UnsafeRawBufferPointer, keepsNotation: Bool = false) {
    self.bytes = bytes
    self.keepsNotation = keepsNotation
  }

  /// True if the stored bytes are null.
  package static func isNull(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count == 1 && bytes[0] == StoredJSON.Tag.null.rawValue
  }

  /// True if there are no more pieces.
  var isAtEnd: Bool { offset == bytes.count }

  /// Reads the next piece; returns nil at the end and for invalid bytes.
  package mutating func next() -> Piece? {
    let piece = storedPiece()
    if !keepsNotation, case .number(let text) = piece { return Self.value(ofNumber: text) }
    return piece
  }

  @inline(never)
  private static func value(ofNumber text: UnsafeRawBufferPointer) -> Piece {
    switch ExactNumber(text.assumingMemoryBound(to: UInt8.self)) {
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .text, nil: .number(text)
    }
  }

  /// Reads the next piece as it is stored.
  private mutating func storedPiece() -> Piece? {
    guard offset < bytes.count, let tag = StoredJSON.Tag(rawValue: bytes[offset]) else {
      return nil
    }
    offset += 1
    switch tag {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .int: return word().map { .int(Int64(bitPattern: $0)) }
    case .double: return word().map { .double(Double(bitPattern: $0)) }
    case .number: return text().map { .number($0) }
    case .string: return text().map { .string($0) }
    case .array: return count().map { .array($0) }
    case .object: return count().map { .object($0) }
    }
  }

  /// Reads the key of an object's next member; returns nil for invalid bytes.
  package mutating func key() -> UnsafeRawBufferPointer? {
    guard offset < bytes.count, bytes[offset] == StoredJSON.Tag.string.rawValue else { return nil }
    offset += 1
    return text()
  }

  // MARK: - Navigation

  /// Reads a whole value and returns its bytes; nil for invalid bytes.
  package mutating func value() -> UnsafeRawBufferPointer? {
    let start = offset
    // The keys of members are pieces, too.
    var count = 1
    while count > 0 {
      guard let piece = storedPiece() else { return nil }
      count -= 1
      switch piece {
      case .array(let elementCount): count += elementCount
      case .object(let memberCount): count += 2 * memberCount
      default: break
      }
    }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
  }

  /// Moves to the value of an object's member; returns false if the next value is no object or has no such member.
  mutating func enterMember(_ name: UnsafeRawBufferPointer) -> Bool {
    guard case .object(let count) = next() else { return false }
    for _ in 0..<count {
      guard let key = key() else { return false }
      if key.hasSameBytes(as: name) { return true }
      // Keys are sorted.
      guard key.precedes(name), value() != nil else { return false }
    }
    return false
  }

  /// Moves to an element of an array; returns false if the next value is no array or has no such element.
  mutating func enterElement(_ index: Int) -> Bool {
    guard case .array(let count) = next(), (0..<count).contains(index) else { return false }
    for _ in 0..<index where value() == nil { return false }
    return true
  }

  // MARK: - Comparison

  /// True if two stored values are equal, regardless of the notation of their numbers.
  ///
  /// - Complexity: O(bytes up to the first difference).
  @inline(never)
  static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    if a.hasSameBytes(as: b) { return true }
    var (one, other) = (StoredJSONReader(a), StoredJSONReader(b))
    return one.hasSamePieces(as: &other)
  }

  /// True if the rest has the same pieces, in the notations that the two readers read.
  mutating func hasSamePieces(as other: inout StoredJSONReader) -> Bool {
    while let piece = next() {
      guard let otherPiece = other.next(), piece.isSame(as: otherPiece) else { return false }
    }
    return isAtEnd && other.isAtEnd
  }

  /// True if the value contains numbers.
  static func hasNumbers(_ bytes: UnsafeRawBufferPointer) -> Bool {
    contains(bytes) { piece in
      switch piece {
      case .int, .double, .number: true
      default: false
      }
    }
  }

  /// True if the value contains numbers that may have a notation of their own.
  static func hasNotations(_ bytes: UnsafeRawBufferPointer) -> Bool {
    contains(bytes) { if case .number = $0 { true } else { false } }
  }

  private static func contains(
    _ bytes: UnsafeRawBufferPointer, _ condition: (Piece) -> Bool
  ) -> Bool {
    var reader = StoredJSONReader(bytes)
    while let piece = reader.storedPiece() {
      if condition(piece) { return true }
    }
    return false
  }

  // MARK: - Bytes

  private mutating func word() -> UInt64? {
    guard offset + 8 <= bytes.count else { return nil }
    defer { offset += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private mutating func count() -> Int? {
    guard offset + 4 <= bytes.count else { return nil }
    defer { offset += 4 }
    return Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  private mutating func text() -> UnsafeRawBufferPointer? {
    guard let count = count(), offset + count <= bytes.count else { return nil }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }
}

extension StoredJSONReader.Piece {
  /// True if both pieces have the same bytes in the store.
  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.number(let a), .number(let b)), (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.array(let a), .array(let b)), (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}
