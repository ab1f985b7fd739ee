#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Compares the first `count` bytes with `memcmp`. Both buffers must have at least that many.
@usableFromInline
func compareBytes(
  _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ count: Int
) -> Int32 {
  guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
  return memcmp(a, b, count)
}

extension UnsafeMutableRawPointer {
  /// Sets bytes to zero with `memset`, since `initializeMemory` does so byte by byte in debug builds.
  @inline(__always)
  func zero(_ byteCount: Int) {
    memset(self, 0, byteCount)
  }
}

extension UnsafeRawBufferPointer {
  /// The base address; for an empty buffer, an arbitrary valid address.
  @inlinable @inline(__always)
  var pointerOrDangling: UnsafeRawPointer {
    baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
  }

  @inlinable @inline(__always)
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    count == other.count && (count == 0 || compareBytes(self, other, count) == 0)
  }

  /// True if this buffer sorts before `other` by bytes. A prefix sorts before a longer buffer.
  func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    let shared = Swift.min(count, other.count)
    let order = shared == 0 ? 0 : compareBytes(self, other, shared)
    return order != 0 ? order < 0 : count < other.count
  }
}
