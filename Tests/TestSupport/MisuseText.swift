public import Testing

extension [any PartialKeyPath<ExitTest.Result> & Sendable] {
  /// What an exit test keeps of a process that is to stop for misuse.
  public static var misuseText: Self { [\.standardErrorContent] }
}

extension ExitTest.Result? {
  /// Expects that the process ended with just this text of a misuse; an issue tells what it said.
  ///
  ///     let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
  ///       Animal(id: 1)["wings"] = 2
  ///     }
  ///     result.says("Animal: 'wings' is no attribute")
  ///
  /// No `#expect` stands around it: that would print the whole result, bytes and all.
  public func says(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    // Without a result the exit test itself has failed and said so.
    guard let self else { return }
    let output = String(decoding: self.standardErrorContent, as: UTF8.self)
    let texts = output.split(separator: "\n").compactMap { line in
      line.firstRange(of: "Fatal error: ").map { String(line[$0.upperBound...]) }
    }
    if Set(texts) == [text] { return }
    Issue.record(
      "expected a process that ends with: \(text)\nit said: \(output)",
      sourceLocation: sourceLocation)
  }
}
