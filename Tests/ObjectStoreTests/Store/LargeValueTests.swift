import Foundation
import ObjectStore
import TestSupport
import Testing

private let limit = 16 << 20
private let huge = String(repeating: "x", count: limit)

private final class Album: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title = ""
  @Persisted var cover = Data()
  @Persisted var note: String?
  @Persisted var pages: List<String>
  @Persisted var tags: MutableSet<String>
  @Persisted var index: Map<String, String>
  @Persisted var sequel: Album?

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

private func storeWithAlbum() throws -> (Store, Album) {
  let store = try Store()
  let album = Album(id: 1)
  try store.write { try store.add(album) }
  return (store, album)
}

@Suite struct `Large values` {
  enum Location: String, CaseIterable {
    case text, data, optional, appended, inserted, element, setElement, mapValue, mapKey, linked
  }

  private static func assign(_ location: Location, of album: Album) {
    switch location {
    case .text: album.title = huge
    case .data: album.cover = Data(count: limit)
    case .optional: album.note = huge
    case .appended: album.pages.append(huge)
    case .inserted: album.pages.insert(huge, at: 0)
    case .element: album.pages[0] = huge
    case .setElement: album.tags.insert(huge)
    case .mapValue: album.index["a"] = huge
    case .mapKey: album.index[huge] = "a"
    case .linked:
      let sequel = Album(id: 2)
      sequel.title = huge
      album.sequel = sequel
    }
  }

  private static func attribute(_ location: Location) -> String {
    switch location {
    case .text, .linked: "title"
    case .data: "cover"
    case .optional: "note"
    case .appended, .inserted, .element: "pages"
    case .setElement: "tags"
    case .mapValue, .mapKey: "index"
    }
  }

  @Test(arguments: Location.allCases)
  func `a value of 16 MiB makes the write throw and undoes it`(_ location: Location) throws {
    let (store, album) = try storeWithAlbum()
    try store.write { album.pages.append("first") }
    let error = #expect(throws: StoreError.self) {
      try store.write {
        album.id = 1
        album.note = "before"
        Self.assign(location, of: album)
        album.pages.append("after")
      }
    }
    #expect(
      error?.description == "Album.\(Self.attribute(location)): a value of 16777216 bytes "
        + "is larger than the limit of 16 MiB")
    #expect(store.version == 2 && !store.isInWriteTransaction)
    #expect(album.title == "" && album.note == nil && Array(album.pages) == ["first"])
    #expect(album.tags.isEmpty && album.index.isEmpty && album.sequel == nil)
    try store.write { album.title = "goes on" }
    #expect(album.title == "goes on")
  }

  @Test func `a value one byte smaller than 16 MiB is stored`() throws {
    let (store, album) = try storeWithAlbum()
    let text = String(repeating: "x", count: limit - 1)
    try store.write {
      album.title = text
      album.pages.append(text)
    }
    #expect(album.title.utf8.count == limit - 1 && album.pages[0] == text)
  }

  @Test func `a value of 16 MiB undoes only the inner write that assigns it`() throws {
    let (store, album) = try storeWithAlbum()
    try store.write {
      album.title = "kept"
      try? store.write {
        album.note = huge
        throw Undo()
      }
      let error = #expect(throws: StoreError.self) { try store.write { album.note = huge } }
      #expect(error?.kind == .valueTooLarge(attribute: "Album.note", byteCount: limit))
      try store.write { album.pages.append("also kept") }
    }
    #expect(album.title == "kept" && album.note == nil && Array(album.pages) == ["also kept"])
  }

  @Test func `a value of 16 MiB in an outer write does not make an inner write throw`() throws {
    let (store, album) = try storeWithAlbum()
    var inner = ""
    #expect(throws: StoreError(.valueTooLarge(attribute: "Album.note", byteCount: limit))) {
      try store.write {
        album.note = huge
        try store.write { album.title = "inner" }
        inner = album.title
      }
    }
    #expect(inner == "inner")
    #expect(album.title == "" && store.version == 1)
  }

  @Test func `commitWrite throws for a value of 16 MiB and ends the write`() throws {
    let (store, album) = try storeWithAlbum()
    try store.beginWrite()
    album.title = huge
    #expect(throws: StoreError(.valueTooLarge(attribute: "Album.title", byteCount: limit))) {
      try store.commitWrite()
    }
    #expect(!store.isInWriteTransaction && album.title == "" && store.version == 1)
  }

  @Test func `asyncWrite throws for a value of 16 MiB`() async throws {
    let (store, album) = try storeWithAlbum()
    await #expect(throws: StoreError(.valueTooLarge(attribute: "Album.title", byteCount: limit))) {
      try await store.asyncWrite { album.title = huge }
    }
    #expect(!store.isInWriteTransaction && album.title == "")
  }

  @Test func `a collection may hold more than 16 MiB in total`() throws {
    let (store, album) = try storeWithAlbum()
    let pages = (0..<200).map { "\($0)" + String(repeating: "x", count: 100_000) }
    try store.write { album.pages.append(contentsOf: pages) }
    let copy = Album(id: 2)
    copy.pages = album.pages
    copy.tags = MutableSet(pages)
    for (number, page) in pages.enumerated() { copy.index["\(number)"] = page }
    try store.write {
      try store.add(copy)
      try store.create(Album.self, value: ["id": 3, "pages": .array(pages.map { .string($0) })])
      try store.create(
        Album.self, value: ["id": 4, "index": .object(["a": .string(pages[0])])])
    }
    #expect(Array(copy.pages) == pages && copy.tags.count == 200 && copy.index["7"] == pages[7])
    let third = try #require(store.object(ofType: Album.self, forPrimaryKey: 3))
    #expect(Array(third.pages) == pages)
    let fourth = try #require(store.object(ofType: Album.self, forPrimaryKey: 4))
    try store.write { fourth.pages = copy.pages }
    #expect(Array(fourth.pages) == pages)
  }

  @Test(arguments: ["value", "element", "key"])
  func `create and add reject a value, an element or a map key of 16 MiB`(_ location: String) throws
  {
    let (store, _) = try storeWithAlbum()
    let update: UpdateDictionary =
      switch location {
      case "value": ["id": 2, "title": .string(huge)]
      case "element": ["id": 2, "pages": ["a", .string(huge)]]
      default: ["id": 2, "index": .object([huge: "a"])]
      }
    let album = Album(id: 2)
    switch location {
    case "value": album.title = huge
    case "element": album.pages = ["a", huge]
    default: album.index[huge] = "a"
    }
    let name = ["value": "title", "element": "pages", "key": "index"][location] ?? ""
    let expected = StoreError.Kind.valueTooLarge(attribute: "Album.\(name)", byteCount: limit)
    try store.write {
      let one = #expect(throws: StoreError.self) { try store.create(Album.self, value: update) }
      let two = #expect(throws: StoreError.self) { try store.add(album) }
      #expect(one?.kind == expected && two?.kind == expected && !album.isManaged)
    }
    #expect(store.objects(Album.self).count == 1)
  }
}
