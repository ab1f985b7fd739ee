/// Untrusted text in a form suitable for messages: short, on one line, and without control characters.
///
///     MessageText.clipped("two\nlines")        two\nlines
///     MessageText.quoted("say \"hi\"")         "say \"hi\""
///
/// Errors pass all text from payloads and callers through here, so that messages have a bounded length and cannot
/// forge lines of a log.
package enum MessageText {
  /// Returns the escaped text; if it exceeds a limit, its beginning and `…`.
  ///
  /// The cut is between characters, or between scalars if a single character is too long.
  package static func clipped(
    _ text: some StringProtocol, characterCount: Int = 42, byteCount: Int = 128
  ) -> String {
    var text = String(text)
    // Fast path: most texts are short and plain.
    if isPlain(text.utf8, byteCount: min(characterCount, byteCount)) { return text }
    return text.withUTF8 {
      clipped(UnsafeRawBufferPointer($0), characterCount: characterCount, byteCount: byteCount)
    }
  }

  private static func isPlain(_ utf8: String.UTF8View, byteCount: Int) -> Bool {
    utf8.count <= byteCount && utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  /// Returns the escaped text of UTF-8 bytes; if it exceeds a limit, its beginning and `…`.
  ///
  /// - Complexity: O(`byteCount`), independent of the length of the text.
  package static func clipped(
    _ utf8: UnsafeRawBufferPointer, characterCount: Int = 42, byteCount: Int = 128
  ) -> String {
    let (pieces, isWhole) = pieces(utf8, characterCount, byteCount, isQuoted: false)
    return pieces + (isWhole ? "" : "…")
  }

  /// Returns the escaped text in quotation marks, with quotation marks and backslashes escaped, too; if it exceeds a
  /// limit, its beginning and `…`.
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
      // The last character may be incomplete.
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

  /// True if the scalar is a control character, ends a line, changes the writing direction, or is invisible.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: false
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    // The zero-width joiner connects the parts of one visible character.
    case 0x200D: false
    default: scalar.properties.generalCategory == .format
    }
  }
}
