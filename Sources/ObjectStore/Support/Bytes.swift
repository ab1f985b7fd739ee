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
