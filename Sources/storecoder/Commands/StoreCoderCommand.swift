import Foundation
import ObjectStore
import Synchronization

/// The command line: `storecoder COMMAND …`; see ``commands``.
///
/// Exit status: 0 for success, 1 if the command failed or found changes, 2 for an invalid command line or if files cannot
/// be compared.
@main
enum StoreCoderCommand {
  /// The version of the package: the newest one in `CHANGELOG.md`, with `+unreleased` after a later change.
  static let version = "0.1.0+unreleased"

  static let commands: [Command] = [
    Import.command, Query.command, Browse.command, Export.command, Model.command, Drift.command,
    Difference.command, Explain.command, Check.command, Demo.command,
    Command(
      name: "completions", summary: "Write a script that completes commands and options.",
      arguments: [
        Command.Argument(name: "SHELL", choices: Completions.shells, help: "bash, zsh or fish")
      ],
      example: "storecoder completions bash > /etc/bash_completion.d/storecoder"
    ) { arguments in
      let shell = arguments[0] ?? ""
      guard let script = Completions.script(shell, StoreCoderCommand.commands) else {
        throw UsageError(text: "there are completions for bash, zsh and fish, not for '\(shell)'")
      }
      Terminal.write(script, to: .standardOutput)
    },
  ]

  static var usage: String {
    let width = commands.map(\.name.count).max() ?? 0
    let lines = commands.map { "  \(Terminal.fit($0.name, width))  \($0.summary)" }
    return """
      usage: storecoder COMMAND …

      \(lines.joined(separator: "\n"))

      storecoder COMMAND --help shows the arguments of a command, storecoder --version the version.

      """
  }

  static func main() {
    // Commands notice the end of their reader, and then close their stores.
    signal(SIGPIPE, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs a command line; returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    do {
      let foundChanges = try dispatch(arguments)
      if let failure = Terminal.outputFailure.withLock({ $0 }) { throw failure }
      return foundChanges ? 1 : 0
    } catch let failure as Terminal.OutputFailure {
      // The status that a shell shows for a program which the signal has ended.
      if failure.isEnd { return 128 + SIGPIPE }
      Terminal.write(
        "storecoder: the output cannot be written: \(failure.reason)\n", to: .standardError)
      return 1
    } catch let error as UsageError {
      let command = commands.first { $0.name == error.command }
      let usage = command.map { "usage: \($0.usage)\n" } ?? Self.usage
      Terminal.write(
        "storecoder: \(Terminal.printable(error.text))\n\n\(usage)", to: .standardError)
      return 2
    } catch {
      Terminal.write("storecoder: \(Terminal.printable("\(error)"))\n", to: .standardError)
      if CommandError.isDamage(error), !arguments.contains("--\(CacheFile.acceptEdits.name)") {
        Terminal.write(
          "checksums are also wrong if another tool changed the file; "
            + "--\(CacheFile.acceptEdits.name) accepts its changes\n", to: .standardError)
      }
      return (error as? CommandError)?.status ?? 1
    }
  }

  /// Returns true if the command has found changes.
  private static func dispatch(_ arguments: [String]) throws -> Bool {
    guard let name = arguments.first else { throw UsageError(text: "no command is given") }
    let rest = Array(arguments.dropFirst())
    if ["--help", "-h", "help"].contains(name) {
      let command = commands.first { $0.name == rest.first }
      Terminal.write(command?.help ?? usage, to: .standardOutput)
      return false
    }
    if name == "--version" {
      Terminal.write("storecoder \(version)\n", to: .standardOutput)
      return false
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      let nearest = Suggestion.nearest(to: name, among: commands.map(\.name))
      throw UsageError(text: "there is no command '\(name)'" + Suggestion.clause(nearest))
    }
    if rest.contains("--help") || rest.contains("-h") {
      Terminal.write(command.help, to: .standardOutput)
      return false
    }
    do {
      try command.run(Arguments(rest, of: command))
      return false
    } catch is ChangesFound {
      return true
    }
  }
}
