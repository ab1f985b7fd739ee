import Foundation
import Synchronization
import SystemSQLite

/// A failure of the file system.
enum Fault: Int, Hashable, Sendable, CaseIterable, Codable {
  /// The call does nothing.
  case error
  /// The call does nothing, because the disk is full.
  case full
  /// The call writes the first half of the bytes.
  case half
}

/// An end of the process.
enum Crash: Hashable, Sendable, Codable {
  /// The process is killed: all that was written remains.
  case kill
  /// The power fails: of the writes since the last sync of each file, any may be lost, also parts of one.
  case power(UInt64)
}

/// The disk of the simulation: a SQLite VFS (sqlite.org/vfs.html) over the system's, which fails and crashes on demand.
///
/// From `install` on it is the default VFS of the whole process.
final class Disk: Sendable {
  /// A change of a file that may be lost.
  enum Operation {
    case write([UInt8], offset: Int)
    case truncate(Int)
  }

  /// A file, with its content at the last sync.
  struct SyncedFile {
    var content: [UInt8] = []
    var operations: [Operation] = []
  }

  private struct State {
    var fault: Fault?
    var first = 0
    var isLasting = false
    var callCount = 0
    var crash: Crash?
    var crashCall = 0
    /// The folder whose files are saved by a crash, and the folder that gets them.
    var folders: (from: String, to: String)?
    var hasCrashed = false
    /// True if a call has failed since the last `heal`.
    var hasFailed = false
    /// The files of a simulation in which the power may fail.
    var synced: [String: SyncedFile] = [:]
    var tracksSyncs = false
  }

  private let state = Mutex(State())

  /// Makes one call fail, counted from 1, or all calls from that one on.
  func arm(_ fault: Fault, at call: Int, isLasting: Bool) {
    state.withLock {
      $0.fault = fault
      $0.first = $0.callCount + call
      $0.isLasting = isLasting
    }
  }

  /// Ends the process at a call: the files of a folder are copied to another one, and all later calls fail.
  func arm(_ crash: Crash, at call: Int, from folder: String, to copy: String) {
    state.withLock {
      $0.crash = crash
      $0.crashCall = $0.callCount + call
      $0.folders = (folder, copy)
    }
  }

  /// Crashes now, if a crash is armed and has not happened.
  func crashNow() {
    state.withLock { if $0.crash != nil, !$0.hasCrashed { Self.crash(&$0) } }
  }

  var hasCrashed: Bool { state.withLock { $0.hasCrashed } }
  var hasFailed: Bool { state.withLock { $0.hasFailed } }
  var isCrashArmed: Bool { state.withLock { $0.crash != nil } }

  /// Ends the failures, but not a crash that will happen.
  func endFaults() { state.withLock { $0.fault = nil } }

  /// Ends all failures and crashes, and forgets the files.
  /// - Parameter tracksSyncs: True if the power may fail from now on.
  func heal(tracksSyncs: Bool) {
    state.withLock { state in
      state = State()
      state.tracksSyncs = tracksSyncs
    }
  }

  /// The result of a call that changes a file: nil if it succeeds.
  enum Failure {
    case code(Int32)
    case half
  }

  /// Counts a call, and crashes or fails if it is time to. `operation` is the change that it makes if it succeeds.
  fileprivate func call(_ path: String?, _ error: Int32, _ operation: @autoclosure () -> Operation?)
    -> Failure?
  {
    state.withLock { state in
      if state.hasCrashed { return .code(error) }
      state.callCount += 1
      if state.crash != nil, state.callCount >= state.crashCall {
        Self.crash(&state)
        return .code(error)
      }
      if let fault = state.fault,
        state.isLasting ? state.callCount >= state.first : state.callCount == state.first
      {
        state.hasFailed = true
        switch fault {
        case .error: return .code(error)
        case .full: return .code(SQLITE_FULL)
        case .half: return .half
        }
      }
      if state.tracksSyncs, let path, let operation = operation() {
        state.synced[path, default: SyncedFile()].operations.append(operation)
      }
      return nil
    }
  }

  fileprivate func sync(_ path: String?) -> Failure? {
    if let failure = call(nil, SQLITE_IOERR | 4 << 8, nil) { return failure }
    guard let path else { return nil }
    state.withLock { state in
      guard state.tracksSyncs, var file = state.synced[path] else { return }
      Self.apply(file.operations, to: &file.content)
      file.operations = []
      state.synced[path] = file
    }
    return nil
  }

  /// Notes that all files were synced, by a call that SQLite does not make.
  func syncAll() {
    state.withLock { state in
      if state.hasCrashed { return }
      for (path, var file) in state.synced {
        Self.apply(file.operations, to: &file.content)
        file.operations = []
        state.synced[path] = file
      }
    }
  }

  fileprivate func didOpen(_ path: String?) {
    state.withLock { state in
      guard state.tracksSyncs, let path, state.synced[path] == nil else { return }
      let content = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
      state.synced[path] = SyncedFile(content: content)
    }
  }

  fileprivate func didDelete(_ path: String) { state.withLock { $0.synced[path] = nil } }

