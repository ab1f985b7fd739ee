import ObjectStore
import TestSupport
import Testing

private final class Desk: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var drawer: Drawer?
  @Persisted var drawers: List<Drawer>
  @Persisted var named: Map<String, Drawer?>
}

private final class Drawer: EmbeddedObject {
  @Persisted var n = 0
  @Persisted var inner: Inner?
}

private final class Inner: EmbeddedObject {
  @Persisted var n = 0
}

/// A rearrangement of the list, and its expected result.
private struct Move: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let expected: [Int]
  let body: @Sendable (Desk) -> Void
}

@Suite struct `Moving embedded objects` {
  private let store: Store
  private let desk: Desk

  init() throws {
    let store = try Store()
    func drawer(_ n: Int64) -> UpdateValue { ["n": .int(n), "inner": ["n": .int(n)]] }
    desk = try store.write {
      try store.create(
        Desk.self,
        value: [
          "id": 1, "drawer": drawer(9), "drawers": .array((0..<5).map { drawer($0) }),
          "named": ["a": drawer(7)],
        ])
    }
    self.store = store
  }

  private static let moves = [
    Move(testDescription: "to another index", expected: [1, 2, 0, 3, 4]) {
      let drawer = $0.drawers.remove(at: 0)
      $0.drawers.insert(drawer, at: 2)
    },
    Move(testDescription: "to the end", expected: [0, 1, 3, 4, 2]) {
      $0.drawers.append($0.drawers.remove(at: 2))
    },
    Move(testDescription: "swapped by three assignments", expected: [3, 1, 2, 0, 4]) {
      let drawer = $0.drawers[0]
      $0.drawers[0] = $0.drawers[3]
      $0.drawers[3] = drawer
    },
    Move(testDescription: "swapped by a tuple assignment", expected: [3, 1, 2, 0, 4]) {
      ($0.drawers[0], $0.drawers[3]) = ($0.drawers[3], $0.drawers[0])
    },
    Move(testDescription: "inserted twice", expected: [0, 0, 1, 2, 3, 4]) {
      let drawer = $0.drawers.removeFirst()
      $0.drawers.insert(contentsOf: [drawer, drawer], at: 0)
    },
    Move(testDescription: "reversed with all others", expected: [4, 3, 2, 1, 0]) {
      let drawers = Array($0.drawers)
      $0.drawers.removeAll()
      $0.drawers.append(contentsOf: drawers.reversed())
    },
  ]

  @Test(arguments: moves)
  private func `a removed embedded object can be inserted again in the same write`(_ move: Move)
    throws
  {
    try store.write { move.body(desk) }
    #expect(desk.drawers.map(\.n) == move.expected)
    #expect(desk.drawers.map { $0.inner?.n ?? -1 } == move.expected)
    store.checkInvariants()
  }

  @Test func `a removed embedded object can move to another key or attribute`() throws {
    try store.write {
      let home = try #require(desk.drawer)
      desk.drawer = nil
      desk.named["b"] = home
      let a = desk.named["a"] ?? nil
      desk.named["a"] = nil
      desk.named["c"] = a
      desk.drawer = desk.drawers.removeLast()
    }
    #expect(desk.named["b"]??.n == 9 && desk.named["c"]??.inner?.n == 7)
    #expect(desk.named["a"]??.n == nil)
    #expect(desk.drawer?.n == 4 && desk.drawers.count == 4)
    store.checkInvariants()
  }

  @Test func `an embedded object removed by an earlier write cannot be inserted`() throws {
    var drawer: Drawer?
    try store.write { drawer = desk.drawers.removeLast() }
    let count = desk.drawers.count
    let error = #expect(throws: StoreError.self) {
      try store.write { desk.drawers.append(try #require(drawer)) }
    }
    #expect(error?.description == "Drawer: the object was deleted or rolled back")
    #expect(desk.drawers.count == count)
  }
}
