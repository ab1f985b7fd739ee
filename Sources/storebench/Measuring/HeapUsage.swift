#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes that the process holds from `malloc` now; nil where the system does not tell.
///
/// The difference before and after building something is what it takes, allocator overhead
/// included, and does not depend on how much freed memory the process keeps.
func heapBytesInUse() -> Int? {
  #if canImport(Glibc)
    return mallocReport().flatMap(bytesInUse(in:))
  #elseif canImport(Darwin)
    return Int(mstats().bytes_used)
  #else
    return nil
  #endif
}

#if canImport(Glibc)
  // `mallinfo2` is in a header that the Glibc module leaves out, and returns a struct, which a
  // symbol looked up by name cannot do; `malloc_info` writes the same sums as XML.
  private typealias MallocInfo =
    @convention(c) (_ options: CInt, _ stream: UnsafeMutableRawPointer?) -> CInt

  private func mallocReport() -> String? {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "malloc_info") else { return nil }
    let mallocInfo = unsafeBitCast(symbol, to: MallocInfo.self)
    var text: UnsafeMutablePointer<CChar>?
    var byteCount = 0
    guard let stream = open_memstream(&text, &byteCount) else { return nil }
    let code = mallocInfo(0, UnsafeMutableRawPointer(stream))
    fclose(stream)
    defer { free(text) }
    guard code == 0, let text else { return nil }
    return String(cString: text)
  }

  /// From the sums over all arenas, the last of their kind in the report:
  ///
  ///     <total type="fast" count="0" size="0"/>            free
  ///     <total type="rest" count="3" size="135168"/>       free
  ///     <total type="mmap" count="1" size="401408"/>       in use, outside the arenas
  ///     <system type="current" size="2703360"/>            the arenas
  private func bytesInUse(in report: String) -> Int? {
    var sizes: [Substring: Int] = [:]
    for line in report.split(separator: "\n")
    where line.hasPrefix("<total ") || line.hasPrefix("<system ") {
      let parts = line.split(separator: "\"")
      guard parts.count >= 4, let size = Int(parts[parts.count - 2]) else { continue }
      sizes[parts[1]] = size
    }
    guard let system = sizes["current"], let fast = sizes["fast"], let rest = sizes["rest"]
    else { return nil }
    return system - fast - rest + (sizes["mmap"] ?? 0)
  }
#endif
