import Foundation

/// Iterates over the collection at the end of a path.
final class CollectionReader {
  enum Content {
    /// A list, set or map. For objects, the layout contains their table.
    case elements(column: Int, ColumnLayout)
    /// The rows of a table that link to the object.
    case origins(table: Int, linkColumn: Int, ColumnLayout)
  }

  let path: LinkPath
  let content: Content

  init(_ path: LinkPath, _ content: Content) {
    self.path = path
    self.content = content
  }

  /// Returns the number of elements; 0 if a link on the path is null.
  func count(_ context: EvaluationContext) -> Int {
    switch content {
    case .elements(let column, _):
      return path.follow(context) { Int($0.columns[column].slice($0.row).length) } ?? 0
    case .origins:
      var count = 0
      forEach(context) { _ in
        count += 1
        return true
      }
      return count
    }
  }

  /// Calls `body` with a context for each element, nested in the context of the object, until it returns false.
  /// Elements that are null links are skipped.
  func forEach(_ context: EvaluationContext, _ body: (EvaluationContext) -> Bool) {
    withUnsafePointer(to: context) { outer in
      _ = path.follow(context) { end in
        switch content {
        case .elements(let column, let layout):
          forEachElement(end, column, layout, outer, body)
        case .origins(let table, let linkColumn, let layout):
          forEachOrigin(end, table, linkColumn, layout, outer, body)
        }
      }
    }
  }

  private func forEachElement(
    _ end: EvaluationContext, _ column: Int, _ layout: ColumnLayout,
    _ outer: UnsafePointer<EvaluationContext>, _ body: (EvaluationContext) -> Bool
  ) {
    assert(layout.kind == .collection, "The column is not a collection")
    let column = end.columns[column]
    let slice = column.slice(end.row)
    var inner = end
    inner.outer = outer
    for index in 0..<Int(slice.length) {
      let element = column.element(slice, index, layout)
      if layout.elementKind == .link {
        if element.isNull || element.word == 0 { continue }
        inner.slot = Int(element.word) - 1
        inner.columns = end.tables[layout.targetTable].columns(inner.slot)
      } else {
        inner.element = QueryCell(
          word: element.word, bytes: element.bytes, isNull: element.isNull)
      }
      if !body(inner) { return }
    }
  }

  private func forEachOrigin(
    _ end: EvaluationContext, _ table: Int, _ linkColumn: Int, _ layout: ColumnLayout,
    _ outer: UnsafePointer<EvaluationContext>, _ body: (EvaluationContext) -> Bool
  ) {
    let version = end.tables[table]
    var inner = end
    inner.outer = outer
    func visit(_ slot: Int) -> Bool {
      inner.slot = slot
      inner.columns = version.columns(slot)
      return body(inner)
    }
    let tree = version.backlinks(of: linkColumn, layout)
    let key = UInt64(end.slot)
    var last = -1
    tree.forEach(in: key...key) { _, slot in
      // A list may contain the target more than once.
      if slot == last { return true }
      last = slot
      return visit(slot)
    }
  }
}

/// A filter that checks whether a condition holds for some, all or none of the elements of a collection.
final class QuantifiedFilter: RowFilter {
  private let quantifier: QueryQuantifier
  private let collection: CollectionReader
  private let filter: RowFilter
  private let elementCost: Int

  init(_ quantifier: QueryQuantifier, _ collection: CollectionReader, _ filter: RowFilter) {
    elementCost = filter.cost
    self.quantifier = quantifier
    self.collection = collection
    self.filter = filter
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    // The loop stops at the first element that decides the result.
    let decisive = quantifier != .all
    var isFound = false
    collection.forEach(context) { element in
      isFound = filter.matches(element) == decisive
      return !isFound
    }
    return isFound == (quantifier == .any)
  }

  override var cost: Int { min(200 + 10 * elementCost, Self.mostCost) }
}

