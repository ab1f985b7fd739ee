import ObjectStore

/// A format for the results of a command.
enum OutputFormat: String, CaseIterable {
  case table
  /// A JSON array.
  case json
  /// One JSON object per line.
  case ndjson
  /// Comma-separated values (RFC 4180), with line feeds as line ends.
  case csv
  /// A table in Markdown.
  case markdown

  static let names = allCases.map(\.rawValue)

  static let option = option(names)

  /// The option of commands whose output is not for people.
  static let optionWithoutTable = option(names.filter { $0 != table.rawValue })

  private static func option(_ names: [String]) -> Command.Option {
    Command.Option(
      name: "format", value: "FORMAT", choices: names, help: names.joined(separator: ", "))
  }
}

extension Arguments {
  /// Returns the value of `--format`.
  /// - Parameters:
  ///   - shorthands: Options that choose a format by themselves.
  ///   - standard: The format without any of the options.
  /// - Throws: `UsageError`.
  func format(
    _ shorthands: [String: OutputFormat], else standard: OutputFormat, by command: String
  ) throws -> OutputFormat {
    let given = shorthands.filter { has($0.key) }
    guard let name = self[option: OutputFormat.option.name] else {
      return given.first?.value ?? standard
    }
    guard let format = OutputFormat(rawValue: name) else {
      throw UsageError(
        text: "--format is \(OutputFormat.names.joined(separator: ", ")), not '\(name)'"
          + Suggestion.clause(Suggestion.nearest(to: name, among: OutputFormat.names)),
        command: command)
    }
    if let other = given.first(where: { $0.value != format }) {
      throw UsageError(
        text: "--\(other.key) and --format \(name) are different formats", command: command)
    }
    return format
  }
}
