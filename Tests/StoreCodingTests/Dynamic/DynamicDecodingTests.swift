import Foundation
@testable import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Decoding by schemas declared at run time` {
  private static let user = ObjectSchema(
    "User",
    [
      Property("id", .int, isPrimaryKey: true),
      Property("name", .string, isOptional: true),
      Property("born", .date, isOptional: true, json: "born_on", options: [.dates([.date])]),
      Property("city", .string, isOptional: true),
      Property("secret", .string),
      Property("raw", .string, isOptional: true),
      Property("friends", .list("User")),
    ],
    codableKeys: ["city": "address.city"], codableIgnoredAttributes: ["secret"],
    codableRawJsonSubstrings: ["raw"], objectEnvelope: "user", listEnvelope: "users")

  private func makeCoder() throws -> StoreCoder {
    StoreCoder(store: try Store(configuration: .inMemory(), schemas: [Self.user]))
  }

  @Test func `dynamic objects are decoded, linked, updated and encoded`() throws {
    let coder = try makeCoder()
    let users = try coder.decodeArray(
      dynamic: "User",
      from: Data(
        #"""
        {"users": [{"id": 1, "name": "Bo", "born_on": "2001-02-03", "friends": [{"id": 2}]},
                   {"id": 2, "address": {"city": "Ulm"}, "raw": {"b": [1, 2]}}]}
        """#.utf8))
    #expect(users.map { $0["id"] as? Int } == [1, 2])
    #expect(users[0]["born"] as? Date == Date(timeIntervalSince1970: 981_158_400))
    #expect((users[0]["friends"] as? List<DynamicObject>)?.first == users[1])
    #expect(users[1]["city"] as? String == "Ulm" && users[1]["raw"] as? String == #"{"b":[1,2]}"#)

    let bo = try coder.decode(
      dynamic: "User", from: Data(#"{"user": {"id": 1, "secret": "x"}}"#.utf8))
    #expect(bo == users[0] && bo["name"] as? String == "Bo")
    let body = try coder.encode(bo, useEnvelope: true)
    #expect(
      body.text == #"{"user":{"id":1,"name":"Bo","born_on":"2001-02-03","friends":["#
        + #"{"id":2,"address":{"city":"Ulm"},"raw":{"b":[1,2]}}]}}"#)
    #expect(try coder.encode(bo.frozen()) == coder.encode(bo))
    #expect(
      try coder.encodeArray(coder.store.objects(dynamic: "User"), useEnvelope: true).text
        .hasPrefix(#"{"users":[{"id":2,"#))
    #expect(try coder.encodeArray([DynamicObject](), useEnvelope: true).text == "[]")
  }

  @Test func `dynamic payloads can be read with outcomes or as unapplied updates`() throws {
    let coder = try makeCoder()
    let data = Data(#"{"users": [{"id": 1, "name": "Bo"}]}"#.utf8)
    let update = try #require(try coder.updateDictionaries(dynamic: "User", from: data).first)
    #expect(update == ["id": 1, "name": "Bo"])
    #expect(try coder.store.objects(dynamic: "User").isEmpty)
    #expect(try coder.read([DynamicObject].self, dynamic: "User", from: data).inserted == 1)
    #expect(try coder.read([DynamicObject].self, dynamic: "User", from: data).unchanged == 1)
    try coder.store.write {
      try coder.store.create(dynamic: "User", value: update, update: .modified)
    }
    let one = Data(#"{"user": {"id": 1, "name": null}}"#.utf8)
    #expect(try coder.updateDictionary(dynamic: "User", from: one) == ["id": 1, "name": nil])
    let result = try coder.read(dynamic: "User", from: one)
    #expect(result.updated == 1 && result.objects[0]["name"] == nil)
  }

  @Test func `plans, audits, counts and complete lists read a class given by its name`() throws {
    let coder = try makeCoder()
    let data = Data(#"{"users": [{"id": 1, "nick": "B"}]}"#.utf8)
    let plan = try coder.plan([DynamicObject].self, dynamic: "User", from: data)
    #expect(plan.changes.count == 1 && coder.store.version == 0)
    let audit = try coder.audit([DynamicObject].self, dynamic: "User", from: data)
    #expect(audit.unreadKeys.map(\.path) == ["nick"])
    #expect(try coder.readAll(dynamic: "User", from: data).inserted == 1)
    let rest = try coder.read(
      [DynamicObject].self, dynamic: "User", from: Data(#"{"users": [{"id": 2}]}"#.utf8),
      complete: .all)
    #expect(rest.deleted == 1)
    #expect(try coder.store.objects(dynamic: "User").map { $0["id"] as? Int } == [2])
  }

  final class Named: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  @Test func `a class name with a declared class throws an error`() throws {
    let coder = try makeCoder()
    #expect(
      message { try coder.decode(Named.self, dynamic: "User", from: Data("{}".utf8)) }
        == "'dynamic:' names a class of dynamic objects, but the call names the class Named, too")
  }

  @Test func `a bad dynamic payload throws an error with its path that changes nothing`() throws {
    let coder = try makeCoder()
    let text = message {
      try coder.decodeArray(
        dynamic: "User", from: Data(#"{"users": [{"id": 1}, {"id": 2, "name": 3}]}"#.utf8))
    }
    #expect(
      text
        == "users[1].name (User.name, id 2): expected String?, found number 3 at line 1, column 41")
    #expect(try coder.store.objects(dynamic: "User").isEmpty)
    #expect(
      message { try coder.decode(dynamic: "Usr", from: Data("{}".utf8)) }
        == "'Usr' is not a class of this store; did you mean 'User'?")
    #expect(
      message { try coder.decode(DynamicObject.self, from: Data("{}".utf8)) }
        == "DynamicObject is not a class of its own: name a class, or one of dynamic objects with 'dynamic:'"
    )
  }

  @Test func `objects of another store are encoded only if their classes are the same`() throws {
    let user = ObjectSchema(
      "User", [Property("id", .int, isPrimaryKey: true), Property("pet", .object("Pet"))])
    func pet(_ type: AttributeShape) -> ObjectSchema {
      ObjectSchema("Pet", [Property("id", .int, isPrimaryKey: true), Property("a", type)])
    }
    func store(_ type: AttributeShape) throws -> Store {
      try Store(configuration: .inMemory(), schemas: [user, pet(type)])
    }
    let (texts, numbers, alike) = (try store(.string), try store(.double), try store(.double))
    let bo = try numbers.write {
      try numbers.create(dynamic: "User", value: ["id": 1, "pet": ["id": 2, "a": -1234.5]])
    }
    for coder in [StoreCoder(store: texts), StoreCoder(store: texts)] {
      let error = #expect(throws: StoreError.self) { try coder.encode(bo) }
      #expect(
        error?.description == "User: the object is unmanaged or frozen, or belongs to another store"
      )
      #expect(throws: StoreError.self) { try coder.encode(bo.frozen()) }
      #expect(throws: StoreError.self) { try coder.encodeArray([bo]) }
      // The coder still encodes the objects of its own store.
      let body = Data(#"{"id":1,"pet":{"id":2,"a":"x"}}"#.utf8)
      #expect(try coder.encode(coder.decode(dynamic: "User", from: body)) == body)
    }
    #expect(
      try StoreCoder(store: alike).encode(bo).text == #"{"id":1,"pet":{"id":2,"a":-1234.5}}"#)
  }

  @Test func `decoding refuses embedded classes and paths that are too deep`() throws {
    let place = ObjectSchema("Place", [Property("street", .string)], isEmbedded: true)
    let path = Array(repeating: "a", count: 20_000).joined(separator: ".")
    let deep = ObjectSchema(
      "Deep", [Property("id", .int), Property("x", .int, json: path)], listEnvelope: path)
    let coder = StoreCoder(store: try Store(configuration: .inMemory(), schemas: [place, deep]))
    let bare = Data(#"{"street": "Elm"}"#.utf8)
    let alone = #expect(throws: StoreError.self) { try coder.decode(dynamic: "Place", from: bare) }
    #expect(
      alone?.description
        == "Place: an embedded object cannot exist alone; create it as part of the object that owns it"
    )
    #expect(throws: StoreError.self) { try coder.updateDictionary(dynamic: "Place", from: bare) }
    #expect(coder.explain(dynamic: "Place").contains("street"))
    let error = #expect(throws: StoreCodingError.self) {
      try coder.decode(dynamic: "Deep", from: Data(#"{"id": 1}"#.utf8))
    }
    #expect(
      error?.description == """
        Deep.x: a path of 20000 names is deeper than the limit of 100
        Deep.listEnvelope: a path of 20000 names is deeper than the limit of 100
        """)
    #expect(try coder.store.objects(dynamic: "Deep").isEmpty)
  }

  @Test func `the mapping of a dynamic class is explained like that of a declared one`() throws {
    #expect(
      try makeCoder().explain(dynamic: "User") == """
        User, object in 'user', list in 'users'
        attribute  JSON path     type        options           declared by
        id         id            Int         primary key       name
        name       name          String?                       name
        born       born_on       Date?       date: yyyy-MM-dd  @Persisted
        city       address.city  String?                       User.codableKeys
        secret     secret        String      not encoded       name
        raw        raw           String?     raw: minified     name
        friends    friends       List<User>                    name
        """)
  }

  /// The schemas of a class and of all classes reachable from it, as plain data.
  private static func described(_ type: ObjectBase.Type) throws -> [ObjectSchema] {
    let store = try Store()
    try StoreCoder(store: store).check(type)
    _ = try ObjectSchema.of(type)
    return store.schemas.map { schema in
      ObjectSchema(
        schema.className,
        schema.properties.map { property in
          var shape = property.shape
          shape.target = shape.target.map { ClassID(name: $0.name) }
          return Property(
            property.name, shape, isPrimaryKey: property.isPrimaryKey,
            originProperty: property.originPropertyName, json: property.declaredKey,
            options: property.options)
        }, isEmbedded: schema.isEmbedded)
    }
  }

  /// Decodes the payload with the class and with its schema, and compares all observable results.
  private func expectSame<T: Object>(_ type: T.Type, _ payload: String) throws {
    let data = Data(payload.utf8)
    let name = String(describing: type)
    let schemas = try Self.described(type)
    let coder = StoreCoder(store: try Store())
    let dynamic = StoreCoder(store: try Store(configuration: .inMemory(), schemas: schemas))
    let object = try dynamic.decode(dynamic: name, from: data)
    #expect(try dynamic.encode(object) == coder.encode(coder.decode(type, from: data)))
    let update = try coder.updateDictionary(for: type, from: data)
    #expect(try dynamic.updateDictionary(dynamic: name, from: data) == update)
    let version = dynamic.store.version
    #expect(try dynamic.read(dynamic: name, from: data).unchanged == 1)
    #expect(dynamic.store.version == version)
  }

  @Test func `a class and its schema decode and encode a payload identically`() throws {
    try expectSame(
      AllTypes.self,
      #"""
      {"id": 1, "bool": true, "int": -5, "int8": -8, "int16": 16, "int32": 32, "int64": 64,
       "uint": 5, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 18446744073709551615,
       "float": 1.5, "double": 0.1, "decimal": 12.30, "string": "é\n", "data": "AQI=",
       "date": "2018-05-18T14:53:37.125Z", "uuid": "11111111-2222-3333-4444-555555555555",
       "url": "https://example.org/a", "json": {"b": [1, null, 2.50]}, "species": "horse",
       "level": 7, "metres": 2.5, "word": "w", "exact": {"x": 1.0}, "minified": [ 1, 2 ],
       "optBool": null, "optInt": 3, "optDouble": 2, "optString": "",
       "optDate": "2018-05-18T14:53:37Z", "optMinified": {"a": 1},
       "link": {"id": 2, "uuid": "11111111-2222-3333-4444-555555555555", "species": "cow", "level": 0},
       "leaf": {"id": "x", "name": "n"}, "remark": {"text": "t"},
       "spot": {"x": 1, "y": 2, "label": null},
       "bools": [true, false], "ints": [1, 2], "doubles": [0.5], "strings": ["a", ""],
       "dates": ["2018-05-18T14:53:37Z"], "jsons": [1, {"a": 2}], "optInts": [1, null],
       "leaves": [{"id": "x", "name": "n"}, {"id": "y", "name": ""}], "remarks": [{"text": "r"}],
       "spots": [{"x": 1}], "stringSet": ["b", "a"], "leafSet": [{"id": "z", "name": "z"}],
       "remarkSet": [{"likes": 1}], "intMap": {"k": 1}, "optStringMap": {"k": null},
       "objects": [{"id": 2}], "objectMap": {"k": {"id": 2}, "n": null}, "optSpotMap": {"n": null},
       "leafMap": {"k": {"id": "x", "name": "n"}}, "remarkMap": {}, "spotMap": {"k": {"y": 3}}}
      """#)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["STORECODER_DATA"] != nil))
  func `GitHub events are decoded, iterated and encoded`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["STORECODER_DATA"])
    let data = try Data(
      contentsOf: URL(filePath: folder).appending(path: "github_events.json"))
    let person: [Property] = [
      Property("gravatar_id", .string), Property("login", .string),
      Property("avatar_url", .url), Property("url", .url), Property("id", .int),
    ]
    let schemas = [
      ObjectSchema(
        "Event",
        [
          Property("type", .string),
          Property("created_at", .date, options: [.dates(["yyyy-MM-dd'T'HH:mm:ssXXX"])]),
          Property("actor", .object("Person")), Property("repo", .object("Repository")),
          Property("public", .bool), Property("payload", .json),
          Property("id", .string, isPrimaryKey: true), Property("org", .object("Person")),
        ]),
      ObjectSchema("Person", person),
      ObjectSchema(
        "Repository", [Property("url", .url), Property("id", .int), Property("name", .string)]),
    ]
    let coder = StoreCoder(store: try Store(configuration: .inMemory(), schemas: schemas))
    let events = try coder.decodeArray(dynamic: "Event", from: data)
    var logins: Set<String> = []
    for event in try coder.store.objects(dynamic: "Event") {
      if let actor = event["actor"] as? DynamicObject, let login = actor["login"] as? String {
        logins.insert(login)
      }
    }
    #expect(events.count == 30 && logins.count > 10)
    let written = try JSONSerialization.jsonObject(with: coder.encodeArray(events)) as? NSArray
    let sent = try JSONSerialization.jsonObject(with: data) as? NSArray
    #expect(written == sent)
  }
}
