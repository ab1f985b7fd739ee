/// Chunks of the bytes of a source that delivers them one by one.
///
/// A chunk ends at each closing bracket, because there an element can end.
struct ByteChunks<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
  let bytes: Bytes

  func makeAsyncIterator() -> Iterator {
    Iterator(bytes: bytes.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var bytes: Bytes.AsyncIterator

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [UInt8]? {
      var chunk: [UInt8] = []
      while chunk.count < 1 << 14, let byte = try await bytes.next(isolation: actor) {
        chunk.append(byte)
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { break }
      }
      return chunk.isEmpty ? nil : chunk
    }
  }
}
