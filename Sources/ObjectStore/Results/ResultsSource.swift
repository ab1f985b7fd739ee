/// Where the rows come from that ``Results`` show.
enum ResultsSource {
  /// All rows of the class, in order of insertion.
  case table
  /// The objects in a list or set, in its order; an object as often as it stands there.
  case elements(of: Cell)
  /// The objects that link to a row, in order of insertion.
  case sources(of: Cell)

  /// An attribute of a row.
  struct Cell {
    let table: Int
    let slot: Int
    let column: Int
  }

  /// The row whose attribute they come from; nil for all of the class.
  var row: Cell? {
    switch self {
    case .table: nil
    case .elements(let cell), .sources(let cell): cell
    }
  }

  /// The rows as the handle shows them now; nil for all of the class. A row that is gone has none.
  func rows(_ handle: StoreHandle) -> [Int]? {
    switch self {
    case .table: return nil
    case .sources(let source):
      return handle.linkingSlots(source.table, source.slot, source.column)?.1 ?? []
    case .elements(let source):
      let version = handle.tableVersion(source.table)
      guard version.isLive(source.slot) else { return [] }
      let layout = handle.layout(source.table).columns[source.column]
      let cell = version.columns(source.slot)[source.column]
      let run = cell.run(source.slot & ChunkLayout.mask)
      return (0..<Int(run.length)).map { Int(cell.elementWord(run, $0, layout)) - 1 }
    }
  }
}
