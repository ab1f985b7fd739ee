#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Syncs files to disk.
enum FileSync {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Syncs a file. Does nothing if there is none. Never use it on an open database: closing the descriptor would
  /// release SQLite's locks (R18).
  static func sync(_ path: String) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return }
    #if canImport(Darwin)
      // Some file systems, such as those of a network, lack it.
      let isSynced =
        descriptor >= 0 && (fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0)
    #else
      let isSynced = descriptor >= 0 && fsync(descriptor) == 0
    #endif
    let code = errno
    if descriptor >= 0 { close(descriptor) }
    if !isSynced { throw Failure(description: FileLock.reason(code)) }
  }

  /// Creates a folder unless it exists.
  static func makeFolder(_ path: String, permissions: UInt16) throws(Failure) {
    if mkdir(path, mode_t(permissions)) != 0, errno != EEXIST {
      throw Failure(description: FileLock.reason(errno))
    }
  }
}
