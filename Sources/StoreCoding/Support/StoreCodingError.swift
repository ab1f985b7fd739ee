public import Foundation
import JSONText
import ObjectStore

/// Why a payload was refused, or an object could not be encoded: what, where, expected, found.
///
///     users[3].born_on (User.born, id 7): expected a date (yyyy-MM-dd), found string "31/12/1999" at line 61, column 20
///
/// A refused payload changes nothing.
public struct StoreCodingError: LocalizedError, Sendable, CustomStringConvertible {
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
    /// An element of a list has the primary key of an earlier one and was merged into it. Only an issue, never thrown.
    case mergedObject
    /// The declared envelope is not there; the keys that are, ten of them at most.
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

  /// One word: every function that errors pass through would otherwise make room for all of it on
  /// the stack, and decoding nests as deep as a payload.
  private var details: Details

  /// A few hundred bytes whatever the payload was: nothing of it is kept but clipped texts.
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
    /// Whether the object whose attribute it is was asked for its key.
    var isKeySettled = false
    let expected: String?
    var found: String?
    /// Whether `found` is yet to be told, by the value at `byteOffset`.
    var isFoundPending = false
    /// The keys that were looked for in the object at `byteOffset`: then `found` is about the keys it has.
    var soughtKeys: [String]?
    /// The keys that the class has.
    var knownKeys: [String] = []
    /// What may help, after the position.
    var advice: String?
    var byteOffset: Int?
    var line = 0
    var column = 0
    var policy: MismatchPolicy?
  }

  private var facts: Facts {
    get { details.facts }
    set { details = Details(newValue) }
  }

  /// Which rule was broken.
  public var kind: Kind { facts.kind }

  /// Where in the JSON: `users[3].born_on`; empty at the top. A long path shows its ends.
  public var path: String { facts.path.text }

  /// `User.born`; nil where no attribute is concerned.
  public internal(set) var attribute: String? {
    get { facts.attribute }
    set { facts.attribute = newValue }
  }

  /// The primary key of the object the attribute belongs to, or that owns it: `id 7`; nil if none
  /// was read by then. Without an attribute, that of the innermost object around.
  public var key: String? { facts.key }

  /// Whether ``settleKey(_:)`` has nothing more to say.
  var isKeySettled: Bool { facts.isKeySettled }

  /// Names an object around the place, unless one further in was named. An object that has a key,
  /// but none that was read, is not called by that of another.
  mutating func settleKey(_ key: String?) {
    guard !facts.isKeySettled, key != nil || attribute != nil else { return }
    var settled = facts
    settled.key = key
    settled.isKeySettled = true
    facts = settled
  }

  /// What should stand there; nil where the kind says it all.
  public var expected: String? { facts.expected }

  /// The type and the value at the place, clipped to 40 characters; the keys of an object that lacks those of its
  /// class; or the text that is not JSON. Nil where there is nothing.
  public var found: String? { facts.found }

  /// Bytes before the place in the payload; nil where there is none.
  public var byteOffset: Int? { facts.byteOffset }

  /// Line and column of the place, counted from 1; nil where there is none.
  public internal(set) var position: (line: Int, column: Int)? {
    get { facts.line > 0 ? (facts.line, facts.column) : nil }
    set { (facts.line, facts.column) = newValue ?? (0, 0) }
  }

  /// What the innermost attribute concerned declares, if that reaches beyond it: `throw` or
  /// `skipElement`; nil where what is around decides.
  var policy: MismatchPolicy? {
    get { facts.policy }
    set { facts.policy = newValue }
  }

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

  /// An error about the value at a place of a payload. What it finds there is told by
  /// ``described(in:)``: many such errors are made that nobody reads.
  ///
  /// - Parameter expected: a text that needs no clipping.
  init(
    _ kind: Kind, attribute: String?, expected: String, valueAt byteOffset: Int,
    policy: MismatchPolicy?
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

  /// The error about an object that has none of the keys that were looked for. ``described(in:)`` tells which
  /// keys it has.
  func seeking(_ keys: [String], of known: [String]) -> StoreCodingError {
    var seeking = facts
    seeking.soughtKeys = keys
    seeking.knownKeys = known
    seeking.isFoundPending = true
    var error = self
    error.facts = seeking
    return error
  }

  /// The error with what may help.
  func advising(_ advice: String) -> StoreCodingError {
    var error = self
    error.facts.advice = advice
    return error
  }

  /// The error with what stands at its place.
  func described(in text: PayloadText) -> StoreCodingError {
    guard facts.isFoundPending, let byteOffset else { return self }
    var described = facts
    described.isFoundPending = false
    if let sought = described.soughtKeys {
      let keys = text.keys(at: byteOffset)
      described.found = Self.clipped(keys.text, kind)
      described.advice = keys.nearest(to: sought, except: described.knownKeys)
    } else {
      described.found = Self.clipped(text.describeValue(at: byteOffset), kind)
    }
    var error = self
    error.facts = described
    return error
  }

  /// The error with line and column of its place.
  func located(in input: JSONInput) -> StoreCodingError {
    guard let byteOffset else { return self }
    var error = self
    error.position = input.lineAndColumn(at: byteOffset)
    return error
  }

  /// The error without its place in a text that nobody has seen.
  func withoutPlace() -> StoreCodingError {
    var error = self
    error.facts.byteOffset = nil
    return error
  }

  /// The same as ``description``, for alerts and logs that ask an error so.
  public var errorDescription: String? { description }

  /// Place, attribute, key, what is wrong, line and column, in one line; mistakes one per line.
  ///
  /// What comes from the payload is clipped and its control characters are escaped: the text has at
  /// most 1 KB, whatever the payload is.
  public var description: String {
    if case .invalidDeclarations(let mistakes) = kind { return mistakes.joined(separator: "\n") }
    var place = path
    let names = [attribute, key].compactMap(\.self)
    if !names.isEmpty {
      place += (place.isEmpty ? "" : " ") + "(\(names.joined(separator: ", ")))"
    }
    var text = place.isEmpty ? what : "\(place): \(what)"
    if let position { text += " at line \(position.line), column \(position.column)" }
    if let advice = facts.advice { text += "; \(advice)" }
    return text
  }

  private var what: String {
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
      "the key '\(found ?? "?")' stands twice in one object"
    case .mergedObject:
      "merged into an earlier element with the same primary key"
    case .envelopeNotFound:
      "expected the envelope '\(expected ?? "?")', found \(found ?? "?")"
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
    facts.path.prepend(.key(key))
  }

  /// Puts an index in front of the path.
  mutating func prepend(index: Int) {
    facts.path.prepend(.index(index))
  }

  /// The error with a component in front of its path; but for one about the depth, of which hundreds
  /// of components say nothing.
  static func placed(_ error: any Error, _ component: JSONPath.Component) -> any Error {
    guard var placed = error as? StoreCodingError, placed.kind != .limitExceeded else {
      return error
    }
    placed.prepend([component])
    return placed
  }

  /// Puts components in front of the path; the outermost is the first of them.
  mutating func prepend(_ components: [JSONPath.Component]) {
    facts.path.prepend(components)
  }
}
