#if canImport(Glibc) || canImport(Musl)
  import Foundation
#else
  import Darwin
#endif

/// The current resident memory of the process in bytes; nil if the system does not report it.
func residentBytes() -> Int? {
  #if canImport(Darwin)
    // The callers have not freed memory yet, so the current value equals the peak.
    return peakResidentBytes()
  #else
    return statusBytes("VmRSS:")
  #endif
}

/// The peak resident memory of the process in bytes.
func peakResidentBytes() -> Int? {
  #if canImport(Darwin)
    var usage = rusage()
    guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
    return usage.ru_maxrss
  #else
    // Not `ru_maxrss`, which a process inherits from its parent.
    return statusBytes("VmHWM:")
  #endif
}

#if !canImport(Darwin)
  /// Parses a line of `/proc/self/status` (proc(5)), such as `VmHWM:	   12345 kB`.
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
