import Foundation
import ObjectStore
import TestSupport

/// A store of its own for a test: in memory, or, with `STORE_FILES` in the environment, in a file, so that
/// all tests of the store run in files, too. Its value is a durability: `full`, `normal`, `background`.
///
/// With `background` the tests that count versions held fail: the one that was written last is.
///
/// It stands before the initializer of the same spelling wherever a test says `Store()`.
func Store(isolation: isolated (any Actor)? = #isolation) throws -> ObjectStore.Store {
  guard let durability = StoresOfTests.durability else {
    return try ObjectStore.Store(configuration: .inMemory(), isolation: isolation)
  }
  let url = try StoresOfTests.folder.get().file("\(UUID().uuidString).store")
  return try ObjectStore.Store(
    configuration: .file(url, durability: durability), isolation: isolation)
}

enum StoresOfTests {
  /// Nil for stores in memory.
  static let durability = ProcessInfo.processInfo.environment["STORE_FILES"].map { name in
    Durability.allCases.first { "\($0)" == name } ?? .normal
  }

  /// Goes with the process.
  static let folder: Result<TemporaryFolder, any Error> = Result {
    let folder = try TemporaryFolder()
    atexit { if let folder = try? StoresOfTests.folder.get() { folder.remove() } }
    return folder
  }
}