/// Reads the number of elements, or of those that match a condition.
final class CountReader: OperandReader {
  private let collection: CollectionReader
  private let filter: RowFilter?

  init(_ collection: CollectionReader, where filter: RowFilter?) {
    self.collection = collection
    self.filter = filter
    super.init(.number, nil)
  }

  override func number(_ context: EvaluationContext) -> QueryNumber? {
    guard let filter else { return .int(Int64(collection.count(context))) }
    var count: Int64 = 0
    collection.forEach(context) { element in
      if filter.matches(element) { count += 1 }
      return true
    }
    return .int(count)
  }
}

/// Reads an aggregate of the elements. Without numbers, the sum is 0, and the minimum, maximum and average are null.
final class AggregateReader: OperandReader {
  private let aggregate: QueryAggregate
  private let collection: CollectionReader
  private let value: OperandReader

  init(_ aggregate: QueryAggregate, _ collection: CollectionReader, _ value: OperandReader) {
    self.aggregate = aggregate
    self.collection = collection
    self.value = value
    super.init(value.family, value.kind)
  }

  override func number(_ context: EvaluationContext) -> QueryNumber? {
    var accumulator = AggregateAccumulator(aggregate)
    collection.forEach(context) { element in
      if let number = value.number(element) { accumulator.add(number) }
      return true
    }
    return accumulator.result
  }

  override func cell(_ context: EvaluationContext) -> QueryCell {
    // Dates support only `min` and `max`.
    var best: Double?
    collection.forEach(context) { element in
      let cell = value.cell(element)
      if cell.isNull { return true }
      let date = Double(bitPattern: cell.word)
      best = best.map { aggregate == .min ? Swift.min($0, date) : Swift.max($0, date) } ?? date
      return true
    }
    return best.map { QueryCell(word: $0.bitPattern) } ?? .null
  }
}

/// Accumulates the minimum, maximum, sum or average of numbers.
///
/// All numbers are values of one attribute: integers, Doubles or Decimals.
struct AggregateAccumulator {
  private let aggregate: QueryAggregate
  private var best: QueryNumber?
  private var wholeSum: Int128 = 0
  private var doubleSum = 0.0
  private var decimalSum: Decimal = 0
  private var holdsDoubles = false
  private var holdsDecimals = false
  private var count = 0

  init(_ aggregate: QueryAggregate) { self.aggregate = aggregate }

  mutating func add(_ number: QueryNumber) {
    defer { assert(!holdsDoubles || !holdsDecimals, "The numbers have different types") }
    count += 1
    switch aggregate {
    case .min, .max:
      guard let known = best else {
        best = number
        return
      }
      let order = QueryNumber.compare(number, known)
      if aggregate == .min ? order < 0 : order > 0 { best = number }
    case .sum, .average:
      switch number {
      case .int(let value): wholeSum += Int128(value)
      case .uint(let value): wholeSum += Int128(value)
      case .double(let value):
        doubleSum += value
        holdsDoubles = true
      case .decimal(let value):
        decimalSum += value
        holdsDecimals = true
      }
    }
  }

  /// The aggregate; nil if there are no numbers, except for a sum, which is then 0.
  var result: QueryNumber? {
    switch aggregate {
    case .min, .max: return best
    case .sum:
      if holdsDoubles { return .double(doubleSum) }
      return holdsDecimals ? .decimal(decimalSum) : Self.number(wholeSum)
    case .average:
      if count == 0 { return nil }
      if holdsDoubles { return .double(doubleSum / Double(count)) }
      if holdsDecimals { return .decimal(decimalSum / Decimal(count)) }
      return .double(Double(wholeSum) / Double(count))
    }
  }

  private static func number(_ sum: Int128) -> QueryNumber {
    if let small = Int64(exactly: sum) { return .int(small) }
    return UInt64(exactly: sum).map { .uint($0) } ?? .double(Double(sum))
  }
}
