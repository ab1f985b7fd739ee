import Foundation

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
