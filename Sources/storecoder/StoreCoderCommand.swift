import Foundation

/// The command line: `storecoder demo`, `storecoder check FILE [--strict]`.
///
/// Exit status: 0 all well, 1 the data was refused, 2 the command line was not understood.
@main
enum StoreCoderCommand {
  static let usage = """
    usage: storecoder demo
           storecoder check FILE [--strict]

      demo     the tour: a list, a detail, the list again, an edit, an upload, a refused payload
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
      guard arguments.count == 1 else { throw UsageError(text: "demo takes no arguments") }
      var demo = try Demo()
      try demo.run()
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

  static func write(_ text: String, to handle: FileHandle) {
    handle.write(Data(text.utf8))
  }
}

/// A command line that cannot be understood.
struct UsageError: Error {
  let text: String
}
