import ObjectStore

/// The batches of a list that arrives in chunks. The list is read in the isolation of the loop.
struct BatchSequence<T: Object, Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Sequence<UInt8> {
  let coder: StoreCoder
  let chunks: Chunks
  /// Returns the list, or throws the error for its class or path from the loop.
  let part: () throws -> PayloadPart
  let size: Int
  var makesObjects = true
  /// Checks an applied batch in its transaction.
  var inspect: ((ReadResult<T>, RowBatch) throws -> Void)?

  func makeAsyncIterator() -> Iterator {
    Iterator(
      chunks: chunks.makeAsyncIterator(),
      stream: ListStream(
        coder, part, size: size, makesObjects: makesObjects, inspecting: inspect))
  }

  /// Reads all batches and returns their counts.
  func counts(isolation: isolated (any Actor)? = #isolation) async throws -> ReadResult<T>.Counts {
    var iterator = makeAsyncIterator()
    var counts = ReadResult<T>.Counts()
    while let batch = try await iterator.next(isolation: isolation) { counts.add(batch.counts) }
    // The last batch of a list may lack the bracket and white space after it.
    counts.byteCount = iterator.stream.receivedCount
    return counts
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
