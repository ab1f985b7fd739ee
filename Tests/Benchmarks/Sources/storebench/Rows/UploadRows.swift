import Foundation
import ObjectStore
import StoreCoding

extension Benchmark {
  /// P30: bodies with some attributes, complete lists, and plans.
  static var uploads: [Benchmark] {
    [
      Benchmark(
        id: "P30.only", what: "users: body of the key and one attribute, each alone",
        targets: [.timesTheCost(0.5)],
        ours: { workload in try bodies(workload) { try $0.encode($1, only: \.bio) } },
        baselineName: "the full body",
        baseline: { workload in try bodies(workload) { try $0.encode($1) } }, sidesMayDiffer: true),
      Benchmark(
        id: "P30.patch", what: "users: merge patch of one changed attribute",
        targets: [.timesTheCost(25)], ours: patches, baselineName: "the full body",
        baseline: { workload in try bodies(workload) { try $0.encode($1) } }, sidesMayDiffer: true),
      Benchmark(
        id: "P30.complete", what: "users: complete list of all, unchanged",
        targets: [.timesTheCost(1.3)],
        ours: { workload in
          try unchanged(workload) { try $0.read([StoredUser].self, from: $1, complete: .all) }
        },
        baselineName: "the same list without scope",
        baseline: { workload in
          try unchanged(workload) { try $0.read([StoredUser].self, from: $1) }
        }),
      Benchmark(
        id: "P30.missing", what: "books: list that lacks three objects of the scope",
        targets: [.timesTheCost(1.3)], ours: { try lacking($0, isComplete: true) },
        baselineName: "the same list without scope",
        baseline: { try lacking($0, isComplete: false) },
        sidesMayDiffer: true),
      Benchmark(
        id: "P30.plan", what: "users: plan of a list with one changed attribute each",
        targets: [.timesTheCost(2)], ours: { try changed($0, isPlan: true) },
        baselineName: "decoding the list", baseline: { try changed($0, isPlan: false) }),
    ]
  }

  private static func bodies(
    _ workload: Workload, _ encode: @escaping (StoreCoder, StoredUser) throws -> Data
  ) throws -> Side {
    let coder = StoreCoder(store: try Store())
    let users = try coder.decodeArray(StoredUser.self, from: workload.userList())
    return Side(operationCount: users.count) { watch in
      watch.check(
        try watch.time {
          var byteCount = 0
          for user in users { byteCount += try encode(coder, user).count }
          return byteCount
        })
    }
  }

  private static func patches(_ workload: Workload) throws -> Side {
    let coder = StoreCoder(store: try Store())
    let users = try coder.decodeArray(StoredUser.self, from: workload.userList())
    let before = users.map { $0.frozen() }
    try coder.store.write { for user in users { user.score += 1 } }
    return Side(operationCount: users.count) { watch in
      watch.check(
        try watch.time {
          var byteCount = 0
          for (old, user) in zip(before, users) {
            byteCount += try coder.patch(from: old, to: user, as: .mergePatch)?.count ?? 0
          }
          return byteCount
        })
    }
  }

  private static func unchanged(
    _ workload: Workload,
    _ read: @escaping (StoreCoder, Data) throws -> ReadResult<StoredUser>
  ) throws -> Side {
    let coder = StoreCoder(store: try Store())
    let data = workload.userList()
    try coder.decodeArray(StoredUser.self, from: data)
    return Side(operationCount: workload.sizes.users) { watch in
      watch.check(try watch.time { try read(coder, data).unchanged })
    }
  }

  /// Reads a list of books into a store with three more.
  private static func lacking(_ workload: Workload, isComplete: Bool) throws -> Side {
    let coder = StoreCoder(store: try Store())
    let store = coder.store
    try StoreRows.createAll(StoreRows.bookUpdates(workload), in: store)
    let data = try coder.encodeArray(store.objects(StoredBook.self))
    return Side(operationCount: workload.sizes.books) { watch in
      try store.write {
        for id in Int64(1)...3 {
          try store.create(StoredBook.self, value: ["id": .int(-id)], update: .modified)
        }
      }
      let deleted = try watch.time {
        isComplete
          ? try coder.read([StoredBook].self, from: data, complete: .all).deleted
          : try coder.read([StoredBook].self, from: data).deleted
      }
      watch.check(deleted, expected: isComplete ? 3 : 0)
    }
  }

  /// Reads two lists in turn, which differ in one attribute of each user.
  private static func changed(_ workload: Workload, isPlan: Bool) throws -> Side {
    let coder = StoreCoder(store: try Store())
    let lists = [workload.userList(), workload.userList(revision: 1)]
    try coder.decodeArray(StoredUser.self, from: lists[0])
    var round = 0
    return Side(operationCount: workload.sizes.users) { watch in
      round += isPlan ? 0 : 1
      let data = lists[isPlan ? 1 : round % 2]
      watch.check(
        try watch.time {
          isPlan
            ? try coder.plan([StoredUser].self, from: data).changes.updated
            : try coder.read([StoredUser].self, from: data).updated
        })
    }
  }
}
