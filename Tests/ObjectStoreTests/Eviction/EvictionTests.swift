import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Evicting` {
  private typealias Photo = Cached.Photo
  private typealias Album = Cached.Album
  private let store: Store
  private let now = Cached.now

  init() throws {
    store = try Store()
  }

  @Test func `eviction deletes and reports objects older than the maximum age`() throws {
    try Cached.makePhotos(store, [1: 500, 2: 100.5, 3: 100, 4: 1, 5: nil, 6: -50])
    let report = try store.evict(asOf: now)
    #expect(store.photoIDs == [3, 4, 5, 6])
    #expect(report[Photo.self]?.evicted == [1, 2])
    #expect(report.evictedCount == 2)
    #expect(report.description == "Photo: 2 evicted, 0 kept, 0 observed, 0 linked")
    #expect(report["Photo"] == report[Photo.self])
    #expect(report[Album.self] == nil)
    // A second eviction finds nothing and creates no version.
    let version = store.version
    #expect(try store.evict(asOf: now).classes.isEmpty)
    #expect(store.version == version)
    store.checkInvariants()
  }

  @Test(arguments: [
    (0, []), (2, [4, 6]), (3, [4, 5, 6]), (5, [1, 3, 4, 5, 6]), (9, [1, 2, 3, 4, 5, 6]),
  ])
  func `a maximum count keeps the newest objects and, on ties, those inserted last`(
    _ count: Int, _ left: [Int]
  ) throws {
    try Cached.makePhotos(store, [1: 7, 2: nil, 3: 7, 4: 5, 5: 7, 6: 1])
    try store.evict(
      by: [.policy(CachePolicy(maximumCount: count, since: "lastUsed"), of: Photo.self)], asOf: now)
    #expect(store.photoIDs == left)
  }

  @Test func `a maximum count evicts objects used in the future before those used in the past`()
    throws
  {
    try Cached.makePhotos(store, [1: -1e7, 2: -2e7, 3: 0, 4: 1000, 5: nil, 6: -1e8])
    let policy = CachePolicy(maximumCount: 3, since: \Photo.lastUsed)
    let dry = try store.evict(by: [.policy(policy, of: Photo.self)], asOf: now, dryRun: true)
    #expect(try store.photo(6).lastUsed == now + 1e8)
    let report = try store.evict(by: [.policy(policy, of: Photo.self)], asOf: now)
    #expect(report == dry)
    #expect(report[Photo.self]?.evicted == [1, 2, 5])
    #expect(store.photoIDs == [3, 4, 6])
    // The remaining object ages from the eviction on.
    #expect(try store.photo(6).lastUsed == now)
    store.checkInvariants()
  }

  @Test func `an object used in the future has the age 0 and ages from the eviction on`() throws {
    try Cached.makePhotos(store, [1: -1e7, 2: -1.5, 3: -0.5, 4: 50])
    try store.write { try store.photo(2).hasEdits = true }
    #expect(try store.evict(asOf: now).classes.isEmpty)
    #expect(try store.photo(1).lastUsed == now)
    #expect(try store.photo(2).lastUsed == now)
    // A hundredth of the maximum age is tolerated.
    #expect(try store.photo(3).lastUsed == now + 0.5)
    #expect(try store.evict(asOf: now + 99)[Photo.self]?.evicted == [4])
    #expect(try store.evict(asOf: now + 101)[Photo.self]?.evicted == [1, 3])
  }

  @Test func `an eviction that corrects a date of use notifies observers of the object`() throws {
    try Cached.makePhotos(store, [1: -1e7])
    let photo = try store.photo(1)
    var changed: [String] = []
    let token = photo.observe { change in
      if case .change(let names) = change { changed += names }
    }
    try store.evict(asOf: now)
    store.refresh()
    #expect(changed == ["lastUsed"])
    withExtendedLifetime(token) {}
  }

  @Test func `a maximum count without a date keeps the objects inserted last`() throws {
    try store.write {
      for id in [5, 1, 4, 2, 3] {
        try store.create(Cached.Entry.self, value: ["id": .int(Int64(id))])
      }
    }
    #expect(try store.evict()[Cached.Entry.self]?.evicted == [5, 1])
    #expect(store.objects(Cached.Entry.self).map(\.id) == [4, 2, 3])
  }

  @Test func `a policy can combine a maximum age and a maximum count`() throws {
    try Cached.makePhotos(store, [1: 500, 2: 30, 3: 20, 4: 10, 5: nil])
    let policy = CachePolicy(maximumAge: .seconds(100), since: \Photo.lastUsed, maximumCount: 2)
    try store.evict(by: [.policy(policy, of: Photo.self)], asOf: now)
    #expect(store.photoIDs == [3, 4])
  }

  @Test func `eviction keeps objects that match a keep condition of the call or of the class`()
    throws
  {
    try Cached.makePhotos(store, [1: 500, 2: 500, 3: 500])
    try store.write {
      try store.photo(1).hasEdits = true
      try store.photo(2).name = "mine"
    }
    let policy = CachePolicy.whileLinked.keeping("name == 'mine'")
    let report = try store.evict(by: [.policy(policy, of: Photo.self)])
    #expect(report.description == "Photo: 1 evicted, 2 kept, 0 observed, 0 linked")
    #expect(store.photoIDs == [1, 2])
    #expect(try store.evict(asOf: now)[Photo.self]?.evicted == [2])
  }

  @Test func `eviction keeps objects linked directly or through collections or embedded objects`()
    throws
  {
    try Cached.makePhotos(
      store, Dictionary(uniqueKeysWithValues: (1...12).map { ($0, 500) }))
    try store.write {
      for (from, to) in [(1, 7), (7, 8), (9, 10), (10, 9)] {
        try store.photo(from).next = store.photo(to)
      }
      let album = try store.create(
        Album.self,
        value: [
          "id": 1, "cover": ["id": 1], "photos": [["id": 2], ["id": 2]], "marked": [["id": 3]],
          "byName": ["a": ["id": 4], "b": .null],
          "frame": ["photo": ["id": 5], "inner": ["photo": ["id": 6]]],
        ], update: .modified)
      #expect(album.byName.count == 2)
      // Links in the frame of a kept photo are followed, but not those of a deleted photo.
      try store.create(
        Photo.self, value: ["id": 8, "frame": ["photo": ["id": 11]]], update: .modified)
      try store.create(
        Photo.self, value: ["id": 9, "frame": ["photo": ["id": 12]]], update: .modified)
    }
    let report = try store.evict(asOf: now)
    #expect(report.description == "Photo: 3 evicted, 0 kept, 0 observed, 9 linked")
    #expect(store.photoIDs == [1, 2, 3, 4, 5, 6, 7, 8, 11])
    #expect(try store.evict(asOf: now).evictedCount == 0)
    store.checkInvariants()
    try store.write { store.objects(Album.self).first?.cover = nil }
    #expect(try store.evict(asOf: now)[Photo.self]?.evicted == [1, 7, 8, 11])
    store.checkInvariants()
  }

  @Test
  func `eviction deletes unlinked keyless objects and embedded objects of deleted owners`()
    throws
  {
    try store.write {
      for id in 1...2 {
        try store.create(
          Photo.self,
          value: [
            "id": .int(Int64(id)), "lastUsed": id == 1 ? Cached.ago(500) : Cached.ago(1),
            "tags": [["name": "a"], ["name": "b"]], "frame": ["inner": [:]],
          ])
      }
    }
    let report = try store.evict(asOf: now)
    #expect(report[Cached.Tag.self]?.evicted == [.null, .null])
    #expect(report[Cached.Tag.self]?.linkedCount == 2)
    #expect(store.objects(Cached.Tag.self).count == 2)
    #expect(store.rowCount(Cached.Frame.self) == 2)
    store.checkInvariants()
  }

  @Test func `eviction by rules affects only the classes of the rules`() throws {
    try Cached.makePhotos(store, [1: 500])
    try store.write {
      try store.create(Album.self, value: ["id": 1])
      for id in 1...5 { try store.create(Cached.Entry.self, value: ["id": .int(Int64(id))]) }
    }
    try store.evict(by: [.policy(.whileLinked, ofClass: "Entry")])
    #expect(store.objects(Cached.Entry.self).isEmpty)
    #expect(store.photoIDs == [1])
    try store.evict(by: [.policy(.whileLinked, of: Album.self)])
    #expect(store.objects(Album.self).isEmpty)
  }

  @Test func `a dry run reports what an eviction would do and changes nothing`() throws {
    try Cached.makePhotos(store, [1: 500, 2: 500, 3: 500, 4: 1])
    try store.write {
      try store.photo(2).hasEdits = true
      try store.create(Album.self, value: ["id": 1, "cover": ["id": 3]], update: .modified)
    }
    let version = store.version
    let dry = try store.evict(asOf: now, dryRun: true)
    #expect(store.version == version)
    #expect(store.photoIDs == [1, 2, 3, 4])
    #expect(dry.description == "Photo: 1 evicted, 1 kept, 0 observed, 1 linked")
    #expect(try store.evict(asOf: now) == dry)
  }

  @Test func `an eviction joins an open write and is undone with it`() throws {
    try Cached.makePhotos(store, [1: 500, 2: 500, 3: 1])
    store.undone {
      try store.photo(2).next = store.photo(1)
      try store.photo(3).next = store.photo(2)
      #expect(try store.evict(asOf: now).evictedCount == 0)
      try store.photo(3).next = nil
      #expect(try store.evict(asOf: now)[Photo.self]?.evicted == [1, 2])
      #expect(store.photoIDs == [3])
    }
    #expect(store.photoIDs == [1, 2, 3])
    store.checkInvariants()
    var notified: [String] = []
    let token = store.objects(Photo.self).where { $0.id == 3 }.observe { notified.append($0.text) }
    let all = store.observe { notified.append("\($0[Photo.self]?.deleted ?? [])") }
    store.refresh()
    try store.evict(asOf: now)
    store.refresh()
    #expect(notified == ["initial", "[1, 2]"])
    withExtendedLifetime((token, all)) {}
  }

  @Test func `eviction throws for an invalid policy and describes the mistake`() throws {
    func message(_ policy: CachePolicy) -> String {
      do {
        try store.evict(by: [.policy(policy, of: Photo.self)])
        return "none"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message(CachePolicy(maximumCount: -1))
        == "Photo.cachePolicy: the maximum count must be 0 or more (was -1)")
    #expect(
      message(CachePolicy(maximumCount: 1, since: "lastUse"))
        == "Photo.cachePolicy: 'lastUse' is not an attribute; did you mean 'lastUsed'?")
    #expect(
      message(CachePolicy(maximumAge: .seconds(-1), since: "name"))
        == "Photo.cachePolicy: the maximum age must be 0 or more (was -1.0 seconds)\n"
        + "Photo.cachePolicy: 'name' is String, not a Date")
    #expect(
      message(CachePolicy(maximumCount: 1, updatesCountAsUse: true))
        == "Photo.cachePolicy: updatesCountAsUse requires a date attribute; specify since:")
    #expect(message(CachePolicy.whileLinked.keeping("hasEdit == true")).contains("'hasEdit'"))
    #expect(message(CachePolicy.whileLinked.keeping("hasEdits ==")).contains("column"))
    #expect(throws: StoreError(.unknownClass(name: "Foto", suggestion: nil))) {
      try store.evict(by: [.policy(.whileLinked, ofClass: "Foto")])
    }
    let inMemory = try ObjectStore.Store(configuration: .inMemory())
    #expect(throws: StoreError(.notInFile)) { try inMemory.evict(toBytes: 0) }
  }

  private final class Mistaken: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var used: Date?
    override class var cachePolicy: CachePolicy? {
      CachePolicy(maximumAge: .seconds(1), since: "user")
    }
  }

  @Test func `an invalid policy of a class is reported as an invalid declaration`() {
    let mistake = "Mistaken.cachePolicy: 'user' is not an attribute; did you mean 'used'?"
    #expect(throws: StoreError(.invalidDeclarations([mistake]))) {
      try store.write { try store.create(Mistaken.self, value: ["id": 1]) }
    }
    let schema = ObjectSchema(
      "Thing", [Property("id", .int, isPrimaryKey: true)],
      cachePolicy: CachePolicy(maximumCount: -2))
    #expect(schema.mistakes == ["Thing.cachePolicy: the maximum count must be 0 or more (was -2)"])
    let part = ObjectSchema(
      "Part", [Property("a", .int)], isEmbedded: true, cachePolicy: .whileLinked)
    #expect(
      part.mistakes == [
        "Part.cachePolicy: an embedded object is deleted with its owner and cannot have a policy"
      ])
  }

  @Test func `eviction applies the policy of a schema built at run time`() throws {
    let item = ObjectSchema(
      "Item",
      [
        Property("id", .int, isPrimaryKey: true), Property("used", .date, isOptional: true),
        Property("next", .object("Item")),
      ], cachePolicy: CachePolicy(maximumAge: .seconds(10), since: "used").keeping("id == 1"))
    let store = try ObjectStore.Store(configuration: .inMemory(), schemas: [item])
    try store.write {
      for id in 1...4 {
        try store.create(
          dynamic: "Item", value: ["id": .int(Int64(id)), "used": Cached.ago(id == 4 ? 1 : 60)])
      }
      try store.create(
        dynamic: "Item", value: ["id": 4, "next": ["id": 2]], update: .modified)
    }
    let report = try store.evict(asOf: now)
    #expect(report.description == "Item: 1 evicted, 1 kept, 0 observed, 1 linked")
    #expect(try store.objects(dynamic: "Item").map { $0["id"] as? Int } == [1, 2, 4])
  }

  @Test func `evicting 20,000 objects down to a maximum count of 10 keeps the newest`() throws {
    let count = 20_000
    try store.write {
      try store.add(
        (0..<count).map { id in
          let photo = Photo()
          photo.id = id
          photo.lastUsed = now - Double(id)
          return photo
        })
    }
    let report = try store.evict(
      by: [.policy(CachePolicy(maximumCount: 10, since: "lastUsed"), of: Photo.self)], asOf: now)
    #expect(report.evictedCount == count - 10)
    #expect(store.photoIDs == Array(0..<10))
    store.checkInvariants()
  }
}

extension Store {
  /// The number of rows of a class, which may be embedded.
  fileprivate func rowCount(_ type: ObjectBase.Type) -> Int {
    guard let entry = try? handle.entry(type) else { return -1 }
    return handle.tableVersion(entry.table).liveCount
  }
}
