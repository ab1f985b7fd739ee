/// The elements of one collection as they are now, whatever is written later.
///
/// Nothing is copied but the place: an edit writes a new run and leaves this one alone, an append goes
/// behind its length, and the arenas stay as long as somebody holds them.
// Not `Sendable`: its text is read through a column, which stays in one isolation.
final class RetainedSlice {
  let layout: ColumnLayout
  /// The column, for its arenas alone; its cells may be gone.
  let column: UnsafeMutablePointer<StorageColumn>
  private let run: CollectionSlice
  private let elements: Arena?
  private let text: Arena?

  init(_ column: StorageColumn, _ run: CollectionSlice, _ layout: ColumnLayout) {
    self.layout = layout
    self.run = run
    (elements, text) = column.block._withUnsafeGuaranteedRef { ($0.elements, $0.text) }
    self.column = .allocate(capacity: 1)
    self.column.initialize(to: column)
  }

  deinit {
    column.deallocate()
  }

  var count: Int { Int(run.length) }

  /// The element's word, or (a map) its value's; `index` is below `count`.
  func word(_ index: Int) -> UInt64 { column.pointee.elementWord(run, index, layout) }

  func isNull(_ index: Int) -> Bool {
    layout.hasNullElements && column.pointee.element(run, index, layout).isNull
  }

  /// A map's key.
  func key(_ index: Int) -> UnsafeRawBufferPointer {
    column.pointee.element(run, index, layout).key
  }
}
