import Foundation

/// The seconds of a processor that `body` takes on this thread, the least of five runs: what other
/// threads and processes do meanwhile does not count.
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
