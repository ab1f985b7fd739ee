import Foundation
import StoreDatabase

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// Errors name the file that cannot be opened: the file itself, its lock, its log, or the folder.

extension StoreFile {
  /// Acquires the lock of a file.
  /// - Throws: `fileInUse`, `fileFailed`.
  static func takeLock(_ path: String) throws(StoreError) -> FileLock {
    do {
      return try FileLock(path + ".lock")
    } catch {
      guard case .system(let reason) = error else { throw StoreError(.fileInUse(path: path)) }
      let folder = (path as NSString).deletingLastPathComponent
      throw StoreError(
        .fileFailed(
          path: path,
          // The lock file is created unless its folder is missing.
          reason: reason == FileLock.reason(ENOENT)
            ? "the folder \(folder) does not exist" : "cannot open \(name(path)).lock: \(reason)"))
    }
  }

  /// Returns which file of a database cannot be opened, and why; nil if all can. SQLite does not tell. Opens none of them
  /// (R18).
  static func inaccessibleFile(_ path: String, isReadOnly: Bool) -> String? {
    for end in ["", "-wal", "-shm"] {
      var found = stat()
      guard stat(path + end, &found) == 0 else { continue }
      let isFolder = found.st_mode & S_IFMT == S_IFDIR
      if isFolder || access(path + end, isReadOnly ? R_OK : R_OK | W_OK) != 0 {
        let code = isFolder ? EISDIR : errno
        return "cannot open \(name(path))\(end): \(FileLock.reason(code))"
      }
    }
    let folder = (path as NSString).deletingLastPathComponent
    // SQLite creates its log there.
    if isReadOnly || access(folder, W_OK | X_OK) == 0 { return nil }
    return "cannot create files in the folder \(folder): \(FileLock.reason(errno))"
  }

  private static func name(_ path: String) -> String { (path as NSString).lastPathComponent }
}
