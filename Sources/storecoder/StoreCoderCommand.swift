import Foundation

/// The command line: `storecoder demo [FILE]`, `storecoder check FILE [--strict]`.
///
/// Exit status: 0 all well, 1 the data was refused, 2 the command line was not understood.
@main
enum StoreCoderCommand {
  static let usage = """
    usage: storecoder demo [FILE]
           storecoder check FILE [--strict]

      demo     the tour: a list, a detail, the list again, an edit, an upload, a refused payload, and
               all of it opened again; with FILE the store stays there, for any tool that reads SQLite
      check    is FILE JSON; if not, where (exit status 1)
      --strict RFC 8259 alone: no trailing comma

    """

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as UsageError {
      write("storecoder: \(error.text)\n\n\(usage)", to: .standardError)
      exit(2)
    } catch {
      write("storecoder: \(error)\n", to: .standardError)
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch arguments.first {
    case "demo":
      guard arguments.count <= 2 else { throw UsageError(text: "demo takes one file at most") }
      try demonstrate(arguments.dropFirst().first)
    case "check":
      try Check(arguments: Array(arguments.dropFirst())).run()
    case "--help", "-h", "help":
      write(usage, to: .standardOutput)
    case let command?:
      throw UsageError(text: "there is no command '\(command)'")
    case nil:
      throw UsageError(text: "no command is given")
    }
  }

  /// Runs the demo on a store in a new file: the one given, which stays, or one that goes with it.
  private static func demonstrate(_ path: String?) throws {
    if let path {
      guard !FileManager.default.fileExists(atPath: path) else {
        throw UsageError(text: "\(path) is there already; the demo wants a new file")
      }
      var demo = try Demo(URL(filePath: path))
      return try demo.run()
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "demo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var demo = try Demo(folder.appending(path: "demo.store"))
    try demo.run()
  }

  static func write(_ text: String, to handle: FileHandle) {
    handle.write(Data(text.utf8))
  }
}

/// A command line that cannot be understood.
struct UsageError: Error {
  let text: String
}
