#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file in memory. Changes of the memory are private to this process and do not reach the file.
// Sendable: the file's content does not change, because files are replaced and never written in place.
final class MappedFile: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  /// Returns nil if there is no file, or it cannot be mapped.
  init?(_ path: String) {
    // Without waiting, if it is not a regular file.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { return nil }
    // The mapping outlives the descriptor.
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0
    else { return nil }
    let count = Int(status.st_size)
    let address = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0)
    guard let address, address != MAP_FAILED else { return nil }
    bytes = UnsafeMutableRawBufferPointer(start: address, count: count)
  }

  deinit {
    munmap(bytes.baseAddress, bytes.count)
  }
}
