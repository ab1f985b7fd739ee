#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A mutual exclusion lock with a condition.
///
/// A pthread mutex and not `Synchronization.Mutex`: on Linux it is seven times faster (9 against
/// 64 ns), and the thread sanitizer understands it.
// Sendable: the two pthread objects are made for use from any thread and never move.
final class Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Gives the lock up until ``signal()`` or ``broadcast()``; call it with the lock held.
  func wait() {
    pthread_cond_wait(condition, mutex)
  }

  func signal() {
    pthread_cond_signal(condition)
  }

  func broadcast() {
    pthread_cond_broadcast(condition)
  }
}

/// The calling thread, to recognise a write inside a write of another handle.
func currentThreadID() -> UInt {
  #if canImport(Darwin)
    return UInt(bitPattern: pthread_self())
  #else
    return UInt(pthread_self())
  #endif
}
