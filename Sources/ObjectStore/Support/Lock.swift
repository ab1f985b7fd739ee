#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A mutual exclusion lock.
///
/// A pthread mutex and not `Synchronization.Mutex`: on Linux it is seven times faster (9 against
/// 64 ns), and the thread sanitizer understands it.
// Sendable: a pthread mutex is made for use from any thread, and it never moves.
final class Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  /// A number that no other running thread has.
  static var currentThread: UInt {
    // A pointer on some platforms, a number on others; as wide as either.
    withUnsafeBytes(of: pthread_self()) { $0.loadUnaligned(as: UInt.self) }
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Gives the lock up until the condition is signalled, or for no reason; call it with the lock
  /// held.
  func wait(for condition: Condition) {
    pthread_cond_wait(condition.address, mutex)
  }

  /// The same, but no longer than until a time of ``monotonicNanoseconds()``.
  func wait(for condition: Condition, until nanoseconds: UInt64) {
    #if canImport(Darwin)
      let now = monotonicNanoseconds()
      var interval = timespec(nanoseconds > now ? nanoseconds - now : 0)
      pthread_cond_timedwait_relative_np(condition.address, mutex, &interval)
    #else
      var time = timespec(nanoseconds)
      pthread_cond_timedwait(condition.address, mutex, &time)
    #endif
  }
}
