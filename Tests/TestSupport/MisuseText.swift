public import Testing

extension [any PartialKeyPath<ExitTest.Result> & Sendable] {
  /// What an exit test keeps of a process that is to stop for misuse.
  public static var misuseText: Self { [\.standardErrorContent] }
}

extension ExitTest.Result? {
  /// Expects that the process ended with just this text of a misuse, all its lines; an issue tells what
  /// it said.
  ///
  ///     let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
  ///       Animal(id: 1)["wings"] = 2
  ///     }
  ///     result.says("Animal: 'wings' is not an attribute")
  ///
  /// No `#expect` stands around it: that would print the whole result, bytes and all.
  public func says(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    // Without a result the exit test itself has failed and said so.
    guard let self else { return }
    let output = String(decoding: self.standardErrorContent, as: UTF8.self)
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let mark = "Fatal error: "
    // Where the library's or the system's backtrace begins, if there is one.
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
      "expected a process that ends with: \(text)\nit said: \(output)",
      sourceLocation: sourceLocation)
  }
}
