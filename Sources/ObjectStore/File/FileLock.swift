import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The lock that lets one process at a time write a file: a lock on `FILE.lock` (R18).
///
/// The system releases the lock when the process ends, however it ends. The lock file remains: it records that a store
/// was created, the damage of the store, if any, and the name that the damaged file was given.
// Sendable: immutable.
final class FileLock: Sendable {
  private let descriptor: Int32
  private let identity: FileIdentity
  private let path: String

  enum Failure: Error {
    /// Another store, in this process or in another one, holds the lock.
    case isHeld
    /// The system's error message.
    case system(String)
  }

  /// Acquires the lock. Waits for a store of this process that is being closed.
  init(_ path: String) throws(Failure) {
    self.path = path
    Self.held.acquire(path)
    do {
      (descriptor, identity) = try Self.take(path)
    } catch {
      Self.held.release(path)
      throw error
    }
  }

  deinit {
    close(descriptor)
    Self.held.release(path)
  }

  private static func take(_ path: String) throws(Failure) -> (Int32, FileIdentity) {
    // Retry for half a second: a child process that is being started briefly shares the open files of its parent.
    let end = monotonicNanoseconds() + 500_000_000
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw .system(reason(errno)) }
      // Close the descriptor before throwing, because `deinit` does not run if `init` throws.
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        let code = errno
        if code == EINTR { continue }
        if code == EWOULDBLOCK, monotonicNanoseconds() < end {
          usleep(2000)
          continue
        }
        close(descriptor)
        throw code == EWOULDBLOCK ? .isHeld : .system(reason(code))
      }
      // Another process may have deleted the file in the meantime and created a new one.
      if let identity = FileIdentity(descriptor), identity == FileIdentity(path) {
        return (descriptor, identity)
      }
      close(descriptor)
    }
  }

  /// True if the locked file is still the one that other processes find at the path.
  var isIntact: Bool { FileIdentity(path) == identity }

  /// Waits until a store of this process that is being closed has written everything.
  static func waitForClosing(_ path: String) {
    held.acquire(path)
    held.release(path)
  }

  /// The locks of this process. A store may be opened while another one with the same path is being closed and still
  /// writes its last commits.
  private static let held = HeldLocks()

  /// Returns the system's description of an error number.
  static func reason(_ code: Int32) -> String {
    code == ENOSPC || code == EDQUOT ? "the disk is full" : String(cString: strerror(code))
  }

  /// The state of the store at the path, as the lock file records it.
  enum State: Equatable {
    /// No store was created, or its files were deleted.
    case none
    case intact
    /// Damage was found, with a description. The file has not been verified since.
    case damaged(String)
    /// The damaged file was renamed, or is about to be. Its new name is its path with this suffix.
    case setAside(suffix: String, details: String)
  }

  private static let storeMark = "store\n"
  private static let setAsideMark = "set aside\n"

  var state: State {
    get {
      var bytes = [UInt8](repeating: 0, count: 1000)
      let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
      let note = String(decoding: bytes[..<count], as: UTF8.self)
      if note.hasPrefix(Self.setAsideMark) {
        let parts = note.dropFirst(Self.setAsideMark.count).split(
          separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return .setAside(suffix: String(parts[0]), details: String(parts.dropFirst().first ?? ""))
      }
      guard note.hasPrefix(Self.storeMark) else { return .none }
      let details = note.dropFirst(Self.storeMark.count)
      return details.isEmpty ? .intact : .damaged(String(details))
    }
    set {
      let note =
        switch newValue {
        case .none: ""
        case .intact: Self.storeMark
        case .damaged(let details): Self.storeMark + details
        case .setAside(let suffix, let details): Self.setAsideMark + suffix + "\n" + details
        }
      let bytes = Array(note.utf8.prefix(1000))
      _ = ftruncate(descriptor, 0)
      _ = bytes.isEmpty ? 0 : pwrite(descriptor, bytes, bytes.count, 0)
      _ = fsync(descriptor)
    }
  }
}

/// The paths that threads of this process have locked or are about to lock.
// Sendable: guarded by `lock`.
private final class HeldLocks: @unchecked Sendable {
  private let lock = Lock()
  /// The number of holders per path.
  private var paths: [String: Int] = [:]
  private var waiters: [Condition] = []

  /// Waits up to ten seconds until no other store of this process holds the path, and then counts the caller as a
  /// holder in any case. After a timeout, locking the file fails.
  func acquire(_ path: String) {
    let end = monotonicNanoseconds() + 10_000_000_000
    lock.withLock {
      while paths[path, default: 0] > 0, monotonicNanoseconds() < end {
        let condition = Condition()
        waiters.append(condition)
        lock.wait(for: condition, until: end)
        waiters.removeAll { $0 === condition }
      }
      paths[path, default: 0] += 1
    }
  }

  func release(_ path: String) {
    lock.withLock {
      assert(paths[path] != nil, "The path is not held")
      let count = paths[path, default: 1] - 1
      paths[path] = count > 0 ? count : nil
      for waiter in waiters { waiter.signal() }
    }
  }
}
