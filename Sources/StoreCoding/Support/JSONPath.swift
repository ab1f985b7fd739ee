import ObjectStore

/// The path to a value in an object: `"name"`, `"address.city"`, or an RFC 6901 pointer `"/names/0"`, in which
/// `~1` is a slash and `~0` a tilde.
///
/// In the pointer of a collection, `*` represents each element: `"/friends/edges/*/node"`.
struct JSONPath: Hashable, CustomStringConvertible {
  enum Component: Hashable {
    case key(String)
    /// An array index. Occurs only in pointers, where it also matches an object key.
    case index(Int)

    /// The object key that the component matches.
    var key: String {
      switch self {
      case .key(let key): key
      case .index(let index): "\(index)"
      }
    }

    /// The array index; nil for a key.
    var index: Int? { if case .index(let index) = self { index } else { nil } }

    /// Parses one reference token of a pointer.
    fileprivate init(escaped text: Substring) {
      if let index = Int(text), index >= 0, "\(index)" == text {
        self = .index(index)
      } else {
        self = .key(
          String(text).split(separator: "~1", omittingEmptySubsequences: false)
            .joined(separator: "/").split(separator: "~0", omittingEmptySubsequences: false)
            .joined(separator: "~"))
      }
    }
  }

  /// The components; in a pointer with `*`, those before it, which lead to the array.
  let components: [Component]
  /// The components after `*`, from each element to its value; nil for a path without `*`.
  let elementPath: [Component]?
  let text: String

  /// Parses a dotted path or a pointer. Returns nil for a dotted path with an empty component, and for a pointer
  /// with a `~` that is not followed by 0 or 1.
  init?(_ text: String) {
    self.text = text
    if text.hasPrefix("/") {
      let escapes = text.utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
      let isEscaped = escapes.dropFirst().allSatisfy {
        $0.first == UInt8(ascii: "0") || $0.first == UInt8(ascii: "1")
      }
      guard isEscaped else { return nil }
      let names = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      let wildcard = names.firstIndex(of: "*")
      components = names[..<(wildcard ?? names.endIndex)].map { Component(escaped: $0) }
      elementPath = wildcard.map { names[($0 + 1)...].map { Component(escaped: $0) } }
      return
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    components = parts.map { .key(String($0)) }
    elementPath = nil
  }

  /// The reason why a text cannot be used as a path.
  struct Mistake: Error {
    let sentence: String
  }

  /// Parses the path of a declaration or of a call.
  ///
  /// - Parameter isList: True if the path is that of a list or set, which may contain `*`.
  /// - Throws: `Mistake` if the text is not a path, is too deep, has too large an index, or a `*` that it may not have.
  init(checking text: String, isList: Bool = false) throws(Mistake) {
    guard let path = JSONPath(text), !path.components.isEmpty || path.elementPath != nil else {
      throw Mistake(sentence: "'\(text)' is not a valid path")
    }
    let components = path.components + (path.elementPath ?? [])
    guard components.count <= Self.depthLimit else {
      throw Mistake(
        sentence: "a path of \(components.count) names is deeper than the limit of "
          + "\(Self.depthLimit)")
    }
    guard components.allSatisfy({ $0.index ?? 0 <= Self.indexLimit }) else {
      throw Mistake(sentence: "'\(text)' has an index above \(Self.indexLimit)")
    }
    guard path.elementPath?.allSatisfy({ $0.index ?? 0 <= Self.elementIndexLimit }) ?? true else {
      throw Mistake(
        sentence: "'\(text)' has an index above \(Self.elementIndexLimit) after the '*'")
    }
    if path.elementPath != nil {
      guard isList else {
        throw Mistake(
          sentence: "'\(text)' has a '*', which only the path of a list or set may have")
      }
      guard !components.contains(.key("*")) else {
        throw Mistake(sentence: "'\(text)' has more than one '*'")
      }
    }
    self = path
  }

  /// Returns the path with further keys before and after its components.
  func inside(_ keys: (before: [String], after: [String])) -> JSONPath {
    if keys.before.isEmpty, keys.after.isEmpty { return self }
    return JSONPath(
      keys.before.map { .key($0) } + components + keys.after.map { .key($0) },
      text: (keys.before + [text] + keys.after).joined(separator: "."))
  }

  /// The path in a JSON object, in which a number at the beginning is a key.
  var inObject: JSONPath {
    guard let first = components.first, first.index != nil else { return self }
    return JSONPath([.key(first.key)] + components.dropFirst(), elementPath, text: text)
  }

  private init(_ components: [Component], _ elementPath: [Component]? = nil, text: String) {
    self.components = components
    self.text = text
    self.elementPath = elementPath
  }

  /// Creates a path of one key, in which dots have no special meaning.
  init(key: String) {
    text = key
    components = [.key(key)]
    elementPath = nil
  }

  var description: String { text }

  /// The maximum array index. Missing elements before an index are encoded as null, so it must not be large.
  static let indexLimit = 9_999

  /// The maximum array index after `*`, because null is written for the elements before it in each element.
  static let elementIndexLimit = 99

  /// The maximum number of components. A longer path is reported as a mistake.
  static let depthLimit = 100
}

extension Sequence {
  /// Groups the elements by key, comparing keys by their bytes, because `String` equality ignores differences in
  /// encoding that distinguish JSON keys. Keys are in order of first occurrence; elements without a key are
  /// omitted.
  func groupedByKey(_ key: (Element) -> String?) -> (keys: [String], groups: [[Element]]) {
    var indices: [ExactString: Int] = [:]
    var (keys, groups): ([String], [[Element]]) = ([], [])
    for element in self {
      guard let key = key(element) else { continue }
      if let index = indices[ExactString(key)] {
        groups[index].append(element)
      } else {
        indices[ExactString(key)] = keys.count
        keys.append(key)
        groups.append([element])
      }
    }
    return (keys, groups)
  }
}

/// The words of an attribute's name in lower case: `firstName` → `first name`, `imageURL` → `image url`, `URLString` →
/// `url string`, `genreIDs` → `genre ids`, `line2Text` → `line2 text`.
func keyWords(_ name: String) -> [String] {
  var words: [String] = []
  var word = ""
  let characters = Array(name)
  for (index, character) in characters.enumerated() {
    let next = index + 1 < characters.count ? characters[index + 1] : nil
    let previous = index > 0 ? characters[index - 1] : nil
    // The plural of an acronym ends in a single `s`.
    let isPlural =
      next == "s" && !(index + 2 < characters.count && characters[index + 2].isLowercase)
    let endsAcronym = previous?.isUppercase == true && next?.isLowercase == true && !isPlural
    let followsWord = previous?.isLowercase == true || previous?.isNumber == true
    if character.isUppercase, followsWord || endsAcronym, !word.isEmpty {
      words.append(word)
      word = ""
    }
    word += character.lowercased()
  }
  return words + [word]
}
