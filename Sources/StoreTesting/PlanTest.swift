import Foundation
public import ObjectStore

/// Tests the changes that a plan would make.
///
///     let plan = try coder.plan([Order].self, from: data, complete: .all)
///     try PlanTest(plan).expectChanges(
///       """
///       ~ Order 7: note "a" → null
///       + Order 9
///       - Order 4
///       """)
public struct PlanTest {
  private let changes: PlannedChanges

  /// Creates a test of a plan.
  public init(_ plan: StorePlan<some Any>) {
    changes = plan.changes
  }

  /// Expects exactly these changes, in any order.
  ///
  /// - Parameters:
  ///   - expected: A line for each change, as `PlannedChanges.Change.description` writes it. White space around lines, empty
  ///     lines and `no changes` are ignored.
  ///   - file: The source file of the expectation.
  ///   - line: The source line of the expectation.
  /// - Throws: ``StoreTestFailure`` with the missing and the unexpected changes.
  public func expectChanges(
    _ expected: String, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    try StoreTestFailure.expecting(at: file, line) {
      var missing = expected.split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty && $0 != "no changes" }
      var others: [String] = []
      for found in changes.map(\.description) {
        if let index = missing.firstIndex(of: found) {
          missing.remove(at: index)
        } else {
          others.append(found)
        }
      }
      if missing.isEmpty, others.isEmpty { return }
      let lines = missing.map { "missing: \($0)" } + others.map { "not expected: \($0)" }
      throw StoreTestFailure(
        "the changes of the plan are not as expected:", FirstLines(lines).lines)
    }
  }
}
