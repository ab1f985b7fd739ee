import Foundation
import ObjectStore
import TestSupport

/// Creates a new store for a test: in memory or, if the environment variable `STORE_FILES` is set, in a file, so that
/// all tests of the store can also run on files. The variable's value is a durability: `full`, `normal`,
/// `background`.
///
/// With `background`, tests that count the retained versions fail, because the last written version is retained.
///
/// This function takes precedence over the initializer of the same spelling wherever a test calls `Store()`.
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
    StoreConfiguration.Durability.allCases.first { "\($0)" == name } ?? .normal
  }

  /// Removed at the end of the process.
  static let folder: Result<TemporaryFolder, any Error> = Result {
    let folder = try TemporaryFolder()
    atexit { if let folder = try? StoresOfTests.folder.get() { folder.remove() } }
    return folder
  }
}
