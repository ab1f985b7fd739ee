import Foundation
import ObjectStore
import TestSupport
import Testing

/// Objects written to a file are there when it is opened again. R16
@Suite struct `A store in a file` {
  private let folder: TemporaryFolder
  private let configuration: StoreConfiguration

  init() throws {
    folder = try TemporaryFolder()
    configuration = .file(folder.file("farm.store"))
  }

  @Test func `a reopened store shows its objects`() throws {
    do {
      let store = try Store(configuration: configuration)
      try store.write {
        let bella = try store.create(
          Animal.self,
          value: [
            "id": 7, "name": "Bella", "tags": ["brown", "calm"],
            "owner": ["id": 1, "name": "Ada"], "mother": ["id": 8, "name": "Berta"],
          ])
        let farm = try store.create(
          Farm.self, value: ["name": "Hill", "prices": ["milk": 1.5, "eggs": 0.25]])
        farm.animals.append(bella)
        farm.address = Address()
      }
    }
    let store = try Store(configuration: configuration)
    let bella = try #require(store.object(ofType: Animal.self, forPrimaryKey: 7))
    #expect(bella.name == "Bella")
    #expect(bella.tags == ["brown", "calm"])
    #expect(bella.owner?.name == "Ada")
    #expect(bella.mother?.name == "Berta")
    #expect(bella.mother?.children.map(\.id) == [7])
    #expect(bella.farms.first?.prices["eggs"] == 0.25)
    #expect(bella.farms.first?.address != nil)
    #expect(store.damage == [])
  }

  @Test func `a reopened store shows changes and deletions but no cancelled write`() throws {
    do {
      let store = try Store(configuration: configuration)
      try store.write {
        for id in 1...5 { try store.create(Animal.self, value: ["id": id]) }
      }
      try store.write {
        store.object(ofType: Animal.self, forPrimaryKey: 2)?.name = "Two"
        store.object(ofType: Animal.self, forPrimaryKey: 3)?.tags.append("x")
      }
      try store.write {
        guard let four = store.object(ofType: Animal.self, forPrimaryKey: 4) else { return }
        store.delete(four)
      }
      try store.beginWrite()
      store.object(ofType: Animal.self, forPrimaryKey: 1)?.name = "One"
      store.cancelWrite()
    }
    let store = try Store(configuration: configuration)
    #expect(store.objects(Animal.self).map(\.id) == [1, 2, 3, 5])
    #expect(store.objects(Animal.self).map(\.name) == ["", "Two", "", ""])
    #expect(store.objects(Animal.self).map { $0.tags.count } == [0, 0, 1, 0])
    try store.write { try store.create(Animal.self, value: ["id": 6]) }
    #expect(store.objects(Animal.self).map(\.id) == [1, 2, 3, 5, 6])
  }

  @Test func `deleting all objects of a class also deletes values of undeclared attributes`()
    async throws
  {
    let key = Property("id", .int, isPrimaryKey: true)
    let whole = ObjectSchema(
      "Boat", [key, Property("name", .string, isIndexed: true), Property("tags", .list(.string))])
    do {
      let store = try Store(configuration: configuration, schemas: [whole])
      try store.write {
        for id in 1...3 {
          try store.create(
            dynamic: "Boat", value: ["id": .init(id), "name": "boat", "tags": ["a", "b"]])
        }
      }
    }
    do {
      let store = try Store(configuration: configuration, schemas: [ObjectSchema("Boat", [key])])
      try store.write {
        store.delete(try store.objects(dynamic: "Boat"))
        try store.create(dynamic: "Boat", value: ["id": 3])
      }
      try await store.integrityCheck()
    }
    let store = try Store(configuration: configuration, schemas: [whole])
    #expect(try store.objects(dynamic: "Boat").map { $0["id"] as? Int } == [3])
    #expect(try store.objects(dynamic: "Boat").map { $0["name"] as? String } == [""])
    #expect(
      try store.objects(dynamic: "Boat").map { ($0["tags"] as? List<String>)?.count } == [0])
    #expect(store.damage == [])
    try await store.integrityCheck()
  }
}
