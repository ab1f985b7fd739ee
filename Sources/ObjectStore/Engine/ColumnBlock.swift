/// The memory of one column of one chunk.
final class ColumnBlock {
  let values: UnsafeMutableRawPointer
  let presence: UnsafeMutablePointer<UInt8>?
  /// Replaced only while the writer is the sole owner of this block.
  @exclusivity(unchecked) var text: Arena?
  @exclusivity(unchecked) var elements: Arena?

  /// Creates a block of zeros: no values, and no live rows.
  init(_ layout: ColumnLayout, capacity: Int) {
    let byteCount = capacity * layout.width + (layout.isOptional ? capacity : 0)
    values = .allocate(byteCount: byteCount, alignment: 16)
    values.zero(byteCount)
    presence =
      layout.isOptional
      ? (values + capacity * layout.width).assumingMemoryBound(to: UInt8.self) : nil
  }

  /// Creates a copy of `count` rows with capacity for `capacity`. The arenas are shared.
  init(copying other: ColumnBlock, _ layout: ColumnLayout, count: Int, capacity: Int) {
    assert(count <= capacity, "\(count) rows exceed the capacity \(capacity)")
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
    text = other.text
    elements = other.elements
  }

  deinit {
    values.deallocate()
  }
}
