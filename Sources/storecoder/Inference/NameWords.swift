/// Splits JSON keys into words, and recognizes keys that are identifiers of objects.
enum NameWords {
  /// Returns the words of a key in lowercase: `genre_ids`, `genre-ids`, `genreIds` and `GenreIDs` have the words `genre`
  /// and `ids`.
  static func words(_ key: String) -> [String] {
    let characters = Array(key)
    var words: [String] = []
    var isInWord = false
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        isInWord = false
        continue
      }
      if isInWord, !startsWord(characters, index) {
        words[words.count - 1] += character.lowercased()
      } else {
        words.append(character.lowercased())
        isInWord = true
      }
    }
    return words
  }

  /// True if an uppercase letter begins a word: after a lowercase letter or digit (`createdAt`), or as the last of several
  /// before a lowercase letter (`URLPath`), except before a plural `s` at the end (`genreIDs`).
  private static func startsWord(_ characters: [Character], _ index: Int) -> Bool {
    guard characters[index].isUppercase else { return false }
    if !characters[index - 1].isUppercase { return true }
    let rest = characters[(index + 1)...]
    guard rest.first?.isLowercase ?? false else { return false }
    return !(rest.first == "s" && !(rest.dropFirst().first?.isLetter ?? false))
  }

  /// True if a key identifies an object: a UUID, at least 16 hexadecimal digits, a key that Firebase generates
  /// (`-NxT…`), or a day.
  static func isIdentifier(_ name: [UInt8]) -> Bool {
    switch name.count {
    case 10: DateForm(name) == .day
    case 20 where name[0] == UInt8(ascii: "-"):
      name.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    case 36 where name[8] == UInt8(ascii: "-"):
      name.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : isHexadecimal(byte)
      }
    default: name.count >= 16 && name.allSatisfy(isHexadecimal)
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || 0x61...0x7A ~= byte | 0x20
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || 0x61...0x66 ~= byte | 0x20
  }
}
