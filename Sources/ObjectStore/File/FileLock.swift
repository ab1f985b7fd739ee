import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One process at a time writes a file: who holds `FILE.lock` (R18).
///
/// The system lets go of it when the process ends, however it ends. The lock's file stays; what stands in
/// it is why the store beside it is not to be trusted any more.
// Sendable: immutable.
final class FileLock: Sendable {
  private let descriptor: Int32
  private let path: String

  enum Failure: Error {
    /// Somebody else holds it.
    case isHeld
    /// The system's reason.
    case system(String)
  }

  /// Takes the lock. Waits for a store of this process that is being closed.
  init(_ path: String) throws(Failure) {
    self.path = path
    Self.held.enter(path)
    do {
      descriptor = try Self.take(path)
    } catch {
      Self.held.leave(path)
      throw error
    }
  }

  deinit {
    close(descriptor)
    Self.held.leave(path)
  }

  private static func take(_ path: String) throws(Failure) -> Int32 {
    // A process that is being started holds what its parent has open, for a moment.
    let end = monotonicNanoseconds() + 500_000_000
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw .system(reason(errno)) }
      // What failed is over before the error is thrown, and nobody else closes it.
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
      // Somebody may have deleted the file meanwhile, and another one stands there.
      if isThere(descriptor, path) { return descriptor }
      close(descriptor)
    }
  }

  /// Whether a path leads to an open file.
  private static func isThere(_ descriptor: Int32, _ path: String) -> Bool {
    var (held, there) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && stat(path, &there) == 0
      && held.st_ino == there.st_ino && held.st_dev == there.st_dev
  }

  /// Whether the lock is still what others look at.
  var isIntact: Bool { Self.isThere(descriptor, path) }

  /// Waits until a store of this process that is being closed has written all of it.
  static func waitForClosing(_ path: String) {
    held.enter(path)
    held.leave(path)
  }

  /// The locks this process holds. A store is opened where another one is just going: its last commits
  /// may be on their way to the file.
  private static let held = HeldLocks()

  static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// What the lock's file says: that a store was made, and why it is not to be trusted.
  private var note: [UInt8] {
    get {
      var bytes = [UInt8](repeating: 0, count: 1000)
      return Array(bytes[..<max(0, pread(descriptor, &bytes, bytes.count, 0))])
    }
    set {
      _ = ftruncate(descriptor, 0)
      _ = newValue.isEmpty ? 0 : pwrite(descriptor, newValue, newValue.count, 0)
      _ = fsync(descriptor)
    }
  }

  private static let mark = Array("store\n".utf8)

  /// Whether a store was made here: a file without content is not a new one then.
  var isMarked: Bool { note.starts(with: Self.mark) }

  /// Notes that a store without damage is here.
  func setSound() {
    if note != Self.mark { note = Self.mark }
  }

  /// Nothing is here any more.
  func clear() {
    note = []
  }

  /// Why the store is not to be trusted; empty for a sound one.
  var damage: String {
    get { String(decoding: note.dropFirst(Self.mark.count), as: UTF8.self) }
    set { note = Self.mark + Array(newValue.utf8.prefix(900)) }
  }
}

/// The paths that somebody in this process locked, or tries to.
// Sendable: guarded by `lock`.
private final class HeldLocks: @unchecked Sendable {
  private let lock = Lock()
  /// By path, how many.
  private var paths: [String: Int] = [:]
  private var waiters: [Condition] = []

  /// Waits until nobody else in the process has the path, for ten seconds at most: then the system says
  /// that it is held.
  func enter(_ path: String) {
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

  func leave(_ path: String) {
    lock.withLock {
      let count = paths[path, default: 1] - 1
      paths[path] = count > 0 ? count : nil
      for waiter in waiters { waiter.signal() }
    }
  }
}
