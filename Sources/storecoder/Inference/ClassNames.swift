/// Names of classes made of the keys of JSON: `in_reply_to_users` → `InReplyToUser`.
enum ClassNames {
  /// The name of the class of what stands under a key, of which there are several if `isPlural`.
  static func name(_ key: String, isPlural: Bool) -> String {
    var words = words(key)
    if isPlural, let last = words.popLast() { words.append(singular(last)) }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let first = name.first else { return "Item" }
    return first.isLetter ? name : "Item\(name)"
  }

  /// The parts of a key between signs that no name has.
  private static func words(_ key: String) -> [String] {
    key.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
  }

  /// One of what a word says there are several of.
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

  /// The name itself, or with a number behind it, so that nobody has it yet.
  static func unique(_ name: String, among taken: (String) -> Bool) -> String {
    if !taken(name) { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken($0) } ?? name
  }
}
