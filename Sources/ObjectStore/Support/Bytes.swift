#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `memcmp` of the first `count` bytes, which both have.
@usableFromInline
func compareBytes(
  _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ count: Int
) -> Int32 {
  guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
  return memcmp(a, b, count)
}

extension UnsafeMutableRawPointer {
  /// Sets so many bytes to zero. `initializeMemory` does the same, in debug builds byte by byte.
  @inline(__always)
  func zero(_ byteCount: Int) {
    memset(self, 0, byteCount)
  }
}

extension UnsafeRawBufferPointer {
  /// The address, also of an empty buffer.
  @inlinable @inline(__always)
  var pointerOrDangling: UnsafeRawPointer {
    baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
  }

  @inlinable @inline(__always)
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    count == other.count && (count == 0 || compareBytes(self, other, count) == 0)
  }

  /// Byte order; a prefix stands before what it begins.
  func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    let shared = Swift.min(count, other.count)
    let order = shared == 0 ? 0 : compareBytes(self, other, shared)
    return order != 0 ? order < 0 : count < other.count
  }
}
