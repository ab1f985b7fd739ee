import Foundation

/// A collection at the end of a path, to be walked.
final class CollectionReader {
  enum Content {
    /// A list, set or map; of objects with their table.
    case elements(column: Int, ColumnLayout)
    /// The rows of a table that link here.
    case origins(table: Int, linkColumn: Int, ColumnLayout)
  }

  let path: LinkPath
  let content: Content

  init(_ path: LinkPath, _ content: Content) {
    self.path = path
    self.content = content
  }

  /// The number of elements; 0 where a link leads nowhere.
  func count(_ frame: EvaluationContext) -> Int {
    switch content {
    case .elements(let column, _):
      return path.follow(frame) { Int($0.columns[column].run($0.row).length) } ?? 0
    case .origins:
      var count = 0
      forEach(frame) { _ in
        count += 1
        return true
      }
      return count
    }
  }

  /// Calls `body` with a frame for each element, inside that of the object, until it returns false. An
  /// element that is a link to nothing is passed over.
  func forEach(_ frame: EvaluationContext, _ body: (EvaluationContext) -> Bool) {
    withUnsafePointer(to: frame) { outer in
      _ = path.follow(frame) { end in
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
    let cell = end.columns[column]
    let run = cell.run(end.row)
    var inner = end
    inner.outer = outer
    for index in 0..<Int(run.length) {
      let element = cell.element(run, index, layout)
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
    guard let tree = version.backlinks[linkColumn] else {
      version.forEachLive { candidate in
        var isFound = false
        version.forEachTarget(candidate, linkColumn, layout) {
          if $0 == end.slot { isFound = true }
        }
        return !isFound || visit(candidate)
      }
      return
    }
    let key = UInt64(end.slot)
    var last = -1
    tree.forEach(in: key...key) { _, slot in
      // A list may hold the target several times.
      if slot == last { return true }
      last = slot
      return visit(slot)
    }
  }
}

/// What holds for some, all or none of the elements.
final class QuantifiedFilter: RowFilter {
  private let quantifier: QueryQuantifier
  private let collection: CollectionReader
  private let test: RowFilter
  private let elementCost: Int

  init(_ quantifier: QueryQuantifier, _ collection: CollectionReader, _ test: RowFilter) {
    elementCost = test.cost
    self.quantifier = quantifier
    self.collection = collection
    self.test = test
  }

  override func matches(_ frame: EvaluationContext) -> Bool {
    // Looked for is an element that decides.
    let decisive = quantifier != .all
    var isFound = false
    collection.forEach(frame) { element in
      isFound = test.matches(element) == decisive
      return !isFound
    }
    return isFound == (quantifier == .any)
  }

  override var cost: Int { min(200 + 10 * elementCost, Self.mostCost) }
}

/// The number of elements, or of those for which a condition holds.
final class CountReader: OperandReader {
  private let collection: CollectionReader
  private let test: RowFilter?

  init(_ collection: CollectionReader, where test: RowFilter?) {
    self.collection = collection
    self.test = test
    super.init(.number, nil)
  }

  override func number(_ frame: EvaluationContext) -> QueryNumber? {
    guard let test else { return .int(Int64(collection.count(frame))) }
    var count: Int64 = 0
    collection.forEach(frame) { element in
      if test.matches(element) { count += 1 }
      return true
    }
    return .int(count)
  }
}

/// A figure of the elements. Of no number there is no minimum, maximum or average: null; the sum is 0.
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

  override func number(_ frame: EvaluationContext) -> QueryNumber? {
    var figure = QueryFigure(aggregate)
    collection.forEach(frame) { element in
      if let number = value.number(element) { figure.add(number) }
      return true
    }
    return figure.result
  }

  override func cell(_ frame: EvaluationContext) -> QueryCell {
    // Dates have a first and a last one.
    var best: Double?
    collection.forEach(frame) { element in
      let cell = value.cell(element)
      if cell.isNull { return true }
      let date = Double(bitPattern: cell.word)
      best = best.map { aggregate == .min ? Swift.min($0, date) : Swift.max($0, date) } ?? date
      return true
    }
    return best.map { QueryCell(word: $0.bitPattern) } ?? .null
  }
}

/// The smallest, largest, sum or average of numbers, added one by one.
///
/// All of them are values of one attribute: whole numbers, Doubles or Decimals.
struct QueryFigure {
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
    count += 1
    switch aggregate {
    case .min, .max:
      guard let known = best else {
        best = number
        return
      }
      let order = QueryNumber.rank(number, known)
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

  /// Nil where there is none.
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
