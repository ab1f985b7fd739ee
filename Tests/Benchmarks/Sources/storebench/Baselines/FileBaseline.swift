import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The cost of a durable write without a store: bytes are appended to a file, followed by `fsync`.
enum FileBaseline {
  static func appendAndSync(byteCount: Int) throws -> Side {
    let file = try ScratchFile()
    let bytes = [UInt8](repeating: 0x5A, count: byteCount)
    let commitCount = 50
    return Side(operationCount: commitCount) { watch in
      try watch.time {
        for _ in 0..<commitCount { try file.appendAndSync(bytes) }
      }
    }
  }
}

/// A file in the temporary folder, deleted with the last reference.
private final class ScratchFile {
  private let path: String
  private let descriptor: Int32

  init() throws {
    path = NSTemporaryDirectory() + "storebench-" + UUID().uuidString
    descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  func appendAndSync(_ bytes: [UInt8]) throws {
    guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}
