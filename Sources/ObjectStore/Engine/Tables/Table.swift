import Synchronization

/// The description of a table in the engine: its index, layout, defaults and initial rows.
// Sendable: not changed once the table is in use.
final class Table: @unchecked Sendable {
  let index: Int
  let layout: TableLayout
  /// The version without rows. Its chunk of zeros is also read in place of freed chunks.
  let emptyVersion: TableVersion
  let needed = NeededTrees()
  /// The rows that the table had when the store was opened; nil for a table that starts empty.
  let initialRows: InitialRows?
  /// The source of the declared defaults of attributes that a new row's update omits.
  let defaults: any RowDefaults
  /// The date of last use that updates set; nil if the class has none.
  let useDate: UseDate?
  /// The column that marks rows of which only the key is known; nil if the class has none.
  let placeholderColumn: Int?
  /// The attributes that payloads contain, which can therefore be missing.
  let payloadAttributes: AttributeBits
  /// The base table of the class; nil if the class does not track edits.
  let base: BaseLayout?
  /// The layouts of the columns, for inner loops.
  let columnLayouts: UnsafePointer<ColumnLayout>

  /// The rows of a base table with edits of attributes that the class lacks; only their file has these edits.
  private let unseenEdits = Mutex<Set<Int>>([])

  /// The columns of links to keyless rows, which may be content.
  @exclusivity(unchecked) var contentColumns: [Int] = []

  /// The maximum sizes of the arenas of a chunk's collections.
  @exclusivity(unchecked) var arenaLimits = (text: Arena.textLimit, elements: Arena.elementLimit)

  /// A column of some table whose links target this one.
  struct Incoming: Hashable {
    let table: Int
    let column: Int
  }

  /// - Parameter empty: A chunk of zeros with this layout, which tables of several stores may share; nil to create one.
  init(
    index: Int, layout: TableLayout, empty: Chunk? = nil, defaults: any RowDefaults,
    source: (any RowSource)? = nil, useDate: UseDate? = nil, placeholderColumn: Int? = nil,
    payloadAttributes: [Int] = [], base: BaseLayout? = nil
  ) {
    self.index = index
    self.layout = layout
    initialRows = source.map { InitialRows($0) }
    let layouts = UnsafeMutablePointer<ColumnLayout>.allocate(capacity: layout.columns.count)
    layouts.initialize(from: layout.columns, count: layout.columns.count)
    columnLayouts = UnsafePointer(layouts)
    self.defaults = defaults
    self.useDate = useDate
    self.placeholderColumn = placeholderColumn
    self.base = base
    var bits = AttributeBits()
    for attribute in payloadAttributes { bits.insert(attribute) }
    self.payloadAttributes = bits
    emptyVersion = TableVersion(empty: empty ?? Chunk(emptyWith: layout), needed: needed)
  }

  deinit {
    columnLayouts.deallocate()
  }

  func setUnseenEdits(_ slots: Set<Int>) { unseenEdits.withLock { $0 = slots } }

  /// True if a row of a base table has edits of attributes that the class lacks.
  func hasUnseenEdits(_ slot: Int) -> Bool { unseenEdits.withLock { $0.contains(slot) } }
}

/// The source of declared defaults, which the model layer evaluates.
protocol RowDefaults: AnyObject, Sendable {
  /// Fills the absent cells of `row` with defaults evaluated for this row, and marks them as defaults.
  ///
  /// - Throws: `invalidDeclarations` for a default that no row can store.
  func fill(_ row: BatchRow, in batch: RowBatch) throws(StoreError)
}
