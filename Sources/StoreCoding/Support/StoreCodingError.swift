public import Foundation
import JSONText
import ObjectStore

/// An error that describes why a payload was rejected or an object could not be encoded.
///
///     users[3].born_on (User.born, id 7): expected a date (yyyy-MM-dd), found string "31/12/1999" at line 61, column 20
///
/// A rejected payload changes nothing.
public struct StoreCodingError: LocalizedError, Sendable, CustomStringConvertible {
  /// The kind of an error.
  public enum Kind: Sendable, Hashable {
    /// The text is not JSON.
    case syntax
    /// A value does not have the type of its attribute.
    case typeMismatch
    /// A number or a date is outside the range of the attribute, or a string has 16 MiB or more.
    case outOfRange
    /// A null for an attribute that is not optional or whose policy rejects it, or, as an issue, a null that was
    /// skipped.
    case nullForNonOptional
    /// An object has no value for its primary key.
    case primaryKeyNotFound
    /// An object has no key that belongs to its class.
    case noKeysFound
    /// An object has a duplicate key. Thrown if the coder rejects duplicates, otherwise reported as an issue.
    case duplicateKey
    /// A list element has the primary key of an earlier element and was merged into it. Only reported as an
    /// issue, never thrown.
    case mergedObject
    /// The payload lacks the declared envelope. The associated value has up to ten of the keys found instead.
    case envelopeNotFound(found: [String])
    /// The payload is not an array, but a list was requested.
    case nonArrayTopLevelObject
    /// The payload is not an object, but one was requested.
    case nonDictionaryTopLevelObject
    /// The payload or the body exceeds a limit of the coder.
    case limitExceeded
    /// The declarations of the classes are invalid. The associated value lists all mistakes.
    case invalidDeclarations([String])
    /// A dictionary holds a value that JSON cannot represent, or the value of a Codable attribute cannot be encoded.
    case notJSON
    /// A raw JSON attribute does not hold one JSON value.
    case invalidRawJSON
    /// A number that JSON cannot represent.
    case nonFiniteNumber
    /// The objects refer to each other in a cycle.
    case cycle
    /// A list that the call declares complete may lack elements.
    case incompleteList
    /// A call names an attribute that the class does not have, or that is never encoded.
    case notEncoded
    /// A JSON Merge Patch (RFC 7396) cannot express the change: in it, a null in an object removes the member.
    case notMergeable
    /// The object was deleted.
    case objectInvalidated
  }

  /// A single pointer keeps stack frames small: every function that propagates errors reserves space for one, and
  /// decoding recurses as deeply as the payload is nested.
  private var details: Details

  /// The details of an error. They take a few hundred bytes for any payload, because strings are clipped.
  private final class Details: Sendable {
    let facts: Facts

    init(_ facts: Facts) {
      self.facts = facts
    }
  }

  private struct Facts: Sendable {
    let kind: Kind
    var path = PathText()
    var attribute: String?
    var key: String?
    /// True once `key` is resolved, even if the object has none.
    var isKeyResolved = false
    let expected: String?
    var found: String?
    /// True until `found` is filled in from the value at `byteOffset`.
    var isFoundPending = false
    /// The expected keys of the object at `byteOffset`; `found` then lists the keys it has.
    var expectedKeys: [String]?
    /// All keys of the class.
    var knownKeys: [String] = []
    /// A suggestion, appended after the position.
    var advice: String?
    var byteOffset: Int?
    var line = 0
    var column = 0
    var policy: AttributePolicy.Mismatches?
  }

  private var facts: Facts {
    get { details.facts }
    set { details = Details(newValue) }
  }

  /// The kind of the error.
  public var kind: Kind { facts.kind }

  /// The JSON path, such as `users[3].born_on`; empty at the top level. A long path is shortened in the middle.
  public var path: String { facts.path.text }

  /// The attribute, such as `User.born`, or nil.
  public internal(set) var attribute: String? {
    get { facts.attribute }
    set { facts.attribute = newValue }
  }

