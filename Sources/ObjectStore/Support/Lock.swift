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

/// What one thread waits for, with a ``Lock``.
// Sendable: a pthread condition is made for use from any thread, and it never moves.
final class Condition: @unchecked Sendable {
  fileprivate let address: UnsafeMutablePointer<pthread_cond_t>

  init() {
    address = .allocate(capacity: 1)
    address.initialize(to: pthread_cond_t())
    #if canImport(Darwin)
      pthread_cond_init(address, nil)
    #else
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(address, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(address)
    address.deallocate()
  }

  func signal() {
    pthread_cond_signal(address)
  }
}

/// Time since some moment in the past, which nobody can set back.
func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension timespec {
  fileprivate init(_ nanoseconds: UInt64) {
    self.init(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
