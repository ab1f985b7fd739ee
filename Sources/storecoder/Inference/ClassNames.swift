/// Derives class names from JSON keys: `in_reply_to_users` → `InReplyToUser`.
enum ClassNames {
  /// Returns the class name for the value of a key, or for its elements if `isPlural`.
  static func name(_ key: String, isPlural: Bool) -> String {
    var words = words(key)
    if isPlural, let last = words.popLast() { words.append(singular(last)) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let first = name.first else { return "Item" }
    return first.isLetter ? name : "Item\(name)"
  }

  /// Splits a key at characters other than ASCII letters and digits.
  private static func words(_ key: String) -> [String] {
    key.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
  }

  /// Returns the singular form of a word.
  static func singular(_ word: String) -> String {
    let lower = word.lowercased()
    func without(_ count: Int, _ end: String = "") -> String { word.dropLast(count) + end }
    if lower.hasSuffix("ies"), lower.count > 4 { return without(3, "y") }
    for end in ["sses", "shes", "ches", "xes", "zes", "uses"] where lower.hasSuffix(end) {
      return without(2)
    }
    for end in ["ss", "us", "is"] where lower.hasSuffix(end) { return word }
    return lower.hasSuffix("s") && lower.count > 2 ? without(1) : word
  }
}
