/// The current elements of one collection, unaffected by later writes.
///
/// Only the slice is copied: an edit writes a new slice and leaves this one intact, an append writes past its length,
/// and the arenas are retained.
// Not `Sendable`: its strings are read through a column, which stays in one isolation.
final class RetainedSlice {
  let layout: ColumnLayout
  /// A copy of the column, used only for its arenas. Its cells may be deallocated.
  let column: UnsafeMutablePointer<StorageColumn>
  private let slice: CollectionSlice
  private let elements: Arena?
  private let text: Arena?

  init(_ column: StorageColumn, _ slice: CollectionSlice, _ layout: ColumnLayout) {
    self.layout = layout
    self.slice = slice
    (elements, text) = column.block._withUnsafeGuaranteedRef { ($0.elements, $0.text) }
    self.column = .allocate(capacity: 1)
    self.column.initialize(to: column)
  }

  deinit {
    column.deallocate()
  }

  var count: Int { Int(slice.length) }

  /// Returns the word of the element, or of its value in a map. `index` is below `count`.
  func word(_ index: Int) -> UInt64 { column.pointee.elementWord(slice, index, layout) }

  func isNull(_ index: Int) -> Bool {
    layout.hasNullElements && column.pointee.element(slice, index, layout).isNull
  }

  /// Returns the key of an element of a map.
  func key(_ index: Int) -> UnsafeRawBufferPointer {
    column.pointee.element(slice, index, layout).key
  }
}
