import Synchronization

#if canImport(SQLite3)
  import SQLite3
#else
  import StoreSQLite
#endif

/// A SQLite VFS (sqlite.org/vfs.html) whose modifying calls fail on demand.
///
///     a file as SQLite sees it    our methods │ the disk │ the file of the system's VFS …
///
/// From `install` on it is the default VFS of the whole process, so it belongs in a process of its own.
final class FaultyDisk: Sendable {
  /// The effect of a failing call.
  enum Fault: String, CaseIterable, Sendable {
    /// The call does nothing.
    case error
    /// The call does nothing, because the disk is full.
    case full
    /// The call writes the first half of the bytes.
    case half
  }

  private struct Plan {
    var fault: Fault?
    var first = 0
    var isLasting = false
    var callCount = 0
  }

  private let plan = Mutex(Plan())

  /// Makes one call fail, counted from 1, or all calls from that one on.
  func arm(_ fault: Fault, at call: Int, isLasting: Bool) {
    plan.withLock { $0 = Plan(fault: fault, first: call, isLasting: isLasting) }
  }

  /// Ends the failures. Returns the number of calls.
  func heal() -> Int {
    plan.withLock { plan in
      defer { plan = Plan() }
      return plan.callCount
    }
  }

  /// Counts a call. Returns its fault, or nil if it succeeds.
  fileprivate func nextFault() -> Fault? {
    plan.withLock { plan in
      plan.callCount += 1
      let isMet = plan.isLasting ? plan.callCount >= plan.first : plan.callCount == plan.first
      return isMet ? plan.fault : nil
    }
  }

  /// Counts a call. Returns its result code if it fails: `SQLITE_FULL` or `code`.
  fileprivate func failure(_ code: Int32) -> Int32? {
    nextFault().map { fault in fault == .full ? SQLITE_FULL : code }
  }

  /// Installs a new disk as the default VFS of this process, permanently. Returns nil on failure.
  static func install() -> FaultyDisk? {
    guard let system = sqlite3_vfs_find(nil) else { return nil }
    let disk = FaultyDisk()
    let context = UnsafeMutablePointer<Context>.allocate(capacity: 1)
    context.initialize(to: Context(disk: Unmanaged.passRetained(disk), system: system))
    var vfs = system.pointee
    vfs.szOsFile += Int32(File.headerSize)
    vfs.pAppData = UnsafeMutableRawPointer(context)
    vfs.xOpen = open
    vfs.xDelete = delete
    let registered = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    registered.initialize(to: vfs)
    return sqlite3_vfs_register(registered, 1) == SQLITE_OK ? disk : nil
  }

  /// The data to which `pAppData` of the VFS points.
  private struct Context {
    let disk: Unmanaged<FaultyDisk>
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
      if let code = disk.takeUnretainedValue().failure(SQLITE_CANTOPEN) { return code }
      let inner = File(file).inner
      inner.pointee.pMethods = nil
      let system = context.pointee.system
      let code = system.pointee.xOpen?(system, name, inner, flags, outFlags) ?? SQLITE_MISUSE
      if inner.pointee.pMethods != nil {
        File(file).setDisk(disk)
        file.pointee.pMethods = methods.pointer
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
      if let code = context.pointee.disk.takeUnretainedValue().failure(SQLITE_IOERR | 10 << 8) {
        return code
      }
      let system = context.pointee.system
      return system.pointee.xDelete?(system, name, syncsFolder) ?? SQLITE_MISUSE
    }

  /// The methods of our files, which never change.
  private struct Methods: @unchecked Sendable {
    let pointer: UnsafePointer<sqlite3_io_methods>
  }

  private static let methods: Methods = {
    let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    pointer.initialize(to: FaultyMethods.make())
    return Methods(pointer: UnsafePointer(pointer))
  }()
}

/// A file as SQLite sees it.
private struct File {
  static let headerSize = 16
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

  var disk: FaultyDisk? {
    start.load(fromByteOffset: 8, as: UnsafeRawPointer?.self).map {
      Unmanaged<FaultyDisk>.fromOpaque($0).takeUnretainedValue()
    }
  }

