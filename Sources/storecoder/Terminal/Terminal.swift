import Foundation
import Synchronization

/// Formatted output for people.
enum Terminal {
  /// Writes lines to the standard output, with control characters escaped.
  static func print(_ text: String) { write(printable(text) + "\n", to: .standardOutput) }

  /// Writes text. If the standard output fails, the command ends with an error after its work.
  static func write(_ text: String, to handle: FileHandle) {
    do {
      try write(Data(text.utf8), to: handle)
    } catch {
      if handle.fileDescriptor == STDOUT_FILENO { outputFailure.withLock { $0 = $0 ?? error } }
    }
  }

  /// The failure that ``write(_:to:)`` found.
  // Shared, because the standard output belongs to the process.
  static let outputFailure = Mutex<OutputFailure?>(nil)

  /// Output that cannot be written.
  struct OutputFailure: Error {
    /// The number of the system's error.
    let code: Int32
    /// True if the program that reads the output has ended, as `head` does.
    var isEnd: Bool { code == EPIPE }
    /// The system's message.
    var reason: String { String(cString: strerror(code)) }
  }

  /// Writes all bytes.
  static func write(_ data: Data, to handle: FileHandle) throws(OutputFailure) {
    var written = 0
    while written < data.count {
      let rest = data[(data.startIndex + written)...]
      let count = rest.withUnsafeBytes {
        Foundation.write(handle.fileDescriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EAGAIN {
        // The program that made the output may have set it to not wait.
        var awaited = pollfd(fd: handle.fileDescriptor, events: Int16(POLLOUT), revents: 0)
        poll(&awaited, 1, -1)
      } else if count < 0, errno != EINTR {
        throw OutputFailure(code: errno)
      }
      written += max(0, count)
    }
  }

  /// Escapes the characters of a string that a terminal would obey: control characters except line feeds, and those that
  /// reverse the text that follows.
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
      || 0x200E...0x200F ~= scalar.value || 0x202A...0x202E ~= scalar.value
      || 0x2066...0x2069 ~= scalar.value
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

  /// The number of columns that a string occupies: two for East Asian characters and emoji, none for characters that are only
  /// marks or invisible.
  static func columns(of text: String) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 }
      ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
  }

  private static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    let isWide = scalars.contains { scalar in
      0x1100...0x115F ~= scalar.value || 0x2E80...0xA4CF ~= scalar.value
        || 0xAC00...0xD7A3 ~= scalar.value || 0xF900...0xFAFF ~= scalar.value
        || 0xFE30...0xFE6F ~= scalar.value || 0xFF00...0xFF60 ~= scalar.value
        || 0xFFE0...0xFFE6 ~= scalar.value
        || 0x20000...0x3FFFD ~= scalar.value || scalar.value == 0xFE0F
        || scalar.properties.isEmojiPresentation
    }
    if isWide { return 2 }
    let isInvisible = scalars.allSatisfy {
      $0.properties.generalCategory == .format || $0.properties.generalCategory == .nonspacingMark
    }
    return isInvisible ? 0 : 1
  }

  /// Truncates a string with `…` to at most `width` columns.
  static func clipped(_ text: String, _ width: Int) -> String {
    var (end, columnCount) = (text.startIndex, 0)
    // The end of the text that leaves a column for the mark.
    var shortEnd = end
    while end < text.endIndex {
      columnCount += columns(of: text[end])
      if columnCount > width { return text[..<shortEnd] + "…" }
      end = text.index(after: end)
      if columnCount < width { shortEnd = end }
    }
    return text
  }

  /// Truncates or pads a string to exactly `width` columns.
  static func fit(_ text: String, _ width: Int, alignedRight: Bool = false) -> String {
    let text = clipped(text, width)
    let padding = String(repeating: " ", count: max(0, width - columns(of: text)))
    return alignedRight ? padding + text : text + padding
  }
}
