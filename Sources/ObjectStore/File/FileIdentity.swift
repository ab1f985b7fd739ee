import ObjectStoreShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The identity of a file, whatever its path. The system gives it to no other file while the file exists or is open.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// The file that a path leads to; nil if there is none.
  init?(_ path: String) {
    var (device, inode): (UInt64, UInt64) = (0, 0)
    guard store_file_identity(path, &device, &inode) else { return nil }
    (self.device, self.inode) = (device, inode)
  }

  /// The file that a descriptor has open.
  init?(_ descriptor: Int32) {
    var found = stat()
    guard fstat(descriptor, &found) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: found.st_dev)
    inode = UInt64(truncatingIfNeeded: found.st_ino)
  }
}
