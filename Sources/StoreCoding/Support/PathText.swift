import ObjectStore

/// Where a value stands in a payload, as messages show it: built from the inside out, as an error
/// leaves one array or object after the other.
///
///     users[3].born_on              keys and indices
///     map."a.b"."".x                keys that could be taken for something else are quoted
///     next.next.….next.name         a long path shows its ends
struct PathText: Sendable {
  /// The innermost components, put together.
  private var inner = ""
  /// The outermost components, the innermost of them first; empty while `inner` has room.
  private var outer: [String] = []
  /// Bytes of `outer`.
  private var outerCount = 0
  private var isCut = false

  /// Bytes that each end of a long path may have.
  private static let endByteCount = 120
  /// Each end has room for fewer components than this.
  private static let endCount = 80

  /// Puts a component in front.
  mutating func prepend(_ component: JSONPath.Component) {
    let text = Self.text(component)
    if outer.isEmpty, !isCut,
      inner.isEmpty || inner.utf8.count + text.utf8.count < Self.endByteCount
    {
      inner = Self.joined(text, inner)
      return
    }
    outer.append(text)
    outerCount += text.utf8.count + 1
    while outerCount > Self.endByteCount, outer.count > 1 {
      outerCount -= outer.removeFirst().utf8.count + 1
      isCut = true
    }
  }

  /// Puts components in front; the outermost is the first of them.
  mutating func prepend(_ components: some RandomAccessCollection<JSONPath.Component>) {
    guard components.count > 2 * Self.endCount else {
      for component in components.reversed() { prepend(component) }
      return
    }
    for component in components.suffix(Self.endCount).reversed() { prepend(component) }
    isCut = true
    for component in components.prefix(Self.endCount).reversed() { prepend(component) }
  }

  /// The whole, or its ends.
  var text: String {
    let rest = isCut ? Self.joined("…", inner) : inner
    return outer.reduce(rest) { Self.joined($1, $0) }
  }

  private static func joined(_ component: String, _ rest: String) -> String {
    rest.isEmpty || rest.hasPrefix("[") ? component + rest : "\(component).\(rest)"
  }

  private static func text(_ component: JSONPath.Component) -> String {
    switch component {
    case .index(let index):
      return "[\(index)]"
    case .key(var key):
      return key.withUTF8 { utf8 in
        let bytes = UnsafeRawBufferPointer(utf8)
        return isPlain(bytes)
          ? MessageText.clipped(bytes, characterCount: 40, byteCount: 64)
          : MessageText.quoted(bytes, characterCount: 40, byteCount: 64)
      }
    }
  }

  /// Whether nothing in the key looks like a part of the path or of the message around it.
  private static func isPlain(_ key: UnsafeRawBufferPointer) -> Bool {
    guard !key.isEmpty else { return false }
    let marks = ".[]()\"'\\:,…"
    return String(decoding: key.prefix(256), as: UTF8.self).unicodeScalars.allSatisfy {
      !marks.unicodeScalars.contains($0) && !$0.properties.isWhitespace && !MessageText.isHidden($0)
    }
  }
}
