import JSONText
import ObjectStore

/// The keys of an object, for messages: the first ten, and how many there are.
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

  /// `the keys 'people', 'count'`.
  var text: String {
    guard count > 0 else { return "no keys" }
    let list = first.map { "'\($0)'" }.joined(separator: ", ")
    let rest = count - first.count
    return (count == 1 ? "the key " : "the keys ") + list
      + (rest > 0 ? " and \(Self.grouped(rest)) more" : "")
  }

  /// `99,990`.
  private static func grouped(_ count: Int) -> String {
    var digits = "\(count)"
    var place = digits.index(digits.endIndex, offsetBy: -3, limitedBy: digits.startIndex)
    while let end = place, end > digits.startIndex {
      digits.insert(",", at: end)
      place = digits.index(end, offsetBy: -3, limitedBy: digits.startIndex)
    }
    return digits
  }

  /// Which of the keys may be meant to be one that was looked for: `is '_id' meant to be 'id'?`. Nil if none is
  /// alike.
  func nearest(to sought: [String], except known: [String]) -> String? {
    let unknown = first.filter { !known.contains($0) }
    for name in sought {
      guard let key = Suggestion.nearest(to: name, among: unknown) else { continue }
      return "is '\(key)' meant to be '\(MessageText.clipped(name))'?"
    }
    return nil
  }
}
