import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Noting the use of objects` {
  private typealias Page = Cached.Page
  private let store: Store
  private let old = Date(timeIntervalSinceReferenceDate: 0)

  init() throws {
    store = try Store()
    try store.write {
      for id in 1...3 {
        try store.create(
          Page.self, value: ["id": .int(Int64(id)), "text": "a", "lastUsed": .date(old)])
      }
    }
  }

  private func page(_ id: Int) throws -> Page {
    try #require(store.object(ofType: Page.self, forPrimaryKey: id))
  }

  /// The IDs of the pages that were used within the last minute.
  private var used: [Int] {
    Array(store.objects(Page.self)).filter { ($0.lastUsed ?? old) > Date() - 60 }.map(\.id)
  }

  @Test func `noting a use corrects a date in the future`() throws {
    let future = Date() + 10 * 365 * 86_400
    try store.write { for page in store.objects(Page.self) { page.lastUsed = future } }
    #expect(try store.noteUse(of: page(1)))
    try store.update(Page.self, key: 2, \.text <- "b")
    #expect(used == [1, 2, 3])
    #expect(
      try store.objects(Page.self).map { try #require($0.lastUsed) > Date() + 60 } == [
        false, false, true,
      ])
  }

  @Test func `noting a use sets the date unless it is recent`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 5_000)
    #expect(try store.noteUse(of: store.objects(Page.self).where { $0.id < 3 }, at: date) == 2)
    #expect(store.objects(Page.self).map(\.lastUsed) == [date, date, old])
    let version = store.version
    #expect(try !store.noteUse(of: page(1), at: date + 9.5))
    #expect(try !store.noteUse(of: page(1), at: date - 500))
    #expect(store.version == version)
    #expect(try store.noteUse(of: page(1), at: date + 10))
    #expect(try page(1).lastUsed == date + 10)
    // Objects of a class without a date are ignored.
    try store.write { try store.create(Cached.Entry.self, value: ["id": 1]) }
    #expect(try store.noteUse(of: store.objects(Cached.Entry.self)) == 0)
  }

  @Test func `an update counts as a use if the policy specifies it`() throws {
    #expect(used == [])
    try store.write {
      try store.create(Page.self, value: ["id": 2, "text": "a"], update: .modified)
    }
    #expect(used == [2])
    #expect(try store.update(Page.self, key: 3, \.text <- "a") == .unchanged)
    #expect(used == [2, 3])
    try store.write { try store.create(Page.self, value: ["id": 4]) }
    #expect(used == [2, 3, 4])
    // A second update shortly after the first writes nothing.
    let version = store.version
    try store.write {
      try store.create(Page.self, value: ["id": 2, "text": "a"], update: .modified)
    }
    #expect(try store.update(Page.self, key: 3, \.text <- "a") == .unchanged)
    #expect(store.version == version)
  }

  @Test func `an update that sets the date of last use keeps that value`() throws {
    try store.write {
      try store.create(
        Page.self, value: ["id": 1, "lastUsed": .date(old + 1)], update: .modified)
      try store.create(Page.self, value: ["id": 5, "lastUsed": .date(old + 2)])
      try store.create(Page.self, value: ["id": 2, "lastUsed": .null], update: .modified)
    }
    try store.update(Page.self, key: 3, \.lastUsed <- old + 3)
    #expect(store.objects(Page.self).map(\.lastUsed) == [old + 1, nil, old + 3, old + 2])
  }

  @Test func `an update does not count as a use unless the policy specifies it`() throws {
    try Cached.makePhotos(store, [1: nil])
    try store.write {
      try store.create(Cached.Photo.self, value: ["id": 1, "name": "b"], update: .modified)
    }
    try store.update(Cached.Photo.self, key: 1, \.name <- "c")
    #expect(try store.photo(1).lastUsed == nil)
    #expect(try store.noteUse(of: store.photo(1), at: Cached.now))
    #expect(try store.photo(1).lastUsed == Cached.now)
  }

  @Test func `eviction keeps objects whose date of last use an update has renewed`() throws {
    try store.write { try store.create(Page.self, value: ["id": 2], update: .modified) }
    #expect(try store.evict()[Page.self]?.evicted == [1, 3])
  }
}
