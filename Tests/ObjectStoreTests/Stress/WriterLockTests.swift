import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// Fails the process if it is still running after 20 seconds. These tests guard against a hang, which would also block
/// the threads that all tests share, so each runs in a process of its own.
private func failIfStuck() { alarm(20) }

private var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }

/// Starts a writer on its own thread. The writer holds the writer lock when this function returns, and releases it once
/// `count` others are waiting.
private func holdLock(_ configuration: StoreConfiguration, until count: Int) async {
  await withCheckedContinuation { (began: CheckedContinuation<Void, Never>) in
    Thread.detachNewThread {
      guard let store = try? Store(configuration: configuration, isolation: nil) else { return }
      try? store.write {
        began.resume()
        while store.handle.engine.writerLock.waiterCount < count { sched_yield() }
      }
    }
  }
}

/// Returns once `count` waiters are queued.
private func waiters(of lock: WriterLock, reach count: Int) async {
  await waitUntil { lock.waiterCount >= count }
}

private func bump(_ store: Store, by number: Int = 1) {
  store.object(ofType: Animal.self, forPrimaryKey: 1)?.legs += number
}

private func legs(_ store: Store) -> Int? {
  store.refresh()
  return store.object(ofType: Animal.self, forPrimaryKey: 1)?.legs
}

private func makeStore() throws -> (Store, StoreConfiguration) {
  let store = try Store(configuration: .inMemory(), isolation: nil)
  let animal = Animal(id: 1)
  animal.legs = 0
  try store.write { try store.add(animal) }
  return (store, store.configuration)
}

private actor LegCounter {
  let configuration: StoreConfiguration
  init(_ configuration: StoreConfiguration) { self.configuration = configuration }

  func suspend(times: Int = 1) async throws {
    let store = try Store(configuration: configuration)
    for _ in 0..<times { try await store.asyncWrite { bump(store) } }
  }

  func block(times: Int = 1) throws {
    let store = try Store(configuration: configuration)
    for _ in 0..<times { try store.write { bump(store) } }
  }
}

@MainActor private final class Screen {
  let store: Store
  let other: Store

  init() throws {
    let configuration: StoreConfiguration
    (store, configuration) = try makeStore()
    other = try Store(configuration: configuration)
  }

  /// Calls `write` while an `asyncWrite` of the same actor is waiting.
  func writeBehindItsOwnTask(onSecondHandle: Bool) async throws -> Int? {
    await holdLock(store.configuration, until: 2)
    let task = Task { try await store.asyncWrite { bump(store) } }
    await waiters(of: store.handle.engine.writerLock, reach: 1)
    let writing = onSecondHandle ? other : store
    try writing.write { bump(writing, by: 10) }
    try await task.value
    return legs(store)
  }
}

