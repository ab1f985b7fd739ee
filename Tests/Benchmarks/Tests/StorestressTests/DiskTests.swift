import Foundation
import ObjectStore
import Testing

@testable import storestress

@Suite struct `The simulated disk` {
  /// Opens a store in a process of its own, whose files are all on a failing disk.
  @Test func `opening on a full disk says so`() async {
    await #expect(processExitsWith: .success) {
      let disk = try #require(Disk.install())
      let path = "\(FileManager.default.temporaryDirectory.path)/storestress-\(UUID()).store"
      disk.arm(.full, at: 1, isLasting: true)
      let error = #expect(throws: StoreError.self) {
        try Store(configuration: .file(URL(filePath: path)))
      }
      #expect(error?.description == "\(path): the disk is full (SQLite 13)")
      disk.heal(tracksSyncs: false)
      try Store.deleteFiles(.file(URL(filePath: path)))
    }
  }
}
