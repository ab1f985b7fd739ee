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
      bars = Self.ranges(numbers, known)
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
  /// - Parameter values: The same numbers in their own notation.
  private static func ranges(_ numbers: [Double], _ values: [Cell]) -> [Bar] {
    let distinct = Set(values.prefix(100_000))
    if distinct.count <= 10, values.count <= 100_000 {
      // Few different numbers are values rather than points on a scale.
      return distinct.sorted().map { value in
        Bar(label: value.plainText, count: values.count { $0 == value })
      }
    }
    guard let least = numbers.min(), let most = numbers.max() else { return [] }
    // A Double does not tell integers beyond 2^53 apart.
    let isExact = max(-least, most) >= 0x1p53
    let decimals = isExact ? values.compactMap { Decimal(string: $0.plainText) } : []
    // Of a Decimal, with room for the boundaries.
    let extent = 1e-100...1e100
    guard let first = isExact ? decimals.min() : Decimal(string: "\(least)"),
      let last = isExact ? decimals.max() : Decimal(string: "\(most)"), first < last,
      extent.contains(max(most - least, 1)), extent.contains(max(-least, most)),
      !isExact || decimals.count == values.count
    else { return frequent(values) }
    let isInteger = numbers.allSatisfy { $0 == $0.rounded() }
    let width = width(from: first, to: last, isInteger: isInteger)
    // In decimal, so that the boundaries are the numbers that their labels show.
    let (firstStart, lastStart) = (
      multiple(of: width, below: first), multiple(of: width, below: last)
    )
    let starts = Array(sequence(first: firstStart) { $0 < lastStart ? $0 + width : nil })
    var counts = [Int](repeating: 0, count: starts.count)
    if isExact {
      for number in decimals { counts[index(of: number, among: starts)] += 1 }
    } else {
      let bounds = starts.map { Double("\($0)") ?? 0 }
      for number in numbers { counts[index(of: number, among: bounds)] += 1 }
    }
    return zip(starts, counts).map { start, count in
      if isInteger, width == 1 { return Bar(label: text(start), count: count) }
      return Bar(
        label: "\(text(start)) – \(text(start + width - (isInteger ? 1 : 0)))", count: count)
    }
  }

  /// Returns the index of the last start that is not greater than a number.
  private static func index<N: Comparable>(of number: N, among starts: [N]) -> Int {
    max(0, (starts.firstIndex { $0 > number } ?? starts.count) - 1)
  }

  /// Returns a number with all of its digits, or with an exponent if it has many zeros.
  private static func text(_ number: Decimal) -> String {
    let size = abs(Double("\(number)") ?? 0)
    return size == 0 || (1e-6..<1e19).contains(size) ? "\(number)" : "\(Double("\(number)") ?? 0)"
  }

  /// Returns the smallest width that gives at most `limit` ranges.
  private static func width(from first: Decimal, to last: Decimal, isInteger: Bool) -> Decimal {
    let span = Double("\((last - first) / Decimal(limit))") ?? 1
    var exponent = Int(log10(span).rounded(.down))
    if isInteger { exponent = max(0, exponent) }
    while true {
      for factor in [1, 2, 5] {
        let width = Decimal(sign: .plus, exponent: exponent, significand: Decimal(factor))
        let distance = multiple(of: width, below: last) - multiple(of: width, below: first)
        if distance < width * Decimal(limit) { return width }
      }
      exponent += 1
    }
  }

  /// Returns the greatest multiple of a width that is not greater than a number.
  private static func multiple(of width: Decimal, below number: Decimal) -> Decimal {
    var quotient = number / width
    var whole = Decimal()
    NSDecimalRound(&whole, &quotient, 0, .down)
    return whole * width
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
    var bars = sorted.prefix(limit).map { Bar(label: label(of: $0.key), count: $0.value) }
    let rest = sorted.dropFirst(limit)
    if !rest.isEmpty {
      bars.append(
        Bar(
          label: Terminal.count(rest.count, "other value"),
          count: rest.reduce(0) { $0 + $1.value }))
    }
    return bars
  }

  private static func label(of value: Cell) -> String {
    [.string(""), .string("null")].contains(value) ? value.jsonText : value.tableText
  }

  // MARK: - Drawing

  /// Returns lines of at most `width` columns.
  func text(width: Int) -> String {
    let labels = bars.map { Terminal.clipped(Terminal.printable($0.label), max(8, width / 2)) }
    let labelWidth = labels.map { Terminal.columns(of: $0) }.max() ?? 0
    let countWidth = bars.map { "\($0.count)".count }.max() ?? 0
    let room = max(1, width - labelWidth - countWidth - 4)
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