// R21
@Suite struct `The writer lock` {
  @Test(arguments: [false, true])
  func `a write may queue behind the same actor's asyncWrite`(_ onSecondHandle: Bool) async {
    await #expect(processExitsWith: .success) { [onSecondHandle] in
      failIfStuck()
      let sum = try await Screen().writeBehindItsOwnTask(onSecondHandle: onSecondHandle)
      #expect(sum == 11)
    }
  }

  @Test(arguments: [1, 2, 8])
  func `writes that block every thread of the pool let an asyncWrite proceed`(
    _ perCore: Int
  ) async {
    await #expect(processExitsWith: .success) { [perCore] in
      failIfStuck()
      let (store, configuration) = try makeStore()
      let count = coreCount * perCore
      await holdLock(configuration, until: 1 + coreCount)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await LegCounter(configuration).suspend() }
        await waiters(of: store.handle.engine.writerLock, reach: 1)
        for _ in 0..<count { group.addTask { try await LegCounter(configuration).block() } }
        try await group.waitForAll()
      }
      #expect(legs(store) == 1 + count)
    }
  }

  @Test(arguments: [1, 4])
  func `background work and an asyncWrite both complete`(_ perCore: Int) async {
    await #expect(processExitsWith: .success) { @MainActor [perCore] in
      failIfStuck()
      let (store, configuration) = try makeStore()
      let count = coreCount * perCore
      await holdLock(configuration, until: 1 + coreCount)
      let saving = Task { try await LegCounter(configuration).suspend() }
      await waiters(of: store.handle.engine.writerLock, reach: 1)
      let imports = (0..<count).map { _ in
        Task { try await store.inBackground { store in try store.write { bump(store) } } }
      }
      for task in imports { try await task.value }
      try await saving.value
      #expect(legs(store) == 1 + count)
    }
  }

  @Test func `a thread that writes without pause does not starve a task`() async {
    await #expect(processExitsWith: .success) {
      failIfStuck()
      let (store, configuration) = try makeStore()
      let isDone = Mutex(false)
      await withCheckedContinuation { (began: CheckedContinuation<Void, Never>) in
        Thread.detachNewThread {
          guard let store = try? Store(configuration: configuration, isolation: nil) else { return }
          try? store.write { began.resume() }
          while !isDone.withLock({ $0 }) {
            try? store.write { for _ in 0..<1_000 { bump(store) } }
          }
        }
      }
      for _ in 0..<20 { try await store.asyncWrite { bump(store) } }
      isDone.withLock { $0 = true }
    }
  }

  /// Only lower bounds are checked, so that a slow machine cannot fail this test.
  @Test func `a task's grace period is 2 ms and doubles each time a thread passes the task`()
    async throws
  {
    let lock = WriterLock()
    let actor = HeldActor()
    let passTimes = Mutex<[UInt64]>([])
    let end = DispatchSemaphore(value: 0)
    let roundCount = 6
    func startThread() {
      Thread.detachNewThread {
        try? lock.acquire()
        passTimes.withLock { $0.append(monotonicNanoseconds()) }
        // Until then, no other thread can get this thread's identifier, with which `acquire` would throw.
        end.wait()
      }
    }
    startThread()
    await waitUntil { passTimes.withLock { $0.count } == 1 }
    let task = Task { try await actor.acquire(lock) }
    await waitUntil { actor.executor.runNextJob() }
    #expect(lock.waiterCount == 1)
    for round in 0..<roundCount {
      startThread()
      await waiters(of: lock, reach: 2)
      let releaseTime = monotonicNanoseconds()
      lock.release()
      await waitUntil { passTimes.withLock { $0.count } == round + 2 }
      let passTime = passTimes.withLock { $0[round + 1] }
      #expect(passTime - releaseTime >= 2_000_000 << UInt64(round))
      // The task finds the lock held and waits again.
      await waitUntil { actor.executor.runNextJob() }
    }
    lock.release()
    await waitUntil { actor.executor.runNextJob() }
    try await task.value
    for _ in 0...roundCount { end.signal() }
  }

  @Test func `concurrent writes of tasks and threads are all applied`() async {
    await #expect(processExitsWith: .success) {
      failIfStuck()
      let (store, configuration) = try makeStore()
      var random = SeededRandom(seed: 7)
      let lost = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<200 {
          let isSuspending = random.below(4) > 0
          let task = Task {
            let counter = LegCounter(configuration)
            if isSuspending {
              try await counter.suspend(times: 5)
            } else {
              try await counter.block(times: 5)
            }
          }
          // Cancels or continues at a random point of the task.
          for _ in 0..<random.below(3) { await Task.yield() }
          if number % 8 == 0 { task.cancel() }
          group.addTask {
            do {
              try await task.value
              return 0
            } catch is CancellationError {
              return 1
            }
          }
        }
        return try await group.reduce(0, +)
      }
      let sum = try #require(legs(store))
      #expect(sum <= 1_000 && sum >= 5 * (200 - lost))
      #expect(store.handle.engine.writerLock.waiterCount == 0)
      try store.write { bump(store) }
    }
  }

  /// Starts tasks that wait for the writer lock in this order. Each adds its number to the legs.
  @MainActor private static func queueTasks(
    adding numbers: [Int], _ store: Store
  ) async -> [Task<Void, any Error>] {
    var tasks: [Task<Void, any Error>] = []
    for number in numbers {
      tasks.append(Task { try await store.asyncWrite { bump(store, by: number) } })
      await waiters(of: store.handle.engine.writerLock, reach: tasks.count)
    }
    return tasks
  }

  @Test @MainActor
  func `a task cancelled while waiting for the writer lock leaves the queue and throws`()
    async throws
  {
    let (store, configuration) = try makeStore()
    let other = try Store(configuration: configuration)
    try other.beginWrite()
    let tasks = await Self.queueTasks(adding: [1, 10, 100], store)
    tasks[0].cancel()
    tasks[2].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    await #expect(throws: CancellationError.self) { try await tasks[2].value }
    #expect(store.handle.engine.writerLock.waiterCount == 1)
    try other.commitWrite()
    try await tasks[1].value
    #expect(legs(store) == 10)
  }

  @Test @MainActor
  func `a waiting task that is cancelled after it was resumed lets the next task write`()
    async throws
  {
    let (store, configuration) = try makeStore()
    let other = try Store(configuration: configuration)
    try other.beginWrite()
    let tasks = await Self.queueTasks(adding: [1, 10], store)
    // The commit resumes the task, which is cancelled before this actor runs it.
    try other.commitWrite()
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    try await tasks[1].value
    #expect(legs(store) == 10)
  }

  @Test func `a task cancelled inside its write completes it`() async throws {
    let (store, _) = try makeStore()
    let configuration = store.configuration
    try await Task {
      let store = try Store(configuration: configuration)
      try await store.asyncWrite {
        withUnsafeCurrentTask { $0?.cancel() }
        bump(store)
      }
    }.value
    #expect(legs(store) == 1)
  }

  @Test func `writing actors, a follower and frozen readers see whole commits`() async {
    await #expect(processExitsWith: .success) {
      failIfStuck()
      let (store, configuration) = try makeStore()
      let (workers, times) = (4, 50)
      let follower = try await Follower(configuration)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<workers {
          group.addTask { try await Tagger(configuration, worker).run(times) }
        }
        group.addTask {
          for _ in 0..<200 {
            await follower.look()
            await Task.yield()
          }
        }
        group.addTask {
          for _ in 0..<100 {
            let store = try Store(configuration: configuration)
            let frozen = store.objects(Animal.self).frozen()[0]
            #expect(frozen.legs == frozen.tags.count)
            await Task.yield()
          }
        }
        try await group.waitForAll()
      }
      #expect(legs(store) == workers * times)
      await waitUntil { await follower.look() == workers * times }
    }
  }
}

