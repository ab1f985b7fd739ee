import Dispatch

/// Writes commits behind the writes that made them: the union of all that wait, from the version that was
/// written last to the newest (R17).
///
///     commits   5   6   7   8
///               │           └ pending: what the next turn writes up to
///               └ persisted: what the file has
///
/// Who commits waits only if too many commits are not written yet. After a failure everything stays in
/// memory; the next write tries again and throws if that fails, too.
// Sendable: guarded by `lock`.
final class CommitQueue: @unchecked Sendable {
  private let lock = Lock()
  private var persisted: Version?
  private var pending: Version?
  /// That of the commits; it lives as long as one waits.
  private var engine: StoreEngine?
  private var isRunning = false
  private var isScheduled = false
  /// A serial queue of its own gets a thread also where all of the global queues' wait.
  private let queue = DispatchQueue(label: "StoreCoder.CommitQueue", qos: .utility)
  private var failure: StoreError?
  /// Who waits for a turn to end.
  private var waiters: [Condition] = []

  /// Commits that may wait.
  private static let limit: UInt64 = 4096

  /// Called before a commit is published: waits until there is room for it.
  /// - Throws: why earlier commits cannot be written.
  func checkRoom(_ file: StoreFile, _ engine: StoreEngine) throws(StoreError) {
    let (hasFailed, isFull) = lock.withLock {
      if persisted == nil { persisted = engine.newest }
      let count = (pending?.number ?? 0) &- (persisted?.number ?? 0)
      return (failure != nil, pending != nil && count >= Self.limit)
    }
    if hasFailed || isFull { try drain(file, engine) }
  }

  /// Enters a commit.
  func add(_ version: Version, _ file: StoreFile, _ engine: StoreEngine) {
    let starts = lock.withLock {
      pending = version
      self.engine = engine
      if isRunning || isScheduled || failure != nil { return false }
      isScheduled = true
      return true
    }
    guard starts else { return }
    // Keeps the engine and the file until all is written. Who waits for that meanwhile does it itself.
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

  /// The store's last handle is gone: writes what is not written yet, also what could not be before, and lets
  /// go of it then, whatever came of it.
  func end(_ file: StoreFile, _ engine: StoreEngine) {
    guard lock.withLock({ pending != nil }) else { return }
    queue.async {
      try? self.drain(file, engine)
      self.lock.withLock { (self.pending, self.engine) = (nil, nil) }
    }
  }

  /// Writes what waits, on this thread.
  /// - Throws: why it cannot be written.
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

  /// Writes what waits, if anything does.
  func drainPending(_ file: StoreFile) throws(StoreError) {
    if let engine = lock.withLock({ engine }) { try drain(file, engine) }
  }

  private func wait() {
    let condition = Condition()
    waiters.append(condition)
    lock.wait(for: condition)
    waiters.removeAll { $0 === condition }
  }

  /// Writes until nothing waits, or something fails.
  private func run(_ file: StoreFile, _ engine: StoreEngine) {
    while let (from, to) = next() {
      do {
        try file.commit(from, to, engine)
        // The version that was written last may die here: outside the lock.
        let old = lock.withLock { () -> Version? in
          defer { persisted = to }
          return persisted
        }
        withExtendedLifetime(old) {}
      } catch {
        lock.withLock {
          failure = error
          end()
        }
        return
      }
    }
  }

  /// What is to be written next; nil, and the turn is over, if there is nothing.
  private func next() -> (Version, Version)? {
    lock.withLock {
      guard let persisted, let pending, persisted !== pending else {
        pending = nil
        engine = nil
        end()
        return nil
      }
      return (persisted, pending)
    }
  }

  private func end() {
    isRunning = false
    for waiter in waiters { waiter.signal() }
  }
}
