import Foundation
import TestSupport

/// Runs the `storecoder` executable that was built with the tests.
struct StorecoderTool {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  static func fixture(_ name: String) -> String {
    root.appending(path: "Fixtures/\(name)").path
  }

  /// The executable, which is in the folder of the tests' executable or, on Apple platforms, of their bundle.
  static let program: URL = {
    var folder = Bundle.main.executableURL?.deletingLastPathComponent() ?? root
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    if let tests { folder = tests.bundleURL.deletingLastPathComponent() }
    return folder.appending(path: "storecoder")
  }()

  /// Returns the value at `keys` with a normalized notation of numbers and order of keys, for comparison.
  static func canonical(_ json: String, at keys: String...) throws -> String {
    var value = try JSONSerialization.jsonObject(with: Data(json.utf8))
    for key in keys { value = (value as? [String: Any])?[key] ?? value }
    let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the code at the end of a test file, which `model` is expected to write.
  static func expectedModel(in testFile: String = #filePath) throws -> String {
    try String(contentsOf: URL(filePath: testFile), encoding: .utf8)
      .components(separatedBy: "// MARK: - As the command writes them\n\n").last ?? ""
  }

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var store: String { folder.file("cache.store").path }

  func file(_ name: String, _ text: String) throws -> String {
    let url = folder.file(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  /// Runs a command.
  func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// Runs a command.
  /// - Parameters:
  ///   - input: The standard input of the command.
  ///   - columns: The value of the variable `COLUMNS`.
  ///   - terminalColumns: The width of a terminal that receives the output, without `COLUMNS`; nil for a file.
  ///   - hasColors: True if the terminal shows colors.
  ///   - interrupt: Called repeatedly; the command is interrupted when it returns true.
  func run(
    _ arguments: [String], input: String = "", columns: Int = 80, terminalColumns: Int? = nil,
    hasColors: Bool = false, interrupt: (() -> Bool)? = nil
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    var environment = ProcessInfo.processInfo.environment
    environment["COLUMNS"] = terminalColumns == nil ? "\(columns)" : nil
    environment["NO_COLOR"] = hasColors ? nil : "1"
    environment["TERM"] = "xterm"
    process.environment = environment
    // The output goes to files because a pipe blocks after 64 KiB.
    let (output, errors) = (folder.file("output"), folder.file("errors"))
    for url in [output, errors] { try Data().write(to: url) }
    let terminal = try terminalColumns.map { try PseudoTerminal(columns: $0) }
    process.standardOutput = try terminal?.output ?? FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    let pipe = Pipe()
    process.standardInput = input.isEmpty ? FileHandle.nullDevice : pipe
    try process.run()
    if !input.isEmpty {
      // The command may exit before it has read all of its input.
      _ = signal(SIGPIPE, SIG_IGN)
      Thread.detachNewThread {
        try? pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? pipe.fileHandleForWriting.close()
      }
    }
    if let interrupt {
      while process.isRunning, !interrupt() { usleep(1_000) }
      if process.isRunning { kill(process.processIdentifier, SIGINT) }
    }
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: try terminal?.text() ?? String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }
}
