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

  /// `STORE_RANDOM_STEPS`: the number of steps per seed. Nil if it is not set.
  public static let steps = environment["STORE_RANDOM_STEPS"].flatMap(Int.init)

  /// Returns `seeds` and the seed that `STORE_RANDOM_SEED` adds.
  public static func seeds(_ seeds: ClosedRange<UInt64>) -> [UInt64] {
    seeds + (environment["STORE_RANDOM_SEED"].flatMap(UInt64.init).map { [$0] } ?? [])
  }
}
