/// Pointers to the memory of one column of one chunk. Raw, so that reading a cell retains nothing.
public struct _StorageColumn {
  @usableFromInline var values: UnsafeMutableRawPointer
  @usableFromInline var presence: UnsafeMutablePointer<UInt8>?
  @usableFromInline var text: UnsafeMutableRawPointer?
  @usableFromInline var elements: UnsafeMutablePointer<UInt64>?
  /// The transaction that may write this column in place.
  var editOwner: UInt64
  /// Owns the memory behind the pointers; retained manually.
  var block: Unmanaged<ColumnBlock>
  /// The string arena. Unretained, since the block owns it, so appending retains nothing.
  var textArena: Unmanaged<Arena>?
  /// The element arena, likewise unretained.
  var elementArena: Unmanaged<Arena>?

  init(_ block: ColumnBlock, editOwner: UInt64) {
    values = block.values
    presence = block.presence
    text = block.text?.base
    elements = block.elements?.base.assumingMemoryBound(to: UInt64.self)
    self.editOwner = editOwner
    self.block = Unmanaged.passRetained(block)
    textArena = block.text.map { Unmanaged.passUnretained($0) }
    elementArena = block.elements.map { Unmanaged.passUnretained($0) }
  }
}

typealias StorageColumn = _StorageColumn

extension StorageColumn {
  @inlinable @inline(__always)
  func word(_ row: Int) -> UInt64 {
    values.load(fromByteOffset: row &* 8, as: UInt64.self)
  }

  @inlinable @inline(__always)
  func byte(_ row: Int) -> UInt8 {
    values.load(fromByteOffset: row, as: UInt8.self)
  }

  @inlinable @inline(__always)
  func isNull(_ row: Int) -> Bool {
    guard let presence else { return false }
    return presence[row] == 0
  }

  /// Returns the bytes that a string's word (offset, count) refers to.
  @inlinable @inline(__always)
  func bytes(ofWord word: UInt64) -> UnsafeRawBufferPointer {
    guard let text else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: text + Int(word >> 32), count: Int(word & 0xFFFF_FFFF))
  }

  @inlinable @inline(__always)
  func textEquals(_ row: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    self.bytes(ofWord: word(row)).hasSameBytes(as: bytes)
  }

  /// Returns the slice of a row without its capacity, which only the writer may read: see
  /// ``TableWriter/forgetAppendCapacity(_:)``.
  @inline(__always)
  func slice(_ row: Int) -> CollectionSlice {
    let word = values.load(fromByteOffset: row &* CollectionSlice.byteCount, as: UInt64.self)
    return CollectionSlice(
      offset: UInt32(truncatingIfNeeded: word), length: UInt32(truncatingIfNeeded: word >> 32))
  }

  /// Returns the slice of a row with its capacity, for the writer.
  @inline(__always)
  func sliceWithCapacity(_ row: Int) -> CollectionSlice {
    values.load(fromByteOffset: row &* CollectionSlice.byteCount, as: CollectionSlice.self)
  }
}
