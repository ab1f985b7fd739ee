public import Foundation

/// Why a mapping does not do what its test expects: a thrown error, which fails the test in Swift Testing and
/// in XCTest alike and says what is different where.
public struct StoreTestFailure: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// What was expected, in a line.
  public let title: String
  /// What is different, a line for each place.
  public let differences: [String]

  init(_ title: String, _ differences: [String] = []) {
    self.title = title
    self.differences = differences
  }

  /// The title and, indented, the differences.
  public var description: String {
    ([title] + differences.map { "  \($0)" }).joined(separator: "\n")
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
