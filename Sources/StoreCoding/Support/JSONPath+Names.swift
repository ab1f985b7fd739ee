import Foundation

// Paths in the spellings that callers and servers use, and the spelling of paths that consist of several declared ones.

extension JSONPath {
  /// Parses a path into the names and indices along it. Returns nil if the text has none of these forms:
  ///
  ///     lines.2.count          a dotted path
  ///     lines[2].count         with brackets, also lines[2][count] and lines[2]['count']
  ///     $.lines[2].count       the same forms, from the root of a JSONPath query (RFC 9535)
  ///     /lines/2/count         a pointer (RFC 6901)
  ///     #/lines/2/count        a pointer as a URI fragment (RFC 6901, section 6), with percent encoding
  ///
  /// The names of the root, which is spelled `""`, `#` and `$`, are empty.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  static func names(in text: String) -> [String]? {
    if text.isEmpty || text == "$" || text == "#" { return [] }
    if text.hasPrefix("/") { return names(inPointer: text) }
    if text.hasPrefix("#/") {
      return text.dropFirst().removingPercentEncoding.flatMap { names(inPointer: $0) }
    }
    if text.hasPrefix("$.") { return names(inDotted: text.utf8.dropFirst(2)) }
    return names(inDotted: text.hasPrefix("$[") ? text.utf8.dropFirst() : text.utf8[...])
  }

  private static func names(inPointer text: String) -> [String]? {
    var names: [String] = []
    for part in text.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      var name: [UInt8] = []
      var rest = part[...]
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "~") else {
          name.append(byte)
          continue
        }
        switch rest.popFirst() {
        case UInt8(ascii: "0"): name.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): name.append(UInt8(ascii: "/"))
        default: return nil
        }
      }
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names
  }

  private static func names(inDotted text: Substring.UTF8View) -> [String]? {
    var names: [String] = []
    var rest = text
    while let first = rest.first {
      if first == UInt8(ascii: "[") {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")), let name = unquoted(rest[..<end])
        else { return nil }
        names.append(name)
        rest = rest[rest.index(after: end)...]
      } else {
        let name = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
        guard !name.isEmpty else { return nil }
        names.append(String(Substring(name)))
        rest = rest[name.endIndex...]
      }
      // A dot separates a name from whatever precedes it, and a bracket needs none.
      if rest.first == UInt8(ascii: ".") {
        rest.removeFirst()
        if rest.isEmpty || rest.first == UInt8(ascii: "[") { return nil }
      } else if let next = rest.first, next != UInt8(ascii: "[") {
        return nil
      }
    }
    return names
  }

  /// The name in brackets, without quotation marks around it; nil if it is empty.
  private static func unquoted(_ text: Substring.UTF8View) -> String? {
    for mark in [UInt8(ascii: "'"), UInt8(ascii: "\"")]
    where text.count >= 2 && text.first == mark && text.last == mark {
      return String(Substring(text.dropFirst().dropLast()))
    }
    return text.isEmpty ? nil : String(Substring(text))
  }

  /// The text of a path that consists of other paths: with dots if it is then read back as the same path, otherwise a
  /// pointer.
  static func text(of paths: [JSONPath]) -> String {
    let components = paths.flatMap(\.components)
    let dotted = paths.map(\.text).joined(separator: ".")
    if let path = JSONPath(dotted), path.components == components,
      path.elementPath == paths.last?.elementPath
    {
      return dotted
    }
    let names = components.map(\.key).map(escaped)
    let elementNames = paths.last?.elementPath.map { ["*"] + $0.map(\.key).map(escaped) } ?? []
    return "/" + (names + elementNames).joined(separator: "/")
  }

  /// A reference token of a pointer (RFC 6901, section 3).
  static func escaped(_ name: String) -> String {
    name.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}
