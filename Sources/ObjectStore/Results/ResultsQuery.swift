/// What ``Results`` show of a class: rows from a source, and conditions, orders and cuts, applied in the
/// order of the calls.
final class ResultsQuery {
  enum Verb {
    case filter(RowTest, QueryNode)
    case sort([SortKey])
    case distinct([OperandReader])
    case limit(Int, offset: Int)
  }

  struct SortKey {
    let reader: OperandReader
    let ascending: Bool
  }

  let source: ResultsSource
  let verbs: [Verb]

  init(_ verbs: [Verb] = [], of source: ResultsSource = .table) {
    self.source = source
    self.verbs = verbs
  }

  /// What it reads of its class's objects to find some and to order them, as paths of names.
  var dependencies: [[String]] { QueryDependencies(verbs).paths }

  func appending(_ verb: Verb) -> ResultsQuery { ResultsQuery(verbs + [verb], of: source) }

  /// The rows as the handle shows them now, in order.
  /// - Parameter note: gets the lines of an explanation.
  func slots(
    _ handle: StoreHandle, _ table: Int, note: (@autoclosure () -> String) -> Void = { _ in }
  ) -> [Int] {
    let table = queryTable(handle, table)
    let tests = Array(verbs.prefix { $0.isFilter })
    var rest = verbs[tests.count...]
    var slots: [Int]
    if let rows = source.rows(handle) {
      let test = AndTest(tests.compactMap(\.test))
      slots = tests.isEmpty ? rows : rows.filter { test.matches(table.frame($0)) }
      note("collection: \(rows.count) candidate\(rows.count == 1 ? "" : "s")")
      noteConditions(found: slots.count, note)
    } else {
      slots = firstSlots(AndTest(tests.compactMap(\.test)), &rest, table, note)
    }
    for verb in rest { Self.apply(verb, to: &slots, table, note: note) }
    return slots
  }

  /// A table as the handle shows it now.
  // A query by an index took 5 % longer than 3.4 µs without this and the shortcuts of QueryAccess.
  @inline(__always)
  func queryTable(_ handle: StoreHandle, _ table: Int) -> QueryTable {
    let tables = QueryTables { [unowned handle] in handle.tableVersion($0) }
    return QueryTable(table, handle.entry(ofTable: table).layout, tables, handle.transaction)
  }

  /// What a verb leaves of rows.
  static func apply(
    _ verb: Verb, to slots: inout [Int], _ table: QueryTable,
    note: (@autoclosure () -> String) -> Void = { _ in }
  ) {
    switch verb {
    case .filter(let test, let node):
      slots.removeAll { !test.matches(table.frame($0)) }
      note("where \(QueryText.text(node)): \(slots.count) found")
    case .sort(let keys):
      slots = sorted(slots, keys, table)
      note("sorted by \(text(keys))")
    case .distinct(let readers):
      slots = distinct(slots, readers, table)
      note("distinct by \(readers.map(\.name).joined(separator: ", ")): \(slots.count) left")
    case .limit(let count, let offset):
      slots = Array(slots.dropFirst(offset).prefix(count))
      note("limit \(count)\(offset > 0 ? ", offset \(offset)" : ""): \(slots.count) left")
    }
  }

  // MARK: - Sorting

  static func sorted(_ slots: [Int], _ keys: [SortKey], _ table: QueryTable) -> [Int] {
    guard let first = keys.first else { return slots }
    func frame(_ slot: Int) -> QueryFrame { table.frame(slot) }
    func order(_ a: Int, _ b: Int, _ keys: ArraySlice<SortKey>) -> Bool {
      isOrdered(frame(a), before: frame(b), keys) ?? false
    }
    guard let rank = rank(first.reader) else {
      return slots.sorted { order($0, $1, keys[...]) }
    }
    // Most orders are told by a number for each row; only equals are looked at again.
    let ranked = slots.map { (rank: rank(frame($0)), slot: $0) }
    let rest = keys.dropFirst()
    return ranked.sorted { a, b in
      if a.rank != b.rank { return first.ascending ? a.rank < b.rank : a.rank > b.rank }
      return order(a.slot, b.slot, rest)
    }.map(\.slot)
  }

  /// Whether a row stands before another; nil for equals.
  static func isOrdered(
    _ a: QueryFrame, before b: QueryFrame, _ keys: ArraySlice<SortKey>
  ) -> Bool? {
    for key in keys {
      let order = key.reader.order(a, b)
      if order != 0 { return key.ascending ? order < 0 : order > 0 }
    }
    return nil
  }

  /// A number for each row that has the order of its values, null first; nil for texts and decimals.
  private static func rank(_ reader: OperandReader) -> ((QueryFrame) -> UInt128)? {
    switch (reader.family, reader.kind) {
    case (.bool, _), (.link, _):
      return {
        let cell = reader.cell($0); return cell.isNull ? 0 : UInt128(cell.word) + 1
      }
    case (.date, _), (.number, .double?), (.number, .float?):
      return {
        let cell = reader.cell($0)
        if cell.isNull { return 0 }
        return UInt128(IndexKey.key(Double(bitPattern: cell.word)))
      }
    case (.number, let kind?) where kind.signedRange != nil:
      return {
        let cell = reader.cell($0)
        return cell.isNull ? 0 : UInt128(cell.word ^ 1 << 63) + 1
      }
    case (.number, let kind?) where kind.unsignedMaximum != nil:
      return {
        let cell = reader.cell($0); return cell.isNull ? 0 : UInt128(cell.word) + 1
      }
    default: return nil
    }
  }

  // MARK: - Distinct

  /// The values of a row that are compared.
  struct DistinctKey: Hashable {
    private let cells: [Cell]

    init(_ readers: [OperandReader], _ frame: QueryFrame) {
      cells = readers.map {
        let cell = $0.cell(frame)
        // -0 is 0: no other value has these bits where they stand for a Double.
        let isDouble = $0.family == .date || $0.kind == .double || $0.kind == .float
        let isZero = isDouble && Double(bitPattern: cell.word) == 0
        return Cell(
          isNull: cell.isNull, word: isZero ? 0 : cell.word, bytes: Array(cell.bytes))
      }
    }

    private struct Cell: Hashable {
      let isNull: Bool
      let word: UInt64
      let bytes: [UInt8]
    }
  }

  /// The first row of each value.
  private static func distinct(
    _ slots: [Int], _ readers: [OperandReader], _ table: QueryTable
  ) -> [Int] {
    var seen: Set<DistinctKey> = []
    return slots.filter { slot in
      seen.insert(DistinctKey(readers, table.frame(slot))).inserted
    }
  }
}

extension StoreHandle {
  /// The classes of this store, for queries.
  var catalog: QueryCatalog {
    QueryCatalog(
      table: { [unowned self] in
        let entry = entry(ofTable: $0)
        return (entry.schema, entry.layout)
      },
      tableOf: { [unowned self] id in
        guard let type = id.objectType else { return (try? entry(named: id.name))?.table }
        return (try? entry(type))?.table
      }, store: ObjectIdentifier(core))
  }
}
