#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How costs are taken: two sides of a comparison, sampled in turns, the cheapest sample of each kept.
///
/// A side prepares what it needs when it is made, and then is sampled several times. Only what runs
/// inside `watch.time { … }` counts:
///
///     Side(operationCount: keys.count) { watch in
///       let table = copyOfTheTable()                    // not counted
///       watch.time { for key in keys { table.touch(key) } }
///     }                                                 // freeing is not counted either
///
/// Rounds of the two sides alternate, and so does the side that goes first, so that a neighbour on
/// the machine, a change of clock frequency or a cold cache meets both alike. The first round only
/// warms up. Time is the CPU time of the whole process, all threads, because a shared machine makes
/// wall-clock time mean little.
struct Side {
  /// What a sample's cost is divided by; at least 1.
  let operationCount: Int
  let sample: (inout Stopwatch) throws -> Void

  init(operationCount: Int, sample: @escaping (inout Stopwatch) throws -> Void) {
    self.operationCount = max(operationCount, 1)
    self.sample = sample
  }
}

/// The cost of one sample, in nanoseconds or in whatever its row counts.
struct Stopwatch {
  /// Which clock `time` reads.
  enum Clock {
    /// CPU time of the process.
    case processor
    /// Elapsed time, for work that waits for a disk or for another process.
    case wall

    var nanoseconds: Double {
      var now = timespec()
      clock_gettime(self == .processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now)
      return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
    }
  }

  let clock: Clock
  private(set) var cost = 0.0
  private(set) var checksum: Int?

  init(clock: Clock) {
    self.clock = clock
  }

  /// Runs `body` and adds its time; what it returns is freed outside the clock.
  mutating func time<Result>(_ body: () throws -> Result) rethrows -> Result {
    let start = clock.nanoseconds
    let result = try body()
    cost += clock.nanoseconds - start
    return result
  }

  /// Adds a cost that is no time, such as bytes.
  mutating func charge(_ amount: Double) {
    cost += amount
  }

  /// States a number that the other side must arrive at too, as proof of the same work.
  mutating func check(_ value: Int) {
    checksum = value
  }
}

/// How often to sample.
struct Rounds {
  /// Samples of each side after the warm-up.
  var minimum = 5
  var maximum = 60
  /// Between the two limits sampling goes on until this much has been counted on each side.
  var enoughSeconds = 0.3
  var warmsUp = true

  static let standard = Rounds()
  /// For tests of the benchmarks themselves: that everything runs, not how fast.
  static let tiny = Rounds(minimum: 1, maximum: 1, enoughSeconds: 0, warmsUp: false)
  /// For rows that take minutes, such as building the package.
  static let once = tiny
}

/// The cheapest sample of each side, per operation.
struct Measurement {
  var ours: Double?
  var baseline: Double?
  var oursChecksum: Int?
  var baselineChecksum: Int?

  /// False only if both sides stated a checksum and the two differ.
  var sidesAgree: Bool {
    guard let oursChecksum, let baselineChecksum else { return true }
    return oursChecksum == baselineChecksum
  }
}

/// Samples both sides in turns; a side that is nil stays "not measured".
func measure(
  ours: Side?, baseline: Side?, clock: Stopwatch.Clock = .processor, rounds: Rounds = .standard
) throws -> Measurement {
  var result = Measurement()
  var oursSpent = 0.0
  var baselineSpent = 0.0

  func sampleOurs(counts: Bool) throws {
    guard let ours else { return }
    var watch = Stopwatch(clock: clock)
    try ours.sample(&watch)
    result.oursChecksum = watch.checksum
    guard counts else { return }
    oursSpent += watch.cost
    result.ours = min(result.ours ?? .infinity, watch.cost / Double(ours.operationCount))
  }
  func sampleBaseline(counts: Bool) throws {
    guard let baseline else { return }
    var watch = Stopwatch(clock: clock)
    try baseline.sample(&watch)
    result.baselineChecksum = watch.checksum
    guard counts else { return }
    baselineSpent += watch.cost
    result.baseline = min(
      result.baseline ?? .infinity, watch.cost / Double(baseline.operationCount))
  }

  if rounds.warmsUp {
    try sampleOurs(counts: false)
    try sampleBaseline(counts: false)
  }
  for round in 0..<rounds.maximum {
    let isEnough =
      (ours == nil || oursSpent >= rounds.enoughSeconds * 1e9)
      && (baseline == nil || baselineSpent >= rounds.enoughSeconds * 1e9)
    if round >= rounds.minimum && isEnough { break }
    if round.isMultiple(of: 2) {
      try sampleOurs(counts: true)
      try sampleBaseline(counts: true)
    } else {
      try sampleBaseline(counts: true)
      try sampleOurs(counts: true)
    }
  }
  return result
}

/// A use of `value` that the optimizer cannot see through.
@inline(never) @_optimize(none)
func blackHole<Value>(_ value: Value) {}