  /// The primary key of the object that has or owns the attribute, such as `id 7`, or nil if it had not been
  /// read. Without an attribute, the key of the innermost enclosing object.
  public var key: String? { facts.key }

  /// True if ``resolveKey(_:)`` has no further effect.
  var isKeyResolved: Bool { facts.isKeyResolved }

  /// Sets the primary key of an enclosing object, unless an inner one was set. If the key of the inner object was
  /// not read, the error does not get the key of an outer object instead.
  mutating func resolveKey(_ key: String?) {
    guard !facts.isKeyResolved, key != nil || attribute != nil else { return }
    var resolved = facts
    resolved.key = key
    resolved.isKeyResolved = true
    facts = resolved
  }

  /// The expected value; nil if the kind implies it.
  public var expected: String? { facts.expected }

  /// The type and value found, clipped to 40 characters; or the keys of an object that lacks those of its
  /// class; or the text that is not JSON. Nil if nothing was found.
  public var found: String? { facts.found }

  /// The offset of the value in the payload, in bytes, or nil.
  public internal(set) var byteOffset: Int? {
    get { facts.byteOffset }
    set { facts.byteOffset = newValue }
  }

  /// The line and column, counted from 1, or nil.
  public internal(set) var position: (line: Int, column: Int)? {
    get { facts.line > 0 ? (facts.line, facts.column) : nil }
    set { (facts.line, facts.column) = newValue ?? (0, 0) }
  }

  /// The policy of the innermost attribute if it affects enclosing values (`throw` or `skipElement`); nil to
  /// use the policy of the enclosing value.
  var policy: AttributePolicy.Mismatches? {
    get { facts.policy }
    set { facts.policy = newValue }
  }

  @inline(never)
  init(
    _ kind: Kind, attribute: String? = nil, expected: String? = nil, found: String? = nil,
    byteOffset: Int? = nil
  ) {
    details = Details(
      Facts(
        kind: kind, attribute: attribute,
        expected: expected.map { MessageText.clipped($0, characterCount: 240, byteCount: 240) },
        found: found.map { Self.clipped($0, kind) },
        byteOffset: byteOffset))
  }

  /// Creates an error about invalid JSON.
  init(_ error: JSONError, in text: PayloadText) {
    self.init(
      .syntax, expected: error.message, found: text.describeText(of: error),
      byteOffset: error.byteOffset)
  }

  /// Creates an error about the value at an offset. ``described(in:)`` fills in the value found, because many
  /// such errors are created and never shown.
  ///
  /// - Parameter expected: A string that needs no clipping.
  @inline(never)
  init(
    _ kind: Kind, attribute: String?, expected: String, valueAt byteOffset: Int,
    policy: AttributePolicy.Mismatches?
  ) {
    details = Details(
      Facts(
        kind: kind, attribute: attribute, expected: expected, found: nil, isFoundPending: true,
        byteOffset: byteOffset, policy: policy))
  }

  private static func clipped(_ found: String, _ kind: Kind) -> String {
    let count =
      switch kind {
      // A list of keys is longer than a value.
      case .envelopeNotFound, .nonArrayTopLevelObject, .noKeysFound, .primaryKeyNotFound: 480
      default: 160
      }
    return MessageText.clipped(found, characterCount: count, byteCount: count)
  }

  /// Returns the error for an object that has none of the expected keys. ``described(in:)`` fills in the keys
  /// found.
  func expectingKeys(_ keys: [String], of known: [String]) -> StoreCodingError {
    var changed = facts
    changed.expectedKeys = keys
    changed.knownKeys = known
    changed.isFoundPending = true
    var error = self
    error.facts = changed
    return error
  }

  /// Returns the error with a suggestion, after any that it already has.
  func advising(_ advice: String) -> StoreCodingError {
    var error = self
    error.facts.advice = [facts.advice, advice].compactMap(\.self).joined(separator: "; ")
    return error
  }

