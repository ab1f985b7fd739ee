public import Foundation

/// Why a mapping does not do what its test expects: a thrown error, which fails the test in Swift Testing and
/// in XCTest alike and says which expectation it was and what is different where.
///
///     /app/Tests/UserTests.swift:31: the update of User is not as expected:
///       name: expected "Ann", found "Anne"
public struct StoreTestFailure: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// What was expected, in a line.
  public let title: String
  /// What is different, a line for each of the first 20 places, and one that counts the others.
  public let differences: [String]
  /// The source of the expectation; nil for a failure of no expectation.
  public private(set) var file: String?
  /// The line of the expectation; nil for a failure of no expectation.
  public private(set) var line: UInt?

  init(_ title: String, _ differences: [String] = []) {
    self.title = title
    self.differences = differences
  }

  /// The place, the title and, indented, the differences.
  public var description: String {
    let place = if let file, let line { "\(file):\(line): " } else { "" }
    return ([place + title] + differences.map { "  \($0)" }).joined(separator: "\n")
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// Runs an expectation; a failure of it names its place in the test.
  static func expecting<R>(
    at file: StaticString, _ line: UInt, _ body: () throws -> R
  ) throws -> R {
    do {
      return try body()
    } catch {
      var failure = (error as? StoreTestFailure) ?? StoreTestFailure("\(error)")
      failure.file = "\(file)"
      failure.line = line
      throw failure
    }
  }
}

/// The first of many lines, and how many more there are.
struct FirstLines {
  private static let limit = 20
  private var first: [String] = []
  private var count = 0

  init() {}

  /// - Parameter count: How many there are in all.
  init(_ lines: [String], of count: Int? = nil) {
    first = Array(lines.prefix(Self.limit))
    self.count = count ?? lines.count
  }

  mutating func append(_ line: @autoclosure () -> String) {
    count += 1
    if first.count < Self.limit { first.append(line()) }
  }

  /// The lines, and one for the rest.
  var lines: [String] { first + (count > first.count ? ["and \(count - first.count) more"] : []) }
}

extension Error {
  /// Why the system did not do something with a file: `Is a directory`.
  var reason: String {
    let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
    return underlying.map { String(cString: strerror($0.code.rawValue)) } ?? localizedDescription
  }
}