  // MARK: - Crashing

  private static func apply(_ operations: [Operation], to content: inout [UInt8]) {
    for operation in operations {
      switch operation {
      case .write(let bytes, let offset):
        if content.count < offset + bytes.count {
          content.append(contentsOf: repeatElement(0, count: offset + bytes.count - content.count))
        }
        content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      case .truncate(let size): content.removeSubrange(min(size, content.count)...)
      }
    }
  }

  private static func crash(_ state: inout State) {
    state.hasCrashed = true
    guard let (folder, copy) = state.folders else { return }
    let files = FileManager.default
    try? files.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
      // The lock and the index of the log are rebuilt by the next process.
      if name.hasSuffix("-shm") || name.hasSuffix(".lock") { continue }
      let (path, target) = ("\(folder)/\(name)", "\(copy)/\(name)")
      if case .power(let seed) = state.crash, let file = state.synced[path] {
        var random = SeededRandom(seed: seed &+ UInt64(name.utf8.count))
        _ = files.createFile(atPath: target, contents: Data(survivors(of: file, &random)))
      } else {
        try? files.copyItem(atPath: path, toPath: target)
      }
    }
  }

  /// Returns the content of a file after a power failure: any of the writes since the last sync may be lost, and parts of
  /// them, by sectors of 512 bytes.
  private static func survivors(of file: SyncedFile, _ random: inout SeededRandom) -> [UInt8] {
    var content = file.content
    let chance = random.below(4)
    for operation in file.operations where random.below(4) >= chance {
      guard case .write(var bytes, let offset) = operation, random.once(in: 4) else {
        apply([operation], to: &content)
        continue
      }
      let count = random.below(bytes.count / 512 + 1) * 512
      bytes.removeSubrange(count...)
      apply([.write(bytes, offset: offset)], to: &content)
    }
    return content
  }

  // MARK: - The VFS

  /// Installs a new disk as the default VFS of this process, permanently. Returns nil on failure.
  static func install() -> Disk? {
    guard let system = sqlite3_vfs_find(nil) else { return nil }
    let disk = Disk()
    let context = UnsafeMutablePointer<Context>.allocate(capacity: 1)
    context.initialize(to: Context(disk: Unmanaged.passRetained(disk), system: system))
    var vfs = system.pointee
    vfs.szOsFile += Int32(DiskFile.headerSize)
    vfs.pAppData = UnsafeMutableRawPointer(context)
    vfs.xOpen = open
    vfs.xDelete = delete
    let registered = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    registered.initialize(to: vfs)
    return sqlite3_vfs_register(registered, 1) == SQLITE_OK ? disk : nil
  }

  /// The data to which `pAppData` of the VFS points.
  private struct Context {
    let disk: Unmanaged<Disk>
    let system: UnsafeMutablePointer<sqlite3_vfs>
  }

  private static let open:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, sqlite3_filename?, UnsafeMutablePointer<sqlite3_file>?,
      Int32, UnsafeMutablePointer<Int32>?
    ) -> Int32 = { vfs, name, file, flags, outFlags in
      guard let context = vfs?.pointee.pAppData?.assumingMemoryBound(to: Context.self),
        let file
      else { return SQLITE_MISUSE }
      file.pointee.pMethods = nil
      let disk = context.pointee.disk
      switch disk.takeUnretainedValue().call(nil, SQLITE_CANTOPEN, nil) {
      case .code(let code): return code
      case .half: return SQLITE_CANTOPEN
      case nil: break
      }
      let inner = DiskFile(file).inner
      inner.pointee.pMethods = nil
      let system = context.pointee.system
      let code = system.pointee.xOpen?(system, name, inner, flags, outFlags) ?? SQLITE_MISUSE
      if inner.pointee.pMethods != nil {
        DiskFile(file).initialize(disk, path: name)
        file.pointee.pMethods = methods.pointer
        disk.takeUnretainedValue().didOpen(name.map { String(cString: $0) })
      }
      return code
    }

  private static let delete:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, Int32
    ) -> Int32 = { vfs, name, syncsFolder in
      guard let context = vfs?.pointee.pAppData?.assumingMemoryBound(to: Context.self) else {
        return SQLITE_MISUSE
      }
      let disk = context.pointee.disk.takeUnretainedValue()
      let error = SQLITE_IOERR | 10 << 8
      switch disk.call(nil, error, nil) {
      case .code(let code): return code
      case .half: return error
      case nil: break
      }
      let system = context.pointee.system
      let code = system.pointee.xDelete?(system, name, syncsFolder) ?? SQLITE_MISUSE
      if code == SQLITE_OK, let name { disk.didDelete(String(cString: name)) }
      return code
    }

  /// The methods of our files, which never change.
  private struct Methods: @unchecked Sendable {
    let pointer: UnsafePointer<sqlite3_io_methods>
  }

  private static let methods: Methods = {
    let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    pointer.initialize(to: DiskMethods.make())
    return Methods(pointer: UnsafePointer(pointer))
  }()
}

/// A file as SQLite sees it.
///
///     methods │ the disk │ the path │ the file of the system's VFS …
private struct DiskFile {
  static let headerSize = 24
  private let start: UnsafeMutableRawPointer

