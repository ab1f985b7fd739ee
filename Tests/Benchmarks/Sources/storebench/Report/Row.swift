/// The unit of a row's costs.
enum CostUnit: String {
  case nanoseconds = "ns"
  case bytes = "B"
}

/// The performance target of a row.
enum Target {
  /// Our side is at least this many times cheaper than the baseline.
  case timesFaster(Double)
  /// Our side costs at most this many times the baseline.
  case timesTheCost(Double)
  /// Our side costs at most this much, in the unit of the row.
  case atMost(Double)

  func isMet(ours: Double, baseline: Double?) -> Bool? {
    switch self {
    case .timesFaster(let factor): baseline.map { $0 / ours >= factor }
    case .timesTheCost(let factor): baseline.map { ours / $0 <= factor }
    case .atMost(let limit): ours <= limit
    }
  }

  func text(in unit: CostUnit) -> String {
    switch self {
    case .timesFaster(let factor): "≥ \(significantDigits(factor)) ×"
    case .timesTheCost(let factor): "≤ \(significantDigits(factor)) ×"
    case .atMost(let limit): "≤ \(costText(limit, in: unit))"
    }
  }
}

/// One line of the report.
struct Row {
  let id: String
  let what: String
  let unit: CostUnit
  let targets: [Target]
  let baselineName: String
  let measurement: Measurement
  /// The change since the earlier run; nil if there is none to compare with.
  var change: RowChange?

  /// Baseline divided by our cost if the target is `timesFaster`; otherwise our cost divided by the baseline.
  var ratio: Double? {
    guard let speedup else { return nil }
    if case .timesFaster? = targets.first { return speedup }
    return 1 / speedup
  }

  /// Baseline divided by our cost, regardless of the target: above 1 our side is cheaper.
  var speedup: Double? {
    guard let ours = measurement.ours, let baseline = measurement.baseline, ours > 0, baseline > 0
    else { return nil }
    return baseline / ours
  }

  var targetText: String {
    targets.map { $0.text(in: unit) }.joined(separator: ", ")
  }

  /// True if the target is met; nil if there is no target or a required side was not measured.
  var isMet: Bool? {
    guard let ours = measurement.ours, !targets.isEmpty else { return nil }
    guard measurement.sidesAgree else { return false }
    let verdicts = targets.map { $0.isMet(ours: ours, baseline: measurement.baseline) }
    if verdicts.contains(false) { return false }
    return verdicts.contains(nil) ? nil : true
  }
}
