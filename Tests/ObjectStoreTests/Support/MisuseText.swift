import Testing

extension ExitTest.Result? {
  /// Whether the process ended with just this text of a misuse; if not, what it said is recorded.
  func says(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    guard let self else { return false }
    let output = String(decoding: self.standardErrorContent, as: UTF8.self)
    if output.split(separator: "\n").contains(where: { $0.hasSuffix("Fatal error: \(text)") }) {
      return true
    }
    Issue.record("the process said: \(output)", sourceLocation: sourceLocation)
    return false
  }
}
