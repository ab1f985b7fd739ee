import Foundation
import ObjectStore
import Synchronization
import TestSupport
import Testing

/// Long operations report their progress, and end early without side effects if their task is cancelled.
@Suite struct `Long operations on a file` {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("ledger.store")
  }

  /// The operation under test.
  enum Work: CaseIterable, Sendable {
    case compact, copy, copyFromMemory, integrityCheck
  }

  private func configuration(for work: Work) -> StoreConfiguration {
    work == .copyFromMemory ? .inMemory(identifier: url.path) : .file(url)
  }

  /// A store with 20,000 objects and as many elements.
  private func store(for work: Work) throws -> Store {
    let store = try Store(configuration: configuration(for: work))
    try store.write {
      let ledger = try store.create(Ledger.self, value: ["id": 1])
      for number in 0..<20_000 {
        let entry = try store.create(
          Entry.self, value: ["id": .init("entry \(number)"), "number": .init(number)])
        ledger.entries.append(entry)
      }
    }
    return store
  }

  private func run(
    _ work: Work, _ store: Store, _ progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    switch work {
    case .compact: try await store.compact(progress: progress)
    case .copy, .copyFromMemory:
      try await store.copy(to: folder.file("copy.store"), progress: progress)
    case .integrityCheck: try await store.integrityCheck(progress: progress)
    }
  }

  @Test(arguments: Work.allCases)
  func `a long operation reports progress from 0 to 1`(_ work: Work) async throws {
    let store = try store(for: work)
    let reported = Mutex<[Double]>([])
    try await run(work, store) { fraction in reported.withLock { $0.append(fraction) } }
    let fractions = reported.withLock { $0 }
    #expect(fractions.first == 0)
    #expect(fractions.last == 1)
    #expect(fractions == fractions.sorted())
    // There are several steps, but far fewer than rows.
    #expect(fractions.count > 20 && fractions.count < 110, "\(fractions)")
    let leaps = zip(fractions, fractions.dropFirst()).map { $1 - $0 }
    #expect(leaps.allSatisfy { $0 < 0.25 }, "\(fractions)")
  }

  @Test(arguments: Work.allCases)
  func `a cancelled operation leaves no files behind and keeps all objects`(_ work: Work)
    async throws
  {
    let store = try store(for: work)
    try await store.flush()
    let before = try? Data(contentsOf: url)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    var isCancelled = false
    // The operation may finish before it is cancelled.
    for _ in 0..<100 where !isCancelled {
      let (fractions, continuation) = AsyncStream.makeStream(of: Double.self)
      let task = Task { [self] in
        defer { continuation.finish() }
        let store = try Store(configuration: configuration(for: work))
        try await run(work, store) { continuation.yield($0) }
      }
      for await fraction in fractions where fraction > 0.1 { task.cancel() }
      do {
        try await task.value
        try? FileManager.default.removeItem(at: folder.file("copy.store"))
      } catch is CancellationError {
        isCancelled = true
      }
    }
    #expect(isCancelled)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == names)
    if work != .compact { #expect((try? Data(contentsOf: url)) == before) }
    try store.write { store.delete(store.objects(Ledger.self)) }
    try await store.integrityCheck()
    #expect(store.objects(Entry.self).count == 20_000)
  }

  @Test func `compacting a store in a cancelled task throws`() async throws {
    let store = try store(for: .compact)
    let task = Task { [self] in
      withUnsafeCurrentTask { $0?.cancel() }
      let store = try Store(configuration: configuration(for: .compact))
      try await store.compact()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(store.objects(Entry.self).count == 20_000)
  }
}
