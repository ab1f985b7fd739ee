import ObjectStore

/// The batches of a list that arrives in chunks. The list is read in the isolation of the loop.
struct BatchSequence<T: Object, Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Sequence<UInt8> {
  let coder: StoreCoder
  let chunks: Chunks
  let path: String?
  let size: Int
  var makesObjects = true
  /// The mapping of a class given by its name; nil for that of `T`.
  var plan: CodingPlan?
  /// Checks an applied batch in its transaction.
  var inspect: ((ReadResult<T>, RowBatch) throws -> Void)?

  func makeAsyncIterator() -> Iterator {
    Iterator(
      chunks: chunks.makeAsyncIterator(),
      stream: ListStream(
        coder, plan, at: path, size: size, makesObjects: makesObjects, inspecting: inspect))
  }

  /// Reads all batches and returns their counts.
  func summary(isolation: isolated (any Actor)? = #isolation) async throws -> ReadSummary {
    var iterator = makeAsyncIterator()
    var summary = ReadSummary()
    while let batch = try await iterator.next(isolation: isolation) { summary.add(batch) }
    summary.end(byteCount: iterator.stream.receivedCount)
    return summary
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var chunks: Chunks.AsyncIterator
    fileprivate let stream: ListStream<T>

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> ReadResult<T>? {
      if stream.hasEnded { return nil }
      do {
        try Task.checkCancellation()
        while true {
          if let batch = try stream.next() { return batch }
          if stream.hasEnded { return nil }
          let chunk = try await chunks.next(isolation: actor)
          // A source may end when its task is cancelled, as `AsyncStream` does. The payload is not complete then.
          try Task.checkCancellation()
          if let chunk {
            stream.append(chunk)
          } else {
            stream.complete()
          }
        }
      } catch {
        stream.end()
        throw error
      }
    }
  }
}
