/// The rows as a table for people.
///
///     id   what                                    ours  baseline   ratio  target  met
///     P12  lookup by primary key                  31 ns     12 ns   2.6 ×  ≤ 100 ns  yes
func table(of rows: [Row]) -> String {
  let header = ["id", "what", "ours", "baseline", "ratio", "target", "met", "against"]
  let lines = [header] + rows.map(cells(of:))
  let isNumber = [false, false, true, true, true, false, false, false]
  let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
  let text = lines.map { line in
    let padded = header.indices.map { column in
      let space = String(repeating: " ", count: widths[column] - line[column].count)
      return isNumber[column] ? space + line[column] : line[column] + space
    }
    var joined = padded.joined(separator: "  ")
    while joined.last == " " { joined.removeLast() }
    return joined
  }
  return text.joined(separator: "\n")
}

private func cells(of row: Row) -> [String] {
  let measurement = row.measurement
  return [
    row.id, row.what,
    measurement.ours.map { costText($0, in: row.unit) } ?? "–",
    measurement.baseline.map { costText($0, in: row.unit) } ?? "–",
    row.ratio.map { significantDigits($0) + " ×" } ?? "–",
    row.targetText,
    measurement.sidesAgree ? row.isMet.map { $0 ? "yes" : "NO" } ?? "–" : "NO: different results",
    row.baselineName,
  ]
}

/// The rows as JSON, one object each, costs unrounded in the unit named.
func json(of rows: [Row]) -> String {
  let objects = rows.map { row in
    let fields = [
      "\"id\": \(quoted(row.id))",
      "\"what\": \(quoted(row.what))",
      "\"unit\": \(quoted(row.unit.rawValue))",
      "\"ours\": \(row.measurement.ours.map { "\($0)" } ?? "null")",
      "\"baseline\": \(row.measurement.baseline.map { "\($0)" } ?? "null")",
      "\"against\": \(quoted(row.baselineName))",
      "\"ratio\": \(row.ratio.map { "\($0)" } ?? "null")",
      "\"target\": \(quoted(row.targetText))",
      "\"met\": \(row.isMet.map { "\($0)" } ?? "null")",
      "\"sidesAgree\": \(row.measurement.sidesAgree)",
    ]
    return "  {" + fields.joined(separator: ", ") + "}"
  }
  return "[\n" + objects.joined(separator: ",\n") + "\n]"
}

private func quoted(_ text: String) -> String {
  var bytes: [UInt8] = []
  bytes.appendJSONString(text)
  return String(decoding: bytes, as: UTF8.self)
}

/// A cost with its unit, scaled so that a person can read it: `31.4 ns`, `2.05 µs`, `324 B`.
func costText(_ cost: Double, in unit: CostUnit) -> String {
  switch unit {
  case .bytes: return significantDigits(cost) + " B"
  case .nanoseconds:
    if cost < 1e3 { return significantDigits(cost) + " ns" }
    if cost < 1e6 { return significantDigits(cost / 1e3) + " µs" }
    if cost < 1e9 { return significantDigits(cost / 1e6) + " ms" }
    return significantDigits(cost / 1e9) + " s"
  }
}

/// Three digits or so, but never fewer than those before the point: `0.004`, `1.58`, `31.4`, `1290`.
func significantDigits(_ value: Double) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
  let places = abs(value) < 0.0995 ? 4 : abs(value) < 9.995 ? 2 : abs(value) < 99.95 ? 1 : 0
  let scale = [1, 10, 100, 1_000, 10_000][places]
  let scaled = Int((abs(value) * Double(scale)).rounded())
  var text = "\(scaled / scale)"
  let fraction = scaled % scale
  if fraction > 0 {
    let digits = "\(fraction)"
    text += "." + String(repeating: "0", count: places - digits.count) + digits
    while text.last == "0" { text.removeLast() }
  }
  return (value < 0 ? "-" : "") + text
}
