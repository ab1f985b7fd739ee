import Foundation
import ObjectStore
import TestSupport
import Testing

final class Renamed: Object {
  @Persisted var a = 1
  override class var tableName: String { "Elsewhere" }
}

enum First { final class Twin: Object { @Persisted var a = 1 } }
enum Second { final class Twin: Object { @Persisted var b = 1 } }
enum Third {
  final class Twin: Object {
    @Persisted var c = 1
    override class var tableName: String { "ThirdTwin" }
  }
}

@Suite struct `Schema introspection` {
  @Test func `an object's schema lists its attributes`() {
    let schema = Animal().objectSchema
    #expect(schema.className == "Animal")
    #expect(
      schema.properties.map(\.name) == [
        "id", "name", "species", "legs", "born", "owner", "mother", "tags", "farms", "children",
      ])
    #expect(
      schema.properties.map(\.type) == [
        .int, .string, .string, .int, .date, .object, .object, .string, .linkingObjects,
        .linkingObjects,
      ])
    #expect(schema.properties.filter(\.isOptional).map(\.name) == ["born", "owner", "mother"])
    #expect(schema.properties.filter(\.isPrimaryKey).map(\.name) == ["id"])
    #expect(schema.properties.filter(\.isIndexed).map(\.name) == ["born"])
    #expect(schema.properties.filter(\.isArray).map(\.name) == ["tags"])
    #expect(schema["owner"]?.objectClassName == "Owner")
    #expect(schema["farms"]?.objectClassName == "Farm")
    #expect(schema["farms"]?.originPropertyName == "animals")
    #expect(schema["legs"]?.objectClassName == nil)
    #expect(schema["nothing"] == nil)
    #expect(schema.isEmbedded == false)
    #expect(Address().objectSchema.isEmbedded)
  }

  @Test(arguments: [
    ("bool", PropertyType.bool), ("int8", .int), ("uint64", .int), ("float", .float),
    ("double", .double), ("decimal", .decimal), ("string", .string), ("data", .data),
    ("date", .date), ("uuid", .uuid), ("url", .url), ("species", .string), ("level", .int),
    ("metres", .double), ("word", .string), ("json", .json), ("optUInt8", .int),
    ("link", .object), ("spot", .object), ("bools", .bool), ("objects", .object),
    ("stringSet", .string), ("intMap", .int), ("objectMap", .object), ("linkedBy", .linkingObjects),
  ])
  func `each attribute reports its type`(_ name: String, _ type: PropertyType) throws {
    #expect(try ObjectSchema.of(AllTypes.self)[name]?.type == type)
  }

  @Test(arguments: [
    ("int", "Int"), ("optUInt8", "UInt8?"), ("species", "Species"), ("metres", "Double"),
    ("link", "AllTypes?"), ("spot", "Spot?"), ("strings", "List<String>"),
    ("optInts", "List<Int?>"), ("objects", "List<AllTypes>"), ("intSet", "MutableSet<Int>"),
    ("stringMap", "Map<String, String>"), ("objectMap", "Map<String, AllTypes?>"),
    ("linkedBy", "LinkingObjects<AllTypes>"), ("json", "JSONValue"),
  ])
  func `the name of an attribute's shape is its Swift type`(_ name: String, _ text: String) throws {
    #expect(try ObjectSchema.of(AllTypes.self)[name]?.shape.name == text)
  }

  @Test func `collection attributes report their kind of collection`() throws {
    let schema = try ObjectSchema.of(AllTypes.self)
    #expect(schema["strings"]?.isArray == true && schema["strings"]?.isSet == false)
    #expect(schema["intSet"]?.isSet == true && schema["intSet"]?.isMap == false)
    #expect(schema["intMap"]?.isMap == true && schema["intMap"]?.isArray == false)
    #expect(schema["linkedBy"]?.isStored == false)
  }

  @Test func `a schema prints one line per attribute`() throws {
    #expect(
      try ObjectSchema.of(Owner.self).description == """
        Owner
          id: Int primaryKey
          name: String
          home: Address?
          animals: LinkingObjects<Animal>
        """)
  }

  @Test func `the schema of a class is created once`() throws {
    #expect(try ObjectSchema.of(Animal.self) === ObjectSchema.of(Animal.self))
  }

  // R14
  @Test func `two classes with the same name cannot share a store`() throws {
    let store = try Store()
    try store.write { try store.create(First.Twin.self) }
    let error = #expect(throws: StoreError.self) {
      try store.write { try store.create(Second.Twin.self) }
    }
    #expect(
      error?.description == """
        two classes map to the table 'Twin': ObjectStoreTests.First.Twin and \
        ObjectStoreTests.Second.Twin; override `class var tableName` in one of them
        """)
    #expect(store.objects(First.Twin.self).count == 1)
  }

  @Test func `tableName distinguishes classes with the same name`() throws {
    let store = try Store()
    try store.write {
      try store.create(First.Twin.self)
      try store.create(Third.Twin.self, value: ["c": 3])
      try store.create(Renamed.self)
    }
    #expect(store.objects(Third.Twin.self).first?.c == 3)
    #expect(store.objects(First.Twin.self).first?.a == 1)
  }
}
