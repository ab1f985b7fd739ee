/// The elements of one collection. Its memory must outlive it.
struct SliceReader {
  let column: UnsafeMutablePointer<StorageColumn>
  fileprivate let slice: CollectionSlice
  fileprivate let layout: ColumnLayout

  var count: Int { Int(slice.length) }

  /// Returns the word of the element, or of its value in a map. `index` is below `count`.
  @inline(__always)
  func word(_ index: Int) -> UInt64 { column.pointee.elementWord(slice, index, layout) }

  @inline(__always)
  func isNull(_ index: Int) -> Bool {
    layout.hasNullElements && column.pointee.element(slice, index, layout).isNull
  }

  /// Returns the key of an element of a map.
  func key(_ index: Int) -> UnsafeRawBufferPointer {
    column.pointee.element(slice, index, layout).key
  }
}

/// The current elements of one collection, unaffected by later writes.
///
/// Only the slice is copied: an edit writes a new slice and leaves this one intact, an append writes past its length,
/// and the arenas are retained.
// Not `Sendable`: its strings are read through a column, which stays in one isolation.
final class RetainedSlice {
  let reader: SliceReader
  private let elements: Arena?
  private let text: Arena?

  init(_ column: StorageColumn, _ slice: CollectionSlice, _ layout: ColumnLayout) {
    (elements, text) = column.block._withUnsafeGuaranteedRef { ($0.elements, $0.text) }
    // A copy of the column, used only for its arenas. Its cells may be deallocated.
    let copy = UnsafeMutablePointer<StorageColumn>.allocate(capacity: 1)
    copy.initialize(to: column)
    reader = SliceReader(column: copy, slice: slice, layout: layout)
  }

  deinit {
    reader.column.deallocate()
  }

  var layout: ColumnLayout { reader.layout }

  var count: Int { reader.count }

  func word(_ index: Int) -> UInt64 { reader.word(index) }

  func isNull(_ index: Int) -> Bool { reader.isNull(index) }

  func key(_ index: Int) -> UnsafeRawBufferPointer { reader.key(index) }
}
