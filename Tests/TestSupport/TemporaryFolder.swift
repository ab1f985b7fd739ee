public import Foundation

/// A folder that is gone with its last reference.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    remove()
  }

  /// Removes it early, or at the end of a process.
  public func remove() {
    try? FileManager.default.removeItem(at: url)
  }

  /// A file in it, which need not be there.
  public func file(_ name: String) -> URL { url.appending(path: name) }
}
