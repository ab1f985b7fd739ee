#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One side of a comparison. The two sides are sampled alternately, and the cheapest sample of each counts.
///
/// A side prepares its data when it is made and is then sampled several times. Only the code inside
/// `watch.time { … }` is measured:
///
///     Side(operationCount: keys.count) { watch in
///       let table = copyOfTheTable()                    // not measured
///       watch.time { for key in keys { table.touch(key) } }
///     }
///     Side(operationCount: rows.count) { watch in
///       watch.time { table(of: rows) } checking: { $0.count }   // creation and deallocation are measured
///     }
///
/// The sides alternate, and so does the side that starts a round, so that other processes, changes of the clock
/// frequency and cold caches affect both equally. The first round is a warm-up. Time is the CPU time of all threads of
/// the process, because wall-clock time means little on a shared machine.
struct Side {
  /// The number of operations in a sample, at least 1. The cost of a sample is divided by it.
  let operationCount: Int
  let sample: (inout Stopwatch) throws -> Void

  init(operationCount: Int, sample: @escaping (inout Stopwatch) throws -> Void) {
    self.operationCount = max(operationCount, 1)
    self.sample = sample
  }
}

/// Accumulates the cost of one sample, in nanoseconds or the unit of its row.
struct Stopwatch {
  /// The clock for `time`.
  enum Clock {
    /// CPU time of the process.
    case processor
    /// CPU time of the current thread.
    case thread
    /// CPU time of child processes that have exited.
    case children
    /// Elapsed time, for work that waits for a disk or for another process.
    case wall

    var nanoseconds: Double {
      switch self {
      case .processor: Self.read(CLOCK_PROCESS_CPUTIME_ID)
      case .thread: Self.read(CLOCK_THREAD_CPUTIME_ID)
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
  /// True if the values read back differ from the values written.
  private(set) var isWrong = false

  init(clock: Clock) {
    self.clock = clock
  }

  /// Runs `body` and adds its time. Deallocation of the result is not measured.
  mutating func time<Result>(_ body: () throws -> Result) rethrows -> Result {
    let start = clock.nanoseconds
    let result = try body()
    cost += clock.nanoseconds - start
    return result
  }

  /// Adds the time of creating and of releasing a result. In between, its `checksum` is recorded without being
  /// measured.
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

  /// Adds a cost that was not measured by this clock, such as bytes or the time of another process.
  mutating func charge(_ amount: Double) {
    cost += amount
  }

  /// Records a number that the other side must also produce, as proof of the same work.
  mutating func check(_ value: Int) {
    checksum = value
  }

  /// Records a number that must equal `expected`, independently of the other side.
  mutating func check(_ value: Int, expected: Int) {
    checksum = value
    isWrong = isWrong || value != expected
  }
}

/// The number of samples to take.
struct Rounds {
  /// The minimum number of samples of each side after the warm-up.
  var minimum = 5
  var maximum = 60
  /// The measured time per side after which sampling stops, once the minimum number of samples has been taken.
  var enoughSeconds = 0.3
  /// If the warm-up takes longer than this, it is the only sample. Once both sides together have taken this long, no
  /// more than the minimum is sampled.
  var patienceSeconds = 10.0
  var warmsUp = true

  static let standard = Rounds()
  /// For tests of the benchmarks, which check results but not speed.
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
  /// True if a side read back values that differ from those it wrote.
  var isWrong = false

  /// False if the checksums of the sides differ, or if a side is wrong by itself.
  var sidesAgree: Bool {
    guard !isWrong else { return false }
    guard let oursChecksum, let baselineChecksum else { return true }
    return oursChecksum == baselineChecksum
  }
}

/// Samples both sides alternately. A side that is nil is not measured.
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

/// The results of the samples of one side.
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

  /// Discards the costs, but keeps the errors.
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

/// Uses `value` in a way that the optimizer cannot remove.
@inline(never) @_optimize(none)
func blackHole<Value>(_ value: Value) {}

/// Releases `value` here rather than after its last visible use.
@inline(never) @_optimize(none)
func letGo<Value>(_ value: consuming Value) {}
