import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `The classes of a file` {
  private let folder: TemporaryFolder
  private var configuration: StoreConfiguration { .file(folder.file("a.store")) }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the schemas of a file describe its classes and can open it`() throws {
    do {
      let store = try Store(configuration: configuration)
      try store.write {
        try store.create(
          Farm.self,
          value: [
            "name": "A", "address": ["street": "Elm 1"], "colours": ["red"], "prices": ["egg": 0.3],
            "animals": [["id": 7, "name": "Bella", "owner": ["id": 1]]],
          ])
      }
    }
    let schemas = try Store.schemas(of: configuration)
    #expect(schemas.map(\.className) == ["Address", "Animal", "Farm", "Owner"])
    #expect(
      schemas[2].description == """
        Farm
          name: String primaryKey
          address: Address?
          animals: List<Animal>
          fields: List<Address>
          prices: Map<String, Double>
          colours: MutableSet<String>
        """)
    #expect(schemas[0].isEmbedded)
    #expect(schemas[1]["born"]?.isIndexed == true)

    let store = try Store(configuration: configuration, schemas: schemas)
    let farm = try #require(try store.objects(dynamic: "Farm").first)
    let animals = try #require(farm["animals"] as? List<DynamicObject>)
    #expect(animals[0]["name"] as? String == "Bella")
    #expect((farm["address"] as? DynamicObject)?["street"] as? String == "Elm 1")
  }

  @Test func `reading the schemas of an open file does not wait until it is closed`() throws {
    let store = try Store(configuration: configuration)
    try store.write { try store.create(Owner.self, value: ["id": 1]) }
    let start = ContinuousClock.now
    #expect(try Store.schemas(of: configuration).map(\.className) == ["Owner"])
    #expect(ContinuousClock.now - start < .seconds(5))
    withExtendedLifetime(store) {}
  }

  @Test func `the schemas of a file are read regardless of its schema version`() throws {
    do {
      let store = try Store(configuration: .file(folder.file("a.store"), schemaVersion: 3))
      try store.write { try store.create(Owner.self, value: ["id": 1]) }
    }
    #expect(try Store.schemas(of: configuration).map(\.className) == ["Owner"])
  }

  @Test func `reading schemas throws for a missing file and for an in-memory store`() throws {
    let path = folder.file("a.store").path
    #expect(throws: StoreError(.fileFailed(path: path, reason: "there is no such file"))) {
      try Store.schemas(of: configuration)
    }
    #expect(throws: StoreError(.notInFile)) { try Store.schemas(of: .inMemory()) }
  }
}
