import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Eviction of objects of a store in a file.
@Suite struct `Evicting from a file` {
  private typealias Photo = Cached.Photo
  private typealias Album = Cached.Album
  private let folder: TemporaryFolder
  private let configuration: StoreConfiguration
  private let now = Cached.now

  init() throws {
    folder = try TemporaryFolder()
    configuration = .file(folder.file("cache.store"))
  }

  private func inMemoryCopy() throws -> Store {
    try ObjectStore.Store(
      configuration: .inMemory(copyOf: folder.file("cache.store")), isolation: nil)
  }

  private func open() throws -> Store {
    try ObjectStore.Store(configuration: configuration, isolation: nil)
  }

  /// Runs with the file, and with an in-memory copy of it.
  @Test(arguments: [false, true])
  func `eviction keeps objects to which unregistered classes link`(_ isCopy: Bool) throws {
    do {
      let store = try open()
      try Cached.makePhotos(
        store, Dictionary(uniqueKeysWithValues: (1...8).map { ($0, 500) }))
      try store.write {
        try store.photo(1).next = store.photo(7)
        try store.create(
          Album.self,
          value: [
            "id": 1, "cover": ["id": 1], "photos": [["id": 2]], "marked": [["id": 3]],
            "byName": ["a": ["id": 4], "b": .null], "frame": ["inner": ["photo": ["id": 5]]],
          ], update: .modified)
      }
    }
    let copy = try isCopy ? inMemoryCopy() : nil
    do {
      let store = try copy ?? open()
      // Photos do not link to albums, so the class is not registered.
      #expect(store.photoIDs.count == 8)
      #expect(store.schemas.allSatisfy { $0.className != "Album" })
      let dry = try store.evict(asOf: now, dryRun: true)
      let report = try store.evict(asOf: now)
      #expect(dry == report)
      #expect(report.description == "Photo: 2 evicted, 0 kept, 0 observed, 6 linked")
      #expect(store.photoIDs == [1, 2, 3, 4, 5, 7])
    }
    let store = try copy ?? open()
    let album = try #require(store.objects(Album.self).first)
    #expect(album.cover?.next?.id == 7)
    #expect(album.photos.map(\.id) == [2])
    #expect(album.marked.map(\.id) == [3])
    #expect(album.byName["a"]??.id == 4)
    #expect(album.frame?.inner?.photo?.id == 5)
    #expect(store.photoIDs == [1, 2, 3, 4, 5, 7])
    #expect(store.damage == [])
    store.checkInvariants()
  }

  @Test func `eviction deletes no objects of unregistered classes`() throws {
    do { try Cached.makePhotos(open(), [1: 500]) }
    do {
      let store = try open()
      #expect(try store.evict(asOf: now).classes.isEmpty)
    }
    let store = try open()
    #expect(store.photoIDs == [1])
    #expect(try store.evict(asOf: now).evictedCount == 1)
  }

  @Test func `evicting from a read-only store throws`() throws {
    do { try Cached.makePhotos(open(), [1: 500]) }
    let store = try ObjectStore.Store(
      configuration: .file(folder.file("cache.store"), readOnly: true), isolation: nil)
    #expect(store.photoIDs == [1])
    #expect(try store.evict(asOf: now, dryRun: true).evictedCount == 1)
    #expect(throws: StoreError.self) { try store.evict(asOf: now) }
    #expect(store.photoIDs == [1])
  }

  @Test(arguments: [StoreConfiguration.Durability.normal, .background])
  func `evicting to a size deletes the oldest objects until the file is small enough`(
    _ durability: StoreConfiguration.Durability
  ) async throws {
    let url = folder.file("large.store")
    let store = try ObjectStore.Store(
      configuration: .file(url, durability: durability), isolation: nil)
    let text = String(repeating: "abcdefghij", count: 20)
    try store.write {
      for id in 0..<4_000 {
        let photo = try store.create(Photo.self, value: ["id": .int(Int64(id))])
        photo.name = text + String(id)
        photo.lastUsed = now - Double(id % 1_000) / 100
        photo.hasEdits = id == 999
        if id % 10 == 0 { photo.frame = Cached.Frame() }
      }
      try store.create(Album.self, value: ["id": 1, "cover": ["id": 998]], update: .modified)
    }
    func size() async throws -> Int {
      try await store.compact()
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      return try #require(attributes[.size] as? Int)
    }
    let whole = try await size()
    #expect(whole > 800_000)
    // The file is already small enough.
    #expect(try store.evict(toBytes: whole, asOf: now).evictedCount == 0)
    let limit = whole * 2 / 5
    let dry = try store.evict(toBytes: limit, asOf: now, dryRun: true)
    let report = try store.evict(toBytes: limit, asOf: now)
    #expect(report == dry)
    #expect(report[Photo.self]?.keptCount == 1)
    #expect(report[Photo.self]?.linkedCount == 1)
    let small = try await size()
    #expect(small < limit * 11 / 10)
    #expect(small > limit * 8 / 10)
    // The newest photos stay: all up to some age, and no older ones except the kept and the linked one.
    let ids = Set(store.photoIDs)
    let newest = (0..<1_000).prefix { second in
      [0, 1_000, 2_000, 3_000].allSatisfy { ids.contains($0 + second) }
    }.count
    #expect(ids.count >= newest * 4)
    #expect(ids.count <= newest * 4 + 3 + 2)
    #expect(ids.isSuperset(of: [998, 999]))
    try store.evict(toBytes: 0, asOf: now)
    #expect(store.photoIDs == [998, 999])
    store.checkInvariants()
  }

  @Test func `evicting to a size also deletes objects older than the maximum age`() throws {
    let store = try open()
    try Cached.makePhotos(store, [1: 500, 2: 50, 3: nil])
    let report = try store.evict(toBytes: 1_000_000_000, asOf: now)
    #expect(report.description == "Photo: 1 evicted, 0 kept, 0 observed, 0 linked")
    #expect(store.photoIDs == [2, 3])
  }

  @Test func `evicting to a size deletes objects used in the future before those used in the past`()
    async throws
  {
    let store = try open()
    try Cached.makePhotos(
      store, Dictionary(uniqueKeysWithValues: (0..<2_000).map { ($0, $0 < 1_000 ? -1e7 : 50) }))
    try store.write {
      for photo in store.objects(Photo.self) { photo.name = String(repeating: "a", count: 500) }
    }
    try await store.flush()
    try store.evict(toBytes: 700_000, asOf: now)
    let left = store.photoIDs
    #expect(left.count > 1_000)
    #expect(left.suffix(1_000) == Array(1_000..<2_000))
    #expect(Set(store.objects(Photo.self).map(\.lastUsed)) == [now, now - 50])
  }
}
