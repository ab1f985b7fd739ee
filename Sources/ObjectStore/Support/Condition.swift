#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A condition variable for use with a ``Lock``. At most one thread waits for it.
// Sendable: a pthread condition may be used from any thread, and its address never changes.
final class Condition: @unchecked Sendable {
  let address: UnsafeMutablePointer<pthread_cond_t>

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

/// Returns the time, in nanoseconds, of a clock that cannot be set back.
func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension timespec {
  init(_ nanoseconds: UInt64) {
    self.init(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
