/// The memory of one column of one chunk.
final class ColumnBlock {
  let values: UnsafeMutableRawPointer
  let presence: UnsafeMutablePointer<UInt8>?
  /// Replaced only while the writer is the sole owner of this block.
  @exclusivity(unchecked) var text: Arena?
  @exclusivity(unchecked) var elements: Arena?
  /// The owner of the memory if that is part of a mapped file, which is never written.
  private let mapping: AnyObject?

  /// True for a block of zeros that the chunks of a table share. It is never written.
  let isShared: Bool

  /// Creates a block of zeros: no values, and no live rows.
  init(_ layout: ColumnLayout, capacity: Int, isShared: Bool = false) {
    self.isShared = isShared
    let byteCount = capacity * layout.width + (layout.isOptional ? capacity : 0)
    values = .allocate(byteCount: byteCount, alignment: 16)
    values.zero(byteCount)
    mapping = nil
    presence =
      layout.isOptional
      ? (values + capacity * layout.width).assumingMemoryBound(to: UInt8.self) : nil
  }

  /// Creates a copy of `count` rows with capacity for `capacity`. The arenas are shared.
  init(copying other: ColumnBlock, _ layout: ColumnLayout, count: Int, capacity: Int) {
    assert(count <= capacity, "\(count) rows exceed the capacity \(capacity)")
    isShared = false
    let byteCount = capacity * layout.width + (layout.isOptional ? capacity : 0)
    values = .allocate(byteCount: byteCount, alignment: 16)
    if count < capacity {
      values.zero(byteCount)
    }
    values.copyMemory(from: other.values, byteCount: count * layout.width)
    if layout.isOptional, let source = other.presence {
      let target = (values + capacity * layout.width).assumingMemoryBound(to: UInt8.self)
      target.update(from: source, count: count)
      presence = target
    } else {
      presence = nil
    }
    mapping = nil
    text = other.text
    elements = other.elements
  }

  /// Creates a block in the memory of a mapped file. The flags of present values follow the values of a full chunk.
  init(
    mapped values: UnsafeMutableRawPointer, _ layout: ColumnLayout, text: Arena?, elements: Arena?,
    _ mapping: AnyObject
  ) {
    self.values = values
    isShared = false
    presence =
      layout.isOptional
      ? (values + ChunkLayout.rows * layout.width).assumingMemoryBound(to: UInt8.self) : nil
    self.text = text
    self.elements = elements
    self.mapping = mapping
  }

  deinit {
    if mapping == nil { values.deallocate() }
  }
}
