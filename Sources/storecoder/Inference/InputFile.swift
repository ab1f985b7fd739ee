import Foundation

/// What a command reads: a file, or the standard input, which is called `-`.
struct InputFile {
  /// As messages name it.
  let name: String
  private let path: String
  /// The standard input, or what came from it; nil for a file.
  private let input: FileHandle?

  /// - Parameter isReadAgain: Whether it is read more than once. Then what comes from a pipe is kept in a file,
  ///   which goes with the process.
  /// - Throws: `CommandError`.
  init(_ path: String, isReadAgain: Bool = true) throws {
    self.path = path
    name = path == "-" ? "<stdin>" : path
    guard path == "-" else {
      input = nil
      return
    }
    let isRead = lseek(STDIN_FILENO, 0, SEEK_CUR) == 0
    input = isRead || !isReadAgain ? .standardInput : try Self.kept(.standardInput)
  }

  private static func kept(_ pipe: FileHandle) throws -> FileHandle {
    let template = FileManager.default.temporaryDirectory.appending(path: "storecoder.XXXXXX")
    var name = Array(template.path(percentEncoded: false).utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw CommandError(text: "<stdin>: there is no place to keep it") }
    // It has no name from now on: whatever becomes of the process, it leaves nothing.
    unlink(name)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      while let part = try pipe.read(upToCount: 1 << 20), !part.isEmpty {
        try file.write(contentsOf: part)
      }
    } catch {
      throw CommandError(text: "<stdin>: it cannot be kept")
    }
    return file
  }

  /// What stands behind the last dot of its name, in small letters.
  var pathExtension: String {
    input == nil ? URL(filePath: path).pathExtension.lowercased() : ""
  }

  /// Its name without folders and ending.
  var title: String {
    input == nil ? URL(filePath: path).deletingPathExtension().lastPathComponent : ""
  }

  /// Reads it from its beginning.
  /// - Throws: `CommandError` if it cannot be read; what `body` throws.
  func reading<R>(_ body: (FileHandle) throws -> R) throws -> R {
    if let input {
      // A pipe has one beginning.
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

  private var unreadable: CommandError { CommandError(text: "\(name): it cannot be read") }

  /// All of it.
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

  /// The bytes of the handle's file; nil for a pipe.
  static func size(of handle: FileHandle) -> Int? {
    var facts = stat()
    guard fstat(handle.fileDescriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(facts.st_size)
  }
}
