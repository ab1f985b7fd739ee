import Foundation

/// The input of a command: a file, or the standard input (`-`).
struct InputFile {
  /// The name in messages.
  let name: String
  private let path: String
  /// The standard input, or a temporary file with the contents; nil to open the named file.
  private let input: FileHandle?

  /// - Parameter isReadAgain: True if the input is read more than once. A pipe is then copied to a temporary file.
  /// - Throws: `CommandError`.
  init(_ path: String, isReadAgain: Bool = true) throws {
    self.path = path
    name = path == "-" ? "<stdin>" : path
    guard path == "-" else {
      input = nil
      return
    }
    let isSeekable = lseek(STDIN_FILENO, 0, SEEK_CUR) == 0
    input = isSeekable || !isReadAgain ? .standardInput : try Self.copy(of: .standardInput)
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

  private static func copy(of pipe: FileHandle) throws -> FileHandle {
    let file = try temporary(for: "<stdin>")
    do {
      while let part = try pipe.read(upToCount: 1 << 20), !part.isEmpty {
        try file.write(contentsOf: part)
      }
    } catch {
      throw CommandError(
        text: "<stdin>: copying to a temporary file failed: \(error.localizedDescription)")
    }
    return file
  }

  private var isStandardInput: Bool { path == "-" }

  /// The file name extension in lowercase; empty for the standard input.
  var pathExtension: String {
    isStandardInput ? "" : URL(filePath: path).pathExtension.lowercased()
  }

  /// The file name without its extension; empty for the standard input.
  var title: String {
    isStandardInput ? "" : URL(filePath: path).deletingPathExtension().lastPathComponent
  }

  /// Calls `body` with a handle at the beginning of the input.
  /// - Throws: `CommandError` if the file cannot be opened, and errors of `body`.
  func reading<R>(_ body: (FileHandle) throws -> R) throws -> R {
    if let input {
      // Fails for a pipe, which is read only once.
      _ = lseek(input.fileDescriptor, 0, SEEK_SET)
      return try body(input)
    }
    let handle = try open()
    defer { try? handle.close() }
    return try body(handle)
  }

  private func open() throws -> FileHandle {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandError(text: "\(path): there is no such file")
    }
    if isFolder.boolValue { throw CommandError(text: "\(path): it is a folder") }
    guard let handle = try? FileHandle(forReadingFrom: URL(filePath: path)) else {
      throw unreadable
    }
    return handle
  }

  /// The error for a file that cannot be read.
  var unreadable: CommandError { CommandError(text: "\(name): it cannot be read") }

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
