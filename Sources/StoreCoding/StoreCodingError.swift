import Foundation
import JSONText
import ObjectStore

/// Why a payload was refused, or an object could not be encoded: what, where, expected, found.
///
///     users[3].born_on (User.born, id 7): expected a date (yyyy-MM-dd), found string "31/12/1999" at line 61, column 20
///
/// A refused payload changes nothing.
public struct StoreCodingError: Error, Sendable, CustomStringConvertible {
  /// Which rule was broken.
  public enum Kind: Sendable, Hashable {
    /// The text is not JSON.
    case syntax
    /// A value of another type than the attribute's.
    case typeMismatch
    /// A number outside the range of the attribute's type, or a text of 16 MiB or more.
    case outOfRange
    /// Null for an attribute that is not optional, or whose policy refuses it.
    case nullForNonOptional
    /// An object has no value for its primary key.
    case primaryKeyNotFound
    /// An object has no key that belongs to its class.
    case noKeysFound
    /// An object has a key twice, and the coder refuses that.
    case duplicateKey
    /// The declared envelope is not there; the keys that are.
    case envelopeNotFound(found: [String])
    /// An array was asked for.
    case nonArrayTopLevelObject
    /// An object was asked for.
    case nonDictionaryTopLevelObject
    /// The payload exceeds a limit of the coder.
    case limitExceeded
    /// The declarations of the classes contradict each other; all mistakes.
    case invalidDeclarations([String])
    /// A dictionary holds something JSON does not have.
    case notJSON
    /// A raw JSON attribute does not hold one JSON value.
    case invalidRawJSON
    /// A number JSON cannot write.
    case nonFiniteNumber
    /// Objects refer to each other in a circle.
    case cycle
    /// The object was deleted.
    case objectInvalidated
  }

  /// Which rule was broken.
  /// One word: every function that errors pass through would otherwise make room for all of it on
  /// the stack, and decoding nests as deep as a payload.
  private var details: Details

  private final class Details: Sendable {
    let kind: Kind
    let path: String
    let attribute: String?
    let key: String?
    /// Whether the object whose attribute it is was asked for its key.
    let isKeySettled: Bool
    let expected: String?
    let found: String?
    let byteOffset: Int?
    let policy: MismatchPolicy?
    let input: JSONInput?

    init(
      kind: Kind, path: String, attribute: String?, key: String?, isKeySettled: Bool,
      expected: String?, found: String?, byteOffset: Int?, policy: MismatchPolicy?,
      input: JSONInput?
    ) {
      self.kind = kind
      self.path = path
      self.attribute = attribute
      self.key = key
      self.isKeySettled = isKeySettled
      self.expected = expected
      self.found = found
      self.byteOffset = byteOffset
      self.policy = policy
      self.input = input
    }

    /// A copy with what became known on the way out.
    func with(
      path: String? = nil, attribute: String? = nil, key: String? = nil,
      isKeySettled: Bool? = nil, policy: MismatchPolicy? = nil
    ) -> Details {
      Details(
        kind: kind, path: path ?? self.path, attribute: attribute ?? self.attribute,
        key: key ?? self.key, isKeySettled: isKeySettled ?? self.isKeySettled, expected: expected,
        found: found, byteOffset: byteOffset,
        policy: policy ?? self.policy, input: input)
    }
  }

  /// Which rule was broken.
  public var kind: Kind { details.kind }

  /// Where in the JSON: `users[3].born_on`; empty at the top.
  public internal(set) var path: String {
    get { details.path }
    set { details = details.with(path: newValue) }
  }

  /// `User.born`; nil where no attribute is concerned.
  public internal(set) var attribute: String? {
    get { details.attribute }
    set { details = details.with(attribute: newValue) }
  }

  /// The primary key of the object the attribute belongs to, or that owns it: `id 7`; nil if none
  /// was read by then. Without an attribute, that of the innermost object around.
  public var key: String? { details.key }

