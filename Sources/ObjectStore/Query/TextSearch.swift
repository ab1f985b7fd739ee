/// What texts are searched for: words that must occur in them, and words that must not.
///
///     cof* bea -tea      a word that begins with "cof", the word "bea", and no word "tea"
///
/// It is cut into words as texts are (``SearchWords``). A `*` directly behind a word lets any word count
/// that begins so; a `-` directly in front of one, at the beginning or behind white space, excludes it.
struct TextSearch {
  struct Word {
    fileprivate let bytes: [UInt8]
    fileprivate let isPrefix: Bool
    /// The keys of the words it stands for.
    let keys: ClosedRange<UInt64>

    fileprivate init(_ bytes: [UInt8], isPrefix: Bool) {
      self.bytes = bytes
      self.isPrefix = isPrefix
      let first = bytes.withUnsafeBytes { IndexKey.key($0) }
      let last = bytes.withUnsafeBytes { IndexKey.key($0, filler: isPrefix ? 255 : 0) }
      keys = first...last
    }

    /// Whether it stands for a word of a text.
    @inline(__always)
    fileprivate func matches(_ word: UnsafeRawBufferPointer, _ key: UInt64) -> Bool {
      guard keys.contains(key) else { return false }
      // No word has a zero in it, so up to here the key is all of it.
      if bytes.count < 8 { return true }
      guard isPrefix ? word.count >= bytes.count : word.count == bytes.count else { return false }
      return bytes.withUnsafeBytes {
        UnsafeRawBufferPointer(rebasing: word[..<$0.count]).hasSameBytes(as: $0)
      }
    }
  }

  private(set) var wanted: [Word] = []
  private(set) var excluded: [Word] = []

  /// Nil for a text without a word.
  init?(_ text: UnsafeRawBufferPointer) {
    SearchWords.withFolded(text) { add($0) }
    if wanted.isEmpty && excluded.isEmpty { return nil }
  }

  private mutating func add(_ folded: UnsafeRawBufferPointer) {
    var place = 0
    while let range = SearchWords.next(in: folded, from: place) {
      place = range.upperBound
      let isPrefix = place < folded.count && folded[place] == UInt8(ascii: "*")
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
    // The scalar in front has four bytes at most, of which all but the first continue it.
    var start = word - 2
    while start > 0, word - start < 5, text[start] & 0xC0 == 0x80 { start -= 1 }
    let before = String(decoding: text[start..<(word - 1)], as: UTF8.self).unicodeScalars.last
    return before?.properties.isWhitespace ?? true
  }

  /// - Complexity: that of the text's words, for each word that is searched for.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    withUnsafeTemporaryAllocation(of: Bool.self, capacity: wanted.count) { found in
      found.initialize(repeating: false)
      var missing = wanted.count
      var isExcluded = false
      SearchWords.forEach(in: text) { word in
        let key = IndexKey.key(word)
        isExcluded = excluded.contains { $0.matches(word, key) }
        if isExcluded { return false }
        for place in wanted.indices where !found[place] && wanted[place].matches(word, key) {
          found[place] = true
          missing -= 1
        }
        return missing > 0 || !excluded.isEmpty
      }
      return missing == 0 && !isExcluded
    }
  }
}
