import Foundation

/// The progress of a long operation, on one line of the terminal. Not shown if the standard error is redirected.
final class Progress {
  private let isShown: Bool
  private var last = ContinuousClock.now
  private var isOnLine = false

  /// True if the standard error is a terminal.
  static var isPossible: Bool { isatty(STDERR_FILENO) == 1 }

  init(isShown: Bool = Progress.isPossible) {
    self.isShown = isShown
  }

  /// Shows a fraction between 0 and 1, at most ten times a second.
  func show(_ part: Double, _ what: String) {
    guard isShown, last.duration(to: .now) > .milliseconds(100) else { return }
    last = .now
    isOnLine = true
    let percent = Int(min(1, max(0, part)) * 100)
    Terminal.write("\r\(Terminal.fit("\(what) … \(percent) %", 40))", to: .standardError)
  }

  /// Erases the line.
  func clear() {
    if isOnLine { Terminal.write("\r\(String(repeating: " ", count: 40))\r", to: .standardError) }
    isOnLine = false
  }
}
