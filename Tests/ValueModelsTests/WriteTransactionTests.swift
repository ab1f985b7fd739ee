import ObjectStore
import TestSupport
import Testing
import ValueModels

@Suite struct `Writing values with a transaction` {
  @Test func `adding a value inserts objects for it and its nested values`() throws {
    let container = try heroes()
    let object = try #require(
      container.store.object(ofType: CharacterObject.self, forPrimaryKey: 1455))
    #expect(object.name == "Iron Man")
    #expect(object.publisher?.name == "Marvel")
    #expect(container.store.objects(PublisherObject.self).count == 2)
    #expect(container.value(Character.self, forKey: 1455) == ironMan)
    #expect(container.value(Character.self, forKey: 1) == nil)
  }

  @Test func `adding an equal value writes nothing`() throws {
    let container = try heroes()
    let version = container.store.version
    try container.write {
      try $0.add(ironMan, update: true)
      try $0.addAll([batman, antMan])
    }
    #expect(container.store.version == version)
  }

  /// K2
  @Test func `adding a value that was read from a partial object gives only what was changed`()
    throws
  {
    let container = try Container()
    try container.store.write(as: .server) {
      try container.store.create(
        CharacterObject.self, value: ["identifier": 7, "name": "Seven"])
    }
    let object = try #require(container.store.objects(CharacterObject.self).first)
    let summary = try #require(container.value(Character.self, forKey: 7))
    #expect(object.unknownAttributes == ["realName", "alias", "publisher", "notes"])
    try container.write {
      try $0.add(Character(identifier: 7, name: summary.name + "!", realName: summary.realName))
    }
    #expect(object.name == "Seven!")
    #expect(object.unknownAttributes == ["realName", "alias", "publisher", "notes"])
    try container.write {
      try $0.add(Character(identifier: 7, name: "Seven", realName: "Tony", publisher: marvel))
    }
    #expect(object.realName == "Tony")
    #expect(object.publisher?.name == "Marvel")
    #expect(object.unknownAttributes == ["alias", "notes"])
  }

  /// K2
  @Test func `adding a value that was read from a partial embedded object changes nothing`() throws
  {
    let container = try Container()
    try container.store.write(as: .server) {
      try container.store.create(
        TowerObject.self, value: ["id": 1, "place": ["street": "Main"]])
    }
    let tower = try #require(container.store.objects(TowerObject.self).first)
    var read = try #require(container.value(Tower.self, forKey: 1))
    let version = container.store.version
    try container.write { try $0.add(read) }
    #expect(container.store.version == version && tower.place?.unknownAttributes == ["floor"])
    read.floor = 4
    try container.write { try $0.add(read) }
    #expect(tower.place?.floor == 4 && tower.place?.isWhole == true)
  }

  @Test
  func `adding a value whose key exists throws an error and changes nothing if update is false`()
    throws
  {
    let container = try heroes()
    let changed = Character(
      identifier: 1699, name: "The Batman", publisher: Publisher(identifier: 99, name: "New"))
    try container.write { transaction in
      #expect(
        text {
          try transaction.addAll([Character(identifier: 1, name: "New"), changed], update: false)
        }
          == "CharacterObject: an object with the primary key 1699 already exists")
    }
    #expect(Set(container.values(Character.self).map(\.identifier)) == [1440, 1455, 1699])
    #expect(container.values(Publisher.self).count == 2)
    #expect(container.value(Character.self, forKey: 1699) == batman)
  }

  @Test func `an error rolls back the whole write`() throws {
    struct Stop: Error {}
    let container = try heroes()
    #expect(throws: Stop.self) {
      try container.write {
        try $0.delete(ironMan)
        throw Stop()
      }
    }
    #expect(container.value(Character.self, forKey: 1455) == ironMan)
  }

  // MARK: - Partial updates

  @Test func `an update changes only the attributes that it names`() throws {
    let container = try heroes()
    try container.write {
      try $0.update(
        Character.self, values: [.identifier(1455), .realName("Anthony Edward Stark")])
    }
    let changed = try #require(container.value(Character.self, forKey: 1455))
    #expect(changed.realName == "Anthony Edward Stark")
    #expect(changed.name == "Iron Man")
    #expect(changed.publisher == marvel)
  }

  @Test func `an update inserts a missing object with default values`() throws {
    let container = try heroes()
    try container.write {
      try $0.update(Character.self, values: [.identifier(7), .name("Seven"), .publisher(dc)])
    }
    #expect(
      container.value(Character.self, forKey: 7)
        == Character(identifier: 7, name: "Seven", publisher: dc))
  }

  @Test func `an update assigns the last value of each attribute, including nil`() throws {
    let container = try heroes()
    try container.write {
      try $0.update(
        Character.self,
        values: [.alias("Shellhead"), .identifier(1455), .name("A"), .name("B")])
    }
    let object = container.store.object(ofType: CharacterObject.self, forPrimaryKey: 1455)
    #expect(object?.alias == "Shellhead")
    #expect(object?.name == "B")
    try container.write {
      try $0.update(Character.self, key: 1455, values: [.alias(nil), .publisher(nil)])
    }
    #expect(object?.alias == nil)
    #expect(object?.publisher == nil)
  }

  @Test func `an update by key reports if the object exists`() throws {
    let container = try heroes()
    let found = try container.write {
      [
        try $0.update(Character.self, key: 1455, values: [.identifier(5), .name("X")]),
        try $0.update(Character.self, key: 5, values: [.name("Y")]),
      ]
    }
    #expect(found == [true, false])
    let outcomes = try container.write {
      [
        try $0.update(Character.self, key: 1699, \.realName <- "Bruce", \.alias <- "Bats"),
        try $0.update(Character.self, key: 1699, \.realName <- "Bruce"),
        try $0.update(Character.self, key: 5, \.realName <- "Bruce"),
        try $0.update(Character.self, key: 5, \.realName <- "Bruce", missing: .orInsert),
      ]
    }
    #expect(
      outcomes == [
        .updated(["realName", "alias"]), .unchanged, .notFound, .updated(["realName"]),
      ])
    #expect(container.value(Character.self, forKey: 1455)?.name == "X")
    #expect(container.values(Character.self).count == 4)
  }

  @Test func `invalid updates throw without changing the store`() throws {
    let container = try heroes()
    let version = container.store.version
    try container.write { transaction in
      #expect(
        text { try transaction.update(Character.self, values: [.name("Nobody")]) }
          == "CharacterObject: the update has no value for the primary key 'identifier'")
      #expect(
        text { try transaction.update(Character.self, values: [.identifier(1455), .wings(2)]) }
          == "CharacterObject: 'wings' is not an attribute")
      #expect(
        text { try transaction.update(Tag.self, values: [.text("x")]) }
          == "TagObject: the class has no primary key, which is needed to find and update objects")
    }
    #expect(container.store.version == version)
  }

  // MARK: - Deleting

  @Test func `deleting a value by its key keeps linked objects`() throws {
    let container = try heroes()
    let deleted = try container.write {
      [
        try $0.delete(Character(identifier: 1455, name: "whatever")), try $0.delete(ironMan),
        try $0.delete(Character.self, key: 1699), try $0.delete(Character.self, key: 1699),
      ]
    }
    #expect(deleted == [true, false, true, false])
    #expect(Array(container.values(Character.self)) == [antMan])
    #expect(container.values(Publisher.self).count == 2)
  }

  @Test func `deleteAll deletes all values or those of a query`() throws {
    let container = try heroes()
    try container.write { try $0.deleteAll(Character.self, matching: .publisherName("Marvel")) }
    #expect(Array(container.values(Character.self)) == [batman])
    try container.write { try $0.deleteAll(Character.self) }
    #expect(container.values(Character.self).isEmpty)
    #expect(container.values(Publisher.self).count == 2)
  }

  @Test func `a value without a key does not identify an object`()
    throws
  {
    let container = try Container()
    try container.write { transaction in
      try transaction.addAll([Tag(text: "a"), Tag(text: "a")])
      #expect(
        text { try transaction.delete(Tag(text: "a")) }
          == "TagObject: the class has no primary key, which is needed to find and update objects")
    }
    #expect(container.values(Tag.self).map(\.text) == ["a", "a"])
  }

  @Test func `a transaction throws after the end of its write`() throws {
    let container = try heroes()
    let kept = try container.write { $0 }
    for call: () throws -> Void in [
      { try kept.add(ironMan) }, { try kept.addAll([ironMan]) },
      { try kept.update(Character.self, values: [.identifier(1)]) },
      { try kept.update(Character.self, key: 1455, values: [.name("")]) },
      { try kept.update(Character.self, key: 1455, \.name <- "") },
      { try kept.delete(ironMan) }, { try kept.delete(Character.self, key: 1455) },
      { try kept.deleteAll(Character.self) },
      { try kept.deleteAll(Character.self, matching: .publisherName("Marvel")) },
    ] {
      #expect(
        text(call)
          == "this handle has no open write; call this inside `write`, or after `beginWrite`")
    }
    #expect(container.values(Character.self).count == 3)
  }

  // MARK: - Background and sharing

  @Test func `a container shows values that were written in the background`() async throws {
    let container = try heroes()
    let count = try await container.inBackground { background in
      try background.write { try $0.add(Character(identifier: 3, name: "Three")) }
      return background.values(Character.self).count
    }
    #expect(count == 4)
    #expect(container.value(Character.self, forKey: 3)?.name == "Three")
    try await container.asyncWrite { try $0.delete(Character.self, key: 3) }
    #expect(container.value(Character.self, forKey: 3) == nil)
  }

  @Test func `containers of one configuration share their values`() throws {
    let configuration = StoreConfiguration.inMemory(
      identifier: "values-\(UInt64.random(in: 0 ... .max))")
    let first = try Container(configuration: configuration)
    let second = try Container(configuration: configuration)
    try first.write { try $0.add(batman) }
    second.store.refresh()
    #expect(second.value(Character.self, forKey: 1699) == batman)
  }
}

final class TagObject: Object {
  @Persisted var text = ""
}

struct Tag: Persistable {
  var text: String

  init(text: String) { self.text = text }
  init(managedObject: TagObject) { text = managedObject.text }

  func managedObject() -> TagObject {
    let object = TagObject()
    object.text = text
    return object
  }

  enum PropertyValue: PropertyValueType {
    case text(String)
    var propertyValuePair: PropertyValuePair {
      switch self {
      case .text(let text): ("text", text)
      }
    }
  }
}
