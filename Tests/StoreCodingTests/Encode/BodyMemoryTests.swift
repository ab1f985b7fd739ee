import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The memory retained by a body.
@Suite struct `Memory of bodies` {
  /// The size of the allocation that begins at the data's first byte; nil where the platform does not report
  /// it.
  private func allocatedByteCount(_ data: Data) -> Int? {
    #if canImport(Darwin)
      let function = "malloc_size"
    #else
      let function = "malloc_usable_size"
    #endif
    typealias Function = @convention(c) (UnsafeRawPointer?) -> Int
    // No module declares this function on Linux. It takes a pointer and returns a size on all platforms.
    return dlsym(nil, function).map { symbol in
      data.withUnsafeBytes { unsafeBitCast(symbol, to: Function.self)($0.baseAddress) }
    }
  }

  @Test func `a small body after a large one does not retain a large buffer`() throws {
    let coder = try makeCoder()
    let long = String(repeating: "x", count: 20_000)
    let small = try coder.decode(Leaf.self, #"{"id":"small","name":"\#(long)"}"#)
    let elements = (0..<400).map { #"{"id":"\#($0)","name":"\#(long)"}"# }
    let large = try coder.decodeArray(
      Leaf.self, "[\(elements.joined(separator: ","))]")
    for _ in 0..<2 {
      #expect(try coder.encodeArray(large).count > 8_000_000)
      let body = try coder.encode(small)
      #expect(body.count > 20_000)
      #expect(allocatedByteCount(body) ?? 0 < 3 * body.count)
    }
  }
}
