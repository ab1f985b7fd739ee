import Foundation
import ObjectStore
import TestSupport
import Testing

/// The code in the eviction article.
@Suite struct `The eviction article` {
  final class Photo: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var caption = ""
    @Persisted var isFavorite = false
    @Persisted var lastUsed: Date?

    override class var cachePolicy: CachePolicy? {
      CachePolicy(maximumAge: .seconds(30 * 86_400), since: \Photo.lastUsed, maximumCount: 10_000)
        .keeping(Photo.self) { $0.isFavorite }
    }
  }

  final class Album: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var photos: List<Photo>
  }

  private func fill(_ store: Store) throws {
    let old = UpdateValue.date(Date() - 40 * 86_400)
    try store.write {
      for id in 1...4 {
        try store.create(
          Photo.self,
          value: [
            "id": .int(Int64(id)), "isFavorite": .bool(id == 2), "lastUsed": id == 4 ? .null : old,
          ])
      }
      try store.create(Album.self, value: ["id": 1, "photos": [["id": 3]]], update: .modified)
    }
  }

  @Test func `evict removes old photos and reports their number`() throws {
    let store = try Store()
    try fill(store)
    let dry = try store.evict(dryRun: true)
    print(dry[Photo.self]?.evicted ?? [])  // the keys
    let report = try store.evict()
    print(report)  // Photo: 1 evicted, 1 kept, 0 observed, 1 linked

    #expect(report == dry)
    #expect("\(report)" == "Photo: 1 evicted, 1 kept, 0 observed, 1 linked")
    #expect(store.objects(Photo.self).map(\.id) == [2, 3, 4])
    guard let photo = store.object(ofType: Photo.self, forPrimaryKey: 4) else { return }
    try store.noteUse(of: photo)
    #expect(photo.lastUsed != nil)
    try store.evict(by: [.policy(.whileLinked, of: Photo.self)])
    #expect(store.objects(Photo.self).map(\.id) == [2, 3])
  }

  @Test func `evicting to a byte count applies the cache policy`() async throws {
    let folder = try TemporaryFolder()
    let store = try Store(configuration: .file(folder.file("photos.store")))
    try fill(store)
    try store.evict(toBytes: 50_000_000)
    try await store.compact()
    #expect(store.objects(Photo.self).map(\.id) == [2, 3, 4])
  }

  @Test func `the article contains the tested code and output`() throws {
    let article = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Sources/ObjectStore/ObjectStore.docc/Eviction.md"), encoding: .utf8)
    let own = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let blocks = article.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(blocks.count == 6)
    for line in blocks.joined().split(separator: "\n") {
      #expect(own.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
    }
  }
}
