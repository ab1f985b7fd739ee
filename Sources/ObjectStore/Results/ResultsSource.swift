/// The source of the rows of ``Results``.
enum ResultsSource {
  /// All rows of the class, in order of insertion.
  case table
  /// The objects of a list, set or map, in its order. An object occurs as often as in the collection.
  case elements(of: Cell)
  /// The objects that link to a row, in order of insertion.
  case origins(of: Cell)

  /// An attribute of a row.
  struct Cell {
    let table: Int
    let slot: Int
    let column: Int
  }

  /// The cell that the rows come from, or nil for all rows of the class.
  var row: Cell? {
    switch self {
    case .table: nil
    case .elements(let cell), .origins(let cell): cell
    }
  }

  /// The rows as the handle shows them now, or nil for all rows of the class. Empty if the row of the cell is
  /// deleted.
  func rows(_ handle: StoreHandle) -> [Int]? {
    switch self {
    case .table: return nil
    case .origins(let cell):
      return handle.origins(cell.table, cell.slot, cell.column)?.slots ?? []
    case .elements(let cell):
      let version = handle.tableVersion(cell.table)
      guard version.isLive(cell.slot) else { return [] }
      let layout = handle.layout(cell.table).columns[cell.column]
      let column = version.columns(cell.slot)[cell.column]
      let slice = column.slice(cell.slot & ChunkLayout.mask)
      let rows = (0..<Int(slice.length)).map { Int(column.elementWord(slice, $0, layout)) - 1 }
      // A map may have keys without an object.
      return layout.hasNullElements ? rows.filter { $0 >= 0 } : rows
    }
  }
}
