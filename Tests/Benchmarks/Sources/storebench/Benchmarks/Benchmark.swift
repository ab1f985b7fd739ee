/// A row of the report, before it is measured.
///
/// The sides of a row are made just before its samples are taken, so that its data does not occupy memory while other
/// rows are measured.
struct Benchmark {
  let id: String
  let what: String
  var unit = CostUnit.nanoseconds
  var targets: [Target] = []
  var ours: (Workload) throws -> Side? = { _ in nil }
  var baselineName = ""
  var baseline: (Workload) throws -> Side? = { _ in nil }
  var clock = Stopwatch.Clock.processor
  /// True if the sides process different amounts of data, so that their checksums cannot be compared.
  var sidesMayDiffer = false
  /// True if a sample takes seconds and always has the same result.
  var isSampledOnce = false
  /// True for rows that take minutes or change files: they are measured only if `--only` names them.
  var onlyWhenNamed = false

  func matches(_ options: Options) -> Bool {
    if options.only.isEmpty { return !onlyWhenNamed || options.list }
    return options.only.contains { id == $0 || id.hasPrefix($0 + ".") }
  }

  func measured(on workload: Workload, rounds: Rounds, oursAlone: Bool) throws -> Row {
    var rounds = onlyWhenNamed || isSampledOnce ? .once : rounds
    // A number of bytes is the same each time, and `enoughSeconds` does not apply to it.
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
