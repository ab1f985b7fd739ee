/// A report format: an opening, a string for each row when it is measured, and a closing.
protocol RowReport {
  var opening: String { get }
  func text(for row: Row, isFirst: Bool) -> String
  var closing: String { get }
}

/// A report as a table.
///
///     id   what                                    ours  baseline   ratio  target  met
///     P12  lookup by primary key                  31 ns     12 ns   2.6 ×  ≤ 100 ns  yes
///
/// The widths of the columns are determined before anything is measured, because rows are printed one by one.
struct TableReport: RowReport {
  private struct Column {
    let title: String
    var isNumber = false
    let width: Int
    let text: (Row) -> String

    /// Creates a column that fits the widest of `rows`, or has `width` if its content depends on the measurement.
    init(
      _ title: String, of rows: [Row] = [], width: Int = 0, isNumber: Bool = false,
      text: @escaping (Row) -> String
    ) {
      self.title = title
      self.isNumber = isNumber
      self.width = rows.reduce(max(title.count, width)) { max($0, text($1).count) }
      self.text = text
    }

    func padded(_ text: String) -> String {
      let space = String(repeating: " ", count: max(width - text.count, 0))
      return isNumber ? space + text : text + space
    }
  }

  private let columns: [Column]

  /// - Parameter rows: The rows of the report, not measured yet.
  init(of rows: [Row], earlier: EarlierRun?) {
    var columns = [
      Column("id", of: rows) { $0.id },
      Column("what", of: rows) { $0.what },
      Column("ours", width: 8, isNumber: true) { row in
        row.measurement.ours.map { costText($0, in: row.unit) } ?? "–"
      },
      Column("baseline", width: 8, isNumber: true) { row in
        row.measurement.baseline.map { costText($0, in: row.unit) } ?? "–"
      },
      Column("ratio", width: 7, isNumber: true) { row in
        row.ratio.map { significantDigits($0) + " ×" } ?? "–"
      },
    ]
    if earlier != nil {
      columns += [
        Column("ratio was", isNumber: true) { row in
          row.change?.earlierRatio.map { significantDigits($0) + " ×" } ?? "–"
        },
        Column("ratio ±", isNumber: true) { $0.change?.ratio.map(percentText) ?? "–" },
        Column("ours ±", isNumber: true) { $0.change?.ours.map(percentText) ?? "–" },
      ]
    }
    columns += [
      Column("target", of: rows) { $0.targetText },
      Column("met") { row in
        guard row.measurement.sidesAgree else { return "NO: different results" }
        return row.isMet.map { $0 ? "yes" : "NO" } ?? "–"
      },
      Column("against", of: rows) { $0.baselineName },
    ]
    self.columns = columns
  }

  var opening: String { line { $0.title } }
  func text(for row: Row, isFirst: Bool) -> String { line { $0.text(row) } }
  var closing: String { "" }

  private func line(_ cell: (Column) -> String) -> String {
    var joined = columns.map { $0.padded(cell($0)) }.joined(separator: "  ")
    while joined.last == " " { joined.removeLast() }
    return joined + "\n"
  }
}

/// A report as JSON: an object per row, with costs unrounded in the stated unit.
struct JSONReport: RowReport {
  var opening: String { "[" }
  func text(for row: Row, isFirst: Bool) -> String {
    (isFirst ? "\n" : ",\n") + "  " + object(of: row)
  }
  var closing: String { "\n]\n" }

  static func whole(of rows: [Row]) -> String {
    let report = JSONReport()
    return report.opening
      + rows.enumerated().map { report.text(for: $1, isFirst: $0 == 0) }.joined() + report.closing
  }

  private func object(of row: Row) -> String {
    var fields = [
      "\"id\": \(quoted(row.id))",
      "\"what\": \(quoted(row.what))",
      "\"unit\": \(quoted(row.unit.rawValue))",
      "\"ours\": \(number(row.measurement.ours))",
      "\"baseline\": \(number(row.measurement.baseline))",
      "\"against\": \(quoted(row.baselineName))",
      "\"ratio\": \(number(row.ratio))",
      "\"target\": \(quoted(row.targetText))",
      "\"met\": \(row.isMet.map { "\($0)" } ?? "null")",
      "\"sidesAgree\": \(row.measurement.sidesAgree)",
    ]
    if let change = row.change {
      fields += [
        "\"ratioChange\": \(number(change.ratio))", "\"oursChange\": \(number(change.ours))",
      ]
    }
    return "{" + fields.joined(separator: ", ") + "}"
  }

  private func number(_ value: Double?) -> String {
    value.map { $0.isFinite ? "\($0)" : "null" } ?? "null"
  }

  private func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.appendJSONString(text)
    return String(decoding: bytes, as: UTF8.self)
  }
}
