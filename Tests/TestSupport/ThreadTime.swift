import Foundation

/// Returns the processor time of `body` on this thread in seconds, the minimum of five runs. Other threads and
/// processes do not affect it.
public func threadSeconds(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  var least = Double.infinity
  for _ in 0..<5 {
    let start = now()
    try body()
    least = min(least, now() - start)
  }
  return least
}
