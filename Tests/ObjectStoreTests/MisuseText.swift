import Testing

extension ExitTest.Result? {
  /// Whether the process ended with just this text of a misuse.
  func says(_ text: String) -> Bool {
    guard let self else { return false }
    let output = String(decoding: self.standardErrorContent, as: UTF8.self)
    return output.split(separator: "\n").contains { $0.hasSuffix("Fatal error: \(text)") }
  }
}
