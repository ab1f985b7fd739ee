/// Finds the rows of a table for which a test holds.
struct QueryScan {
  let test: RowTest
  let tables: QueryTables

  /// Calls `body` with the slots found, ascending, until it returns false.
  ///
  /// - Complexity: O(rows of the chunks that hold any); what the test costs, for each that lives.
  func forEach(_ table: Int, _ body: (Int) -> Bool) {
    let version = tables[table]
    version.forEachChunk { slots in
      let columns = version.columns(slots.lowerBound)
      let live = columns[TableLayout.liveColumn].values.assumingMemoryBound(to: UInt8.self)
      let first = slots.lowerBound & ~ChunkLayout.mask
      let count = slots.upperBound - first
      var rows = RowMask(count: count)
      rows.keep(count) { live[$0] != 0 }
      test.narrow(
        &rows, in: QueryChunk(tables: tables, columns: columns, firstSlot: first, count: count))
      var goesOn = true
      rows.forEach { row in
        goesOn = body(first + row)
        return goesOn
      }
      return goesOn
    }
  }

  /// Whether the test holds for one row, which lives.
  func matches(_ slot: Int, _ table: Int) -> Bool {
    test.matches(
      QueryFrame(tables: tables, columns: tables[table].columns(slot), slot: slot))
  }
}
