/// The words of a text for text search.
///
///     "Der Bär, 2 Cafés!"    der  bar  2  cafes
///     "it's foo_bar"         it  s  foo  bar
///
/// The text is first folded like `[cd]`, which removes case and diacritics. A word is then a maximal sequence of
/// scalars that Unicode classifies as alphabetic or numeric. A combining mark that remains after folding (the virama
/// of Hindi) belongs to the preceding word. There are no other word boundaries, so a text without spaces (日本語) is one
/// word.
enum SearchWords {
  /// Calls `body` with each word, in order and including repetitions, until it returns false.
  ///
  /// - Complexity: The same as ``StringFolding``.
  static func forEach(
    in text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) {
    withFolded(text) { folded in
      var offset = 0
      while let word = next(in: folded, from: offset) {
        if !body(UnsafeRawBufferPointer(rebasing: folded[word])) { return }
        offset = word.upperBound
      }
    }
  }

  static func withFolded(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    StringFolding.withFolded(text, ignoringCase: true, ignoringDiacritics: true, body)
  }

  /// Returns the range of the first word at or after `start` in a folded text; nil if there is none.
  static func next(in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
    var first = start
    while first < text.count {
      let (part, length) = part(text, first)
      if part == .letter { break }
      first += length
    }
    guard first < text.count else { return nil }
    var end = first
    while end < text.count {
      let (part, length) = part(text, end)
      if part == .other { break }
      end += length
    }
    return first..<end
  }

  private enum Part {
    /// A letter or digit.
    case letter
    case combining
    case other
  }

  /// Returns the role and the byte count of the scalar at `offset`.
  @inline(__always)
  private static func part(_ text: UnsafeRawBufferPointer, _ offset: Int) -> (Part, Int) {
    let byte = text[offset]
    if byte < 0x80 {
      return ((byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 ? .letter : .other, 1)
    }
    return widePart(text, offset)
  }

  @inline(never)
  private static func widePart(_ text: UnsafeRawBufferPointer, _ offset: Int) -> (Part, Int) {
    let byte = text[offset]
    let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
    guard byte >= 0xC0, offset + length <= text.count else { return (.other, 1) }
    var code = UInt32(byte & (0xFF >> UInt8(length + 1)))
    for next in offset + 1..<offset + length { code = code << 6 | UInt32(text[next] & 0x3F) }
    guard let properties = Unicode.Scalar(code)?.properties else { return (.other, length) }
    if properties.isAlphabetic || properties.numericType != nil { return (.letter, length) }
    return (properties.isGraphemeExtend ? .combining : .other, length)
  }

  /// Replaces `keys` with the keys of a text's words, ascending and without duplicates: the entries of a word index
  /// (R8).
  ///
  /// A word's key consists of its first eight bytes; see ``IndexKey/key(_:filler:)``.
  static func collectKeys(
    of text: UnsafeRawBufferPointer, in keys: inout ContiguousArray<UInt64>
  ) {
    keys.removeAll(keepingCapacity: true)
    forEach(in: text) {
      keys.append(IndexKey.key($0))
      return true
    }
    if keys.count < 2 { return }
    keys.sort()
    var end = 1
    for offset in 1..<keys.count where keys[offset] != keys[end - 1] {
      keys[end] = keys[offset]
      end += 1
    }
    keys.removeSubrange(end...)
  }
}
