import JSONText
import ObjectStore
import StoreCoding

/// Formats values and keys of JSON for differences.
enum TreeText {
  private static let limit = 60

  /// Returns a string as a JSON string literal.
  static func quoted(_ text: String) -> String {
    var writer = JSONWriter(formatting: [], capacity: text.utf8.count + 16)
    var text = text
    text.withUTF8 { writer.string($0) }
    return writer.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Truncates a string to `limit` characters.
  static func clipped(_ text: String) -> String {
    text.count > limit ? "\(text.prefix(limit))…" : text
  }

  /// Returns a key, quoted if it has characters other than letters, digits and underscores.
  static func key(_ key: String) -> String { isPlain(key) ? key : quoted(key) }

  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// Returns the path of a member.
  /// - Parameter showsCodes: True to show the key's characters beyond ASCII as code points.
  static func path(_ path: String, _ key: String, showsCodes: Bool) -> String {
    if showsCodes { return "\(path)[\(codes(quoted(key)))]" }
    if isPlain(key) { return path.isEmpty ? key : "\(path).\(key)" }
    return "\(path)[\(quoted(key))]"
  }

  /// Describes two different values, with their types if these differ as well; long strings are truncated to the
  /// part around the first difference.
  static func clipped(_ one: JSONTree, _ other: JSONTree) -> (String, String) {
    switch (one, other) {
    case (.string(let one), .string(let other)):
      let (one, other) = (quoted(one), quoted(other))
      return one == other ? around(codes(one), codes(other)) : around(one, other)
    case (.number(let one), .number(let other)): return around(one, other)
    default: return (one.described, other.described)
    }
  }

  /// Escapes the scalars beyond ASCII as `\u{e9}`.
  private static func codes(_ text: String) -> String {
    text.unicodeScalars.map { $0.isASCII ? "\($0)" : "\\u{\(String($0.value, radix: 16))}" }
      .joined()
  }

  /// Returns the parts of two strings around the first character that differs.
  private static func around(_ one: String, _ other: String) -> (String, String) {
    let (one, other) = (Array(one), Array(other))
    let common = zip(one, other).prefix { $0 == $1 }.count
    let longest = max(one.count, other.count)
    let start = longest <= limit || common < limit / 2 ? 0 : common - limit / 3
    func part(_ text: [Character]) -> String {
      let part = text.dropFirst(start).prefix(limit)
      return (start > 0 ? "…" : "") + String(part) + (start + part.count < text.count ? "…" : "")
    }
    return (part(one), part(other))
  }
}
