/// Recognizes keys that are data, and not the names of attributes.
enum DataNames {
  /// True if all keys are identifiers, dates, numbers or languages.
  /// - Parameter areContainers: True if the values are objects or arrays. Their keys may also be numbered, such as `P31`.
  static func areData(_ names: [[UInt8]], ofValues areContainers: Bool) -> Bool {
    names.allSatisfy { NameWords.isIdentifier($0) || DateForm($0) != nil || isNumber($0) }
      || areLanguages(names) || areContainers && areNumbered(names)
  }

  /// True for a number such as `-1.5`.
  private static func isNumber(_ name: [UInt8]) -> Bool {
    let digits = name.first == UInt8(ascii: "-") ? name.dropFirst() : name[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(NameWords.isDigit) }
  }

  /// True for three or more names with the same letters before a number: `Q1`, `Q42`, `Q64`.
  private static func areNumbered(_ names: [[UInt8]]) -> Bool {
    guard names.count >= 3, let prefix = names.first?.prefix(while: { !NameWords.isDigit($0) }),
      !prefix.isEmpty
    else { return false }
    return names.allSatisfy { name in
      let number = name.dropFirst(prefix.count)
      return name.starts(with: prefix) && !number.isEmpty && number.allSatisfy(NameWords.isDigit)
    }
  }

  // MARK: - Languages

  /// True for two or more language tags, such as `en`, `de` and `zh-Hant`. Many codes are also words (`to`, `id`, `is`), so
  /// one of the languages must be a frequent one whose code is no word.
  private static func areLanguages(_ names: [[UInt8]]) -> Bool {
    guard names.count > 1 else { return false }
    var isFrequent = false
    for name in names {
      let parts = name.split(omittingEmptySubsequences: false) {
        $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
      let isTag = parts.dropFirst().allSatisfy {
        2...8 ~= $0.count && $0.allSatisfy(NameWords.isAlphanumeric)
      }
      let code = String(decoding: parts[0], as: UTF8.self).lowercased()
      guard isTag, languages.contains(code) else { return false }
      isFrequent = isFrequent || frequentLanguages.contains(code)
    }
    return isFrequent
  }

  private static let frequentLanguages: Set<String> = [
    "ar", "cs", "da", "de", "en", "es", "fi", "fr", "hu", "ja", "ko", "nl", "pl", "pt", "ru", "sv",
    "tr", "uk", "zh",
  ]

  /// The codes of ISO 639-1.
  private static let languages = Set(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo \
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg \
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn \
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw \
    ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split(separator: " ").map(String.init))
}
