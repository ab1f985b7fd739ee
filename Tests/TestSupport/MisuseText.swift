public import Testing

extension [any PartialKeyPath<ExitTest.Result> & Sendable] {
  /// The output to observe of a process that exits because of misuse.
  public static var misuseText: Self { [\.standardErrorContent] }
}

extension ExitTest.Result? {
  /// Expects that the process exited with exactly this misuse message, including all its lines. The issue
  /// otherwise shows its output.
  ///
  ///     let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
  ///       Animal(id: 1)["wings"] = 2
  ///     }
  ///     result.says("Animal: 'wings' is not an attribute")
  ///
  /// Do not wrap this in `#expect`, which would print the whole result, including its bytes.
  public func says(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    // Without a result, the exit test itself has failed and reported an issue.
    guard let self else { return }
    let output = String(decoding: self.standardErrorContent, as: UTF8.self)
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let mark = "Fatal error: "
    // The beginning of a backtrace by the library or the system, if any.
    let ends = ["Current stack trace:", "*** "]
    var texts: Set<String> = []
    for (index, line) in lines.enumerated() {
      guard let start = line.firstRange(of: mark)?.upperBound else { continue }
      let more = lines[(index + 1)...].prefix { line in
        !ends.contains { line.hasPrefix($0) } && !line.isEmpty && !line.contains(mark)
      }
      texts.insert(([line[start...]] + more).joined(separator: "\n"))
    }
    if texts == [text] { return }
    Issue.record(
      "expected a process that exits with: \(text)\nfound: \(output)",
      sourceLocation: sourceLocation)
  }
}
