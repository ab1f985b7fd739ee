import TestSupport
import Testing

@testable import ObjectStore

/// The seed of a hash function is unknown to the source of the keys.
@Suite struct `Hashes of keys` {
  /// The most keys with the same last eight bits of their hashes.
  private func longestRun(_ hashes: [UInt64]) -> Int {
    Dictionary(grouping: hashes) { $0 % 256 }.map(\.value.count).max() ?? 0
  }

  @Test func `numbers that collide in one hash function do not collide in another`() {
    let known = KeyHash()
    let colliding = Array(
      (0..<UInt64.max).lazy.filter { known.word($0 &* 0x1234_5678_9abc_def1) % 256 == 0 }
        .map { $0 &* 0x1234_5678_9abc_def1 }.prefix(1000))
    #expect(longestRun(colliding.map(known.word)) == 1000)
    // On average, four keys have the same bits.
    let other = KeyHash()
    #expect(longestRun(colliding.map(other.word)) < 40)
  }

  @Test func `texts that collide in one hash function do not collide in another`() {
    func hash(_ function: KeyHash, _ number: Int) -> UInt64 {
      var text = "a key of several words: \(number)"
      return text.withUTF8 { function.bytes(UnsafeRawBufferPointer($0)) }
    }
    let known = KeyHash()
    let colliding = Array((0...).lazy.filter { hash(known, $0) % 256 == 0 }.prefix(1000))
    #expect(longestRun(colliding.map { hash(known, $0) }) == 1000)
    let other = KeyHash()
    #expect(longestRun(colliding.map { hash(other, $0) }) < 40)
  }
}
