/// The collections of a table that contain links to rows that died.
struct DeadLinks {
  /// The dead targets by column and row; empty for more than a few.
  private var targets: [Int: [Int: [Int]]] = [:]

  /// The number of targets up to which they are listed.
  private static let limit = 8

  mutating func add(_ column: Int, _ slot: Int, _ dead: [Int]) {
    let known = targets[column]?[slot]
    let isListed = known.map { !$0.isEmpty && $0.count + dead.count <= Self.limit } ?? true
    targets[column, default: [:]][slot] =
      isListed && dead.count <= Self.limit ? (known ?? []) + dead : []
  }

  /// Calls `body` with each collection and its dead targets, which are none if there are many.
  func forEach(_ body: (_ column: Int, _ slot: Int, _ dead: [Int]) -> Void) {
    for (column, rows) in targets.sorted(byNumber: \.key) {
      for (slot, dead) in rows.sorted(byNumber: \.key) { body(column, slot, dead) }
    }
  }
}
