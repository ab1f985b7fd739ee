public import Foundation

/// A temporary folder that is deleted with its last reference.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    remove()
  }

  /// Deletes the folder early, or at the end of a process.
  public func remove() {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file in the folder, which need not exist.
  public func file(_ name: String) -> URL { url.appending(path: name) }
}
