public import Foundation
import JSONText
import ObjectStore
import StoreCoding

/// The differences between two JSON documents, by path.
///
///     users[3].name: expected "Ann", found "Anne"
///     users[3].age: missing; expected 31
///     users[4]: not expected; found an object of id, name
///
/// The order of members is ignored; the order of elements is significant. Numbers are equal if they have the same
/// value in any notation. Strings and keys are equal if their unescaped UTF-8 bytes are the same.
public struct JSONDifference: Sendable, Hashable, CustomStringConvertible {
  /// A line for each of the first 20 differences, and one that counts the rest. Empty if there are none.
  public let lines: [String]

  /// Compares two documents.
  /// - Throws: ``StoreTestFailure`` with line and column if one of them is not valid JSON.
  public init(expected: Data, found: Data) throws {
    self.init(
      expected: try JSONTree(expected, of: "the expected document"),
      found: try JSONTree(found, of: "the actual document"))
  }

  init(expected: JSONTree, found: JSONTree) {
    var comparison = TreeComparison()
    comparison.compare(expected, found, "")
    lines = comparison.differences.lines
  }

  /// A Boolean value that indicates whether the documents are equal.
  public var isEmpty: Bool { lines.isEmpty }

  /// The lines, joined by line breaks.
  public var description: String { lines.joined(separator: "\n") }

  /// - Throws: ``StoreTestFailure`` with this title if there is a difference.
  func check(_ title: String) throws {
    if !isEmpty { throw StoreTestFailure(title, lines) }
  }
}

/// Walks two trees in parallel.
private struct TreeComparison {
  private(set) var differences = FirstLines()

  mutating func compare(_ expected: JSONTree, _ found: JSONTree, _ path: String) {
    switch (expected, found) {
    case (.null, .null): return
    case (.bool(let one), .bool(let other)) where one == other: return
    case (.string(let one), .string(let other)) where one.hasSameBytes(as: other): return
    case (.number(let one), .number(let other)) where Self.isSame(one, other): return
    case (.labeled(let type, let one), .labeled(let otherType, let other)) where type == otherType:
      compare(one, other, path)
    case (.array(let one), .array(let other)):
      for index in 0..<max(one.count, other.count) {
        compare(
          index < one.count ? one[index] : nil, index < other.count ? other[index] : nil,
          "\(path)[\(index)]")
      }
    case (.object(let one), .object(let other)):
      // The last value of a duplicate key wins.
      let ones = Dictionary(one.map { (ExactString($0.name), $0.value) }, uniquingKeysWith: { $1 })
      let others = Dictionary(
        other.map { (ExactString($0.name), $0.value) }, uniquingKeysWith: { $1 })
      var seen: Set<ExactString> = []
      for key in (one + other).map({ ExactString($0.name) }) where seen.insert(key).inserted {
        let (value, otherValue) = (ones[key], others[key])
        // A canonically equivalent key in the other document would look the same.
        let hasLookalike =
          value == nil && ones.keys.contains { $0.text == key.text }
          || otherValue == nil && others.keys.contains { $0.text == key.text }
        compare(value, otherValue, TreeText.path(path, key.text, showsCodes: hasLookalike))
      }
    default:
      let (one, other) = TreeText.clipped(expected, found)
      differences.append("\(path.isEmpty ? "the document" : path): expected \(one), found \(other)")
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

  /// The value of a number. Nil for more than 400 digits, or an exponent of 16 digits or more: such numbers are
  /// compared by their text.
  private static func digits(_ text: String) -> NumberDigits? {
    let exponent = text.drop { $0 != "e" && $0 != "E" }
    guard exponent.drop(while: { !("1"..."9").contains($0) }).count < 16 else { return nil }
    var text = text
    return text.withUTF8 { NumberDigits($0, limit: 400) }
  }
}
