import Synchronization

/// A table as the engine knows it for its whole life: its place, its layout, who links to it.
// Sendable: immutable once writes began.
final class Table: @unchecked Sendable {
  let index: Int
  let layout: TableLayout
  /// What a table without rows looks like; its chunk of zeros also stands for freed chunks.
  let emptyVersion: TableVersion
  /// The rows of a table that was there before the store was opened; nil for one that begins empty.
  let initialRows: InitialRows?
  /// Fills the attributes a new row's update left out with the declared defaults.
  let defaults: any RowDefaults
  /// The date that updates set; nil for none.
  let useDate: UseDate?
  /// The layouts of the columns, for inner loops.
  let columnLayouts: UnsafePointer<ColumnLayout>

  /// The columns of links to rows without a key, which may be content.
  // Set when the table is added, before anybody sees it.
  @exclusivity(unchecked) var contentColumns: [Int] = []

  /// What the arenas of a chunk's collections may hold; less only for tests.
  // Written by tests before the first write.
  @exclusivity(unchecked) var arenaLimits = (text: Arena.textLimit, elements: Arena.elementLimit)

  /// A column of some table whose links point into this one.
  struct Incoming: Hashable {
    let table: Int
    let column: Int
  }

  init(
    index: Int, layout: TableLayout, defaults: any RowDefaults, source: (any RowSource)? = nil,
    useDate: UseDate? = nil
  ) {
    self.index = index
    self.layout = layout
    initialRows = source.map { InitialRows($0) }
    let layouts = UnsafeMutablePointer<ColumnLayout>.allocate(capacity: layout.columns.count)
    layouts.initialize(from: layout.columns, count: layout.columns.count)
    columnLayouts = UnsafePointer(layouts)
    self.defaults = defaults
    self.useDate = useDate
    emptyVersion = TableVersion(
      empty: Chunk(layout, capacity: ChunkLayout.rows, editOwner: 0, birth: 0))
  }

  deinit {
    columnLayouts.deallocate()
  }
}

/// Where declared defaults come from; the model layer evaluates them.
protocol RowDefaults: AnyObject, Sendable {
  /// Fills the cells of `row` that are absent, if any, with defaults evaluated for this row, and
  /// notes them as such.
  /// - Throws: `invalidDeclarations` for a default that no row can take.
  func fill(_ row: BatchRow, in batch: RowBatch) throws(StoreError)
}
