import ObjectStore

/// The path to a value in a payload, for error messages. It is built from the inside out while an error
/// propagates through arrays and objects.
///
///     users[3].born_on              keys and indices
///     map."a.b"."".x                keys with special characters are quoted
///     next.next.….next.name         a long path is shortened in the middle
struct PathText: Sendable {
  /// The innermost components, joined.
  private var inner = ""
  /// The outermost components, from the innermost outwards. Empty until `inner` is full.
  private var outer: [String] = []
  /// The size of `outer` in bytes.
  private var outerCount = 0
  private var isCut = false

  /// The maximum size in bytes of each end of a long path.
  private static let endByteCount = 120
  /// An upper bound for the number of components in each end.
  private static let endCount = 80

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

  /// Prepends components, ordered from the outermost.
  mutating func prepend(_ components: some RandomAccessCollection<JSONPath.Component>) {
    guard components.count > 2 * Self.endCount else {
      for component in components.reversed() { prepend(component) }
      return
    }
    for component in components.suffix(Self.endCount).reversed() { prepend(component) }
    isCut = true
    for component in components.prefix(Self.endCount).reversed() { prepend(component) }
  }

  /// The path, shortened in the middle if it is long.
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

  /// True if no character of the key is ambiguous within a path or message.
  private static func isPlain(_ key: UnsafeRawBufferPointer) -> Bool {
    guard !key.isEmpty else { return false }
    let marks = ".[]()\"'\\:,…"
    return String(decoding: key.prefix(256), as: UTF8.self).unicodeScalars.allSatisfy {
      !marks.unicodeScalars.contains($0) && !$0.properties.isWhitespace && !MessageText.isHidden($0)
    }
  }
}