  /// Names an object around the place, unless one further in was named. An object that has a key,
  /// but none that was read, is not called by that of another.
  mutating func settleKey(_ key: String?) {
    guard !details.isKeySettled, key != nil || attribute != nil else { return }
    details = details.with(key: key, isKeySettled: true)
  }

  /// What should stand there; nil where the kind says it all.
  public var expected: String? { details.expected }

  /// What stands there: its type and the value, clipped to 40 characters; nil where nothing does.
  public var found: String? { details.found }

  /// Bytes before the place in the payload; nil where there is none.
  public var byteOffset: Int? { details.byteOffset }

  /// The policy of the innermost attribute concerned; nil where the coder's holds.
  var policy: MismatchPolicy? {
    get { details.policy }
    set { details = details.with(policy: newValue) }
  }

  init(
    _ kind: Kind, path: String = "", attribute: String? = nil, key: String? = nil,
    expected: String? = nil, found: String? = nil, byteOffset: Int? = nil,
    input: JSONInput? = nil
  ) {
    details = Details(
      kind: kind, path: path, attribute: attribute, key: key, isKeySettled: key != nil,
      expected: expected, found: found, byteOffset: byteOffset, policy: nil, input: input)
  }

  /// Line and column of the place, counted from 1; nil where there is none.
  ///
  /// - Complexity: O(``byteOffset``).
  public var position: (line: Int, column: Int)? {
    guard let byteOffset, let input = details.input else { return nil }
    return input.lineAndColumn(at: byteOffset)
  }

  /// Place, attribute, key, what is wrong, line and column, in one line; mistakes one per line.
  public var description: String {
    if case .invalidDeclarations(let mistakes) = kind { return mistakes.joined(separator: "\n") }
    var place = path
    let names = [attribute, key].compactMap(\.self)
    if !names.isEmpty {
      place += (place.isEmpty ? "" : " ") + "(\(names.joined(separator: ", ")))"
    }
    var text = place.isEmpty ? what : "\(place): \(what)"
    if let position { text += " at line \(position.line), column \(position.column)" }
    return text
  }

  private var what: String {
    switch kind {
    case .syntax:
      expected ?? "the text is not JSON"
    case .typeMismatch, .notJSON:
      "expected \(expected ?? "?"), found \(found ?? "?")"
    case .outOfRange:
      "\(found ?? "?") is outside the range of \(expected ?? "?")"
    case .nullForNonOptional:
      expected.map { "null for \($0)" } ?? "null was skipped"
    case .primaryKeyNotFound:
      "no value for the primary key '\(expected ?? "?")'"
        + (found.map { ", found \($0)" } ?? "")
    case .noKeysFound:
      "no key of the object belongs to \(expected ?? "its class")"
    case .duplicateKey:
      "the key '\(found ?? "?")' stands twice in one object"
    case .envelopeNotFound(let keys):
      "expected the envelope '\(expected ?? "?")', found "
        + (keys.isEmpty
          ? "no keys"
          : keys.count == 1
            ? "the key '\(keys[0])'" : "the keys '\(keys.joined(separator: "', '"))'")
    case .nonArrayTopLevelObject:
      "expected an array of objects, found \(found ?? "?")"
    case .nonDictionaryTopLevelObject:
      "expected an object, found \(found ?? "?")"
    case .limitExceeded:
      "the limit of \(expected ?? "?") is exceeded" + (found.map { ": found \($0)" } ?? "")
    case .invalidDeclarations:
      "invalid declarations"
    case .invalidRawJSON:
      "the text is not one JSON value: \(found ?? "?")"
    case .nonFiniteNumber:
      "JSON has no number for \(found ?? "?")"
    case .cycle:
      "the objects refer to each other in a circle"
    case .objectInvalidated:
      "the object was deleted"
    }
  }

  /// Puts a key in front of the path.
  mutating func prepend(key: String) {
    path = path.isEmpty ? key : path.hasPrefix("[") ? key + path : "\(key).\(path)"
  }

  /// Puts an index in front of the path.
  mutating func prepend(index: Int) {
    path = path.isEmpty || path.hasPrefix("[") ? "[\(index)]\(path)" : "[\(index)].\(path)"
  }
}
