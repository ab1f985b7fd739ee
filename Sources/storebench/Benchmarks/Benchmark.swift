/// A row before it is measured.
///
/// The sides are made one row at a time, right before its samples, so that a row's data does not
/// fill the memory of the next.
struct Benchmark {
  let id: String
  let what: String
  var unit = CostUnit.nanoseconds
  var targets: [Target] = []
  var ours: (Workload) throws -> Side? = { _ in nil }
  var baselineName = ""
  var baseline: (Workload) throws -> Side? = { _ in nil }
  var clock = Stopwatch.Clock.processor
  /// For rows whose sides work on different amounts of data: their checksums say nothing.
  var sidesMayDiffer = false
  /// For rows whose sample takes seconds and comes out the same each time.
  var isSampledOnce = false
  /// For rows that take minutes or touch more than memory: measured only if `--only` names them.
  var onlyWhenNamed = false

  func matches(_ options: Options) -> Bool {
    if options.only.isEmpty { return !onlyWhenNamed || options.list }
    return options.only.contains { id == $0 || id.hasPrefix($0 + ".") }
  }

  func measured(on workload: Workload, rounds: Rounds, oursAlone: Bool) throws -> Row {
    var rounds = onlyWhenNamed || isSampledOnce ? .once : rounds
    // Bytes come out the same each time, and no number of them is enough seconds.
    if unit == .bytes { rounds.maximum = rounds.minimum }
    var measurement = try measure(
      ours: ours(workload), baseline: oursAlone ? nil : baseline(workload), clock: clock,
      rounds: rounds)
    if sidesMayDiffer { measurement.oursChecksum = nil }
    return row(with: measurement)
  }

  func row(with measurement: Measurement) -> Row {
    Row(
      id: id, what: what, unit: unit, targets: targets, baselineName: baselineName,
      measurement: measurement)
  }
}
