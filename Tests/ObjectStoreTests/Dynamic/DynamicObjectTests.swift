import Foundation
import ObjectStore
import TestSupport
import Testing

/// Schemas of people and their belongings, without declared classes.
private enum People {
  static let person = ObjectSchema(
    "Person",
    [
      Property("id", .int, isPrimaryKey: true),
      Property("name", .string),
      Property("nick", .string, isOptional: true),
      Property("home", .object("Place")),
      Property("friend", .object("Person")),
      Property("friends", .list("Person")),
      Property("tags", .list(.string)),
      Property("marks", .map(.int), isOptional: true),
      Property("dogs", .linkingObjects("Dog"), originProperty: "owner"),
    ])
  static let place = ObjectSchema(
    "Place", [Property("street", .string), Property("next", .object("Place"))], isEmbedded: true)
  static let dog = ObjectSchema(
    "Dog", [Property("name", .string), Property("owner", .object("Person"))])

  static func store() throws -> Store {
    try Store(configuration: .inMemory(), schemas: [person, place, dog])
  }
}

/// A class that is both declared and described by a schema.
private final class Held: Object {
  @Persisted var byte: Int8
  @Persisted var set: MutableSet<Int8?>
  @Persisted var map: Map<String, Int8>
  @Persisted var texts: Map<String, String?>

  static let schema = ObjectSchema(
    "Held",
    [
      Property("byte", .value(.int8)), Property("set", .set(.int8), isOptional: true),
      Property("map", .map(.int8)), Property("texts", .map(.string), isOptional: true),
    ])

  /// Returns the attribute of a new object after an assignment. `isDynamic` selects the schema instead of the
  /// declared class.
  @discardableResult
  static func assign(_ value: Any?, to name: String, isDynamic: Bool) throws -> Any? {
    let store = try Store(configuration: .inMemory(), schemas: isDynamic ? [schema] : [])
    let object: Object = try store.write {
      let object: Object =
        isDynamic ? try store.create(dynamic: "Held") : try store.create(Held.self)
      object[name] = value
      return object
    }
    return object[name]
  }
}

@Suite struct `Dynamic objects` {
  @Test func `dynamic objects can be created, found by key and changed by name`() throws {
    let store = try People.store()
    let bo = try store.write {
      try store.create(
        dynamic: "Person",
        value: ["id": 1, "name": "Bo", "tags": ["shy", "tall"], "marks": ["a": nil]])
    }
    #expect(bo["id"] as? Int == 1)
    #expect(bo["name"] as? String == "Bo")
    #expect(bo["nick"] == nil)
    #expect((bo["tags"] as? List<String>).map { Array($0) } == ["shy", "tall"])
    #expect((bo["marks"] as? Map<String, Int?>)?.keys.map { $0 } == ["a"])
    try store.write {
      bo["nick"] = "Bob"
      bo["name"] = "Bodo"
      (bo["tags"] as? List<String>)?.append("kind")
    }
    let same = try #require(try store.object(dynamic: "Person", forPrimaryKey: 1))
    #expect(same == bo)
    #expect(same["nick"] as? String == "Bob" && same["name"] as? String == "Bodo")
    #expect((same["tags"] as? List<String>)?.count == 3)
    #expect(try store.object(dynamic: "Person", forPrimaryKey: 2) == nil)
    #expect(try store.objects(dynamic: "Person").count == 1)
  }

