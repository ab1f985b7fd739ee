import Foundation
import Observation

/// A text that is made anew when anything differs that it was made of.
@MainActor final class Screen {
  private let text: @MainActor () -> [String]
  private var lines: [String] = []
  private var isStale = true
  /// The lines, with a mark at those that were not there before.
  private(set) var drawing = ""

  init(_ text: @escaping @MainActor () -> [String]) {
    self.text = text
  }

  /// - Returns: Whether it looks different.
  func draw() -> Bool {
    let before = lines
    if isStale {
      isStale = false
      lines = withObservationTracking {
        text()
      } onChange: { [weak self] in
        // Stores and apps of the main actor tell it there.
        MainActor.assumeIsolated { self?.isStale = true }
      }
    }
    drawing = lines.map { (before.contains($0) ? "   │ " : " ▸ │ ") + $0 + "\n" }.joined()
    return lines != before
  }
}

/// Shows a story step by step, each with the screens that look different then.
@MainActor final class Terminal {
  private let isLive: Bool
  private let write: (String) -> Void
  private var screens: [Screen] = []
  private var page = ""
  private var stepCount = 0

  /// - Parameter isLive: whether somebody watches: then all is drawn in place, and slowly.
  init(isLive: Bool = false, write: @escaping (String) -> Void) {
    self.isLive = isLive
    self.write = write
  }

  /// What is on the screens from now on.
  func show(_ texts: (@MainActor () -> [String])...) {
    screens = texts.map { Screen($0) }
  }

  /// Adds a line to the step.
  func log(_ line: String) {
    page += "   \(line)\n"
  }

  /// Says what happens, lets it happen, and draws what differs.
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
    // From the top of an empty screen.
    write(isLive ? "\u{1B}[H\u{1B}[J" + text : text)
    if isLive { try await Task.sleep(for: .seconds(2)) }
  }
}
