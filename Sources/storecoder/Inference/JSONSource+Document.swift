import JSONText
import ObjectStore

extension JSONSource {
  /// The size in bytes at which a batch ends before it has enough objects.
  private static var batchByteCount: Int { 4 << 20 }

  /// Calls `body` with batches of the objects until it returns false.
  ///
  /// The objects are the elements of the array at the envelope, or the value there. Without an envelope, several objects
  /// may follow each other.
  /// - Throws: `CommandError` with the position of invalid JSON, and errors of `body`.
  func forEachBatch(_ size: Int = 2_000, _ body: (Batch) throws -> Bool) throws {
    try file.reading { handle in
      let text: DocumentText
      do {
        text = try DocumentText(handle, of: file)
      } catch let error as JSONError {
        throw CommandError(text: "\(name): \(error.message)")
      }
      do {
        try enterEnvelope(of: text)
        try forEachBatch(of: text, size, body)
      } catch let error as JSONError {
        let (line, column) = text.lineAndColumn(at: error.byteOffset)
        throw CommandError(text: "\(name): line \(line), column \(column): \(error.message)")
      }
    }
  }

  /// Moves to the value at the envelope.
  /// - Throws: `CommandError` with a suggestion if the document has no such value.
  private func enterEnvelope(of text: DocumentText) throws {
    for (index, key) in envelope.enumerated() {
      do {
        try text.enter(key)
      } catch let missing as DocumentText.MissingMember {
        let outer = Array(envelope[..<index])
        let problem =
          "there is no envelope '\(envelope.joined(separator: "."))': "
          + (outer.isEmpty ? "the document" : "'\(outer.joined(separator: "."))'")
        throw CommandError(
          text: "\(name): line \(missing.line), column \(missing.column): \(problem) "
            + Self.description(of: missing, lacking: key, in: outer))
      }
    }
  }

  /// - Parameter outer: The path of the value that lacks the member.
  private static func description(
    of missing: DocumentText.MissingMember, lacking key: String, in outer: [String]
  ) -> String {
    guard let names = missing.names else { return "is not an object" }
    if names.isEmpty { return "has no members" }
    let shown = names.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
    let path = Suggestion.nearest(to: key, among: names).map {
      (outer + [$0]).joined(separator: ".")
    }
    return "has \(shown)\(names.count > 10 ? " …" : "")" + Suggestion.clause(path)
  }

  private func forEachBatch(
    of text: DocumentText, _ size: Int, _ body: (Batch) throws -> Bool
  ) throws {
    var elements = try DocumentElements(text, isEnclosed: !envelope.isEmpty, isLines: isLines)
    var ranges: [Range<Int>] = []
    var isLast = false
    while !isLast {
      var failure: JSONError?
      do {
        let range = try elements.next()
        if let range { ranges.append(range) }
        isLast = range == nil
      } catch let error as JSONError {
        // An error in the elements before it is reported first.
        failure = error
      }
      let end = ranges.last?.upperBound ?? text.start
      let isFull = ranges.count == size || end - text.start >= Self.batchByteCount
      if !ranges.isEmpty, isFull || isLast || failure != nil {
        guard try body(batch(ranges, of: text)) else { return }
        ranges = []
        let count = text.advance(to: end)
        elements.dropFirst(count)
        failure?.byteOffset -= count
      }
      if let failure { throw failure }
    }
  }

  private func batch(_ ranges: [Range<Int>], of text: DocumentText) throws(JSONError) -> Batch {
    let start = text.start
    return Batch(
      input: try text.input(start..<(ranges.last?.upperBound ?? start)), position: text.position,
      depth: text.depth,
      elements: ranges.map { ($0.lowerBound - start)..<($0.upperBound - start) },
      progress: text.progress)
  }
}
