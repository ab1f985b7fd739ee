import Foundation

/// An aggregate of the values of an attribute. Null values do not count.
struct Aggregate {
  enum Function: String, CaseIterable {
    case sum, min, max, average

    var noun: String {
      switch self {
      case .sum: "sum"
      case .min: "smallest value"
      case .max: "largest value"
      case .average: "average"
      }
    }
  }

  private let function: Function
  private let name: String
  private var count = 0
  /// The sum in decimal; nil if a number is too large or too small for it.
  private var exactSum: Decimal? = 0
  private var sum = 0.0
  private var extreme: Cell = .null

  init(_ function: Function, of name: String) {
    self.function = function
    self.name = name
  }

  /// - Throws: `CommandError` for the sum or average of other values than numbers.
  mutating func add(_ value: Cell) throws {
    if value == .null { return }
    count += 1
    switch function {
    case .min: if extreme == .null || value < extreme { extreme = value }
    case .max: if extreme == .null || extreme < value { extreme = value }
    case .sum, .average:
      guard case .number(let text) = value, let number = Double(text) else {
        throw CommandError(
          text: "--\(function.rawValue) \(name): expected a number, found \(value.jsonText)")
      }
      sum += number
      exactSum = Self.sum(exactSum, text)
    }
  }

  private static func sum(_ sum: Decimal?, _ text: String) -> Decimal? {
    guard let sum, let number = Decimal(string: text), Double(text) == Double("\(number)") else {
      return nil
    }
    let result = sum + number
    return result.isNaN ? nil : result
  }

  /// The aggregate of the values so far; null if there are none, except that their sum is 0.
  var value: Cell {
    switch function {
    case .min, .max: extreme
    case .sum: exactSum.map { .number("\($0)") } ?? Self.cell(sum)
    case .average: count == 0 ? .null : average
    }
  }

  private var average: Cell {
    guard let exactSum else { return Self.cell(sum / Double(count)) }
    let quotient = exactSum / Decimal(count)
    if quotient * Decimal(count) == exactSum { return .number("\(quotient)") }
    // The digits of a quotient such as 1/3 do not end.
    return Self.cell(Double("\(quotient)") ?? sum / Double(count))
  }

  /// Returns a number, without a fraction if it is an integer; null if it is not finite.
  private static func cell(_ number: Double) -> Cell {
    guard number.isFinite else { return .null }
    return .number(Int(exactly: number).map { "\($0)" } ?? "\(number)")
  }
}
