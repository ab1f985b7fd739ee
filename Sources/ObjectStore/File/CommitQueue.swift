import Dispatch

/// Writes commits in the background. Each transaction writes all waiting commits at once: the difference between the
/// last version in the file and the newest one (R17).
///
///     commits   5   6   7   8
///               │           └ pending: the version that the next transaction writes
///               └ persisted: the version in the file
///
/// A commit blocks only if too many earlier ones are waiting. After a failure, all waiting commits stay in memory; the
/// next write tries to write them again and throws if that fails, too.
// Sendable: guarded by `lock`.
final class CommitQueue: @unchecked Sendable {
  private let lock = Lock()
  private var persisted: Version?
  private var pending: Version?
  /// The engine of the commits, retained while one waits.
  private var engine: StoreEngine?
  /// The number of a version that was written without the queue, before it was published.
  private var writtenNumber: UInt64?
  private var isRunning = false
  private var isScheduled = false
  /// A dedicated serial queue gets a thread even while all threads of the global queues are blocked.
  private let queue = DispatchQueue(label: "StoreCoder.CommitQueue", qos: .utility)
  private var failure: StoreError?
  /// The threads that wait for the current run to end.
  private var waiters: [Condition] = []

  /// The maximum number of waiting commits.
  private static let limit: UInt64 = 4096

  /// Waits until the queue has capacity for a commit. Called before the commit is published.
  /// - Throws: The error that keeps earlier commits from being written.
  func waitForCapacity(_ file: StoreFile, _ engine: StoreEngine) throws(StoreError) {
    let (hasFailed, isFull) = lock.withLock {
      if persisted == nil { persisted = engine.newest }
      let count = (pending?.number ?? 0) &- (persisted?.number ?? 0)
      return (failure != nil, pending != nil && count >= Self.limit)
    }
    if hasFailed || isFull { try drain(file, engine) }
  }

  /// Records that the next commit is in the file already. Requires that no commit is waiting.
  func noteWritten(_ number: UInt64) { lock.withLock { writtenNumber = number } }

  /// Adds a commit.
  func add(_ version: Version, _ file: StoreFile, _ engine: StoreEngine) {
    let starts = lock.withLock {
      if writtenNumber == version.number {
        (persisted, writtenNumber) = (version, nil)
        return false
      }
      assert(pending.map { $0.number < version.number } ?? true, "A commit is added late")
      pending = version
      self.engine = engine
      if isRunning || isScheduled || failure != nil { return false }
      isScheduled = true
      return true
    }
    guard starts else { return }
    // The block retains the engine and the file until everything is written. `drain` does not wait for the block to
    // start.
    queue.async { self.begin(file, engine) }
  }

  private func begin(_ file: StoreFile, _ engine: StoreEngine) {
    let starts = lock.withLock {
      isScheduled = false
      if isRunning || pending == nil || failure != nil { return false }
      isRunning = true
      return true
    }
    if starts { run(file, engine) }
  }

  /// Called when the store's last handle is released. Writes all remaining commits, including those that failed before,
  /// and then releases them even if that fails.
  func close(_ file: StoreFile, _ engine: StoreEngine) {
    guard lock.withLock({ pending != nil }) else { return }
    queue.async {
      try? self.drain(file, engine)
      self.lock.withLock { (self.pending, self.engine) = (nil, nil) }
    }
  }

  /// Writes the waiting commits on the current thread.
  /// - Throws: The error that keeps them from being written.
  func drain(_ file: StoreFile, _ engine: StoreEngine) throws(StoreError) {
    let starts = lock.withLock {
      while isRunning { wait() }
      failure = nil
      isRunning = pending != nil
      return isRunning
    }
    if starts { run(file, engine) }
    if let failure = lock.withLock({ failure }) { throw failure }
  }

  /// Writes the waiting commits, if there are any.
  func drainPending(_ file: StoreFile) throws(StoreError) {
    if let engine = lock.withLock({ engine }) { try drain(file, engine) }
  }

  private func wait() {
    let condition = Condition()
    waiters.append(condition)
    lock.wait(for: condition)
    waiters.removeAll { $0 === condition }
  }

  /// Writes until no commit is waiting or a write fails.
  private func run(_ file: StoreFile, _ engine: StoreEngine) {
    while let (from, to) = next() {
      do {
        try file.commit(from, to, engine)
        // Release the previous version outside the lock: this may be the last reference to it.
        let old = lock.withLock { () -> Version? in
          defer { persisted = to }
          return persisted
        }
        withExtendedLifetime(old) {}
      } catch {
        lock.withLock {
          failure = error
          endRun()
        }
        return
      }
    }
  }

  /// Returns the versions to write next. If there are none, ends the run and returns nil.
  private func next() -> (Version, Version)? {
    lock.withLock {
      guard let persisted, let pending, persisted !== pending else {
        pending = nil
        engine = nil
        endRun()
        return nil
      }
      assert(persisted.number < pending.number, "The file has a later version")
      return (persisted, pending)
    }
  }

  private func endRun() {
    assert(isRunning, "A run ended twice")
    isRunning = false
    for waiter in waiters { waiter.signal() }
  }
}
