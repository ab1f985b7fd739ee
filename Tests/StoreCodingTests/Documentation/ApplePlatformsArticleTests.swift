import Foundation
import ObjectStore
import TestSupport
import Testing

private final class Order: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var total = 0
}

/// The code of the article On Apple platforms.
@Suite struct `The article On Apple platforms` {
  #if canImport(Darwin)
    /// Only compiled: the folder belongs to the user.
    private func store() throws -> Store {
      let folder = URL.applicationSupportDirectory.appending(
        path: "Store", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let store = try Store(configuration: .file(folder.appending(path: "shop.store")))
      return store
    }
  #endif

  @Test func `a widget reads a copy that replaces the former one`() async throws {
    let folder = try TemporaryFolder()
    let group = folder.url
    let store = try Store(configuration: .file(folder.file("shop.store")))
    func publish() async throws {
      // In the app, before it calls WidgetCenter.shared.reloadAllTimelines():
      let copy = group.appending(path: "copy.store")
      try? FileManager.default.removeItem(at: copy)
      try await store.copy(to: copy)
      // Replaces the former copy in one step.
      guard rename(copy.path, group.appending(path: "widget.store").path) == 0 else { return }
    }
    for count in 1...2 {
      try store.write { try store.create(Order.self, value: ["id": .int(Int64(count))]) }
      try await publish()
      // In the widget, for each timeline:
      let content = try Store(
        configuration: .inMemory(copyOf: group.appending(path: "widget.store")))
      #expect(content.objects(Order.self).count == count)
      #expect(content.damage.isEmpty)
    }
  }

  @Test func `the folder of a cache is excluded from backups`() throws {
    let temporary = try TemporaryFolder()
    var folder = temporary.url
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try folder.setResourceValues(values)
  }
}
