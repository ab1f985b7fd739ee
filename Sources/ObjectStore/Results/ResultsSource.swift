/// Where the rows come from that ``Results`` show.
enum ResultsSource {
  /// All rows of the class, in order of insertion.
  case table
  /// The objects in a list or set, in its order; an object as often as it stands there.
  case elements(of: Place)
  /// The objects that link to a row, in order of insertion.
  case sources(of: Place)

  /// An attribute of a row.
  struct Place {
    let table: Int
    let slot: Int
    let column: Int
  }

  /// The rows as the handle shows them now; nil for all of the class. A row that is gone has none.
  func rows(_ handle: StoreHandle) -> [Int]? {
    switch self {
    case .table: return nil
    case .sources(let place):
      return handle.linkingSlots(place.table, place.slot, place.column)?.1 ?? []
    case .elements(let place):
      let version = handle.tableVersion(place.table)
      guard version.isLive(place.slot) else { return [] }
      let layout = handle.layout(place.table).columns[place.column]
      let cell = version.columns(place.slot)[place.column]
      let run = cell.run(place.slot & ChunkLayout.mask)
      return (0..<Int(run.length)).map { Int(cell.elementWord(run, $0, layout)) - 1 }
    }
  }
}