  @Test func `a dynamic object of an embedded class cannot be created without an owner`() throws {
    let store = try People.store()
    let error = #expect(throws: StoreError.self) {
      try store.write { try store.create(dynamic: "Place", value: ["street": "Elm"]) }
    }
    #expect(
      error?.description
        == "Place: an embedded object cannot exist alone; create it as part of the object that owns it"
    )
    #expect(try store.objects(dynamic: "Place").isEmpty)
  }

  @Test func `an update that assigns an owned dynamic embedded object copies it`() throws {
    let store = try People.store()
    try store.write {
      let a = try store.create(
        dynamic: "Person", value: ["id": 1, "home": ["street": "Elm", "next": ["street": "Oak"]]])
      let home = try #require(a["home"] as? DynamicObject)
      let b = try store.create(dynamic: "Person", value: ["id": 2, "home": .init(home)])
      let copy = try #require(b["home"] as? DynamicObject)
      #expect(copy != home && copy["street"] as? String == "Elm")
      #expect((copy["next"] as? DynamicObject)?["street"] as? String == "Oak")
      copy["street"] = "Ash"
      (copy["next"] as? DynamicObject)?["street"] = "Fir"
      #expect(home["street"] as? String == "Elm")
      #expect((home["next"] as? DynamicObject)?["street"] as? String == "Oak")
    }
    #expect(try store.objects(dynamic: "Place").count == 4)
    // Assigning an object to its current owner changes nothing.
    let version = store.version
    try store.write {
      let a = try #require(try store.object(dynamic: "Person", forPrimaryKey: 1))
      let home = try #require(a["home"] as? DynamicObject)
      try store.create(
        dynamic: "Person", value: ["id": 1, "home": .init(home)], update: .modified)
    }
    #expect(store.version == version)
  }

  @Test func `a link of a dynamic object rejects objects of other classes`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: .misuseText
    ) {
      let a = ObjectSchema("A", [Property("b", .object("B"))])
      let (b, c) = (
        ObjectSchema("B", [Property("id", .int, isPrimaryKey: true)]),
        ObjectSchema("C", [Property("id", .int, isPrimaryKey: true)])
      )
      let store = try Store(configuration: .inMemory(), schemas: [a, b, c])
      try store.write {
        let other = try store.create(dynamic: "C", value: ["id": 1])
        try store.create(dynamic: "A")["b"] = other
      }
    }
    result.says("A: the link cannot be assigned: A.b: expected B?, found C")
  }

  @Test func `the description of a dynamic object shows the element count of each collection`()
    throws
  {
    let node = ObjectSchema(
      "Node",
      [
        Property("id", .int, isPrimaryKey: true), Property("list", .list("Node")),
        Property("set", .set("Node")), Property("map", .map("Node")),
      ])
    let store = try Store(configuration: .inMemory(), schemas: [node])
    let one = try store.write {
      let one = try store.create(dynamic: "Node", value: ["id": 1])
      return try store.create(
        dynamic: "Node",
        value: [
          "id": 1, "list": [.init(one)], "set": [.init(one)], "map": ["self": .init(one)],
        ], update: .modified)
    }
    #expect("\(one)" == "Node(id: 1, list: 1 × Node, set: 1 × Node, map: 1 × Node)")
  }

  @Test func `a partial update of a dynamic object keeps other attributes`() throws {
    let store = try People.store()
    try store.write {
      try store.create(dynamic: "Person", value: ["id": 1, "name": "Bo", "nick": "B"])
      try store.create(
        dynamic: "Person", value: ["id": 1, "nick": nil, "friend": ["id": 2]], update: .modified)
    }
    let bo = try #require(try store.object(dynamic: "Person", forPrimaryKey: 1))
    #expect(bo["name"] as? String == "Bo" && bo["nick"] == nil)
    #expect((bo["friend"] as? DynamicObject)?["id"] as? Int == 2)
  }

  @Test func `links, lists and inverse links of dynamic objects refer to dynamic objects`() throws {
    let store = try People.store()
    try store.write {
      let a = try store.create(dynamic: "Person", value: ["id": 1])
      let b = try store.create(
        dynamic: "Person", value: ["id": 2, "friends": [["id": 1], ["id": 3]]], update: .modified)
      a["friend"] = b
      try store.create(dynamic: "Dog", value: ["name": "Rex", "owner": .init(a)])
      try store.create(dynamic: "Dog", value: ["name": "Ada", "owner": .init(a)])
    }
    let a = try #require(try store.object(dynamic: "Person", forPrimaryKey: 1))
    let b = try #require(a["friend"] as? DynamicObject)
    #expect(b.objectSchema.className == "Person")
    let friends = try #require(b["friends"] as? List<DynamicObject>)
    #expect(friends.map { $0["id"] as? Int } == [1, 3])
    #expect(friends[0] == a)
    let dogs = try #require(a["dogs"] as? LinkingObjects<DynamicObject>)
    #expect(dogs.map { $0["name"] as? String } == ["Rex", "Ada"])
    #expect(dogs[0].objectSchema === People.dog)
    try store.write { store.delete(a) }
    #expect(a.isInvalidated && b["friend"] == nil && friends.count == 1)
    #expect(try store.objects(dynamic: "Dog").allSatisfy { $0["owner"] == nil })
  }

  @Test func `assigning a dynamic embedded object to a second owner copies it`() throws {
    let store = try People.store()
    try store.write {
      let a = try store.create(
        dynamic: "Person",
        value: ["id": 1, "home": ["street": "Low", "next": ["street": "High"]]])
      let b = try store.create(dynamic: "Person", value: ["id": 2])
      b["home"] = a["home"]
    }
    let homes = try store.objects(dynamic: "Person").compactMap { $0["home"] as? DynamicObject }
    #expect(homes.count == 2 && homes[0] != homes[1])
    #expect(homes.map { ($0["next"] as? DynamicObject)?["street"] as? String } == ["High", "High"])
    #expect(try store.objects(dynamic: "Place").count == 4)
    try store.write { try store.objects(dynamic: "Person").first.map { store.delete($0) } }
    #expect(homes[0].isInvalidated && !homes[1].isInvalidated)
    #expect(try store.objects(dynamic: "Place").count == 2)
  }

  @Test func `attributes omitted when a dynamic object is created are null, zero or empty`()
    throws
  {
    let store = try Store(
      configuration: .inMemory(),
      schemas: [ObjectSchema("All", ScalarKind.allCases.map { Property($0.name, .value($0)) })])
    let all = try store.write { try store.create(dynamic: "All") }
    #expect(all["Bool"] as? Bool == false)
    #expect(all["Int"] as? Int == 0 && all["UInt8"] as? UInt8 == 0)
    #expect(all["Double"] as? Double == 0 && all["Decimal"] as? Decimal == 0)
    #expect(all["String"] as? String == "" && all["Data"] as? Data == Data())
    #expect(all["Date"] as? Date == Date(timeIntervalSince1970: 0))
    #expect(all["UUID"] is UUID)
    #expect(all["JSONValue"] as? JSONValue == .null)
  }

  @Test(arguments: ScalarKind.allCases)
  func `dynamic attributes hold scalars, optionals, lists, sets and maps of every type`(
    _ kind: ScalarKind
  ) throws {
    let schema = ObjectSchema(
      "Kept",
      [
        Property("one", .value(kind)), Property("some", .value(kind), isOptional: true),
        Property("none", .value(kind), isOptional: true), Property("list", .list(kind)),
        Property("set", .set(kind)), Property("map", .map(kind)),
      ])
    let store = try Store(configuration: .inMemory(), schemas: [schema])
    let value = Self.value(kind)
    let kept = try store.write {
      try store.create(
        dynamic: "Kept",
        value: [
          "one": value, "some": value, "list": .array([value, value]), "set": .array([value]),
          "map": ["k": value],
        ])
    }
    let one = try #require(kept["one"])
    #expect(UpdateValue(any: one) == UpdateValue(any: kept["some"]))
    #expect(kept["none"] == nil)
    #expect((kept["list"] as? any Collection)?.count == 2)
    #expect((kept["set"] as? any Sequence).map(Self.count) == 1)
    // Writing values back changes nothing.
    let version = store.version
    try store.write {
      for name in ["one", "some", "none", "list", "set", "map"] { kept[name] = kept[name] }
    }
    #expect(store.version == version)
    try store.write { kept["some"] = nil }
    #expect(kept["some"] == nil)
  }

  @Test(arguments: [false, true])
  func `assignment by name accepts values of the attribute's type and Swift collections`(
    isDynamic: Bool
  ) throws {
    func held(_ value: Any?, _ name: String) throws -> Any? {
      try Held.assign(value, to: name, isDynamic: isDynamic)
    }
    #expect(try held(Int8(-7), "byte") as? Int8 == -7)
    let set = MutableSet<Int8?>([1, nil])
    for value in [set, [1, nil] as [Int8?], [1, nil] as Set<Int8?>] as [Any] {
      #expect(try held(value, "set") as? MutableSet<Int8?> == set)
    }
    let map = Map<String, Int8>(["a": 1])
    for value in [map, ["a": 1] as [String: Int8]] as [Any] {
      #expect(try held(value, "map") as? Map<String, Int8> == map)
    }
    let texts = Map<String, String?>(["a": "b", "c": nil])
    #expect(try held(["a": "b", "c": nil] as [String: String?], "texts") as? Map == texts)
    #expect(try (held(nil, "set") as? MutableSet<Int8?>)?.isEmpty == true)
    #expect(try (held(nil, "map") as? Map<String, Int8>)?.isEmpty == true)
  }

  @Test(arguments: [false, true])
  func `assignment by name accepts integers of other widths`(isDynamic: Bool) throws {
    func held(_ value: Any?, _ name: String) throws -> Any? {
      try Held.assign(value, to: name, isDynamic: isDynamic)
    }
    #expect(try held(7, "byte") as? Int8 == 7)
    #expect(try held([7, nil] as [Int?], "set") as? MutableSet<Int8?> == [7, nil])
    #expect(try held(["a": 7], "map") as? Map<String, Int8> == ["a": 7])
  }

  @Test(
    arguments: [
      (300, "byte", "Held.byte: 300 is outside the range of Int8"),
      ("x", "byte", "Held.byte: expected Int8, found String \"x\""),
      ([300], "set", "Held.set: 300 is outside the range of Int8"),
      (["a": "x"], "map", "Held.map: expected Map<String, Int8>, found String \"x\""),
    ] as [(any Sendable, String, String)], [false, true])
  func `a write that assigns an invalid value by name throws an error naming the attribute`(
    _ refused: (value: any Sendable, name: String, text: String), isDynamic: Bool
  ) throws {
    let error = #expect(throws: StoreError.self) {
      try Held.assign(refused.value, to: refused.name, isDynamic: isDynamic)
    }
    #expect(error?.description == refused.text)
  }

  private static func count(_ sequence: any Sequence) -> Int {
    func open(_ sequence: some Sequence) -> Int { Array(sequence).count }
    return open(sequence)
  }

  private static func value(_ kind: ScalarKind) -> UpdateValue {
    switch kind {
    case .bool: true
    case .float, .double: 1.5
    case .decimal: .decimal(Decimal(string: "12.30") ?? 0)
    case .string: "ä"
    case .data: .data(Data([1, 2]))
    case .date: .date(Date(timeIntervalSince1970: 1.25))
    case .uuid: .uuid(UUID(uuidString: "11111111-2222-3333-4444-555555555555") ?? UUID())
    case .url: "https://example.org/a?b"
    case .json: .json(["a": [1, nil]])
    default: 7
    }
  }

  @Test func `dynamic objects can be frozen, referenced, rolled back and rekeyed`() async throws {
    let store = try People.store()
    let bo = try store.write {
      try store.create(dynamic: "Person", value: ["id": 1, "name": "Bo"])
    }
    let frozen = bo.frozen()
    let all = try store.objects(dynamic: "Person").frozen()
    let reference = bo.reference
    try await store.inBackground { store in
      guard let bo = store.resolve(reference) else { return }
      try store.write { bo["name"] = "Bea" }
    }
    #expect(bo["name"] as? String == "Bea")
    let names = await Task.detached {
      [frozen.withObject { $0["name"] as? String }, all[0].withObject { $0["name"] as? String }]
    }.value
    #expect(names == ["Bo", "Bo"])
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.write {
        bo["name"] = "?"
        try store.create(dynamic: "Person", value: ["id": 2])
        throw Stop()
      }
    }
    #expect(bo["name"] as? String == "Bea")
    #expect(try store.objects(dynamic: "Person").count == 1)
    try store.write { try store.rekey(bo, to: 9) }
    #expect(try store.object(dynamic: "Person", forPrimaryKey: 9) == bo)
  }

  @Test func `the description of a dynamic object shows its class and attributes`() throws {
    let store = try People.store()
    let dog = try store.write {
      try store.create(dynamic: "Dog", value: ["name": "Rex", "owner": ["id": 4]])
    }
    #expect(dog.description == #"Dog(name: "Rex", owner: Person(4))"#)
    #expect(try store.objects(dynamic: "Dog").description == "Results<DynamicObject>(1)")
  }

  @Test
  func `rows of a declared class are readable as dynamic objects once the store uses the class`()
    throws
  {
    let store = try People.store()
    #expect(throws: StoreError(.unknownClass(name: "Animal", suggestion: nil))) {
      try store.objects(dynamic: "Animal")
    }
    let bella = Animal(id: 7, name: "Bella")
    bella.owner = Owner(id: 1, name: "Jo")
    try store.write { try store.add(bella) }
    let seen = try #require(try store.objects(dynamic: "Animal").first)
    #expect(seen == bella)
    #expect(seen["name"] as? String == "Bella" && (seen["owner"] as? Owner)?.name == "Jo")
    #expect(seen["legs"] as? Int == 4)
    try store.write { seen["legs"] = 3 }
    #expect(bella.legs == 3)
    let ciao = try store.write { try store.create(dynamic: "Animal", value: ["id": 8]) }
    #expect(ciao["legs"] as? Int == 4, "the declared default")
    #expect(store.schemas.map(\.className).prefix(3) == ["Person", "Place", "Dog"])
    #expect(store.schemas.contains { $0.className == "Animal" })
  }
}

