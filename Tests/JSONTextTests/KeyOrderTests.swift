import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct `Key order` {
  private func sorted(_ keys: [String], _ order: JSONKeyOrder) -> [String] {
    keys.sorted { first, second in
      Array(first.utf8).withUnsafeBufferPointer { first in
        Array(second.utf8).withUnsafeBufferPointer { order.areInIncreasingOrder(first, $0) }
      }
    }
  }

  /// The keys in the order of Foundation's output.
  private func foundation(_ keys: [String], _ data: ([String: Int]) throws -> Data) throws
    -> [String]
  {
    let dictionary = Dictionary(uniqueKeysWithValues: keys.map { ($0, 0) })
    guard case .object(let members) = try tree(Array(try data(dictionary))) else { return [] }
    return members.map(\.key)
  }

  private func randomKeys(
    _ alphabet: String, _ count: Int, using generator: inout SeededRandom
  ) -> [String] {
    let letters = alphabet.map(String.init)
    let keys = (0..<count).map { _ in
      (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        letters.randomElement(using: &generator) ?? ""
      }.joined()
    }
    return Set(keys).sorted()
  }

  @Test func `the byte order and the readable order differ for case, digits and accents`() {
    let keys = ["z", "é", "b", "a2", "B", "a10", "A2"]
    #expect(sorted(keys, .bytes) == ["A2", "B", "a10", "a2", "b", "z", "é"])
    #expect(
      sorted(keys, .numericCaseInsensitive) == ["a2", "A2", "a10", "b", "B", "é", "z"])
  }

  @Test(arguments: 0..<5)
  func `the byte order of keys is that of JSONEncoder`(_ seed: Int) throws {
    var generator = SeededRandom(seed: UInt64(seed))
    let keys = randomKeys("aAbBzZ019_- .~éßÉжя中😀\u{FFFD}\u{E000}", 300, using: &generator)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(sorted(keys, .bytes) == (try foundation(keys) { try encoder.encode($0) }))
  }

  @Test(arguments: [
    "abcABC", "ab12", "aB19_-", "ab \t!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~5",
    "aàáâäãåceèéêëçnñoòóôöz",
    "aAàÀáÁeEéÉèÈzZ", "snSčČćĆžŽőűąęśżź", "łŁlm", "đĐde", "øØop", "æœaeofdAE", "жаЖАёЁяЯ中日あ",
    "a0b1", "aA_1B-2",
  ])
  func `the readable order of keys is that of JSONSerialization`(_ alphabet: String) throws {
    var generator = SeededRandom(seed: UInt64(alphabet.utf8.count))
    for _ in 0..<40 {
      let keys = randomKeys(alphabet, 30, using: &generator)
      let expected = try foundation(keys) {
        try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)
      }
      #expect(sorted(keys, .numericCaseInsensitive) == expected)
    }
  }

  @Test func `the readable order of keys is a strict total order`() {
    var generator = SeededRandom(seed: 77)
    let keys = randomKeys("aAé0012_ß\u{301}e", 200, using: &generator)
    let ordered = sorted(keys, .numericCaseInsensitive)
    #expect(sorted(ordered.reversed(), .numericCaseInsensitive) == ordered)
    #expect(
      sorted(["2", "002", "02", "1", "10", "9"], .numericCaseInsensitive)
        == ["1", "2", "02", "002", "9", "10"])
    #expect(sorted(["st", "ß", "sr", "ss"], .numericCaseInsensitive) == ["sr", "ss", "ß", "st"])
    let large = ["18446744073709551616", "18446744073709551615", "a"]
    #expect(sorted(large, .numericCaseInsensitive) == [large[1], large[0], large[2]])
  }
}
