import ObjectStore

extension Benchmark {
  /// P26: the loops of P9 over frozen objects, and the cost of freezing.
  static var frozenReads: [Benchmark] {
    [
      Benchmark(
        id: "P26.read", what: "frozen object: a number read", targets: [.timesTheCost(2)],
        ours: { _ in try frozenReads(readNumbers) },
        baselineName: "live object", baseline: StoreRows.readNumber),
      Benchmark(
        id: "P26.long", what: "frozen object: text of 41 bytes read", targets: [.timesTheCost(2)],
        ours: { _ in try frozenReads(readLongTexts) },
        baselineName: "live object", baseline: StoreRows.readLongText),
      Benchmark(
        id: "P26.freeze", what: "object frozen, its version was frozen before",
        targets: [.timesTheCost(10)],
        ours: { _ in try liveUsers { for user in $0 { lastFrozen = user.frozen() } } },
        baselineName: "reference",
        baseline: { _ in try liveUsers { for user in $0 { lastReference = user.reference } } }),
    ]
  }

  /// Creates a side with one operation per live object.
  private static func liveUsers(_ pass: @escaping ([LiveUser]) -> Void) throws -> Side {
    let users = try StoreRows.makeLiveUsers(try Store())
    return Side(operationCount: users.count) { watch in
      watch.time { pass(users) }
    }
  }

  private static func frozenReads(_ pass: @escaping ([Frozen<LiveUser>]) -> Int) throws -> Side {
    let store = try Store()
    _ = try StoreRows.makeLiveUsers(store)
    let objects = Array(store.objects(LiveUser.self).frozen())
    let count = PlainBaseline.objectCount * PlainBaseline.repetitionCount
    return Side(operationCount: count) { watch in
      watch.time {
        for _ in 0..<PlainBaseline.repetitionCount { sink &+= pass(objects) }
      }
    }
  }
}

// Accessed only by the thread that runs the benchmarks.
nonisolated(unsafe) private var lastFrozen: Frozen<LiveUser>?
nonisolated(unsafe) private var lastReference: ObjectReference<LiveUser>?

@inline(never) private func readNumbers(_ objects: [Frozen<LiveUser>]) -> Int {
  var sum = 0
  for object in objects { sum &+= object.followerCount }
  return sum
}

@inline(never) private func readLongTexts(_ objects: [Frozen<LiveUser>]) -> Int {
  var sum = 0
  for object in objects { sum &+= object.bio.utf8.count }
  return sum
}
