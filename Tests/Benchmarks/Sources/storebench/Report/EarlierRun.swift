import Foundation

/// The JSON of an earlier run, written by `--json` or `--output`.
struct EarlierRun {
  private struct Entry: Decodable {
    let id: String
    let ours: Double?
    let ratio: Double?
  }

  private let entries: [String: Entry]

  init(path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError(description: "cannot read \(path)")
    }
    do {
      let list = try JSONDecoder().decode([Entry].self, from: data)
      entries = Dictionary(list.map { ($0.id, $0) }) { _, last in last }
    } catch {
      throw UsageError(description: "\(path) is not the JSON of an earlier run: \(error)")
    }
  }

  /// Returns the change of a row since the earlier run; nil if the earlier run does not have the row.
  func change(to row: Row) -> RowChange? {
    entries[row.id].map { entry in
      RowChange(
        earlierRatio: entry.ratio, ratio: Self.growth(from: entry.ratio, to: row.ratio),
        ours: Self.growth(from: entry.ours, to: row.measurement.ours))
    }
  }

  private static func growth(from before: Double?, to now: Double?) -> Double? {
    guard let before, let now, before > 0 else { return nil }
    return now / before - 1
  }
}

/// The relative change of a row since an earlier run: 0.1 is an increase by a tenth.
struct RowChange {
  var earlierRatio: Double?
  var ratio: Double?
  /// The change of our cost. Less reliable than that of the ratio, because it depends on the load of the machine.
  var ours: Double?
}

/// Formats a fraction as a percentage: `+12 %`, `−3 %`, `0 %`.
func percentText(_ share: Double) -> String {
  let percent = (share * 100).rounded()
  guard percent.isFinite, abs(percent) < 1e9 else { return "–" }
  return (percent > 0 ? "+" : percent < 0 ? "−" : "") + "\(Int(abs(percent))) %"
}
