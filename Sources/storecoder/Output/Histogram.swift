import Foundation

/// A bar for each range of numbers or times, or for each of the most frequent other values.
///
///     0 – 5    ████████████  12
///     5 – 10   ███▌           3
///     null     █              1
struct Histogram {
  struct Bar: Equatable {
    let label: String
    let count: Int
  }

  /// The maximum number of ranges or values.
  private static let limit = 20

  private(set) var bars: [Bar] = []

  init(_ values: [Cell]) {
    let known = values.filter { $0 != .null }
    let numbers = known.compactMap(\.double).filter(\.isFinite)
    let times = known.compactMap(Self.time)
    if known.isEmpty {
      bars = []
    } else if numbers.count == known.count {
      bars = Self.ranges(numbers)
    } else if times.count == known.count {
      bars = Self.periods(times)
    } else {
      bars = Self.frequent(known)
    }
    let nullCount = values.count - known.count
    if nullCount > 0 { bars.append(Bar(label: "null", count: nullCount)) }
  }

  // MARK: - Numbers

  /// Ranges of equal width, which is 1, 2 or 5 times a power of ten. A number on a boundary is in the upper range.
  private static func ranges(_ numbers: [Double]) -> [Bar] {
    guard let least = numbers.min(), let most = numbers.max() else { return [] }
    let distinct = Set(numbers.prefix(100_000))
    if distinct.count <= 10, numbers.count <= 100_000 {
      // Few different numbers are values rather than points on a scale.
      return distinct.sorted().map { number in
        Bar(label: text(number), count: numbers.count { $0 == number })
      }
    }
    let isInteger = numbers.allSatisfy { $0 == $0.rounded() }
    let width = width(from: least, to: most, isInteger: isInteger)
    let first = (least / width).rounded(.down)
    let count = Int((most / width).rounded(.down) - first) + 1
    var counts = [Int](repeating: 0, count: count)
    for number in numbers {
      counts[min(count - 1, max(0, Int((number / width).rounded(.down) - first)))] += 1
    }
    return counts.enumerated().map { index, found in
      let start = (first + Double(index)) * width
      if isInteger, width == 1 { return Bar(label: text(start), count: found) }
      let end = isInteger ? start + width - 1 : start + width
      return Bar(label: "\(text(start)) – \(text(end))", count: found)
    }
  }

  /// Returns the smallest width that gives at most `limit` ranges.
  private static func width(from least: Double, to most: Double, isInteger: Bool) -> Double {
    let span = most - least
    // At least a few units in the last place, so that numbers have different ranges.
    var power = pow(
      10, log10(max(span / Double(limit), max(abs(least), abs(most)).ulp * 4)).rounded(.down))
    if isInteger { power = max(1, power) }
    while true {
      for factor in [1.0, 2, 5] {
        let width = factor * power
        if (most / width).rounded(.down) - (least / width).rounded(.down) < Double(limit) {
          return width
        }
      }
      power *= 10
    }
  }

  private static func text(_ number: Double) -> String {
    if let integer = Int(exactly: number) { return "\(integer)" }
    // The product of an integer and a width may have digits that are only rounding errors.
    return "\(Double(String(format: "%.12g", number)) ?? number)"
  }

  // MARK: - Times

  private static func time(_ cell: Cell) -> TimePeriod? {
    if case .string(let text) = cell { TimePeriod(startOf: text) } else { nil }
  }

  /// Years, months, days, hours or minutes: the shortest of which there are at most 31. Years without a time are left out if
  /// there are more.
  private static func periods(_ times: [TimePeriod]) -> [Bar] {
    let longest = times.map(\.fields.count).min() ?? 1
    var counts: [TimePeriod: Int] = [:]
    for fieldCount in (1...longest).reversed() {
      counts = [:]
      for time in times { counts[time.prefix(fieldCount), default: 0] += 1 }
      guard counts.count <= 31, var period = counts.keys.min(), let last = counts.keys.max() else {
        continue
      }
      var bars: [Bar] = []
      while period <= last, bars.count <= 31 {
        bars.append(Bar(label: period.text, count: counts[period] ?? 0))
        period = period.next
      }
      if bars.count <= 31 { return bars }
    }
    return counts.sorted { $0.key < $1.key }.map { Bar(label: $0.key.text, count: $0.value) }
  }

  // MARK: - Other values

  private static func frequent(_ values: [Cell]) -> [Bar] {
    var counts: [Cell: Int] = [:]
    for value in values { counts[value, default: 0] += 1 }
    let sorted = counts.sorted { a, b in a.value != b.value ? a.value > b.value : a.key < b.key }
    var bars = sorted.prefix(limit).map { Bar(label: $0.key.tableText, count: $0.value) }
    let rest = sorted.dropFirst(limit)
    if !rest.isEmpty {
      bars.append(
        Bar(
          label: Terminal.count(rest.count, "other value"),
          count: rest.reduce(0) { $0 + $1.value }))
    }
    return bars
  }

  // MARK: - Drawing

  /// Returns lines of at most `width` columns.
  func text(width: Int) -> String {
    let labels = bars.map { Terminal.clipped(Terminal.printable($0.label), max(8, width / 2)) }
    let labelWidth = labels.map { Terminal.columns(of: $0) }.max() ?? 0
    let countWidth = bars.map { "\($0.count)".count }.max() ?? 0
    let room = max(8, width - labelWidth - countWidth - 4)
    let most = bars.map(\.count).max() ?? 0
    return zip(bars, labels).map { bar, label in
      let drawn = Terminal.fit(Self.bar(bar.count, of: most, room), room)
      return "\(Terminal.fit(label, labelWidth))  \(drawn)  "
        + Terminal.fit("\(bar.count)", countWidth, alignedRight: true)
    }.joined(separator: "\n")
  }

  /// Draws a bar in eighths of a column. A count that is not 0 is visible.
  private static func bar(_ count: Int, of most: Int, _ width: Int) -> String {
    if count == 0 { return "" }
    let eighths = max(1, Int((Double(count) / Double(most) * Double(width * 8)).rounded()))
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + part
  }
}