  init(_ file: UnsafeMutablePointer<sqlite3_file>) {
    start = UnsafeMutableRawPointer(file)
  }

  init?(_ file: UnsafeMutablePointer<sqlite3_file>?) {
    guard let file else { return nil }
    self.init(file)
  }

  /// The file of the system's VFS.
  var inner: UnsafeMutablePointer<sqlite3_file> {
    (start + Self.headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }

  var methods: sqlite3_io_methods? { inner.pointee.pMethods?.pointee }

  var disk: Disk? {
    start.load(fromByteOffset: 8, as: UnsafeRawPointer?.self).map {
      Unmanaged<Disk>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The path, which SQLite keeps until the file is closed; nil for a temporary file.
  var path: String? {
    start.load(fromByteOffset: 16, as: UnsafePointer<CChar>?.self).map { String(cString: $0) }
  }

  func initialize(_ disk: Unmanaged<Disk>, path: UnsafePointer<CChar>?) {
    start.storeBytes(
      of: UnsafeRawPointer(disk.toOpaque()), toByteOffset: 8, as: UnsafeRawPointer?.self)
    start.storeBytes(of: path, toByteOffset: 16, as: UnsafePointer<CChar>?.self)
  }
}

/// The methods of files: those that change a file may fail, and all call those of the system's VFS.
private enum DiskMethods {
  static func make() -> sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = 3
    addChanging(to: &methods)
    addReading(to: &methods)
    addSharing(to: &methods)
    return methods
  }

  private static func addChanging(to methods: inout sqlite3_io_methods) {
    methods.xWrite = { file, bytes, count, offset in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      let error = SQLITE_IOERR | 3 << 8
      let write = file.methods?.xWrite
      let failure = file.disk?.call(
        file.path, error,
        .write(
          [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count))), offset: Int(offset)))
      switch failure {
      case nil: return write?(file.inner, bytes, count, offset) ?? SQLITE_MISUSE
      case .code(let code): return code
      case .half:
        _ = write?(file.inner, bytes, count / 2, offset)
        return error
      }
    }
    methods.xTruncate = { file, size in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      let error = SQLITE_IOERR | 6 << 8
      switch file.disk?.call(file.path, error, .truncate(Int(size))) {
      case nil: return file.methods?.xTruncate?(file.inner, size) ?? SQLITE_MISUSE
      case .code(let code): return code
      case .half: return error
      }
    }
    methods.xSync = { file, flags in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      if file.disk?.sync(file.path) != nil { return SQLITE_IOERR | 4 << 8 }
      // The simulation has its own idea of what is on disk.
      return SQLITE_OK
    }
    methods.xFileControl = { file, operation, argument in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xFileControl?(file.inner, operation, argument) ?? SQLITE_MISUSE
    }
  }

  private static func addReading(to methods: inout sqlite3_io_methods) {
    methods.xClose = { file in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xClose?(file.inner) ?? SQLITE_MISUSE
    }
    methods.xRead = { file, bytes, count, offset in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xRead?(file.inner, bytes, count, offset) ?? SQLITE_MISUSE
    }
    methods.xFileSize = { file, size in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xFileSize?(file.inner, size) ?? SQLITE_MISUSE
    }
    methods.xSectorSize = { file in
      guard let file = DiskFile(file) else { return 0 }
      return file.methods?.xSectorSize?(file.inner) ?? 0
    }
    methods.xDeviceCharacteristics = { file in
      guard let file = DiskFile(file) else { return 0 }
      return file.methods?.xDeviceCharacteristics?(file.inner) ?? 0
    }
    methods.xFetch = { file, offset, count, bytes in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xFetch?(file.inner, offset, count, bytes) ?? SQLITE_MISUSE
    }
    methods.xUnfetch = { file, offset, bytes in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xUnfetch?(file.inner, offset, bytes) ?? SQLITE_MISUSE
    }
  }

  private static func addSharing(to methods: inout sqlite3_io_methods) {
    methods.xLock = { file, level in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xLock?(file.inner, level) ?? SQLITE_MISUSE
    }
    methods.xUnlock = { file, level in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xUnlock?(file.inner, level) ?? SQLITE_MISUSE
    }
    methods.xCheckReservedLock = { file, result in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xCheckReservedLock?(file.inner, result) ?? SQLITE_MISUSE
    }
    methods.xShmMap = { file, page, size, extends, memory in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xShmMap?(file.inner, page, size, extends, memory) ?? SQLITE_MISUSE
    }
    methods.xShmLock = { file, offset, count, flags in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xShmLock?(file.inner, offset, count, flags) ?? SQLITE_MISUSE
    }
    methods.xShmBarrier = { file in
      guard let file = DiskFile(file) else { return }
      file.methods?.xShmBarrier?(file.inner)
    }
    methods.xShmUnmap = { file, deletes in
      guard let file = DiskFile(file) else { return SQLITE_MISUSE }
      return file.methods?.xShmUnmap?(file.inner, deletes) ?? SQLITE_MISUSE
    }
  }
}
