import Foundation

/// Formatted output for people.
enum Terminal {
  /// Writes lines to the standard output, with control characters escaped.
  static func print(_ text: String) { write(printable(text) + "\n", to: .standardOutput) }

  static func write(_ text: String, to handle: FileHandle) {
    try? handle.write(contentsOf: Data(text.utf8))
  }

  /// Escapes the control characters of a string except line feeds, so that a terminal does not interpret them.
  static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isObeyed) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      guard isObeyed(scalar) else {
        result.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return result
  }

  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && scalar != "\n" || 0x7F...0x9F ~= scalar.value
  }

  /// The style of a part of the output.
  enum Style: String {
    case bold = "1"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  /// True if the output is a terminal that shows colors, and the variable `NO_COLOR` is not set (no-color.org).
  static var hasColors: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR"] ?? "" == ""
      && environment["TERM"] != "dumb"
  }

  /// Returns a string with its control characters escaped, in a style if the output has colors.
  static func styled(_ text: String, _ style: Style?, hasColors: Bool = Terminal.hasColors)
    -> String
  {
    guard let style, hasColors else { return printable(text) }
    return "\u{1B}[\(style.rawValue)m\(printable(text))\u{1B}[0m"
  }

  /// Writes lines to the standard output, each in the style of its mark: `+` an addition, `-` a removal, `~` a change.
  static func printChanges(_ text: String) {
    let hasColors = hasColors
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let style: Style? =
        switch line.prefix(2) {
        case "+ ": .green
        case "- ": .red
        case "~ ": .yellow
        default: nil
        }
      return styled(String(line), style, hasColors: hasColors)
    }
    write(lines.joined(separator: "\n") + "\n", to: .standardOutput)
  }

  /// The width of the terminal in columns, from the variable `COLUMNS` or else the terminal itself. Nil if the output is
  /// not a terminal, whatever `COLUMNS` says, because a program that reads it needs all of it.
  static var width: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    if let text = ProcessInfo.processInfo.environment["COLUMNS"], let width = Int(text) {
      return max(20, width)
    }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return max(20, Int(size.ws_col))
  }

  /// Returns a number with a noun: `1 object`, `2 objects`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// The number of columns that a string occupies: two for East Asian characters and emoji.
  static func columns(of text: String) -> Int {
    text.reduce(0) { sum, character in
      let isWide = character.unicodeScalars.contains {
        0x1100...0x115F ~= $0.value || 0x2E80...0xA4CF ~= $0.value || 0xAC00...0xD7A3 ~= $0.value
          || 0xF900...0xFAFF ~= $0.value || 0xFE30...0xFE6F ~= $0.value
          || 0xFF00...0xFF60 ~= $0.value || 0x1F300...0x1FAFF ~= $0.value
      }
      return sum + (isWide ? 2 : 1)
    }
  }

  /// Truncates a string with `…` to at most `width` columns.
  static func clipped(_ text: String, _ width: Int) -> String {
    // Each character occupies at least one column.
    var text = text.count > width ? String(text.prefix(width + 1)) : text
    if columns(of: text) <= width { return text }
    while columns(of: text) > width - 1, !text.isEmpty { text.removeLast() }
    return text + "…"
  }

  /// Truncates or pads a string to exactly `width` columns.
  static func fit(_ text: String, _ width: Int, alignedRight: Bool = false) -> String {
    let text = clipped(text, width)
    let padding = String(repeating: " ", count: max(0, width - columns(of: text)))
    return alignedRight ? padding + text : text + padding
  }
}
