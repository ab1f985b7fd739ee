/// Reads the pieces of a value that ``StoredJSON`` built.
package struct StoredJSONReader {
  private let bytes: UnsafeRawBufferPointer
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
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// True if the stored bytes are null.
  package static func isNull(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count == 1 && bytes[0] == StoredJSON.Tag.null.rawValue
  }

  /// True if there are no more pieces.
  var isAtEnd: Bool { offset == bytes.count }

  /// Reads the next piece; returns nil at the end and for invalid bytes.
  package mutating func next() -> Piece? {
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
      guard let piece = next() else { return nil }
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
