import Dispatch
import Foundation
import ObjectStore
import Synchronization
import TestSupport
import Testing

/// Unusual uses of a store in a file, such as by many threads at once.
@Suite struct `A store in a file in use` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func configuration(_ durability: StoreConfiguration.Durability = .normal)
    -> StoreConfiguration
  {
    .file(folder.file("ledger.store"), durability: durability)
  }

  @Test func `a frozen object from inside a write keeps its values after later commits`() throws {
    do {
      let store = try Store(configuration: configuration())
      try Ledger.commit(1, in: store)
    }
    let store = try Store(configuration: configuration())
    var view: Frozen<Entry>?
    try store.write {
      let entry = try #require(store.object(ofType: Entry.self, forPrimaryKey: "entry 1"))
      view = entry.frozen()
      entry.text = "another"
    }
    for number in 2...5 { try Ledger.commit(number, in: store) }
    try store.write {
      for entry in store.objects(Entry.self) { entry.text = "changed again" }
    }
    #expect(view?.text == "an entry of more than fifteen bytes")
  }

  @Test func `default values may read another class`() throws {
    do {
      let store = try Store(
        configuration: configuration(),
        schemas: [ObjectSchema("Counted", [Property("id", .int, isPrimaryKey: true)])])
      try Ledger.commit(1, in: store)
      try store.write { try store.create(dynamic: "Counted", value: ["id": 1]) }
    }
    let store = try Store(configuration: configuration())
    Counted.$configuration.withValue(configuration()) {
      #expect(store.objects(Counted.self).map(\.count) == [1])
    }
    #expect(store.damage == [])
  }

  @Test func `background commits are written while writers occupy the threads of the global queue`()
    throws
  {
    let configuration = configuration(.background)
    let group = DispatchGroup()
    for task in 0..<100 {
      DispatchQueue.global(qos: .utility).async(group: group) {
        _ = try? {
          let store = try Store(configuration: configuration)
          for number in 0..<60 {
            try store.write {
              try store.create(Entry.self, value: ["id": .init("\(task) \(number)")])
            }
          }
        }()
      }
    }
    #expect(group.wait(timeout: .now() + 300) == .success)
    let store = try Store(configuration: configuration)
    #expect(store.objects(Entry.self).count == 6000)
  }

  @Test func `several threads can reopen a store right after it was closed`() throws {
    let configurations = (0..<3).map { index in
      StoreConfiguration.file(folder.file("\(index).store"), durability: .background)
    }
    DispatchQueue.concurrentPerform(iterations: 60) { round in
      do {
        let store = try Store(configuration: configurations[round % 3])
        try store.write { try store.create(Entry.self, value: ["id": .init("\(round)")]) }
      } catch {
        Issue.record(error)
      }
    }
    for (index, configuration) in configurations.enumerated() {
      let store = try Store(configuration: configuration)
      #expect(store.objects(Entry.self).count == 20, "\(index)")
    }
  }

  @Test func `a store closes with its last handle while other stores are opened`() throws {
    try Ledger.commit(1, in: Store(configuration: configuration()))
    let log = folder.file("ledger.store-wal").path
    let isOver = Atomic(false)
    let late = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      if thread == 1 {
        while !isOver.load(ordering: .relaxed) { _ = try? Store() }
        return
      }
      for _ in 0..<2000 {
        do {
          let store = try? Store(configuration: configuration())
          #expect(store?.objects(Entry.self).count ?? 0 > 0)
        }
        // SQLite deletes its log with the last connection.
        if FileManager.default.fileExists(atPath: log) { late.add(1, ordering: .relaxed) }
      }
      isOver.store(true, ordering: .relaxed)
    }
    #expect(late.load(ordering: .relaxed) == 0)
  }

  @Test func `a store releases its file when its last commits cannot be written`() async throws {
    let configuration = configuration(.background)
    for round in 0..<5 {
      do {
        let store = try Store(configuration: configuration)
        try Ledger.commit(2 * round + 1, in: store)
        try await store.flush()
        try FileManager.default.removeItem(at: folder.file("ledger.store.lock"))
        // These commits are lost, because nothing waits for them.
        try store.write {
          for number in 0..<20_000 {
            try store.create(Entry.self, value: ["id": .init("\(number)")])
          }
        }
      }
      let started = ContinuousClock.now
      let store = try Store(configuration: configuration)
      #expect(ContinuousClock.now - started < .seconds(8))
      #expect(try Ledger.lastCommit(in: store) == 2 * round + 1)
      try Ledger.commit(2 * round + 2, in: store)
      try await store.flush()
    }
  }
}

/// A class whose default reads the number of entries in a store.
final class Counted: Object {
  @TaskLocal static var configuration = StoreConfiguration.inMemory()

  @Persisted(primaryKey: true) var id: Int
  @Persisted var count = Counted.entryCount

  private static var entryCount: Int {
    (try? Store(configuration: configuration).objects(Entry.self).count) ?? -1
  }
}
