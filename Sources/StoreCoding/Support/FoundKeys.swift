import JSONText
import ObjectStore

/// The first ten keys of an object and the total number, for error messages.
struct FoundKeys {
  private(set) var first: [String] = []
  private var count = 0

  mutating func append(_ key: JSONString) {
    count += 1
    guard first.count < 10 else { return }
    first.append(
      MessageText.clipped(
        UnsafeRawBufferPointer(key.bytes), characterCount: 24, byteCount: 36))
  }

  /// The keys as text: `the keys 'people', 'count'`.
  var text: String {
    guard count > 0 else { return "no keys" }
    let list = first.map { "'\($0)'" }.joined(separator: ", ")
    let rest = count - first.count
    return (count == 1 ? "the key " : "the keys ") + list
      + (rest > 0 ? " and \(Self.grouped(rest)) more" : "")
  }

  /// The number with thousands separators: `99,990`.
  private static func grouped(_ count: Int) -> String {
    var digits = "\(count)"
    var separator = digits.index(digits.endIndex, offsetBy: -3, limitedBy: digits.startIndex)
    while let end = separator, end > digits.startIndex {
      digits.insert(",", at: end)
      separator = digits.index(end, offsetBy: -3, limitedBy: digits.startIndex)
    }
    return digits
  }

  /// Returns a question about a likely misspelling, such as `is '_id' meant to be 'id'?`, or nil if no key is
  /// similar.
  func nearest(to expected: [String], except known: [String]) -> String? {
    let unknown = first.filter { !known.contains($0) }
    for name in expected {
      guard let key = Suggestion.nearest(to: name, among: unknown) else { continue }
      return "is '\(key)' meant to be '\(MessageText.clipped(name))'?"
    }
    return nil
  }
}
