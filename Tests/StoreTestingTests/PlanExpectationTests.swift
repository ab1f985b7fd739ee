import Foundation
import ObjectStore
import StoreCoding
import StoreTesting
import Testing

private final class Parcel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var note: String?
}

@Suite struct `Expectations of plans` {
  private let coder: StoreCoder

  init() throws {
    coder = StoreCoder(store: try Store(configuration: .inMemory()))
    try coder.decodeArray(
      Parcel.self, from: Data(#"[{"id":4},{"id":7,"note":"a"}]"#.utf8))
  }

  private func plan() throws -> StorePlan<ReadResult<Parcel>> {
    try coder.plan(
      [Parcel].self, from: Data(#"[{"id":7,"note":null},{"id":9}]"#.utf8), complete: .all)
  }

  @Test func `the changes may be in any order`() throws {
    try PlanTest(plan()).expectChanges(
      """
      - Parcel 4
      + Parcel 9
      ~ Parcel 7: note "a" → null
      """)
    let unchanged = PlanTest(try coder.plan(Parcel.self, from: Data(#"{"id":4}"#.utf8)))
    try unchanged.expectChanges("")
    try unchanged.expectChanges("  no changes\n")
  }

  @Test func `a failure lists the missing and the unexpected changes`() throws {
    let plan = try plan()
    #expect(
      failureMessage {
        try PlanTest(plan).expectChanges("~ Parcel 7: note \"a\" → \"b\"\n+ Parcel 9\n+ Parcel 9")
      } == """
        the changes of the plan are not as expected:
          missing: ~ Parcel 7: note "a" → "b"
          missing: + Parcel 9
          not expected: ~ Parcel 7: note "a" → null
          not expected: - Parcel 4
        """)
  }
}
