/// Text from outside, made fit for a message: on one line, without control characters, and short.
///
///     MessageText.clipped("two\nlines")        two\nlines
///     MessageText.quoted("say \"hi\"")         "say \"hi\""
///
/// Whatever a payload or a caller gave goes through here before it stands in an error, so that no
/// message grows with its cause, and none can pass for two lines of a log.
package enum MessageText {
  /// The text, escaped; of one that is longer than a limit, the beginning and `…`.
  ///
  /// Cut between characters, and between scalars where a character alone is too long.
  package static func clipped(
    _ text: some StringProtocol, characterCount: Int = 42, byteCount: Int = 128
  ) -> String {
    var text = String(text)
    // Most texts are short and plain, and stay as they are.
    if isPlain(text.utf8, byteCount: min(characterCount, byteCount)) { return text }
    return text.withUTF8 {
      clipped(UnsafeRawBufferPointer($0), characterCount: characterCount, byteCount: byteCount)
    }
  }

  private static func isPlain(_ utf8: String.UTF8View, byteCount: Int) -> Bool {
    utf8.count <= byteCount && utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  /// The same of UTF-8.
  ///
  /// - Complexity: O(`byteCount`), however long the text is.
  package static func clipped(
    _ utf8: UnsafeRawBufferPointer, characterCount: Int = 42, byteCount: Int = 128
  ) -> String {
    let (pieces, isWhole) = pieces(utf8, characterCount, byteCount, isQuoted: false)
    return pieces + (isWhole ? "" : "…")
  }

  /// The text in quotation marks, with those in it and backslashes escaped.
  package static func quoted(
    _ utf8: UnsafeRawBufferPointer, characterCount: Int = 40, byteCount: Int = 96
  ) -> String {
    let (pieces, isWhole) = pieces(utf8, characterCount, byteCount, isQuoted: true)
    return "\"\(pieces)\(isWhole ? "" : "…")\""
  }

  private static func pieces(
    _ utf8: UnsafeRawBufferPointer, _ characterCount: Int, _ byteCount: Int, isQuoted: Bool
  ) -> (String, isWhole: Bool) {
    var end = min(utf8.count, byteCount)
    var isWhole = end == utf8.count
    if !isWhole {
      while end > 0, utf8[end] & 0xC0 == 0x80 { end -= 1 }
    }
    var characters = Array(String(decoding: utf8[..<end], as: UTF8.self).prefix(characterCount + 1))
    if characters.count > characterCount || !isWhole {
      isWhole = false
      // The last may go on behind the cut.
      let kept = min(characterCount - 1, characters.count - 1)
      if kept > 0 { characters.removeLast(characters.count - kept) }
    }
    var result = ""
    for character in characters {
      let piece = escaped(character, isQuoted: isQuoted)
      guard result.utf8.count + piece.utf8.count <= byteCount else { return (result, false) }
      result += piece
    }
    return (result, isWhole)
  }

  private static func escaped(_ character: Character, isQuoted: Bool) -> String {
    var result = ""
    for scalar in character.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\"" where isQuoted: result += "\\\""
      case "\\" where isQuoted: result += "\\\\"
      case _ where isHidden(scalar):
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether the scalar is a control character, ends a line, turns the direction of writing, or
  /// shows nothing at all.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: false
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    // Joins the parts of one visible character.
    case 0x200D: false
    default: scalar.properties.generalCategory == .format
    }
  }
}