/// An executor that runs its jobs only in `runNextJob()`, like one whose threads are all blocked until then.
private final class HeldExecutor: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Returns false if there is no job.
  func runNextJob() -> Bool {
    guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
    job.runSynchronously(on: asUnownedSerialExecutor())
    return true
  }
}

private actor HeldActor {
  nonisolated let executor = HeldExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func acquire(_ lock: WriterLock) async throws { try await lock.acquireSuspending() }
}

private actor Tagger {
  let store: Store
  let number: Int

  init(_ configuration: StoreConfiguration, _ number: Int) throws {
    store = try Store(configuration: configuration)
    self.number = number
  }

  func run(_ times: Int) async throws {
    for time in 0..<times {
      try await store.asyncWrite {
        bump(store)
        store.object(ofType: Animal.self, forPrimaryKey: 1)?.tags.append("\(number) \(time)")
      }
    }
  }
}

@MainActor private final class Follower {
  let store: Store
  private var last = 0

  init(_ configuration: StoreConfiguration) throws {
    store = try Store(configuration: configuration)
  }

  @discardableResult
  func look() -> Int {
    guard let animal = store.object(ofType: Animal.self, forPrimaryKey: 1) else { return -1 }
    #expect(animal.legs >= last && animal.tags.count == animal.legs)
    last = animal.legs
    return last
  }
}
