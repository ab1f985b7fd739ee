import ObjectStore
import StoreCoding

/// A command of the command line: its arguments, its options and its action.
struct Command: Sendable {
  /// An option such as `--sort NAME`, or `--json` without a value.
  struct Option: Sendable {
    let name: String
    /// The placeholder of its value in the help; nil if the option has no value.
    var value: String?
    let help: String
  }

  struct Argument: Sendable {
    let name: String
    var isOptional = false
    /// True if the argument may be given several times.
    var isRepeated = false
    /// True if `--` precedes the argument. In a command with such an argument, `--` does not end the options.
    var followsSeparator = false
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

/// The arguments and options after the name of a command.
struct Arguments {
  private(set) var values: [String] = []
  /// The number of values before the first `--`; nil if there is none.
  private(set) var separatorIndex: Int?
  private var options: [String: String] = [:]

  /// - Throws: `UsageError` for an argument or option that the command does not accept.
  init(_ texts: [String], of command: Command) throws {
    func fail(_ text: String) -> UsageError { UsageError(text: text, command: command.name) }
    var rest = texts[...]
    var takesOptions = true
    while let text = rest.popFirst() {
      guard takesOptions, text.hasPrefix("--") else {
        values.append(text)
        continue
      }
      if text == "--" {
        takesOptions = command.arguments.contains { $0.followsSeparator }
        separatorIndex = separatorIndex ?? values.count
        continue
      }
      let parts = text.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.first, let option = command.options.first(where: { $0.name == name })
      else {
        let nearest = Suggestion.nearest(
          to: parts.first ?? "", among: command.options.map(\.name))
        throw fail(
          "\(command.name) has no option '\(text)'"
            + Suggestion.clause(nearest.map { "--\($0)" }))
      }
      if option.value == nil {
        guard parts.count == 1 else { throw fail("--\(name) takes no value") }
        options[name] = ""
      } else if parts.count == 2 {
        options[name] = parts[1]
      } else {
        guard let value = rest.popFirst() else { throw fail("--\(name) needs a value") }
        options[name] = value
      }
    }
    let needed = command.arguments.count { !$0.isOptional }
    if values.count < needed {
      throw fail("\(command.name) needs \(command.arguments[values.count].name)")
    }
    if values.count > command.arguments.count, !(command.arguments.last?.isRepeated ?? false) {
      throw fail("\(command.name) takes no '\(values[command.arguments.count])'")
    }
  }

  subscript(index: Int) -> String? { index < values.count ? values[index] : nil }

  subscript(option name: String) -> String? { options[name] }

  func has(_ option: String) -> Bool { options[option] != nil }

  /// Returns the value of a required option.
  /// - Throws: `UsageError`.
  func needed(_ option: String, by command: String) throws -> String {
    guard let value = options[option] else {
      throw UsageError(text: "\(command) needs --\(option)", command: command)
    }
    return value
  }

  /// Returns the value of `--class`, which must be a Swift identifier and no keyword; nil if it is not given.
  /// - Throws: `UsageError`.
  func className(by command: String) throws -> String? {
    guard let name = options["class"] else { return nil }
    guard name.first?.isLetter ?? false,
      name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
      SwiftNames.escaped(name) == name, name != "init", name != "self"
    else { throw UsageError(text: "'\(name)' is not a valid class name", command: command) }
    return name
  }

  /// Returns an option's value as a non-negative integer; nil if the option is not given.
  /// - Throws: `UsageError`.
  func number(_ option: String, by command: String) throws -> Int? {
    guard let text = options[option] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw UsageError(
        text: "--\(option) needs a whole number of at least 0, not '\(text)'", command: command)
    }
    return number
  }
}
