#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The number of bytes currently allocated by `malloc`; nil if the system does not report it.
///
/// The difference before and after building a data structure is its size including allocator overhead. It does not
/// depend on the amount of freed memory that the process keeps.
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
  // `mallinfo2` is in a header that the Glibc module omits. It returns a struct, so it cannot be called through `dlsym`
  // either. `malloc_info` writes the same totals as XML.
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

  /// Computes the bytes in use from the totals over all arenas, which are the last entries of their kind in the report:
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
