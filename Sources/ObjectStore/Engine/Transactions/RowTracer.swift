/// Marks the rows to keep during an eviction: rows given as roots, and all rows reachable from them.
///
///     whole tables ──▶ rows they link to ──▶ … ──▶ rows of tables open to eviction
///
/// R29. Only columns from which a table open to eviction can be reached are followed.
///
/// - Complexity: O(rows and links of the tables that are followed).
final class RowTracer {
  /// A table whose rows are marked individually.
  private final class Traced {
    let version: TableVersion
    var columns: [Column] = []
    var marks: SlotSet

    init(_ version: TableVersion) {
      self.version = version
      marks = SlotSet(count: version.count)
    }
  }

  /// A column that links to a traced table.
  private struct Column {
    let index: Int
    let layout: ColumnLayout
    let target: Traced
  }

  /// A marked row whose links are still to be followed.
  private struct Row {
    let table: Int
    let slot: Int
  }

  private var traced: [Int: Traced] = [:]
  /// The tables whose rows are all kept, with their columns that link to traced tables.
  private var whole: [(version: TableVersion, columns: [Column])] = []
  private var pending: [Row] = []
  /// Called with each row when it is marked.
  var didMark: (_ table: Int, _ slot: Int) -> Void = { _, _ in }

  /// - Parameters:
  ///   - tables: All tables.
  ///   - open: The tables whose rows may be evicted.
  ///   - version: A function that returns the rows of a table.
  init(
    _ tables: ContiguousArray<Table>, open: Set<Int>, _ version: (Int) -> TableVersion
  ) {
    var numbers = open
    // Embedded rows live and die with their owners, so their links are followed from the owners.
    var grows = true
    while grows {
      grows = false
      for table in tables where table.layout.identity == .embedded {
        let leads = table.layout.columns.contains {
          $0.hasLinks && numbers.contains($0.targetTable)
        }
        if leads, numbers.insert(table.index).inserted { grows = true }
      }
    }
    for number in numbers { traced[number] = Traced(version(number)) }
    for table in tables {
      let columns = table.layout.columns.enumerated().compactMap { index, layout in
        layout.hasLinks
          ? traced[layout.targetTable].map { Column(index: index, layout: layout, target: $0) }
          : nil
      }
      if columns.isEmpty { continue }
      if let traced = traced[table.index] {
        traced.columns = columns
      } else if table.layout.identity != .embedded {
        whole.append((version(table.index), columns))
      }
    }
  }

  /// The tables whose rows are marked individually.
  var tables: [Int] { traced.keys.sorted() }

  func isMarked(_ table: Int, _ slot: Int) -> Bool {
    traced[table]?.marks.contains(slot) ?? false
  }

  /// Marks the rows that can be reached from the tables whose rows are all kept.
  func markWholeTables() {
    for (version, columns) in whole {
      version.forEachLive { slot in
        markTargets(of: slot, version, columns)
        return true
      }
      trace()
    }
  }

  /// Marks a row and all rows reachable from it. Does nothing for a row of a table that is not traced.
  func mark(_ table: Int, _ slot: Int) {
    guard let traced = traced[table] else { return }
    mark(slot, traced, table)
    trace()
  }

  /// Removes the mark of a row. Must be called only for rows marked by the last call of ``mark(_:_:)``.
  func unmark(_ table: Int, _ slot: Int) {
    traced[table]?.marks.remove(slot)
  }

  private func trace() {
    while let row = pending.popLast() {
      guard let traced = traced[row.table] else { continue }
      markTargets(of: row.slot, traced.version, traced.columns)
    }
  }

  @inline(__always)
  private func markTargets(of slot: Int, _ version: TableVersion, _ columns: [Column]) {
    for column in columns {
      version.forEachTarget(slot, column.index, column.layout) {
        mark($0, column.target, column.layout.targetTable)
      }
    }
  }

  @inline(__always)
  private func mark(_ slot: Int, _ traced: Traced, _ table: Int) {
    guard traced.version.isLive(slot), traced.marks.insert(slot) else { return }
    pending.append(Row(table: table, slot: slot))
    didMark(table, slot)
  }
}
