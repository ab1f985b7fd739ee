#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One call of ``DeepStack/run(depth:_:)``: the work on its thread, and what it requests of the calling thread, which
/// waits meanwhile.
// Sendable: `lock` guards what changes, and of the two threads only one runs the closures of both at a time.
final class DeepCall: @unchecked Sendable {
  private let lock = Lock()
  private let callerWakes = Condition()
  private let threadWakes = Condition()
  private var work: (() -> Void)?
  /// Set by the thread, taken by the caller.
  private var request: (() -> Void)?
  private var isAnswered = false
  private var isStarted = false
  private var isDone = false

  /// The time a thread may take to start. `Thread` does not report that the system could not create it.
  private static let startNanoseconds: UInt64 = 10_000_000_000

  init(_ work: @escaping () -> Void) { self.work = work }

  // MARK: - On the thread

  /// Does the work, unless the caller has stopped waiting for the thread to start.
  func run() {
    let isWanted = lock.withLock {
      isStarted = true
      return !isDone
    }
    guard isWanted else { return }
    pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    work.take()?()
    lock.withLock { isDone = true }
    callerWakes.signal()
  }

  /// Runs `body` on the calling thread and waits for it.
  func request(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      lock.withLock {
        request = body
        isAnswered = false
      }
      callerWakes.signal()
      lock.withLock {
        while !isAnswered { lock.wait(for: threadWakes) }
      }
    }
  }

  // MARK: - On the calling thread

  /// Runs what the thread requests until its work is done; returns without any work done if the thread does not
  /// start.
  func serve() {
    while waitForRequest() {
      answer()
      lock.withLock { isAnswered = true }
      threadWakes.signal()
    }
  }

  /// - Returns: False once the work is done.
  private func waitForRequest() -> Bool {
    lock.withLock {
      let end = monotonicNanoseconds() + Self.startNanoseconds
      while request == nil, !isDone {
        if isStarted {
          lock.wait(for: callerWakes)
        } else if monotonicNanoseconds() < end {
          lock.wait(for: callerWakes, until: end)
        } else {
          isDone = true
          work = nil
        }
      }
      return request != nil
    }
  }

  // Never inlined: the closure is released when this returns, before the thread goes on.
  @inline(never)
  private func answer() {
    lock.withLock { request.take() }?()
  }

  // MARK: - The current thread

  /// The call whose work the current thread does; nil for other threads.
  static var current: DeepCall? {
    pthread_getspecific(key).map { Unmanaged<DeepCall>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Where a thread keeps its call.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
}
