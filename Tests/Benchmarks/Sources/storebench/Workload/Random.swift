/// SplitMix64 (Steele, Lea, Flood 2014): the same sequence on every platform.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  // The standard library does not specify how `Int.random(in:using:)` uses the generator's bits, so its results could
  // change with the toolchain.

  /// Returns a number in `0..<limit`. The bias, below limit / 2⁶⁴, is negligible.
  mutating func below(_ limit: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(limit)).high)
  }

  /// Returns a number in `range`.
  mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// Returns true with a probability of `percent` / 100.
  mutating func chance(percent: Int) -> Bool {
    below(100) < percent
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  mutating func shuffle<Element>(_ elements: inout [Element]) {
    guard elements.count > 1 else { return }
    for last in (1..<elements.count).reversed() {
      elements.swapAt(last, below(last + 1))
    }
  }
}
