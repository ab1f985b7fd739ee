import Foundation

/// What `--json` or `--output` wrote in an earlier run.
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

  /// nil if the earlier run did not have the row.
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

/// What became of a row since an earlier run: 0.1 is a tenth more than then.
struct RowChange {
  var earlierRatio: Double?
  var ratio: Double?
  /// Of our own cost, which says less than the ratio if the machine was busier.
  var ours: Double?
}

/// `+12 %`, `−3 %`, `0 %`.
func percentText(_ share: Double) -> String {
  let percent = (share * 100).rounded()
  guard percent.isFinite, abs(percent) < 1e9 else { return "–" }
  return (percent > 0 ? "+" : percent < 0 ? "−" : "") + "\(Int(abs(percent))) %"
}