@Suite struct `Schemas built at run time` {
  private func mistakes(_ schemas: ObjectSchema...) -> String {
    do {
      _ = try Store(configuration: .inMemory(), schemas: schemas)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `the description of a schema built at run time lists all attributes`() {
    #expect(
      People.person.description == """
        Person
          id: Int primaryKey
          name: String
          nick: String?
          home: Place?
          friend: Person?
          friends: List<Person>
          tags: List<String>
          marks: Map<String, Int?>
          dogs: LinkingObjects<Dog>
        """)
  }

  @Test func `one error lists all mistakes of the schemas passed to a store`() {
    let text = mistakes(
      ObjectSchema(
        "A",
        [
          Property("id", .double, isPrimaryKey: true), Property("x", .int, isPrimaryKey: true),
          Property("x", .int), Property("b", .object("Nobody")),
          Property("list", .list(.int), isIndexed: true),
          Property("texts", .list(.string), isSearchable: true),
          Property("url", .url, isSearchable: true),
          Property("as", .linkingObjects("B"), originProperty: "a"),
          Property("bs", .linkingObjects("B")),
          Property("places", .set("Place")),
        ], codableKeys: ["idd": "k"], codableIgnoredAttributes: ["x"],
        codableRawJsonSubstrings: ["b"], indexes: [["url", "x"], ["id", "idd"]]),
      ObjectSchema("B", [Property("aa", .object("A"))]),
      ObjectSchema("Place", [Property("id", .int, isPrimaryKey: true)], isEmbedded: true),
      ObjectSchema("Empty", []))
    #expect(
      text == """
        A.x: declared twice
        A: more than one primary key: id, x
        A.id: Double cannot be a primary key; use an integer, String or UUID
        A.list: List<Int> cannot be indexed
        A.texts: List<String> cannot be searchable; use a String
        A.url: URL cannot be searchable; use a String
        A.indexes: 'url' is URL, which cannot be indexed
        A.indexes: 'idd' is not an attribute; did you mean 'id'?
        A.codableKeys: 'idd' is not an attribute; did you mean 'id'?
        A.codableIgnoredAttributes: the primary key 'x' cannot be ignored
        A.codableRawJsonSubstrings: 'b' is Nobody?; only a String keeps raw JSON
        Place.id: an embedded object cannot have a primary key
        Empty: it has no attribute
        A.b: there is no class 'Nobody'
        A.as: originProperty 'a' is not an attribute of B; did you mean 'aa'?
        A.bs: name the attribute of B that links here: @Persisted(originProperty: "…")
        A.places: a set cannot hold embedded objects; use a List
        """)
  }

