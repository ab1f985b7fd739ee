import Foundation
import ObjectStore
import TestSupport
import Testing

/// An in-memory store that begins with the content of a file.
@Suite struct `An in-memory copy of a file` {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("farm.store")
  }

  private func write(_ durability: StoreConfiguration.Durability = .normal) throws -> Store {
    let store = try Store(configuration: .file(url, durability: durability))
    try store.write {
      let bella = try store.create(
        Animal.self,
        value: [
          "id": 7, "name": "Bella", "tags": ["brown"], "owner": ["id": 1, "name": "Ada"],
          "mother": ["id": 8, "name": "Berta"],
        ])
      let farm = try store.create(Farm.self, value: ["name": "Hill", "prices": ["milk": 1.5]])
      farm.animals.append(bella)
      farm.address = Address()
    }
    return store
  }

  @Test func `an in-memory copy has the objects of the file and changes independently`()
    async throws
  {
    let original = try write()
    try await original.flush()
    let bytes = try Data(contentsOf: url)
    let copy = try Store(configuration: .inMemory(copyOf: url))
    #expect(try Data(contentsOf: url) == bytes)
    let bella = try #require(copy.object(ofType: Animal.self, forPrimaryKey: 7))
    #expect(bella.tags == ["brown"])
    #expect(bella.mother?.children.map(\.id) == [7])
    #expect(bella.farms.first?.prices["milk"] == 1.5)
    #expect(bella.farms.first?.address != nil)
    try copy.write {
      bella.name = "Other"
      copy.delete(copy.objects(Farm.self))
      try copy.create(Animal.self, value: ["id": 9])
    }
    #expect(copy.objects(Animal.self).map(\.name).sorted() == ["", "Berta", "Other"])
    #expect(try copy.objects(dynamic: "Address").isEmpty)
    original.refresh()
    #expect(original.objects(Animal.self).map(\.name).sorted() == ["Bella", "Berta"])
    #expect(original.objects(Farm.self).count == 1)
    try original.write { original.deleteAll() }
    #expect(copy.objects(Animal.self).count == 3)
    #expect(copy.damage == [])
  }

  @Test func `an in-memory copy includes commits that are not yet written`() throws {
    let original = try write(.background)
    try original.write { try original.create(Animal.self, value: ["id": 100]) }
    let copy = try Store(configuration: .inMemory(copyOf: url))
    #expect(copy.object(ofType: Animal.self, forPrimaryKey: 100) != nil)
    try copy.write { copy.deleteAll() }
    #expect(original.object(ofType: Animal.self, forPrimaryKey: 100) != nil)
  }

  @Test func `an in-memory copy clears links to deleted objects when a class is registered later`()
    async throws
  {
    let toys = ObjectSchema(
      "Toy",
      [
        Property("id", .int, isPrimaryKey: true), Property("boat", .object("Boat")),
        Property("fleet", .list("Boat")),
      ])
    let boats = ObjectSchema("Boat", [Property("id", .int, isPrimaryKey: true)])
    do {
      let store = try Store(configuration: .file(url), schemas: [boats, toys])
      try store.write {
        for id in 1...3 {
          let boat: UpdateValue = ["id": .init(id)]
          try store.create(
            dynamic: "Toy",
            value: ["id": .init(id), "boat": boat, "fleet": [["id": 1], ["id": 3]]],
            update: .modified)
        }
      }
    }
    let copy = try Store(configuration: .inMemory(copyOf: url), schemas: [boats])
    try copy.write {
      if let one = try copy.object(dynamic: "Boat", forPrimaryKey: 1) { copy.delete(one) }
      try copy.create(dynamic: "Boat", value: ["id": 4])
    }
    let other = try Store(configuration: copy.configuration, schemas: [boats, toys])
    let links = try other.objects(dynamic: "Toy").map { toy in
      let fleet = (toy["fleet"] as? List<DynamicObject>)?.map { $0["id"] as? Int ?? 0 } ?? []
      return "\((toy["boat"] as? DynamicObject)?["id"] as? Int ?? 0) \(fleet)"
    }
    #expect(links == ["0 [3]", "2 [3]", "3 [3]"])
    #expect(other.damage == [])
    try await other.copy(to: folder.file("again.store"))
    let again = try Store(
      configuration: .file(folder.file("again.store")), schemas: [boats, toys])
    #expect(try again.objects(dynamic: "Boat").count == 3)
    try await again.integrityCheck()
  }

  @Test func `copying an in-memory copy includes unregistered classes`() async throws {
    let toys = ObjectSchema(
      "Toy",
      [
        Property("id", .int, isPrimaryKey: true), Property("boat", .object("Boat")),
        Property("maker", .object("Maker")),
      ])
    let boats = ObjectSchema(
      "Boat",
      [Property("id", .int, isPrimaryKey: true), Property("name", .string)])
    let makers = ObjectSchema("Maker", [Property("name", .string)])
    do {
      let store = try Store(
        configuration: .file(url, schemaVersion: 3), schemas: [boats, toys, makers])
      try store.write {
        for id in 1...3 {
          let boat: UpdateValue = ["id": .init(id), "name": .string("boat \(id)")]
          try store.create(
            dynamic: "Toy",
            value: ["id": .init(id), "boat": boat, "maker": ["name": .string("m\(id)")]])
        }
      }
    }
    // This declaration of the class lacks the names of boats.
    let plainBoats = ObjectSchema("Boat", [Property("id", .int, isPrimaryKey: true)])
    let draft = try Store(configuration: .inMemory(copyOf: url), schemas: [plainBoats])
    try draft.write {
      if let one = try draft.object(dynamic: "Boat", forPrimaryKey: 1) { draft.delete(one) }
      try draft.create(dynamic: "Boat", value: ["id": 4])
      try draft.create(Animal.self, value: ["id": 7, "name": "Bella"])
    }
    let other = folder.file("other.store")
    try await draft.copy(to: other)
    let store = try Store(
      configuration: .file(other, schemaVersion: 3), schemas: [boats, toys, makers])
    #expect(
      try store.objects(dynamic: "Toy").map { toy in
        let boat = toy["boat"] as? DynamicObject
        return [boat?["name"] as? String, (toy["maker"] as? DynamicObject)?["name"] as? String]
      } == [[nil, "m1"], ["boat 2", "m2"], ["boat 3", "m3"]])
    #expect(
      try store.objects(dynamic: "Boat").map { $0["name"] as? String } == ["boat 2", "boat 3", ""])
    #expect(store.objects(Animal.self).map(\.name) == ["Bella"])
    #expect(store.damage == [])
    try await store.integrityCheck()
  }

  @Test func `copying an unused in-memory copy copies the whole file`() async throws {
    do { _ = try write() }
    let other = folder.file("other.store")
    try await Store(configuration: .inMemory(copyOf: url)).copy(to: other)
    let store = try Store(configuration: .file(other))
    #expect(store.objects(Animal.self).map(\.name).sorted() == ["Bella", "Berta"])
    #expect(store.objects(Farm.self).first?.prices["milk"] == 1.5)
    try await store.integrityCheck()
  }

  @Test func `copying an in-memory copy with damage throws`() async throws {
    do { _ = try write() }
    try EditedFile.execute("UPDATE Animal SET name = 'edited'", in: url)
    let draft = try Store(configuration: .inMemory(copyOf: url))
    #expect(draft.objects(Animal.self).isEmpty)
    let damage = try #require(draft.damage.first)
    await #expect(throws: damage) { try await draft.copy(to: folder.file("other.store")) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
        $0.hasPrefix("other")
      } == [])
  }

  @Test func `an in-memory copy with damage is not written to`() throws {
    do { _ = try write() }
    try EditedFile.execute("UPDATE Owner SET name = 'edited'", in: url)
    let draft = try Store(configuration: .inMemory(copyOf: url))
    let bella = try #require(draft.object(ofType: Animal.self, forPrimaryKey: 7))
    #expect(draft.objects(Owner.self).isEmpty)
    let damage = try #require(draft.damage.first)
    #expect(throws: damage) { try draft.write { bella.owner = nil } }
    #expect(throws: damage) { try draft.write { try draft.create(Owner.self, value: ["id": 2]) } }
    #expect(draft.objects(Owner.self).isEmpty)
    #expect(draft.damage == [damage])
  }

  @Test func `copying to a dangling symbolic link throws`() async throws {
    let link = folder.file("link.store")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: folder.file("nothing.store"))
    await #expect(
      throws: StoreError(
        .fileFailed(path: link.path(percentEncoded: false), reason: "the file already exists"))
    ) { try await Store().copy(to: link) }
  }

  @Test func `opening an in-memory copy of a missing file or of a file that is not a store throws`()
    throws
  {
    let path = url.resolvingSymlinksInPath().path
    #expect(throws: StoreError(.fileFailed(path: path, reason: "there is no such file"))) {
      try Store(configuration: .inMemory(copyOf: url))
    }
    try Data("something dear to somebody, which is no database".utf8).write(to: url)
    #expect(throws: StoreError(.notAStore(path: path))) {
      try Store(configuration: .inMemory(copyOf: url))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["farm.store"])
  }
}
