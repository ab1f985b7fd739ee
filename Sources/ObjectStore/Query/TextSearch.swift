/// A search for words that must occur in a text and words that must not.
///
///     cof* bea -tea      a word that begins with "cof", the word "bea", and no word "tea"
///
/// The search string is split into words in the same way as texts (``SearchWords``). A `*` directly after a word
/// matches any word with that prefix. A `-` directly before a word, at the beginning or after white space, excludes
/// the word.
struct TextSearch {
  struct Word {
    fileprivate let bytes: [UInt8]
    fileprivate let isPrefix: Bool
    /// The index keys of the words that it matches.
    let keys: ClosedRange<UInt64>

    fileprivate init(_ bytes: [UInt8], isPrefix: Bool) {
      self.bytes = bytes
      self.isPrefix = isPrefix
      let first = bytes.withUnsafeBytes { IndexKey.key($0) }
      let last = bytes.withUnsafeBytes { IndexKey.key($0, filler: isPrefix ? 255 : 0) }
      keys = first...last
    }

    /// True if it matches a word of a text.
    @inline(__always)
    fileprivate func matches(_ word: UnsafeRawBufferPointer, _ key: UInt64) -> Bool {
      guard keys.contains(key) else { return false }
      // Words contain no zero byte, so a key holds all bytes of a word of fewer than 8 bytes.
      if bytes.count < 8 { return true }
      guard isPrefix ? word.count >= bytes.count : word.count == bytes.count else { return false }
      return bytes.withUnsafeBytes {
        UnsafeRawBufferPointer(rebasing: word[..<$0.count]).hasSameBytes(as: $0)
      }
    }
  }

  private(set) var wanted: [Word] = []
  private(set) var excluded: [Word] = []

  /// Nil if the text contains no word.
  init?(_ text: UnsafeRawBufferPointer) {
    SearchWords.withFolded(text) { add($0) }
    if wanted.isEmpty && excluded.isEmpty { return nil }
  }

  private mutating func add(_ folded: UnsafeRawBufferPointer) {
    var offset = 0
    while let range = SearchWords.next(in: folded, from: offset) {
      offset = range.upperBound
      let isPrefix = offset < folded.count && folded[offset] == UInt8(ascii: "*")
      let word = Word(Array(folded[range]), isPrefix: isPrefix)
      if Self.hasMinus(folded, range.lowerBound) {
        excluded.append(word)
      } else {
        wanted.append(word)
      }
    }
  }

  private static func hasMinus(_ text: UnsafeRawBufferPointer, _ word: Int) -> Bool {
    guard word > 0, text[word - 1] == UInt8(ascii: "-") else { return false }
    guard word > 1 else { return true }
    // The scalar before the minus has at most four bytes; all but the first are continuation bytes.
    var start = word - 2
    while start > 0, word - start < 5, text[start] & 0xC0 == 0x80 { start -= 1 }
    let before = String(decoding: text[start..<(word - 1)], as: UTF8.self).unicodeScalars.last
    return before?.properties.isWhitespace ?? true
  }

  /// - Complexity: O(words of the text · words of the search).
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    withUnsafeTemporaryAllocation(of: Bool.self, capacity: wanted.count) { found in
      found.initialize(repeating: false)
      var missing = wanted.count
      var isExcluded = false
      SearchWords.forEach(in: text) { word in
        let key = IndexKey.key(word)
        isExcluded = excluded.contains { $0.matches(word, key) }
        if isExcluded { return false }
        for index in wanted.indices where !found[index] && wanted[index].matches(word, key) {
          found[index] = true
          missing -= 1
        }
        return missing > 0 || !excluded.isEmpty
      }
      return missing == 0 && !isExcluded
    }
  }
}