  func setDisk(_ disk: Unmanaged<FaultyDisk>) {
    start.storeBytes(
      of: UnsafeRawPointer(disk.toOpaque()), toByteOffset: 8, as: UnsafeRawPointer?.self)
  }
}

/// The methods of files: modifying ones may fail, and all call those of the system's VFS.
private enum FaultyMethods {
  /// Extended result codes that Swift does not import (sqlite.org/rescode.html).
  private static let (writeError, syncError, truncateError, shmMapError):
    (Int32, Int32, Int32, Int32) = (
      SQLITE_IOERR | 3 << 8, SQLITE_IOERR | 4 << 8, SQLITE_IOERR | 6 << 8, SQLITE_IOERR | 21 << 8
    )

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
      guard let file = File(file) else { return SQLITE_MISUSE }
      let write = file.methods?.xWrite
      switch file.disk?.nextFault() {
      case nil: return write?(file.inner, bytes, count, offset) ?? SQLITE_MISUSE
      case .error: return FaultyMethods.writeError
      case .full: return SQLITE_FULL
      case .half:
        _ = write?(file.inner, bytes, count / 2, offset)
        return FaultyMethods.writeError
      }
    }
    methods.xTruncate = { file, size in
      guard let file = File(file) else { return SQLITE_MISUSE }
      if let code = file.disk?.failure(FaultyMethods.truncateError) { return code }
      return file.methods?.xTruncate?(file.inner, size) ?? SQLITE_MISUSE
    }
    methods.xSync = { file, flags in
      guard let file = File(file) else { return SQLITE_MISUSE }
      if file.disk?.nextFault() != nil { return FaultyMethods.syncError }
      return file.methods?.xSync?(file.inner, flags) ?? SQLITE_MISUSE
    }
    methods.xFileControl = { file, operation, argument in
      guard let file = File(file) else { return SQLITE_MISUSE }
      if operation == SQLITE_FCNTL_SIZE_HINT,
        let code = file.disk?.failure(FaultyMethods.writeError)
      {
        return code
      }
      return file.methods?.xFileControl?(file.inner, operation, argument) ?? SQLITE_MISUSE
    }
  }

  private static func addReading(to methods: inout sqlite3_io_methods) {
    methods.xClose = { file in
      guard let file = File(file) else { return SQLITE_MISUSE }
      return file.methods?.xClose?(file.inner) ?? SQLITE_MISUSE
    }
    methods.xRead = { file, bytes, count, offset in
      guard let file = File(file) else { return SQLITE_MISUSE }
      return file.methods?.xRead?(file.inner, bytes, count, offset) ?? SQLITE_MISUSE
    }
    methods.xFileSize = { file, size in
      guard let file = File(file) else { return SQLITE_MISUSE }
      return file.methods?.xFileSize?(file.inner, size) ?? SQLITE_MISUSE
    }
    methods.xSectorSize = { file in
      guard let file = File(file) else { return 0 }
      return file.methods?.xSectorSize?(file.inner) ?? 0
    }
    methods.xDeviceCharacteristics = { file in
      guard let file = File(file) else { return 0 }
      return file.methods?.xDeviceCharacteristics?(file.inner) ?? 0
    }
    methods.xFetch = { file, offset, count, bytes in
      guard let file = File(file) else { return SQLITE_MISUSE }
      return file.methods?.xFetch?(file.inner, offset, count, bytes) ?? SQLITE_MISUSE
    }
    methods.xUnfetch = { file, offset, bytes in
      guard let file = File(file) else { return SQLITE_MISUSE }
      return file.methods?.xUnfetch?(file.inner, offset, bytes) ?? SQLITE_MISUSE
    }
  }

  private static func addSharing(to methods: inout sqlite3_io_methods) {
    methods.xLock = { file, level in
      guard let file = File(file) else { return SQLITE_MISUSE }
      return file.methods?.xLock?(file.inner, level) ?? SQLITE_MISUSE
    }
    methods.xUnlock = { file, level in
      guard let file = File(file) else { return SQLITE_MISUSE }
      return file.methods?.xUnlock?(file.inner, level) ?? SQLITE_MISUSE
    }
    methods.xCheckReservedLock = { file, result in
      guard let file = File(file) else { return SQLITE_MISUSE }
      return file.methods?.xCheckReservedLock?(file.inner, result) ?? SQLITE_MISUSE
    }
    methods.xShmMap = { file, page, size, extends, memory in
      guard let file = File(file) else { return SQLITE_MISUSE }
      if let code = file.disk?.failure(FaultyMethods.shmMapError) { return code }
      return file.methods?.xShmMap?(file.inner, page, size, extends, memory) ?? SQLITE_MISUSE
    }
    methods.xShmLock = { file, offset, count, flags in
      guard let file = File(file) else { return SQLITE_MISUSE }
      return file.methods?.xShmLock?(file.inner, offset, count, flags) ?? SQLITE_MISUSE
    }
    methods.xShmBarrier = { file in
      guard let file = File(file) else { return }
      file.methods?.xShmBarrier?(file.inner)
    }
    methods.xShmUnmap = { file, deletes in
      guard let file = File(file) else { return SQLITE_MISUSE }
      return file.methods?.xShmUnmap?(file.inner, deletes) ?? SQLITE_MISUSE
    }
  }
}
