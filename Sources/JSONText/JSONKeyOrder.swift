/// An order for the keys of an object.
///
///     bytes                       A2 B a10 a2 b z é
///     numericCaseInsensitive      a2 A2 a10 b B é z
public enum JSONKeyOrder: Sendable {
  /// By UTF-8 bytes, as in Foundation's JSONEncoder with `sortedKeys`.
  case bytes

  /// The order that people expect, as in Foundation's JSONSerialization with `sortedKeys`: punctuation, numbers by
  /// value, letters ignoring accents and case. Otherwise equal keys are ordered by accents, then case, then leading
  /// zeros, then bytes.
  ///
  /// Exact for ASCII and for the Latin letters of Western and Central Europe; other scripts follow in Unicode
  /// order.
  case numericCaseInsensitive

  /// Returns true if `first` precedes `second`; both must be valid UTF-8.
  ///
  /// - Complexity: O(*n*). The numeric order allocates, so sort once and reuse the result.
  public func areInIncreasingOrder(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    switch self {
    case .bytes: Self.compareBytes(first, second) < 0
    case .numericCaseInsensitive: Self.compareReadably(first, second) < 0
    }
  }

  /// Compares two byte sequences lexicographically; returns a negative number, zero or a positive number.
  static func compareBytes(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> Int
  {
    var others = second.makeIterator()
    for byte in first {
      guard let other = others.next() else { return 1 }
      if byte != other { return byte < other ? -1 : 1 }
    }
    return others.next() == nil ? 0 : -1
  }

  private static func compareReadably(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let weights = CollationWeight.all(first)
    let others = CollationWeight.all(second)
    for (weight, other) in zip(weights, others) {
      let order = weight.comparePrimary(to: other)
      if order != 0 { return order }
    }
    if weights.count != others.count { return weights.count < others.count ? -1 : 1 }
    for level in [\CollationWeight.accent, \.letterCase, \.leadingZeroCount] {
      for (weight, other) in zip(weights, others)
      where weight[keyPath: level] != other[keyPath: level] {
        return weight[keyPath: level] < other[keyPath: level] ? -1 : 1
      }
    }
    return compareBytes(first, second)
  }
}

/// The collation weight of one character or one sequence of digits: a small part of the Unicode Collation
/// Algorithm with CLDR's root order.
private struct CollationWeight {
  /// The rank of the base character.
  var primary: UInt32
  /// The digits of a number without leading zeros; empty for zero and for other characters.
  var digits: [UInt8] = []
  var accent = 0
  /// 0 for lowercase letters, 1 for uppercase.
  var letterCase = 0
  var leadingZeroCount = 0

  func comparePrimary(to other: CollationWeight) -> Int {
    if primary != other.primary { return primary < other.primary ? -1 : 1 }
    // Compared by digits, because numbers may have any length.
    if digits.count != other.digits.count { return digits.count < other.digits.count ? -1 : 1 }
    return JSONKeyOrder.compareBytes(digits, other.digits)
  }

  static func all(_ utf8: UnsafeBufferPointer<UInt8>) -> [CollationWeight] {
    var weights: [CollationWeight] = []
    var isInNumber = false
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      if scalar.value &- 0x30 < 10 {
        if !isInNumber { weights.append(CollationWeight(primary: numberWeight)) }
        isInNumber = true
        let last = weights.count - 1
        if scalar.value == 0x30, weights[last].digits.isEmpty {
          weights[last].leadingZeroCount += 1
        } else {
          weights[last].digits.append(UInt8(truncatingIfNeeded: scalar.value))
        }
        continue
      }
      isInNumber = false
      if let accent = combiningAccents[scalar], !weights.isEmpty {
        weights[weights.count - 1].accent = accent
      } else {
        append(scalar, to: &weights)
      }
    }
    return weights
  }

  private static func append(_ scalar: Unicode.Scalar, to weights: inout [CollationWeight]) {
    let lower = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
    let letterCase = scalar == lower ? 0 : 1
    if let (bases, accent) = accentedLetters[lower] {
      for base in bases {
        weights.append(
          CollationWeight(primary: primaryWeight(base), accent: accent, letterCase: letterCase))
      }
    } else {
      weights.append(CollationWeight(primary: primaryWeight(lower), letterCase: letterCase))
    }
  }

  // MARK: - Primary weights

  /// The ASCII characters that are neither letters nor digits, in CLDR's order. Digits follow all of them.
  private static let punctuation = Array(" _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".unicodeScalars)

  private static let numberWeight: UInt32 = 0x50

  private static func primaryWeight(_ scalar: Unicode.Scalar) -> UInt32 {
    if let index = punctuation.firstIndex(of: scalar) { return 0x20 + UInt32(index) }
    // Control characters precede everything, letters follow the numbers.
    return scalar.value
  }

  /// Letters by accent, in CLDR's order of accents.
  private static let accents: [(combining: UInt32, letters: String, bases: String)] = [
    (0x301, "áćéíĺńóŕśúýź", "aceilnorsuyz"),
    (0x300, "àèìòù", "aeiou"),
    (0x306, "ăĕğĭŏŭ", "aegiou"),
    (0x302, "âĉêĝĥîĵôŝûŵŷ", "aceghijosuwy"),
    (0x30C, "čďěňřšťžľ", "cdenrstzl"),
    (0x30A, "åů", "au"),
    (0x308, "äëïöüÿё", "aeiouyе"),
    (0x30B, "őű", "ou"),
    (0x303, "ãñõĩũ", "anoiu"),
    (0x307, "ċėġż", "cegz"),
    (0x338, "øđħłŧ", "odhlt"),
    (0x327, "çģķļņŗşţ", "cgklnrst"),
    (0x328, "ąęįų", "aeiu"),
    (0x304, "āēīōū", "aeiou"),
  ]

  private static let combiningAccents: [Unicode.Scalar: Int] = {
    var table: [Unicode.Scalar: Int] = [:]
    for (index, accent) in accents.enumerated() {
      if let scalar = Unicode.Scalar(accent.combining) { table[scalar] = index + 1 }
    }
    return table
  }()

  private static let accentedLetters: [Unicode.Scalar: ([Unicode.Scalar], Int)] = {
    var table: [Unicode.Scalar: ([Unicode.Scalar], Int)] = [:]
    for (index, accent) in accents.enumerated() {
      for (letter, base) in zip(accent.letters.unicodeScalars, accent.bases.unicodeScalars) {
        table[letter] = ([base], index + 1)
      }
    }
    for (letter, bases) in [("ß", "ss"), ("æ", "ae"), ("œ", "oe")] {
      for scalar in letter.unicodeScalars {
        table[scalar] = (Array(bases.unicodeScalars), accents.count + 1)
      }
    }
    return table
  }()
}
