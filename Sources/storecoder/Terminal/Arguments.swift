import ObjectStore
import StoreCoding

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
      let parts = text.dropFirst(2)
        .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
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
        continue
      }
      if options[name] != nil {
        let advice = option.value == "NAMES" ? "; separate the names by commas" : ""
        throw fail("--\(name) is given twice\(advice)")
      }
      let value = parts.count == 2 ? parts[1] : rest.popFirst()
      guard let value, !value.isEmpty else { throw fail("--\(name) needs a value") }
      options[name] = value
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
