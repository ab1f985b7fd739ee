/// A command of the command line: its arguments, its options and its action.
struct Command: Sendable {
  /// An option such as `--sort NAME`, or `--json` without a value.
  struct Option: Sendable {
    let name: String
    /// The placeholder of its value in the help; nil if the option has no value.
    var value: String?
    /// All values that the option takes, for completions; empty for any value.
    var choices: [String] = []
    let help: String
  }

  struct Argument: Sendable {
    let name: String
    var isOptional = false
    /// True if the argument may be given several times.
    var isRepeated = false
    /// True if `--` precedes the argument. In a command with such an argument, `--` does not end the options.
    var followsSeparator = false
    /// All values that the argument takes, for completions; empty for any value.
    var choices: [String] = []
    let help: String
  }

  let name: String
  /// A one-line description.
  let summary: String
  var arguments: [Argument] = []
  var options: [Option] = []
  /// Further sentences for the help.
  var details = ""
  let example: String
  let run: @Sendable (Arguments) throws -> Void

  /// `storecoder query --store FILE CLASS [CONDITION] [--sort NAME] …`
  var usage: String {
    let arguments = arguments.map { argument in
      (argument.followsSeparator ? "-- " : "")
        + (argument.isOptional
          ? "[\(argument.name)]" : argument.isRepeated ? "\(argument.name)…" : argument.name)
    }
    let options = options.map { option in
      "[--\(option.name)\(option.value.map { " \($0)" } ?? "")]"
    }
    return (["storecoder", name] + arguments + options).joined(separator: " ")
  }

  var help: String {
    var text = "\(summary)\n\nusage: \(usage)\n"
    if !details.isEmpty { text += "\n\(details)\n" }
    let rows =
      arguments.map { ($0.name, $0.help) }
      + options.map { ("--\($0.name)\($0.value.map { " \($0)" } ?? "")", $0.help) }
    if !rows.isEmpty {
      let width = rows.map(\.0.count).max() ?? 0
      text += "\n"
      for (name, help) in rows {
        text += "  \(Terminal.fit(name, width))  \(help)\n"
      }
    }
    return text + "\nexample: \(example)\n"
  }
}
