import Observation

/// A text that is rendered again when an object or property that it was rendered from changes.
@MainActor final class Screen {
  private let text: @MainActor () -> [String]
  private var lines: [String] = []
  private var isStale = true
  /// The lines, with a mark at new ones.
  private(set) var drawing = ""

  init(_ text: @escaping @MainActor () -> [String]) {
    self.text = text
  }

  /// - Returns: True if the lines changed.
  func draw() -> Bool {
    let before = lines
    if isStale {
      isStale = false
      lines = withObservationTracking {
        text()
      } onChange: { [weak self] in
        // Stores and apps on the main actor report changes on the main actor.
        MainActor.assumeIsolated { self?.isStale = true }
      }
    }
    drawing = lines.map { (before.contains($0) ? "   │ " : " ▸ │ ") + $0 + "\n" }.joined()
    return lines != before
  }
}