  @Test func `schemas with options that do not fit their types are rejected`() {
    let text = mistakes(
      ObjectSchema(
        "A",
        [
          Property("a", .int, options: [.raw(.exact)]),
          Property("b", .list(.string), options: [.raw(.minified)]),
          Property("c", .string, options: [.dates([.date])]),
          Property("d", .int, options: [.unknown(word: 1, text: [])]),
          Property("e", .int, options: [.emptyAsNil]),
          Property("f", .object("A"), options: [.raw(.exact)]),
          Property("g", .list(.date), options: [.dates([.date]), .mismatch(.skipElement)]),
          Property("h", .string, isOptional: true, options: [.raw(.exact), .emptyAsNil]),
          Property("j", .object("A"), options: [.flexible]),
          Property("k", .list(.int), isOptional: true, options: [.writesNil, .omitsEmpty]),
          Property("l", .linkingObjects("A"), originProperty: "f", json: "x"),
          Property("m", .string, isOptional: true, options: [.writesNil, .omitsEmpty]),
          Property("n", .list(.int), options: [.keyed(.primaryKey), .acceptsSingleValue]),
          Property("o", .map("A"), options: [.keyed(.primaryKey), .acceptsSingleValue]),
          Property("p", .map("A"), options: [.keyed(.anyName)]),
          Property("q", .list(.int), options: [.keyed(.anyName)]),
        ]))
    #expect(
      text == """
        A.a: the type is Int, but the option requires a String
        A.b: the type is List<String>, but the option requires a String
        A.c: the type is String, but the option requires a Date
        A.d: the type is Int, but the option requires an enum
        A.e: the type is Int, but the option requires an optional or a collection
        A.f: the type is A?, but the option requires a String
        A.j: the type is A?, but the option requires a value
        A.k: the type is List<Int?>, but the option requires a value that can be nil
        A.l: LinkingObjects<A> is computed and cannot have a key or options
        A.m: the type is String?, but the option requires a collection
        A.n: the type is List<Int>, but the option requires a collection of objects
        A.o: the type is Map<String, A>, but the option requires a list or a set
        A.p: the type is Map<String, A>, but the option requires a list or a set of objects
        A.q: the type is List<Int>, but the option requires a list or a set of objects
        """)
  }

  @Test func `schemas with an invalid originProperty are rejected`() {
    let text = mistakes(
      ObjectSchema(
        "U",
        [
          Property("name", .string), Property("best", .object("U"), originProperty: "name"),
          Property("age", .int, originProperty: "best"),
          Property("ups", .linkingObjects("U"), originProperty: "downs"),
          Property("downs", .linkingObjects("U"), originProperty: "ups"),
        ]))
    #expect(
      text == """
        U.best: U? is not an inverse link and cannot have an originProperty
        U.age: Int is not an inverse link and cannot have an originProperty
        U.ups: originProperty 'downs' of U is LinkingObjects<U>, not a link to U
        U.downs: originProperty 'ups' of U is LinkingObjects<U>, not a link to U
        """)
  }

  @Test(.timeLimit(.minutes(10)))
  func `checking a schema with 10,000 attributes does not take quadratic time`()
    throws
  {
    let wide = (0..<10_000).map { Property("attribute\($0)", .int) }
    let keys = Dictionary(uniqueKeysWithValues: wide.map { ($0.name, "k.\($0.name)") })
    #expect(ObjectSchema("Wide", wide, codableKeys: keys).mistakes == [])
    let names = (0..<10_000).map { "attribut\($0)" }
    let wrong = ObjectSchema("Wide", wide, codableIgnoredAttributes: names).mistakes
    #expect(wrong.count == 10_000 && wrong.count { $0.contains("did you mean") } == 20)
    let many = (0..<70_000).map { Property("a\($0)", .int) }
    #expect(
      mistakes(ObjectSchema("Wide", many))
        == "Wide: 70000 attributes are more than the limit of 10000")
  }

  @Test func `two schemas with the same name and different declarations are rejected`() throws {
    let configuration = StoreConfiguration.inMemory()
    func schema(_ key: String, _ indexes: [[String]] = []) -> ObjectSchema {
      ObjectSchema(
        "User", [Property("id", .int, isPrimaryKey: true), Property("name", .string)],
        codableKeys: ["name": key], indexes: indexes)
    }
    let store = try Store(configuration: configuration, schemas: [schema("first")])
    #expect(throws: StoreError.self) {
      try Store(configuration: configuration, schemas: [schema("last")])
    }
    #expect(throws: StoreError.self) {
      try Store(configuration: configuration, schemas: [schema("first", [["name", "id"]])])
    }
    _ = try Store(configuration: configuration, schemas: [schema("first")])
    #expect(store.schemas.count == 1)
  }

  @Test func `isOptional is ignored for sets of objects and inverse links`() {
    #expect(!Property("a", .set("B"), isOptional: true).isOptional)
    #expect(!Property("a", .linkingObjects("B"), isOptional: true).isOptional)
    #expect(Property("a", .list("B"), isOptional: true).isOptional)
  }

  @Test func `opening a store with the schema of a declared class adds the class`() throws {
    let store = try Store(
      configuration: .inMemory(), schemas: [ObjectSchema.of(Animal.self), People.place])
    let animal = try store.write { try store.create(Animal.self, value: ["id": 1]) }
    #expect(animal.legs == Animal().legs)
    #expect(try store.objects(dynamic: "Animal").map { $0["id"] as? Int } == [1])
  }

  @Test func `schemas compare attribute names by their bytes`() throws {
    let configuration = StoreConfiguration.inMemory()
    func schema(_ name: String) -> ObjectSchema {
      ObjectSchema("Word", [Property("id", .int, isPrimaryKey: true), Property(name, .string)])
    }
    let store = try Store(configuration: configuration, schemas: [schema("e\u{301}")])
    #expect(throws: StoreError.self) {
      try Store(configuration: configuration, schemas: [schema("\u{e9}")])
    }
    #expect(store.schemas.count == 1)
  }

  @Test func `a schema can be passed to a store again only if it is unchanged`() throws {
    let configuration = StoreConfiguration.inMemory()
    func schema(_ type: AttributeShape) -> ObjectSchema {
      ObjectSchema("User", [Property("id", type, isPrimaryKey: true)])
    }
    let first = try Store(configuration: configuration, schemas: [schema(.int)])
    try first.write { try first.create(dynamic: "User", value: ["id": 3]) }
    let second = try Store(configuration: configuration, schemas: [schema(.int)])
    let third = try Store(configuration: configuration)
    for store in [second, third] {
      #expect(try store.object(dynamic: "User", forPrimaryKey: 3) != nil)
    }
    let other = #expect(throws: StoreError.self) {
      try Store(configuration: configuration, schemas: [schema(.string)])
    }
    let twice = """
      two classes map to the table 'User': the schema 'User' and the schema 'User'; \
      give one of them another name
      """
    #expect(other?.description == twice)
    #expect(mistakes(schema(.int), schema(.int)) == twice)
    let clash = ObjectSchema("Animal", [Property("id", .int)])
    let store = try Store(configuration: .inMemory(), schemas: [clash])
    let clashing = #expect(throws: StoreError.self) {
      try store.write { try store.add(Animal(id: 1)) }
    }
    #expect(
      clashing?.description
        == "two classes map to the table 'Animal': the schema 'Animal' and TestSupport.Animal; "
        + "override `class var tableName` in the class, or give the schema another name")
    #expect(try store.objects(dynamic: "Animal").isEmpty)
  }

  @Test func `a schema may link to schemas of an earlier handle`() throws {
    let configuration = StoreConfiguration.inMemory()
    let first = try Store(
      configuration: configuration, schemas: [People.person, People.place, People.dog])
    let cat = ObjectSchema("Cat", [Property("owner", .object("Person"))])
    let second = try Store(configuration: configuration, schemas: [cat])
    try first.write { try first.create(dynamic: "Cat", value: ["owner": ["id": 5]]) }
    second.refresh()
    let owner = try second.objects(dynamic: "Cat").first?["owner"] as? DynamicObject
    #expect(owner?["id"] as? Int == 5)
  }

  @Test func `lookups by class name report unknown classes, missing keys and wrong key types`()
    throws
  {
    let store = try People.store()
    let error = #expect(throws: StoreError.self) { try store.objects(dynamic: "Persn") }
    #expect(error?.description == "'Persn' is not a class of this store; did you mean 'Person'?")
    #expect(throws: StoreError(.noPrimaryKey(className: "Dog"))) {
      try store.object(dynamic: "Dog", forPrimaryKey: 1)
    }
    let wrong = #expect(throws: StoreError.self) {
      try store.object(dynamic: "Person", forPrimaryKey: "1")
    }
    #expect(wrong?.description == "Person.id: expected Int, found a key of type String")
  }

  @Test
  func `an update of a dynamic object throws for unknown names, wrong types and missing keys`()
    throws
  {
    let store = try People.store()
    func error(_ value: UpdateDictionary) -> String {
      let error = #expect(throws: StoreError.self) {
        try store.write { try store.create(dynamic: "Person", value: value) }
      }
      return error?.description ?? ""
    }
    #expect(
      error(["id": 1, "nam": "x"]) == "Person: 'nam' is not an attribute; did you mean 'name'?")
    #expect(error(["id": 1, "name": 3]) == "Person.name: expected String, found Int 3")
    #expect(error(["name": "x"]) == "Person: the update has no value for the primary key 'id'")
    #expect(error(["id": 1, "friend": 3]) == "Person.friend: expected Person?, found Int 3")
    #expect(try store.objects(dynamic: "Person").isEmpty)
  }

  @Test func `adding a dynamic object without a class throws`() throws {
    let store = try People.store()
    let error = #expect(throws: StoreError.self) {
      try store.write { try store.add(DynamicObject()) }
    }
    #expect(
      error?.description
        == "DynamicObject is not a class of its own: name a class, or one of dynamic objects with 'dynamic:'"
    )
  }
}
