import Foundation
import ObjectStore
import StoreCoding

/// A class that tracks edits, and an equal one that does not.
final class TrackedItem: Object, BenchmarkItem {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title = ""
  @Persisted var count = 0
  @Persisted var price = 0.0
  @Persisted var isOpen = false
  @Persisted var note: String?
  override class var tracksEdits: Bool { true }
}

final class UntrackedItem: Object, BenchmarkItem {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title = ""
  @Persisted var count = 0
  @Persisted var price = 0.0
  @Persisted var isOpen = false
  @Persisted var note: String?
}

/// Lists of items.
final class TrackedList: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var items: List<TrackedItem>
  override class var tracksEdits: Bool { true }
}

final class UntrackedList: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var items: List<UntrackedItem>
}

protocol BenchmarkItem: Object {
  var count: Int { get set }
}

extension Benchmark {
  /// P31: classes that track edits.
  static var edits: [Benchmark] {
    [
      Benchmark(
        id: "P31.decode", what: "items that track edits: JSON into an empty store",
        targets: [.timesTheCost(1.1)], ours: { try decode(TrackedItem.self, $0) },
        baselineName: "the same without tracking", baseline: { try decode(UntrackedItem.self, $0) }),
      Benchmark(
        id: "P31.refresh", what: "10,000 items, 100 of them edited: the same JSON again",
        targets: [.timesTheCost(1.1)], ours: { try refresh(TrackedItem.self, $0) },
        baselineName: "the same without tracking",
        baseline: { try refresh(UntrackedItem.self, $0) },
        sidesMayDiffer: true),
      Benchmark(
        id: "P31.write", what: "items: an attribute of each of 10,000, one write, edited before",
        targets: [.timesTheCost(3)], ours: { try write(TrackedItem.self, $0) },
        baselineName: "the same without tracking", baseline: { try write(UntrackedItem.self, $0) }),
      Benchmark(
        id: "P31.write.one", what: "items: an attribute of one of 10,000 in each write",
        targets: [.timesTheCost(1.5)], ours: { try writeOne(TrackedItem.self, $0) },
        baselineName: "the same without tracking",
        baseline: { try writeOne(UntrackedItem.self, $0) }),
      Benchmark(
        id: "P31.take", what: "takeEdits: 100 edited of 100,000", targets: [.timesTheCost(1.3)],
        ours: { try take($0, among: 100_000) }, baselineName: "100 edited of 1,000",
        baseline: { try take($0, among: 1_000) }),
      Benchmark(
        id: "P31.confirm", what: "100 edits: each edited, taken and confirmed",
        targets: [.timesTheCost(12)], ours: { try settle($0, isReverted: false) },
        baselineName: "100 writes of an attribute", baseline: { try hundredWrites($0) }),
      Benchmark(
        id: "P31.revert", what: "100 edits: each edited and reverted",
        targets: [.timesTheCost(8)], ours: { try settle($0, isReverted: true) },
        baselineName: "100 writes of an attribute", baseline: { try hundredWrites($0) }),
      Benchmark(
        id: "P31.drain", what: "20,000 edits, each taken by takeEdit and confirmed",
        targets: [.timesTheCost(1.5)], ours: { _ in try drain(20_000) },
        baselineName: "2,000 edits", baseline: { _ in try drain(2_000) }),
      Benchmark(
        id: "P31.delete.listed",
        what: "one of 100,000 elements of a list deleted in each write, both classes track edits",
        targets: [.timesTheCost(3)], ours: { _ in try deleteListed(tracks: true) },
        baselineName: "the same without tracking",
        baseline: { _ in try deleteListed(tracks: false) }),
      Benchmark(
        id: "P31.delete.all", what: "80,000 elements of a list deleted one by one in one write",
        targets: [.timesTheCost(4)], ours: { _ in try deleteAll(oneByOne: true) },
        baselineName: "deleted by one call", baseline: { _ in try deleteAll(oneByOne: false) }),
    ]
  }

  private static func drain(_ count: Int) throws -> Side {
    let (coder, items, _) = try filled(TrackedItem.self, count)
    let store = coder.store
    return Side(operationCount: count) { watch in
      try store.write { for item in items { item.count += 1 } }
      let taken = try watch.time {
        var taken = 0
        while let edit = try store.takeEdit() {
          try store.settle(edit, .confirmed)
          taken += 1
        }
        return taken
      }
      watch.check(taken == count ? 1 : 0)
    }
  }

