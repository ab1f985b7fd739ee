import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Words of a string` {
  private func words(_ text: String) -> [String] {
    var words: [String] = []
    var copy = text
    copy.withUTF8 {
      SearchWords.forEach(in: UnsafeRawBufferPointer($0)) {
        words.append(String(decoding: $0, as: UTF8.self))
        return true
      }
    }
    return words
  }

  @Test(arguments: [
    ("", []),
    (" \t\n.,;!?-*", []),
    ("Coffee, beans & tea", ["coffee", "beans", "tea"]),
    ("ONE two\u{00A0}Three", ["one", "two", "three"]),
    // Digits count as letters. No other characters join words.
    ("B12 3.14 no7", ["b12", "3", "14", "no7"]),
    (
      "it's don’t foo_bar a-b x@y.org",
      ["it", "s", "don", "t", "foo", "bar", "a", "b", "x", "y", "org"]
    ),
    ("tea tea", ["tea", "tea"]),
    // Case and diacritics, precomposed or not.
    ("Café CAFE\u{301} ÅNGSTRÖM", ["cafe", "cafe", "angstrom"]),
    ("Straße STRASSE ẞ", ["strasse", "strasse", "ss"]),
    ("ﬁn ŉ", ["fin", "ʼn"]),
    ("İstanbul Isı", ["istanbul", "isı"]),
    ("ΣΊΣΥΦΟΣ σίσυφος", ["σισυφοσ", "σισυφοσ"]),
    ("Ёлка ёлка", ["елка", "елка"]),
    ("Łódź ø", ["łodz", "ø"]),
    // A string without spaces is one word. Marks that remain after folding do not split it.
    ("日本語 テスト", ["日本語", "テスト"]),
    ("한국어", ["한국어"]),
    ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
    ("שָׁלוֹם", ["שָׁלוֹם"]),
    // Symbols are not letters; numbers of all kinds count.
    ("a😀b 👨‍👩‍👧 c", ["a", "b", "c"]),
    ("1️⃣ ½ ² Ⅷ ２３", ["1", "½", "²", "ⅷ", "２３"]),
    ("\u{301} a\u{301}", ["a"]),
    ("\0a\0b\u{7F}", ["a", "b"]),
  ])
  func `the words of a string are folded sequences of letters and digits`(
    _ text: String, _ expected: [String]
  ) {
    #expect(words(text) == expected)
    #expect(NaiveSearch.words(text).map(\.text) == expected)
  }

  @Test func `the words of strings with arbitrary scalars match a naive implementation`() {
    for code in stride(from: UInt32(0), to: 0x3_0000, by: 7) {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let text = "a\(scalar)b \(scalar)"
      #expect(words(text) == NaiveSearch.words(text).map(\.text), "U+\(String(code, radix: 16))")
    }
  }

  @Test func `splitting invalid UTF-8 into words always advances`() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<2_000 {
      let bytes = (0..<random.below(12)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      bytes.withUnsafeBytes { bytes in
        var offset = 0
        while let word = SearchWords.next(in: bytes, from: offset) {
          #expect(word.lowerBound >= offset && word.upperBound > word.lowerBound)
          offset = word.upperBound
        }
      }
    }
  }

  @Test func `collected word keys are sorted and unique`() {
    var keys: ContiguousArray<UInt64> = [9, 9]
    func collect(_ text: String) {
      var copy = text
      copy.withUTF8 { SearchWords.collectKeys(of: UnsafeRawBufferPointer($0), in: &keys) }
    }
    func key(_ word: String) -> UInt64 { Array(word.utf8).withUnsafeBytes { IndexKey.key($0) } }
    collect("tea Bean TEA coffee")
    #expect(Array(keys) == [key("bean"), key("coffee"), key("tea")])
    // A key consists of the first eight bytes.
    collect("coffeehouses coffeehouse")
    #expect(Array(keys) == [key("coffeeho")])
    collect("  ")
    #expect(keys.isEmpty)
  }
}
