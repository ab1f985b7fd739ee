import Foundation

/// The content of a file in chunks, which are read outside the isolation of the loop.
struct FileChunks: AsyncSequence {
  let url: URL

  func makeAsyncIterator() -> Iterator {
    Iterator(url: url)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let url: URL
    private var file: FileHandle?

    fileprivate init(url: URL) {
      self.url = url
    }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
      let file = try self.file ?? FileHandle(forReadingFrom: url)
      self.file = file
      return try await Self.chunk(of: file)
    }

    @concurrent private static func chunk(of file: FileHandle) async throws -> Data? {
      try file.read(upToCount: 1 << 18).flatMap { $0.isEmpty ? nil : $0 }
    }
  }
}
