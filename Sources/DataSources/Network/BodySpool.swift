import Foundation

/// The bytes of a body that have arrived and were not read: the first ones in memory, and those above a limit in a
/// temporary file.
struct BodySpool {
  /// The memory limit in bytes; further bytes are written to the file.
  static let memoryLimit = 1 << 20
  /// The maximum size of a chunk that is read from the file, and the size up to which small chunks are joined.
  private static let chunkByteCount = 1 << 16

  private var chunks: [Data] = []
  private var memoryCount = 0
  private var file: FileHandle?
  /// The range of the file that was not read.
  private var unread: Range<UInt64> = 0..<0

  /// True if there is nothing to read.
  var isEmpty: Bool { chunks.isEmpty && unread.isEmpty }

  /// Adds bytes.
  /// - Throws: The errors of `FileManager` and `FileHandle`, for example if the disk is full.
  mutating func append(_ data: Data) throws {
    if data.isEmpty { return }
    if unread.isEmpty, memoryCount + data.count <= Self.memoryLimit {
      if let last = chunks.indices.last, chunks[last].count + data.count <= Self.chunkByteCount {
        chunks[last] += data
      } else {
        chunks.append(data)
      }
      memoryCount += data.count
      return
    }
    let file = try file ?? Self.temporaryFile()
    self.file = file
    try file.seek(toOffset: unread.upperBound)
    try file.write(contentsOf: data)
    unread = unread.lowerBound..<(unread.upperBound + UInt64(data.count))
  }

  /// Removes and returns the next chunk; nil if there is none.
  /// - Throws: The errors of `FileHandle`.
  mutating func next() throws -> Data? {
    if !chunks.isEmpty {
      let chunk = chunks.removeFirst()
      memoryCount -= chunk.count
      return chunk
    }
    guard let file, !unread.isEmpty else { return nil }
    try file.seek(toOffset: unread.lowerBound)
    let count = min(unread.count, Self.chunkByteCount)
    guard let chunk = try file.read(upToCount: count), !chunk.isEmpty else {
      throw DataSourceError.failed("a temporary file with the body of a response was changed")
    }
    unread = (unread.lowerBound + UInt64(chunk.count))..<unread.upperBound
    if unread.isEmpty {
      unread = 0..<0
      try file.truncate(atOffset: 0)
    }
    return chunk
  }

  /// Creates a file without a name, which disappears with the process.
  private static func temporaryFile() throws -> FileHandle {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).body")
    try Data().write(to: url, options: .withoutOverwriting)
    defer { try? FileManager.default.removeItem(at: url) }
    return try FileHandle(forUpdating: url)
  }
}
