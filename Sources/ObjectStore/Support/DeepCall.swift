#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A call of ``DeepStack/run(depth:_:)``: the work on the new thread, and its requests to the calling thread, which
/// waits meanwhile.
// Sendable: `lock` guards the mutable state, and the two threads never run closures of the call at the same time.
final class DeepCall: @unchecked Sendable {
  private let lock = Lock()
  private let callerWakes = Condition()
  private let threadWakes = Condition()
  private var work: (() -> Void)?
  /// Set by the thread, consumed by the caller.
  private var request: (() -> Void)?
  private var isAnswered = false
  private var isStarted = false
  private var isDone = false

  /// The time allowed for the thread to start. `Thread` does not report a failure to create one.
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

  /// Runs the requests of the thread until its work is done. Returns without the work being done if the thread does not
  /// start.
  func serve() {
    while waitForRequest() {
      answer()
      lock.withLock { isAnswered = true }
      threadWakes.signal()
    }
  }

  /// - Returns: False once the work is done, or if the thread has not started in time.
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

  // Not inlined, so that the closure is released on return, before the thread continues.
  @inline(never)
  private func answer() {
    lock.withLock { request.take() }?()
  }

  // MARK: - The current thread

  /// The call whose work the current thread performs; nil for other threads.
  static var current: DeepCall? {
    pthread_getspecific(key).map { Unmanaged<DeepCall>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The thread-specific key of the current call.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
}
