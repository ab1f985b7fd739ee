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
///     }
///     Side(operationCount: rows.count) { watch in
///       watch.time { table(of: rows) } checking: { $0.count }   // making and freeing count
///     }
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
    /// CPU time of the processes that this one started and waited for.
    case children
    /// Elapsed time, for work that waits for a disk or for another process.
    case wall

    var nanoseconds: Double {
      switch self {
      case .processor: Self.read(CLOCK_PROCESS_CPUTIME_ID)
      case .wall: Self.read(CLOCK_MONOTONIC)
      case .children: Self.childrenTime
      }
    }

    private static func read(_ clock: clockid_t) -> Double {
      var now = timespec()
      clock_gettime(clock, &now)
      return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
    }

    private static var childrenTime: Double {
      var usage = rusage()
      #if canImport(Glibc)
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
      #else
        getrusage(RUSAGE_CHILDREN, &usage)
      #endif
      let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
      return seconds * 1e9 + microseconds * 1e3
    }
  }

  let clock: Clock
  private(set) var cost = 0.0
  private(set) var checksum: Int?
  /// What was read back is not what was written.
  private(set) var isWrong = false

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

  /// Adds the time of making a result and that of letting go of it; in between, off the clock,
  /// states its `checksum`.
  mutating func time<Result>(
    _ make: () throws -> Result, checking checksum: (Result) throws -> Int
  ) rethrows {
    let start = clock.nanoseconds
    let result = try make()
    cost += clock.nanoseconds - start
    check(try checksum(result))
    let end = clock.nanoseconds
    letGo(consume result)
    cost += clock.nanoseconds - end
  }

  /// Adds a cost that is no time, such as bytes, or that another process took.
  mutating func charge(_ amount: Double) {
    cost += amount
  }

  /// States a number that the other side must arrive at too, as proof of the same work.
  mutating func check(_ value: Int) {
    checksum = value
  }

  /// The same for a number that is known, whatever the other side does.
  mutating func check(_ value: Int, expected: Int) {
    checksum = value
    isWrong = isWrong || value != expected
  }
}

/// How often to sample.
struct Rounds {
  /// Samples of each side after the warm-up.
  var minimum = 5
  var maximum = 60
  /// Between the two limits sampling goes on until this much has been counted on each side.
  var enoughSeconds = 0.3
  /// A warm-up that takes longer than this is all there will be, and no more than the minimum is
  /// sampled once both sides together have taken so long.
  var patienceSeconds = 10.0
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
  /// A side read back something else than it wrote.
  var isWrong = false

  /// False if both sides stated a checksum and the two differ, or if one is wrong by itself.
  var sidesAgree: Bool {
    guard !isWrong else { return false }
    guard let oursChecksum, let baselineChecksum else { return true }
    return oursChecksum == baselineChecksum
  }
}

/// Samples both sides in turns; a side that is nil stays "not measured".
func measure(
  ours: Side?, baseline: Side?, clock: Stopwatch.Clock = .processor, rounds: Rounds = .standard
) throws -> Measurement {
  var ours = Samples(of: ours, clock: clock)
  var baseline = Samples(of: baseline, clock: clock)
  var isTooLong: Bool { ours.spent + baseline.spent > rounds.patienceSeconds * 1e9 }
  if rounds.warmsUp {
    try ours.take()
    try baseline.take()
    if isTooLong { return Measurement(ours, baseline) }
    ours.forget()
    baseline.forget()
  }
  for round in 0..<rounds.maximum {
    let isEnough = ours.have(rounds.enoughSeconds) && baseline.have(rounds.enoughSeconds)
    if round >= rounds.minimum && (isEnough || isTooLong) { break }
    if round.isMultiple(of: 2) {
      try ours.take()
      try baseline.take()
    } else {
      try baseline.take()
      try ours.take()
    }
  }
  return Measurement(ours, baseline)
}

/// What the samples of one side have shown so far.
private struct Samples {
  private let side: Side?
  private let clock: Stopwatch.Clock
  private(set) var cheapest: Double?
  private(set) var spent = 0.0
  private(set) var checksum: Int?
  private(set) var isWrong = false

  init(of side: Side?, clock: Stopwatch.Clock) {
    self.side = side
    self.clock = clock
  }

  mutating func take() throws {
    guard let side else { return }
    var watch = Stopwatch(clock: clock)
    try side.sample(&watch)
    checksum = watch.checksum
    isWrong = isWrong || watch.isWrong
    spent += watch.cost
    cheapest = min(cheapest ?? .infinity, watch.cost / Double(side.operationCount))
  }

  /// Forgets the costs, not what was wrong.
  mutating func forget() {
    cheapest = nil
    spent = 0
  }

  func have(_ seconds: Double) -> Bool {
    side == nil || spent >= seconds * 1e9
  }
}

extension Measurement {
  fileprivate init(_ ours: Samples, _ baseline: Samples) {
    self.init(
      ours: ours.cheapest, baseline: baseline.cheapest, oursChecksum: ours.checksum,
      baselineChecksum: baseline.checksum, isWrong: ours.isWrong || baseline.isWrong)
  }
}

/// A use of `value` that the optimizer cannot see through.
@inline(never) @_optimize(none)
func blackHole<Value>(_ value: Value) {}

/// Frees `value` here and not where the optimizer sees its last use.
@inline(never) @_optimize(none)
func letGo<Value>(_ value: consuming Value) {}
