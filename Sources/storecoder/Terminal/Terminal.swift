import Foundation

/// Where people read: tables that fit, and how far long work is.
enum Terminal {
  /// Writes lines for people.
  static func print(_ text: String) { write(printable(text) + "\n", to: .standardOutput) }

  static func write(_ text: String, to handle: FileHandle) {
    try? handle.write(contentsOf: Data(text.utf8))
  }

  /// The text with its control characters escaped, which a terminal would obey; lines stay.
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

  /// Columns of the window; nil where nobody looks.
  static var width: Int? {
    if let text = ProcessInfo.processInfo.environment["COLUMNS"], let width = Int(text) {
      return max(20, width)
    }
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1,
      ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return max(20, Int(size.ws_col))
  }

  /// How many columns a text takes: East Asian characters and emoji two each.
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

  /// The text in so many columns at most, cut off with `…`.
  static func clipped(_ text: String, _ width: Int) -> String {
    // Each character takes a column at least.
    var text = text.count > width ? String(text.prefix(width + 1)) : text
    if columns(of: text) <= width { return text }
    while columns(of: text) > width - 1, !text.isEmpty { text.removeLast() }
    return text + "…"
  }

  /// The text in just so many columns, cut off or filled up.
  static func fit(_ text: String, _ width: Int, alignedRight: Bool = false) -> String {
    let text = clipped(text, width)
    let filling = String(repeating: " ", count: max(0, width - columns(of: text)))
    return alignedRight ? filling + text : text + filling
  }
}

/// Rows under a head, as wide as the window: columns that are too wide share what is left.
struct TextTable {
  var head: [String]
  var rows: [[String]] = []
  /// Columns of numbers.
  var alignedRight: Set<Int> = []

  init(_ head: [String]) {
    self.head = head
  }

  func text(width: Int?) -> String {
    let head = head.map(Terminal.printable)
    let rows = rows.map { $0.map(Terminal.printable) }
    var widths = head.indices.map { column in
      ([head] + rows).map { Terminal.columns(of: $0[column]) }.max() ?? 0
    }
    if let width { Self.shrink(&widths, to: max(20, width) - 2 * (head.count - 1)) }
    func line(_ cells: [String]) -> String {
      let texts = cells.indices.map {
        Terminal.fit(cells[$0], widths[$0], alignedRight: alignedRight.contains($0))
      }
      var line = texts.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    return ([line(head), rule] + rows.map(line)).joined(separator: "\n")
  }

  /// Takes from the widest until all fit; each keeps four columns.
  private static func shrink(_ widths: inout [Int], to total: Int) {
    while widths.reduce(0, +) > total, let widest = widths.max(), widest > 4 {
      guard let index = widths.firstIndex(of: widest) else { return }
      widths[index] -= 1
    }
  }
}

/// How far long work is, on one line of the terminal; nothing where errors go elsewhere.
final class Progress {
  private let isShown: Bool
  private var last = ContinuousClock.now
  private var isOnLine = false

  init(isShown: Bool = isatty(STDERR_FILENO) == 1) {
    self.isShown = isShown
  }

  /// Shows a part of 1, ten times a second at most.
  func show(_ part: Double, _ what: String) {
    guard isShown, last.duration(to: .now) > .milliseconds(100) else { return }
    last = .now
    isOnLine = true
    let percent = Int(min(1, max(0, part)) * 100)
    Terminal.write("\r\(Terminal.fit("\(what) … \(percent) %", 40))", to: .standardError)
  }

  /// Takes the line away.
  func clear() {
    if isOnLine { Terminal.write("\r\(String(repeating: " ", count: 40))\r", to: .standardError) }
    isOnLine = false
  }
}