  /// Returns the error with a description of the value found.
  func described(in text: PayloadText) -> StoreCodingError {
    guard facts.isFoundPending, let byteOffset else { return self }
    var described = facts
    described.isFoundPending = false
    if let expected = described.expectedKeys {
      let keys = text.keys(at: byteOffset)
      described.found = Self.clipped(keys.text, kind)
      described.advice = keys.nearest(to: expected, except: described.knownKeys)
    } else if let syntaxError = text.syntaxError(at: byteOffset) {
      return malformed(syntaxError, in: text)
    } else {
      described.found = Self.clipped(text.describeValue(at: byteOffset), kind)
    }
    var error = self
    error.facts = described
    return error
  }

  /// Returns the error for a value that begins like JSON but is malformed, which makes its type irrelevant.
  private func malformed(_ error: JSONError, in text: PayloadText) -> StoreCodingError {
    var malformed = StoreCodingError(error, in: text)
    malformed.facts.path = facts.path
    malformed.facts.key = key
    malformed.facts.isKeyResolved = true
    return malformed
  }

  /// Returns the error with its line, its column and its offset in the payload.
  func located(in text: PayloadText) -> StoreCodingError {
    text.located([self])[0]
  }

  /// Returns the error without its byte offset, for text that the caller has not seen.
  func withoutOffset() -> StoreCodingError {
    var error = self
    error.byteOffset = nil
    return error
  }

  /// The same string as ``description``, for alerts and logs.
  public var errorDescription: String? { description }

  /// The path, attribute, key, problem, line and column, in one line. For invalid declarations, one line per
  /// mistake.
  ///
  /// Values from the payload are clipped and their control characters escaped. The string has at most 1 KB for any
  /// payload.
  public var description: String {
    if case .invalidDeclarations(let mistakes) = kind { return mistakes.joined(separator: "\n") }
    var location = path
    let names = [attribute, key].compactMap(\.self)
    if !names.isEmpty {
      location += (location.isEmpty ? "" : " ") + "(\(names.joined(separator: ", ")))"
    }
    var text = location.isEmpty ? problem : "\(location): \(problem)"
    if let position { text += " at line \(position.line), column \(position.column)" }
    if let advice = facts.advice { text += "; \(advice)" }
    return text
  }

  private var problem: String {
    switch kind {
    case .syntax:
      (expected ?? "the text is not JSON") + (found.map { ", found \($0)" } ?? "")
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
        + (found.map { ", found \($0)" } ?? "")
    case .duplicateKey:
      "the key '\(found ?? "?")' occurs twice in one object"
    case .mergedObject:
      "merged into an earlier element with the same primary key"
    case .envelopeNotFound:
      "expected the envelope '\(expected ?? "?")', found \(found ?? "?")"
    case .nonArrayTopLevelObject:
      "expected \(expected ?? "an array of objects"), found \(found ?? "?")"
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
      "the objects refer to each other in a cycle"
    case .incompleteList:
      "the list may be incomplete: \(expected ?? "?")"
    case .notEncoded:
      expected ?? "the attribute is never encoded"
    case .notMergeable:
      "a merge patch cannot set a member of an object to null"
    case .objectInvalidated:
      "the object was deleted"
    }
  }

  mutating func prepend(key: String) {
    facts.path.prepend(.key(key))
  }

  mutating func prepend(index: Int) {
    facts.path.prepend(.index(index))
  }

  /// Returns the error with a component prepended to its path. An error about a limit is returned unchanged: a path
  /// of hundreds of components is not informative.
  static func prefixed(_ error: any Error, _ component: JSONPath.Component) -> any Error {
    guard var prefixed = error as? StoreCodingError, prefixed.kind != .limitExceeded else {
      return error
    }
    prefixed.prepend([component])
    return prefixed
  }

  /// Prepends components to the path, ordered from the outermost.
  mutating func prepend(_ components: [JSONPath.Component]) {
    facts.path.prepend(components)
  }
}
