#if canImport(Glibc) || canImport(Musl)
  import Foundation
#else
  import Darwin
#endif

/// Bytes of memory that the process has in RAM now; nil where the system does not tell.
func residentBytes() -> Int? {
  #if canImport(Darwin)
    // Nothing was freed yet when this is asked for, so that now is the most there has been.
    return peakResidentBytes()
  #else
    return statusBytes("VmRSS:")
  #endif
}

/// The most it has had since it began.
func peakResidentBytes() -> Int? {
  #if canImport(Darwin)
    var usage = rusage()
    guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
    return usage.ru_maxrss
  #else
    // Not `ru_maxrss`: a process inherits that of the one that started it.
    return statusBytes("VmHWM:")
  #endif
}

#if !canImport(Darwin)
  /// From a line of proc(5)'s status, such as `VmHWM:	   12345 kB`.
  private func statusBytes(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    else { return nil }
    for line in status.split(separator: "\n") where line.hasPrefix(name) {
      let parts = line.split { $0.isWhitespace }
      guard parts.count == 3, let kilobytes = Int(parts[1]) else { return nil }
      return kilobytes * 1_024
    }
    return nil
  }
#endif
