public import Foundation
import JSONText
import ObjectStore

/// What is different between two JSON texts, place by place.
///
///     users[3].name: expected "Ann", found "Anne"
///     users[3].age: missing; expected 31
///     users[4]: not expected; found an object of id, name
///
/// The order of members does not count, that of elements does. Numbers are equal if they count the same,
/// however they are written; texts and keys if they are the same bytes, escapes aside.
public struct JSONDifference: Sendable, Hashable, CustomStringConvertible {
  /// A line for each of the first 20 places, and one that counts the others; empty for equal texts.
  public let lines: [String]

  /// Compares two texts.
  /// - Throws: ``StoreTestFailure`` for what is no JSON, with its place.
  public init(expected: Data, found: Data) throws {
    self.init(
      expected: try JSONTree(expected, of: "what is expected"),
      found: try JSONTree(found, of: "what was found"))
  }

  init(expected: JSONTree, found: JSONTree) {
    var comparison = TreeComparison()
    comparison.compare(expected, found, "")
    lines = comparison.differences.lines
  }

  /// Whether there is no difference.
  public var isEmpty: Bool { lines.isEmpty }

  /// The lines.
  public var description: String { lines.joined(separator: "\n") }

  /// - Throws: ``StoreTestFailure`` with the title for any difference.
  func check(_ title: String) throws {
    if !isEmpty { throw StoreTestFailure(title, lines) }
  }
}

/// Walks two trees beside each other.
private struct TreeComparison {
  private(set) var differences = FirstLines()

  mutating func compare(_ expected: JSONTree, _ found: JSONTree, _ path: String) {
    switch (expected, found) {
    case (.null, .null): return
    case (.bool(let one), .bool(let other)) where one == other: return
    case (.string(let one), .string(let other)) where one.hasSameBytes(as: other): return
    case (.number(let one), .number(let other)) where Self.isSame(one, other): return
    case (.typed(let type, let one), .typed(let otherType, let other)) where type == otherType:
      compare(one, other, path)
    case (.array(let one), .array(let other)):
      for index in 0..<max(one.count, other.count) {
        compare(
          index < one.count ? one[index] : nil, index < other.count ? other[index] : nil,
          "\(path)[\(index)]")
      }
    case (.object(let one), .object(let other)):
      // Of a key that comes twice the last counts.
      let ones = Dictionary(one.map { (ExactString($0.key), $0.value) }, uniquingKeysWith: { $1 })
      let others = Dictionary(other.map { (ExactString($0.key), $0.value) }, uniquingKeysWith: { $1 })
      var seen: Set<ExactString> = []
      for key in (one + other).map({ ExactString($0.key) }) where seen.insert(key).inserted {
        let (value, otherValue) = (ones[key], others[key])
        // The same characters on the other side would look the same.
        let hasTwin =
          value == nil && ones.keys.contains { $0.text == key.text }
          || otherValue == nil && others.keys.contains { $0.text == key.text }
        compare(value, otherValue, TreeText.path(path, key.text, showsCodes: hasTwin))
      }
    default:
      let (one, other) = TreeText.clipped(expected, found)
      differences.append("\(path.isEmpty ? "the whole" : path): expected \(one), found \(other)")
    }
  }

  private mutating func compare(_ expected: JSONTree?, _ found: JSONTree?, _ path: String) {
    switch (expected, found) {
    case (let expected?, let found?): compare(expected, found, path)
    case (let expected?, nil): differences.append("\(path): missing; expected \(expected.clipped)")
    case (nil, let found?): differences.append("\(path): not expected; found \(found.clipped)")
    case (nil, nil): break
    }
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    if one == other { return true }
    guard let first = digits(one), let second = digits(other) else { return false }
    return first == second
  }

  /// What a number counts; nil for one that is told by its text alone: of 400 digits, or with an exponent of
  /// 16, where counting ends.
  private static func digits(_ text: String) -> NumberDigits? {
    let exponent = text.drop { $0 != "e" && $0 != "E" }
    guard exponent.drop(while: { !("1"..."9").contains($0) }).count < 16 else { return nil }
    var text = text
    return text.withUTF8 { NumberDigits($0, limit: 400) }
  }
}
