public import Foundation

/// A failed expectation about a mapping.
///
/// The error fails a test in Swift Testing and XCTest. It names the source line of the expectation and the differences:
///
///     /app/Tests/UserTests.swift:31: the update of User is not as expected:
///       name: expected "Ann", found "Anne"
public struct StoreTestFailure: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The failed expectation, on one line.
  public let title: String
  /// A line for each of the first 20 differences, and one that counts the rest.
  public let differences: [String]
  /// The source file of the expectation. Nil for an error of ``JSONDifference/init(expected:found:)``.
  public private(set) var file: String?
  /// The source line of the expectation. Nil for an error of ``JSONDifference/init(expected:found:)``.
  public private(set) var line: UInt?

  init(_ title: String, _ differences: [String] = []) {
    self.title = title
    self.differences = differences
  }

  /// The source location, the title and, indented, the differences.
  public var description: String {
    let location = if let file, let line { "\(file):\(line): " } else { "" }
    return ([location + title] + differences.map { "  \($0)" }).joined(separator: "\n")
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// Runs an expectation and adds its source location to the error it throws.
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

extension Error {
  /// The reason for the failure of a file operation: `Is a directory`.
  var reason: String {
    let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
    return underlying.map { String(cString: strerror($0.code.rawValue)) } ?? localizedDescription
  }
}
