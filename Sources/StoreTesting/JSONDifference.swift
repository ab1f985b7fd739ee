public import Foundation
import JSONText

/// What is different between two JSON texts, place by place.
///
///     users[3].name: expected "Ann", found "Anne"
///     users[3].age: missing; expected 31
///     users[4]: not expected; found an object of id, name
///
/// The order of members does not count, that of elements does. Numbers are equal if they count the same,
/// however they are written.
public struct JSONDifference: Sendable, Hashable, CustomStringConvertible {
  /// A line for each place; empty for equal texts.
  public let lines: [String]

  /// Compares two texts.
  /// - Throws: ``StoreTestFailure`` for what is no JSON, with its place.
  public init(expected: Data, found: Data) throws {
    self.init(
      expected: try JSONTree(expected, of: "what is expected"),
      found: try JSONTree(found, of: "what was found"))
  }

  init(expected: JSONTree, found: JSONTree) {
    var lines: [String] = []
    Self.compare(expected, found, "", &lines)
    self.lines = lines
  }

  /// Whether there is no difference.
  public var isEmpty: Bool { lines.isEmpty }

  /// The lines.
  public var description: String { lines.joined(separator: "\n") }

  private static func compare(
    _ expected: JSONTree, _ found: JSONTree, _ path: String, _ lines: inout [String]
  ) {
    switch (expected, found) {
    case (.null, .null): return
    case (.bool(let one), .bool(let other)) where one == other: return
    case (.string(let one), .string(let other)) where Array(one.utf8) == Array(other.utf8): return
    case (.number(let one), .number(let other)) where isSame(one, other): return
    case (.array(let one), .array(let other)):
      for index in 0..<max(one.count, other.count) {
        let place = "\(path)[\(index)]"
        compare(
          index < one.count ? one[index] : nil, index < other.count ? other[index] : nil, place,
          &lines)
      }
    case (.object(let one), .object(let other)):
      // Of a key that comes twice the last counts.
      let ones = Dictionary(one.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
      let others = Dictionary(other.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
      var seen: Set<String> = []
      for (key, _) in one + other where seen.insert(key).inserted {
        compare(ones[key], others[key], self.path(path, key), &lines)
      }
    default:
      lines.append("\(top(path)): expected \(expected.clipped()), found \(found.clipped())")
    }
  }

  private static func compare(
    _ expected: JSONTree?, _ found: JSONTree?, _ path: String, _ lines: inout [String]
  ) {
    switch (expected, found) {
    case (let expected?, let found?): compare(expected, found, path, &lines)
    case (let expected?, nil): lines.append("\(path): missing; expected \(expected.clipped())")
    case (nil, let found?): lines.append("\(path): not expected; found \(found.clipped())")
    case (nil, nil): break
    }
  }

  private static func top(_ path: String) -> String { path.isEmpty ? "the whole" : path }

  private static func path(_ path: String, _ key: String) -> String {
    let isPlain = !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    if isPlain { return path.isEmpty ? key : "\(path).\(key)" }
    return "\(path)[\"\(key)\"]"
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    if one == other { return true }
    func digits(_ text: String) -> NumberDigits? {
      var text = text
      return text.withUTF8 { NumberDigits($0, limit: 400) }
    }
    guard let first = digits(one), let second = digits(other) else { return false }
    return first == second
  }
}
