/// The words of a text, as text search sees them.
///
///     "Der Bär, 2 Cafés!"    der  bar  2  cafes
///     "it's foo_bar"         it  s  foo  bar
///
/// The text is folded first, as `[cd]` folds it: no case, no diacritics. A word is then a maximal run of
/// letters and digits: of scalars that Unicode calls alphabetic or numeric. A mark that folding leaves
/// (the virama of Hindi) belongs to the word before it. Nothing else tells words apart, so a text
/// without spaces (日本語) is one word.
enum SearchWords {
  /// Calls `body` with each word, in order and as often as it occurs, until it returns false.
  ///
  /// - Complexity: that of ``StringFolding``.
  static func forEach(
    in text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) {
    withFolded(text) { folded in
      var place = 0
      while let word = next(in: folded, from: place) {
        if !body(UnsafeRawBufferPointer(rebasing: folded[word])) { return }
        place = word.upperBound
      }
    }
  }

  static func withFolded(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    StringFolding.withFolded(text, ignoringCase: true, ignoringDiacritics: true, body)
  }

  /// The first word of a folded text that begins at `start` or behind it.
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
    /// Or a digit.
    case letter
    case combining
    case other
  }

  /// What the scalar at `place` is to a word, and how many bytes it has.
  @inline(__always)
  private static func part(_ text: UnsafeRawBufferPointer, _ place: Int) -> (Part, Int) {
    let byte = text[place]
    if byte < 0x80 {
      return ((byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 ? .letter : .other, 1)
    }
    return widePart(text, place)
  }

  @inline(never)
  private static func widePart(_ text: UnsafeRawBufferPointer, _ place: Int) -> (Part, Int) {
    let byte = text[place]
    let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
    guard byte >= 0xC0, place + length <= text.count else { return (.other, 1) }
    var code = UInt32(byte & (0xFF >> UInt8(length + 1)))
    for next in place + 1..<place + length { code = code << 6 | UInt32(text[next] & 0x3F) }
    guard let properties = Unicode.Scalar(code)?.properties else { return (.other, length) }
    if properties.isAlphabetic || properties.numericType != nil { return (.letter, length) }
    return (properties.isGraphemeExtend ? .combining : .other, length)
  }

  /// Puts the keys of a text's words in `keys`, ascending, each once: what stands in a word index (R8).
  ///
  /// The key of a word is ``IndexKey/key(_:filler:)`` of it: its first eight bytes.
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
    for place in 1..<keys.count where keys[place] != keys[end - 1] {
      keys[end] = keys[place]
      end += 1
    }
    keys.removeSubrange(end...)
  }
}
