import Foundation

/// The input of a command: a file, or the standard input (`-`).
struct InputFile {
  /// The name in messages.
  let name: String
  private let path: String
  /// The standard input, or a temporary file with the contents; nil to open the named file.
  private let input: FileHandle?

  /// A pipe is copied to a temporary file.
  /// - Parameter isReadAgain: False if the input is read only once. The standard input is then not copied.
  /// - Throws: `CommandError`.
  init(_ path: String, isReadAgain: Bool = true) throws {
    self.path = ["/dev/stdin", "/dev/fd/0"].contains(path) ? "-" : path
    if self.path == "-" {
      name = "<stdin>"
      let isSeekable = lseek(STDIN_FILENO, 0, SEEK_CUR) == 0
      input = isSeekable || !isReadAgain ? .standardInput : try Self.copy(of: .standardInput, name)
      return
    }
    name = path
    input = Self.isReadOnce(path) ? try Self.copy(of: Self.open(path), path) : nil
  }

  /// True if a path leads to something that is read only once: a named pipe, one of the shell (`<(…)`), or a device.
  static func isReadOnce(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  private init(_ file: InputFile, replacedBy input: FileHandle) {
    path = file.path
    name = file.name
    self.input = input
  }

  /// Returns a file with the same name and other contents.
  func replaced(by contents: FileHandle) -> InputFile { InputFile(self, replacedBy: contents) }

  /// Creates a temporary file. Without a name, it disappears with the process, even after a crash.
  /// - Parameter name: The name of the input, for the error message.
  static func temporary(for name: String) throws -> FileHandle {
    let template = FileManager.default.temporaryDirectory.appending(path: "storecoder.XXXXXX")
    var path = Array(template.path(percentEncoded: false).utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw CommandError(text: "\(name): no temporary file can be created")
    }
    unlink(path)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private static func copy(of pipe: FileHandle, _ name: String) throws -> FileHandle {
    let file = try temporary(for: name)
    while true {
      let part: Data?
      do {
        part = try pipe.read(upToCount: 1 << 20)
      } catch {
        try checkInterruption(name)
        throw unreadable(name)
      }
      guard let part, !part.isEmpty else { return file }
      try write(part, to: file, name)
    }
  }

  /// Writes a part of a temporary file.
  /// - Parameter name: The name of the input, for the error message.
  static func write(_ part: Data, to file: FileHandle, _ name: String) throws {
    try checkInterruption(name)
    do throws(Terminal.OutputFailure) {
      try Terminal.write(part, to: file)
    } catch {
      throw CommandError(text: "\(name): a temporary file cannot be written: \(error.reason)")
    }
  }

  private static func checkInterruption(_ name: String) throws {
    do {
      try Interruption.shared.check()
    } catch {
      throw CommandError.interrupted(name)
    }
  }

  private var isStandardInput: Bool { path == "-" }

  /// The file name extension in lowercase; empty for the standard input.
  var pathExtension: String {
    isStandardInput ? "" : URL(filePath: path).pathExtension.lowercased()
  }

  /// The file name without its extension; empty for the standard input and for pipes of the shell, whose names are numbers.
  var title: String {
    isStandardInput || path.hasPrefix("/dev/fd/")
      ? "" : URL(filePath: path).deletingPathExtension().lastPathComponent
  }

  /// Calls `body` with a handle at the beginning of the input.
  /// - Throws: `CommandError` if the file cannot be opened, and errors of `body`.
  func reading<R>(_ body: (FileHandle) throws -> R) throws -> R {
    if let input {
      // Fails for a pipe, which is read only once.
      _ = lseek(input.fileDescriptor, 0, SEEK_SET)
      return try body(input)
    }
    let handle = try Self.open(path)
    defer { try? handle.close() }
    return try body(handle)
  }

  private static func open(_ path: String) throws -> FileHandle {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandError(text: "\(path): there is no such file")
    }
    if isFolder.boolValue { throw CommandError(text: "\(path): it is a folder") }
    guard let handle = try? FileHandle(forReadingFrom: URL(filePath: path)) else {
      try checkInterruption(path)
      throw unreadable(path)
    }
    return handle
  }

  private static func unreadable(_ name: String) -> CommandError {
    CommandError(text: "\(name): it cannot be read")
  }

  /// The error for a file that cannot be read.
  var unreadable: CommandError { Self.unreadable(name) }

  /// Reads the whole input.
  /// - Throws: `CommandError`.
  func data() throws -> Data {
    try reading { handle in
      let data =
        input == nil
        ? try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        : try? handle.readToEnd() ?? Data()
      guard let data else { throw unreadable }
      return data
    }
  }

  /// The size of a file in bytes; nil for a pipe.
  static func size(of handle: FileHandle) -> Int? {
    var status = stat()
    guard fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }
}