  private static func lists(_ count: Int) -> Data {
    let items = (0..<count).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    return Data(#"[{"id":1,"items":[\#(items)]}]"#.utf8)
  }

  private static func deleteListed(tracks: Bool) throws -> Side {
    let coder = StoreCoder(store: try Store())
    let count = 100_000
    let items: [Object] =
      tracks
      ? Array(try coder.decodeArray(TrackedList.self, from: lists(count))[0].items)
      : Array(try coder.decodeArray(UntrackedList.self, from: lists(count))[0].items)
    var next = 0
    return Side(operationCount: 100) { watch in
      // 7,919 is a prime: all over the list.
      let deleted = (next..<next + 100).map { items[$0 * 7_919 % count] }
      next += 100
      try watch.time { for item in deleted { try coder.store.write { coder.store.delete(item) } } }
      watch.check(deleted.count)
    }
  }

  private static func deleteAll(oneByOne: Bool) throws -> Side {
    let count = 80_000
    let data = lists(count)
    return Side(operationCount: count) { watch in
      let coder = StoreCoder(store: try Store())
      let list = try coder.decodeArray(UntrackedList.self, from: data)[0]
      let items = Array(list.items)
      try watch.time {
        try coder.store.write {
          if oneByOne {
            for item in items { coder.store.delete(item) }
          } else {
            coder.store.delete(items)
          }
        }
      }
      watch.check(list.items.count)
    }
  }

  private static func list(_ count: Int) -> Data {
    let items = (1...count).map {
      #"{"id":\#($0),"title":"Item number \#($0)","count":\#($0 % 7),"price":\#($0).5,"isOpen":true,"note":"a note"}"#
    }
    return Data("[\(items.joined(separator: ","))]".utf8)
  }

  private static func decode<T: BenchmarkItem>(_ type: T.Type, _ workload: Workload) throws -> Side
  {
    let data = list(10_000)
    return Side(operationCount: 10_000) { watch in
      let coder = StoreCoder(store: try Store())
      try coder.check(type)
      watch.check(try watch.time { try coder.decodeArray(type, from: data).count })
    }
  }

  private static func filled<T: BenchmarkItem>(_ type: T.Type, _ count: Int) throws -> (
    coder: StoreCoder, items: [T], data: Data
  ) {
    let coder = StoreCoder(store: try Store())
    let data = list(count)
    return (coder, try coder.decodeArray(type, from: data), data)
  }

  private static func refresh<T: BenchmarkItem>(_ type: T.Type, _ workload: Workload) throws -> Side
  {
    let (coder, items, data) = try filled(type, 10_000)
    try coder.store.write { for index in 0..<100 { items[index * 100].count += 1 } }
    return Side(operationCount: 10_000) { watch in
      watch.check(try watch.time { try coder.read([T].self, from: data).unchanged })
    }
  }

  private static func write<T: BenchmarkItem>(_ type: T.Type, _ workload: Workload) throws -> Side {
    let (coder, items, _) = try filled(type, 10_000)
    try coder.store.write { for item in items { item.count += 1 } }
    return Side(operationCount: 10_000) { watch in
      try watch.time { try coder.store.write { for item in items { item.count += 1 } } }
      watch.check(items.count)
    }
  }

  private static func writeOne<T: BenchmarkItem>(
    _ type: T.Type, _ workload: Workload
  ) throws -> Side {
    let (coder, items, _) = try filled(type, 10_000)
    return Side(operationCount: 1_000) { watch in
      try watch.time {
        for index in 0..<1_000 { try coder.store.write { items[index * 10].count += 1 } }
      }
      watch.check(items.count)
    }
  }

  private static func take(_ workload: Workload, among count: Int) throws -> Side {
    let (coder, items, _) = try filled(TrackedItem.self, count)
    let store = coder.store
    try store.write { for index in 0..<100 { items[index * (count / 100)].count += 1 } }
    return Side(operationCount: 100) { watch in
      let edits = try watch.time { try store.takeEdits() }
      watch.check(edits.count)
      for edit in edits { try store.settle(edit, .later) }
    }
  }

  private static func settle(_ workload: Workload, isReverted: Bool) throws -> Side {
    let (coder, items, _) = try filled(TrackedItem.self, 10_000)
    let store = coder.store
    return Side(operationCount: 100) { watch in
      try watch.time {
        for index in 0..<100 {
          let item = items[index * 100]
          try store.write { item.count += 1 }
          if isReverted {
            try store.revertEdits(of: item)
          } else if let edit = try store.takeEdit(of: item) {
            try store.settle(edit, .confirmed)
          }
        }
      }
      watch.check(100)
    }
  }

  private static func hundredWrites(_ workload: Workload) throws -> Side {
    let (coder, items, _) = try filled(UntrackedItem.self, 10_000)
    return Side(operationCount: 100) { watch in
      try watch.time {
        for index in 0..<100 { try coder.store.write { items[index * 100].count += 1 } }
      }
      watch.check(100)
    }
  }
}
