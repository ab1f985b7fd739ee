import Foundation

/// The generator of all random tests. A seed produces the same numbers in every run and on every platform
/// (SplitMix64: Steele, Lea, Flood 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number below `limit`.
  public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Returns true once in `n` times on average.
  public mutating func once(in n: Int) -> Bool { below(n) == 0 }
}

/// The settings of the random tests, from the environment.
extension SeededRandom {
  private static let environment = ProcessInfo.processInfo.environment

  /// `STORE_THOROUGH`: true to run all steps of the random tests. Otherwise long ones run a quarter of them.
  public static let isThorough = environment["STORE_THOROUGH"] != nil

  private static let requestedSteps = environment["STORE_RANDOM_STEPS"].flatMap(Int.init)

  /// Returns the number of steps per seed: that of `STORE_RANDOM_STEPS`, if it is set.
  ///
  /// - Parameters:
  ///   - number: The number of steps of a thorough run.
  ///   - divisor: The number of requested steps that count as one.
  public static func steps(_ number: Int, per divisor: Int = 1) -> Int {
    requestedSteps.map { $0 / divisor } ?? (isThorough ? number : max(min(number, 20), number / 4))
  }

  /// Returns `seeds` and the seed that `STORE_RANDOM_SEED` adds.
  public static func seeds(_ seeds: ClosedRange<UInt64>) -> [UInt64] {
    seeds + (environment["STORE_RANDOM_SEED"].flatMap(UInt64.init).map { [$0] } ?? [])
  }
}
