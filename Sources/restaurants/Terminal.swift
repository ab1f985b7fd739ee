/// Runs the steps of a story and draws the screens that changed after each.
@MainActor final class Terminal {
  private let isLive: Bool
  private let write: (String) -> Void
  private var screens: [Screen] = []
  private var page = ""
  private var stepCount = 0

  /// - Parameter isLive: True to draw slowly and in place, for an interactive terminal.
  init(isLive: Bool = false, write: @escaping (String) -> Void) {
    self.isLive = isLive
    self.write = write
  }

  /// Replaces the screens.
  func show(_ texts: (@MainActor () -> [String])...) {
    screens = texts.map { Screen($0) }
  }

  /// Adds a line to the output of the step.
  func log(_ line: String) {
    page += "   \(line)\n"
  }

  /// Runs a step and draws the changed screens.
  func step(_ sentence: String, _ work: () async throws -> Void) async throws {
    stepCount += 1
    page = "\(stepCount). \(sentence)\n"
    if isLive { try await draw(screens) }
    try await work()
    let different = screens.filter { $0.draw() }
    try await draw(isLive ? screens : different)
  }

  private func draw(_ screens: [Screen]) async throws {
    let text = ([page] + screens.map(\.drawing)).joined(separator: "\n") + "\n"
    // Clear the terminal first.
    write(isLive ? "\u{1B}[H\u{1B}[J" + text : text)
    if isLive { try await Task.sleep(for: .seconds(2)) }
  }
}
