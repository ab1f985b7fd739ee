import Foundation

/// A folder in memory for copies of the store files in `Fixtures/stores`, which is deleted with its last reference.
final class StoreFolder: Sendable {
  let url: URL

  init() throws {
    let memory = URL(filePath: "/dev/shm")
    let isThere = FileManager.default.isWritableFile(atPath: memory.path)
    let parent = isThere ? memory : FileManager.default.temporaryDirectory
    url = parent.appending(path: "storefuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The names of all files, in all folders.
  var names: [String] {
    let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String }
    return (names ?? []).sorted()
  }

  /// Returns the bytes of a fixture.
  static func fixture(_ name: String) -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/stores").standardizedFileURL
    do {
      return Array(try Data(contentsOf: folder.appending(path: name)))
    } catch {
      fatalError("\(error)")
    }
  }
}
