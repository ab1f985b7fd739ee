import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Declarations` {
  // MARK: - Inheritance

  @Test func `a subclass adds to and overrides the declarations of its superclass`() throws {
    let coder = try makeCoder()
    let hen = try coder.decode(
      Coding.Hen.self,
      """
      { "bird": { "bird_id": 1, "hen_name": "Pip", "title": "ignored", "egg_count": 3,
        "secret": "s", "password": "p", "notes": [1, 2], "diary": { "a": 1.0 }, "ring": 4 } }
      """)
    #expect(hen.id == 1)
    #expect(hen.name == "Pip")
    #expect(hen.eggs == 3)
    #expect(hen.secret == "s")
    #expect(hen.password == "p")
    #expect(hen.notes == "[1,2]")
    #expect(hen.diary == #"{"a":1.0}"#)
    #expect(
      try coder.text(hen)
        == #"{"bird_id":1,"hen_name":"Pip","notes":[1,2],"ring":4,"egg_count":3,"diary":{"a":1.0}}"#
    )
  }

  @Test func `a superclass keeps its own declarations`() throws {
    let coder = try makeCoder()
    let bird = try coder.decode(
      Coding.Poultry.self, #"{ "bird": { "bird_id": 1, "title": "Pip", "hen_name": "no" } }"#)
    #expect(bird.name == "Pip")
  }

  @Test func `envelopes are inherited and can be overridden`() throws {
    let coder = try makeCoder()
    let hens = try coder.decodeArray(Coding.Hen.self, #"{ "hens": [{ "bird_id": 2 }] }"#)
    #expect(hens.map(\.id) == [2])
    let users = try coder.decodeArray(
      Coding.PagedUser.self, fixture: "users/users-data-items.json")
    #expect(users.map(\.objId) == ["0b7d93e4", "a41c6f28"])
    #expect(users[0].firstName == "Tomasz")
  }

  @Test func `two subclasses share the attributes but not the rows of their superclass`() throws {
    let coder = try makeCoder()
    let lot = try coder.decode(Coding.ParkingLot.self, fixture: "parking-lot/lot.json")
    #expect(lot.cars.map(\.number) == [101, 102, 103])
    #expect(lot.trucks.map(\.payload) == [12500, 7499.5])
    #expect(coder.store.objects(Coding.Vehicle.self).count == 0)
  }

  // MARK: - Paths

  private final class Pointed: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/a~01b") var odd = ""
  }

  @Test func `the escape ~01 in a pointer is ~1 and not a slash`() throws {
    let object = try makeCoder().decode(Pointed.self, #"{ "id": 1, "a~1b": "x", "a/b": "y" }"#)
    #expect(object.odd == "x")
  }

  @Test func `attributes are decoded from dotted paths and JSON Pointers`() throws {
    let coder = try makeCoder()
    let sheep = try coder.decode(
      Coding.Sheep.self,
      """
      { "data": { "sheep": { "id": 1, "address": { "zip": 5, "city": "Ely", "street": "Fen" },
        "names": { "long": "Dolly the sheep", "short": "Dolly" }, "tags": ["a", { "b": 1 }, "c", 4],
        "a/b": { "m~n": 7 }, "measures": { "wool": { "kilograms": 2.5 } } } } }
      """)
    #expect(sheep.city == "Ely")
    #expect(sheep.street == "Fen")
    #expect(sheep.name == "Dolly")
    #expect(sheep.firstTag == "a")
    #expect(sheep.thirdTag == "c")
    #expect(sheep.odd == 7)
    #expect(sheep.wool == 2.5)
  }

  @Test func `an absent part of a path leaves the attributes below it unchanged`() throws {
    let coder = try makeCoder()
    let sheep = try coder.decode(
      Coding.Sheep.self,
      #"{ "data": { "sheep": { "id": 1, "address": { "city": "Ely" }, "tags": ["a", "b", "c"] } } }"#
    )
    try coder.decode(
      Coding.Sheep.self,
      #"{ "data": { "sheep": { "id": 1, "address": {}, "names": { "short": "D" } } } }"#
    )
    #expect(sheep.city == "Ely")
    #expect(sheep.firstTag == "a")
    #expect(sheep.thirdTag == "c")
    #expect(sheep.street == "unknown")
    #expect(sheep.name == "D")
  }

  @Test func `a null part of a path is null for the attributes below it`() throws {
    let coder = try makeCoder()
    let sheep = try coder.decode(
      Coding.Sheep.self,
      #"{ "data": { "sheep": { "id": 1, "tags": [ "a", 0, "c"], "measures": { "wool": { "kilograms": 1 } } } } }"#
    )
    try coder.decode(
      Coding.Sheep.self,
      #"{ "data": { "sheep": { "id": 1, "tags": [ null, 0,  null ], "measures": { "wool": null } } } }"#
    )
    #expect(sheep.firstTag == nil)
    #expect(sheep.thirdTag == nil)
    #expect(sheep.wool == nil)
    #expect(
      message {
        try coder.decode(
          Coding.Sheep.self, #"{ "data": { "sheep": { "id": 1, "address": null } } }"#)
      }
        == "data.sheep.address (Sheep.street, id 1): null for a String that is not optional "
        + "at line 1, column 44")
  }

  @Test func `a path part of the wrong type throws an error`() throws {
    let coder = try makeCoder()
    #expect(
      message {
        try coder.decode(
          Coding.Sheep.self, #"{ "data": { "sheep": { "id": 1, "address": "Ely" } } }"#)
      }
        == "data.sheep.address (Sheep.city, id 1): expected an object, found string \"Ely\" "
        + "at line 1, column 44")
    #expect(
      message {
        try coder.decode(
          Coding.Sheep.self, #"{ "data": { "sheep": { "id": 1, "tags": 3 } } }"#)
      }
        == "data.sheep.tags (Sheep.firstTag, id 1): expected an array, found number 3 "
        + "at line 1, column 41")
  }

  @Test func `paths are written as they are read`() throws {
    let coder = try makeCoder()
    let sheep = Coding.Sheep()
    sheep.id = 1
    sheep.city = "Ely"
    sheep.firstTag = "a"
    sheep.thirdTag = "c"
    sheep.odd = 7
    let expected =
      #"{"id":1,"address":{"city":"Ely","street":"unknown"},"names":{"short":""},"#
      + #""tags":["a",null,"c"],"a/b":{"m~n":7}}"#
    #expect(try coder.text(sheep) == expected)
    #expect(
      try coder.text(sheep, useEnvelope: true) == #"{"data":{"sheep":\#(expected)}}"#)
    let list = try coder.encodeArray([sheep], useEnvelope: true).text
    #expect(list == #"{"data":[{"flock":[\#(expected)]}]}"#)
    let back = try coder.decodeArray(Coding.Sheep.self, list)
    #expect(try coder.text(back[0]) == expected)
  }

  @Test func `array elements after the last present one are not written`() throws {
    let coder = try makeCoder()
    let sheep = Coding.Sheep()
    sheep.firstTag = "a"
    #expect(try coder.text(sheep).contains(#""tags":["a"]"#))
    sheep.firstTag = nil
    #expect(try !coder.text(sheep).contains("tags"))
    sheep.thirdTag = "c"
    #expect(try coder.text(sheep).contains(#""tags":[null,null,"c"]"#))
  }

  @Test func `the number of a pointer also matches an object key`() throws {
    let coder = try makeCoder()
    let sheep = try coder.decode(
      Coding.Sheep.self, #"{ "data": { "sheep": { "id": 1, "tags": { "0": "a", "2": "c" } } } }"#)
    #expect(sheep.firstTag == "a")
    #expect(sheep.thirdTag == "c")
  }

  // MARK: - Local attributes

  final class Draft: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.local) var text = "new"
    @Persisted(.local) var tags: List<String>
  }

  final class BadDraft: Object {
    @Persisted(primaryKey: true, .local) var id: Int
    @Persisted(json: "t", .local) var text: String
    @Persisted(.local, .aliases("u")) var other: String
    @Persisted(.local) var keyed: String
    @Persisted(.local) var raw: String
    @Persisted var part: Part?

    override class var codableKeys: [String: String] { ["keyed": "k"] }
    override class var codableRawJsonSubstrings: [String] { ["raw"] }
  }

  final class Part: EmbeddedObject {
    @Persisted(.local) var note = ""
  }

  @Test func `local attributes are neither decoded nor encoded`() throws {
    let coder = try makeCoder()
    let draft = try coder.decode(Draft.self, #"{"id":1,"text":5,"tags":{}}"#)
    #expect(draft.text == "new")
    try coder.store.write {
      draft.text = "mine"
      draft.tags.append("a")
    }
    #expect(try coder.text(draft) == #"{"id":1}"#)
    let result = try coder.read(Draft.self, from: Data(#"{"id":1,"text":"x","tags":null}"#.utf8))
    #expect(result.unchanged == 1)
    #expect((draft.text, Array(draft.tags)) == ("mine", ["a"]))
    #expect(coder.explain(Draft.self).contains("text       –"))
  }

  @Test func `a local attribute has no key and is no key`() throws {
    #expect(
      message { try makeCoder().check(BadDraft.self) } == """
        BadDraft.text: a local attribute has no JSON key
        BadDraft.other: a local attribute has no JSON key
        BadDraft.keyed: a local attribute has no JSON key
        BadDraft.raw: a local attribute has no JSON key
        BadDraft.id: a primary key cannot be local
        Part.note: a local attribute would be lost, because a decoded embedded object replaces the old one; \
        declare it in the class that owns the object
        """)
  }

  final class ConvertedDraft: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.local, .null(.skip), .writesNil, .flexible) var count: Int?
    @Persisted(.coding(decode: { _ in 1 }, encode: { .int(Int64($0)) }), .local) var number: Int
    @Persisted(.mismatch(.useDefault), .local, .omitsEmpty, .acceptsSingleValue) var tags:
      List<String>
    @Persisted(.local, .byKey) var other: ConvertedDraft?
    @Persisted(.local, .keyed) var others: List<ConvertedDraft>
    @Persisted(.placeholder, .flexible) var isEmpty = false
    @Persisted(.local, .local) var text = ""
  }

  @Test func `options about JSON cannot be combined with a local attribute`() throws {
    let local = "cannot be combined with 'local', which has no value in JSON"
    let expected = """
      ConvertedDraft.count: 'null' \(local)
      ConvertedDraft.count: 'writesNil' \(local)
      ConvertedDraft.count: 'flexible' \(local)
      ConvertedDraft.number: 'coding' \(local)
      ConvertedDraft.tags: 'mismatch' \(local)
      ConvertedDraft.tags: 'omitsEmpty' \(local)
      ConvertedDraft.tags: 'acceptsSingleValue' \(local)
      ConvertedDraft.other: 'byKey' \(local)
      ConvertedDraft.others: 'keyed' \(local)
      ConvertedDraft.isEmpty: 'flexible' cannot be combined with 'placeholder', which has no value in JSON
      """
    #expect(message { try makeCoder().check(ConvertedDraft.self) } == expected)
  }

  @Test(
    arguments: [
      (.date, .dates([.date]), "date"), (.string, .raw(.exact), "raw"),
      (.url, .emptyAsNil, "emptyAsNil"), (.int, .string(fractionDigits: 0), "asString"),
      (.data, .base64(.urlSafe), "base64"), (.bool, .flexible, "flexible"),
    ] as [(AttributeShape, Property.Option, String)])
  func `options about JSON cannot be combined with a local attribute of a dynamic class`(
    shape: AttributeShape, option: Property.Option, name: String
  ) throws {
    let note = Property("note", shape, isOptional: true, options: [option, .local])
    let memo = ObjectSchema("Memo", [Property("id", .int, isPrimaryKey: true), note])
    let coder = StoreCoder(store: try Store(configuration: .inMemory(), schemas: [memo]))
    #expect(
      message { try coder.decode(dynamic: "Memo", from: Data("{}".utf8)) }
        == "Memo.note: '\(name)' cannot be combined with 'local', which has no value in JSON")
  }

  @Test func `a member with the name of a local attribute is a key that no attribute reads`() throws
  {
    let coder = try makeCoder()
    let payload = Data(#"{"id":1,"text":"x"}"#.utf8)
    let audit = try coder.audit(Draft.self, from: payload)
    #expect(audit.unreadKeys.map(\.path) == ["text"])
    #expect(audit.attributes.map(\.name) == ["Draft.id"])
    let update = try coder.updateDictionary(for: Draft.self, from: payload)
    #expect(update.keys == ["id"])
    try coder.store.write {
      try coder.store.create(Draft.self, value: ["id": 1, "text": "mine"])
      try coder.store.create(Draft.self, value: update, update: .modified)
    }
    let draft = try coder.decode(Draft.self, from: payload)
    #expect(draft.text == "mine")
    #expect(try coder.encode(draft.frozen()).text == #"{"id":1}"#)
  }

  @Test func `a dynamic object has local attributes that JSON does not set`() throws {
    let memo = ObjectSchema(
      "Memo",
      [
        Property("id", .int, isPrimaryKey: true), Property("note", .string, options: [.local]),
        Property("rest", .json, options: [.unread]),
      ])
    let coder = StoreCoder(store: try Store(configuration: .inMemory(), schemas: [memo]))
    let object = try coder.decode(dynamic: "Memo", from: Data(#"{"id":1,"note":"x"}"#.utf8))
    #expect(object["note"] as? String == "")
    #expect(object["rest"] as? JSONValue == ["note": "x"])
    try coder.store.write { object["note"] = "mine" }
    try coder.decode(dynamic: "Memo", from: Data(#"{"id":1,"note":"y"}"#.utf8))
    #expect(object["note"] as? String == "mine")
    #expect(try coder.encodeArray([object]).text == #"[{"id":1,"note":"y"}]"#)
  }

  // MARK: - Key styles

  final class Styled: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var firstName: String
    @Persisted var imageURL: String
    @Persisted(json: "asDeclared") var other: String
  }

  @Test(
    arguments: [
      (.asDeclared, #"{"id":1,"firstName":"a","imageURL":"b","asDeclared":"c"}"#, "name"),
      (.kebabCase, #"{"id":1,"first-name":"a","image-url":"b","asDeclared":"c"}"#, "kebab case"),
      (.pascalCase, #"{"Id":1,"FirstName":"a","ImageURL":"b","asDeclared":"c"}"#, "pascal case"),
      (
        .custom { "@" + $0 }, #"{"@id":1,"@firstName":"a","@imageURL":"b","asDeclared":"c"}"#,
        "custom rule"
      ),
    ] as [(StoreCoder.Configuration.KeyStyle, String, String)])
  func `a key style applies to attributes without a declared key in both directions`(
    style: StoreCoder.Configuration.KeyStyle, text: String, name: String
  ) throws {
    let coder = try makeCoder { $0.keys = style }
    let styled = try coder.decode(Styled.self, text)
    #expect((styled.firstName, styled.imageURL, styled.other) == ("a", "b", "c"))
    #expect(try coder.text(styled) == text)
    #expect(coder.explain(Styled.self).contains(name))
  }

  @Test func `a custom key style that gives two attributes one key is a mistake`() throws {
    let coder = try makeCoder { $0.keys = .custom { _ in "x" } }
    #expect(
      message { try coder.check(Styled.self) }
        == "Styled: the attributes 'id', 'firstName', 'imageURL' have the same key 'x'")
  }

  // MARK: - Snake case

  private static let goat =
    #"{"goat_id":1,"first_name":"Bo","image_url":"i","url_string":"u","url_text":"t","#
    + #""line2_text":"l","is_ok":true,"plain":3,"_comments":"c","asDeclared":"d"}"#

  @Test func `snake case converts names with acronyms in both directions`() throws {
    let coder = try makeCoder { $0.keys = .snakeCase }
    let goat = try coder.decode(Coding.Goat.self, Self.goat)
    #expect(goat.goatID == 1)
    #expect(goat.firstName == "Bo")
    #expect(goat.imageURL == "i")
    #expect(goat.urlString == "u")
    #expect(goat.URLText == "t")
    #expect(goat.line2Text == "l")
    #expect(goat.isOK)
    #expect(goat.plain == 3)
    #expect(goat._comments == "c")
    #expect(goat.declaredKey == "d")
    #expect(try coder.text(goat) == Self.goat)
  }

  private final class Plurals: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var genreIDs: List<Int>
    @Persisted var imageURLs: List<String>
    @Persisted var IDsOfURLs2: Int?
    @Persisted var isAClass: Bool?
  }

  @Test func `key styles treat the plural of an acronym as one word`() throws {
    let snake = try makeCoder { $0.keys = .snakeCase }
    let text = #"{"id":1,"genre_ids":[1,2],"image_urls":["u"],"ids_of_urls2":3,"is_a_class":true}"#
    let plurals = try snake.decode(Plurals.self, text)
    #expect(Array(plurals.genreIDs) == [1, 2])
    #expect(try snake.text(plurals) == text)
    let kebab = try makeCoder { $0.keys = .kebabCase }
    #expect(try kebab.codingPath(of: \Plurals.imageURLs) == "image-urls")
  }

  @Test func `without snake case, keys are the attribute names including underscores`() throws {
    let coder = try makeCoder()
    let goat = try coder.decode(
      Coding.Goat.self, #"{ "goatID": 1, "imageURL": "i", "_comments": "c", "image_url": "no" }"#)
    #expect(goat.imageURL == "i")
    #expect(goat._comments == "c")
  }

  // MARK: - Checking

  @Test func `valid declarations pass the check`() throws {
    let coder = try makeCoder()
    try coder.check(
      Coding.User.self, Coding.Sheep.self, Coding.Hen.self, AllTypes.self, Coding.ParkingLot.self)
  }

  @Test func `all mistakes in attributes and JSON declarations are reported at once`() throws {
    let coder = try makeCoder()
    let expected = """
      Mistaken.codableKeys: 'fristName' is not an attribute; did you mean 'firstName'?
      Mistaken.codableKeys: 'zzz' is not an attribute
      Mistaken.codableIgnoredAttributes: the primary key 'id' cannot be ignored
      Mistaken.codableIgnoredAttributes: 'nothing' is not an attribute
      Mistaken.codableRawJsonSubstrings: 'count' is Int; only a String keeps raw JSON
      Mistaken.empty: 'a..b' is not a valid path
      Mistaken.quarter: 'yyyy-QQ' is not a supported date pattern; unsupported: 'QQ'
      Mistaken.codableKeys: 'links' is LinkingObjects<MistakenToo>, which is computed and cannot have a key
      Mistaken: the attributes 'firstName', 'lastName' have the same key 'firstName'
      Mistaken: the key 'address' of 'address' is the beginning of the path of 'city'
      Mistaken.objectEnvelope: 'data..item' is not a valid path
      MistakenToo: the attributes 'id', 'other' have the same key 'id'
      MistakenThree.key: Double cannot be a primary key; use an integer, String or UUID
      MistakenThree.codableRawJsonSubstrings: 'valeu' is not an attribute; did you mean 'value'?
      """
    let found = message { try coder.check(Coding.Mistaken.self) }
    #expect(
      found.split(separator: "\n").sorted() == expected.split(separator: "\n").sorted())
    #expect(message { try coder.decode(Coding.Mistaken.self, "{}") } == found)
    #expect(coder.explain(Coding.Mistaken.self) == found)
  }

  @Test
  func `a mistake in a superclass's codableKeys is reported even if a subclass overrides them`()
    throws
  {
    let coder = try makeCoder()
    #expect(
      message { try coder.check(Coding.GreylagGoose.self) }
        == "Goose.codableKeys: 'wieght' is not an attribute; did you mean 'weight'?")
    #expect(
      message { try coder.check(Coding.Goose.self) }
        == "Goose.codableKeys: 'wieght' is not an attribute; did you mean 'weight'?")
  }

  @Test func `the check of several classes lists a mistake once`() throws {
    let coder = try makeCoder()
    let found = message {
      try coder.check(Coding.Goose.self, Coding.GreylagGoose.self, Coding.User.self)
    }
    #expect(found == "Goose.codableKeys: 'wieght' is not an attribute; did you mean 'weight'?")
  }

  @Test func `two attributes with equivalent paths are a mistake`() throws {
    let coder = try makeCoder()
    #expect(
      message { try coder.check(Coding.SamePlace.self) }
        == "SamePlace: the attributes 'first' ('/a/0') and 'second' ('a.0') have equivalent paths")
    #expect(
      message { try coder.check(Coding.ArrayAndObject.self) }
        == """
        ArrayAndObject: 'first' ('/m/0') needs an array where 'second' ('/m/k') needs an object
        ArrayAndObject: 'fourth' ('/n/0/y') needs an array where 'third' ('n.0.x') needs an object
        """)
  }

  @Test func `an attribute that would be written as null before another is a mistake`() throws {
    let coder = try makeCoder()
    #expect(
      message { try coder.check(Coding.Holes.self) }
        == """
        Holes.ignored: is not encoded, so null would be written at '/a/0' before 'last' ('/a/1')
        Holes.refuses: may be omitted, so null would be written at '/b/0' before 'end' ('/b/9')
        Holes.raw: may be omitted, so null would be written at '/b/3/x' before 'end' ('/b/9')
        """)
  }

  /// Attributes whose omission depends on the null policy of the coder.
  private final class Pair: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/a/0") var first: Int?
    @Persisted(json: "/a/1/x") var second: Int?
    @Persisted(json: "/a/2") var third: Int?
    @Persisted(json: "/b/0") var preset: Int? = 3
    @Persisted(json: "/b/1") var last: Int?
    @Persisted(json: "/c/0", .null(.default)) var blank: String?
    @Persisted(json: "/c/1") var end: String?
  }

  @Test(arguments: [AttributePolicy.Nulls.clear, .skip, .default, .fail])
  func `the null policy of a coder is not a mistake of a class`(policy: AttributePolicy.Nulls)
    throws
  {
    let coder = try makeCoder { $0.nulls = policy }
    #expect(message { try coder.check(Pair.self) } == "no error")
    let json = #"{"id":1,"a":[1,{"x":2},3],"b":[4,5],"c":["6","7"]}"#
    #expect(try coder.text(coder.decode(Pair.self, json)) == json)
  }

  @Test(arguments: [true, false])
  func `an object whose array would contain an unreadable null is not encoded`(isManaged: Bool)
    throws
  {
    func object(in coder: StoreCoder, _ change: (Pair) -> Void) throws -> Pair {
      let pair = Pair()
      change(pair)
      if isManaged { try coder.store.write { try coder.store.add(pair) } }
      return pair
    }
    let refusing = try makeCoder { $0.nulls = .fail }
    #expect(
      message { _ = try refusing.encode(object(in: refusing) { $0.second = 1 }) }
        == "a[0] (Pair.first): null for an Int? that rejects it")
    let other = try makeCoder { $0.nulls = .fail }
    #expect(
      message { _ = try other.encode(object(in: other) { ($0.first, $0.third) = (1, 2) }) }
        == "a[1].x (Pair.second): null for an Int? that rejects it")
    let defaulting = try makeCoder { $0.nulls = .default }
    let pair = try object(in: defaulting) { ($0.second, $0.end) = (1, "e") }
    #expect(
      try defaulting.text(pair) == #"{"id":0,"a":[null,{"x":1}],"b":[3],"c":[null,"e"]}"#)
    let preset = try makeCoder { $0.nulls = .default }
    #expect(
      message {
        _ = try preset.encode(object(in: preset) { ($0.preset, $0.last) = (nil, 1) })
      } == "b[0] (Pair.preset): null for an Int? that takes its default instead")
  }

  // MARK: - Explaining

  @Test(
    arguments: [
      ("explain-user", Coding.User.self), ("explain-hen", Coding.Hen.self),
      ("explain-sheep", Coding.Sheep.self), ("explain-policies", Coding.Policies.self),
      ("explain-dates", Coding.Dates.self), ("explain-enums", Coding.Enums.self),
    ] as [(String, Object.Type)])
  func `explain shows the mapping as a table`(name: String, type: Object.Type) throws {
    let table = try makeCoder().explain(type)
    #expect(try table == CodingFixtures.snapshot(name, recording: table))
  }

  class Fowl: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var eggs = 0
    override class var codableKeys: [String: String] {
      ["id": "bird_id", "name": "title", "eggs": "egg_count"]
    }
  }

  final class Duck: Fowl {
    override class var codableKeys: [String: String] {
      super.codableKeys.merging(["name": "duck_name"]) { $1 }
    }
  }

  @Test func `explain names the class that first declared a key even if a subclass repeats it`()
    throws
  {
    #expect(
      try makeCoder().explain(Duck.self) == """
        Duck
        attribute  JSON path  type    options      declared by
        id         bird_id    Int     primary key  Fowl.codableKeys
        name       duck_name  String               Duck.codableKeys
        eggs       egg_count  Int                  Fowl.codableKeys
        """)
  }

  @Test func `explain shows keys derived by snake case`() throws {
    let table = try makeCoder { $0.keys = .snakeCase }.explain(Coding.Goat.self)
    #expect(try table == CodingFixtures.snapshot("explain-goat-snake-case", recording: table))
  }

  @Test func `explain shows keys with dots as pointers and not as paths`() throws {
    let coder = try makeCoder { $0.keys = .custom { "a.\($0)" } }
    #expect(
      coder.explain(Undated.self) == """
        Undated
        attribute  JSON path  type    options      declared by
        id         /a.id      Int     primary key  custom rule
        name       /a.name    String               custom rule
        """)
    #expect(try coder.decode(Undated.self, #"{"a.id":1,"a.name":"x"}"#).name == "x")
  }

  // MARK: - One mistake, one line

  final class Undated: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
  }

  final class Dated: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var first: Date?
    @Persisted var second: List<Date>
    @Persisted(.date(.iso8601)) var third: Date?
    @Persisted(.date("yyyy 'is' YY ''q")) var fourth: Date?
    @Persisted(.date(.format("yyyy-MM-dd HH:mm", timeZone: "Europe/Ulm"))) var fifth: Date?
    @Persisted(.date(.format("yyyy-MM-dd HH:mm Z", timeZone: "GMT"))) var sixth: Date?
    @Persisted(.date("yyyy hh")) var seventh: Date?
    @Persisted(.date(.format("yyyy-MM-dd HH", timeZone: "GMT"))) var eighth: Date?
    @Persisted(.date(.format("dd/MM/yyyy", timeZone: "Europe/Berlin"))) var day: Date?
    @Persisted(.date("HH:mm")) var ninth: Date?
  }

  @Test
  func `an invalid date pattern of the coder is reported once and only for classes with dates`()
    throws
  {
    let coder = try makeCoder { $0.dates = ["hh:mm b", .unixSeconds] }
    try coder.check(Undated.self)
    #expect(
      message { try coder.check(Undated.self, Dated.self) } == """
        the coder's dates: 'hh:mm b' is not a supported date pattern; unsupported: 'b'
        Dated.fourth: 'yyyy 'is' YY ''q' is not a supported date pattern; unsupported: 'YY', 'q'
        Dated.fifth: 'Europe/Ulm' is not a known time zone
        Dated.sixth: 'yyyy-MM-dd HH:mm Z in GMT' is not a supported date pattern; it already contains a time zone
        Dated.seventh: 'yyyy hh' is not a supported date pattern; 'h' and 'a' are supported only together
        Dated.eighth: 'yyyy-MM-dd HH in GMT' is not a supported date pattern; a time zone requires month, day, hour and minute
        Dated.ninth: 'HH:mm' is not a supported date pattern; it has no year
        """)
  }

  final class Escaped: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "/a~2b") var wrong = 0
    @Persisted(json: "/a~") var open = 0
    @Persisted(json: "/a~0~1b") var right = 0
    @Persisted(json: "a~2") var key = 0
  }

  @Test func `an invalid escape in a pointer is a mistake`() throws {
    #expect(
      message { try makeCoder().check(Escaped.self) } == """
        Escaped.wrong: '/a~2b' is not a valid path
        Escaped.open: '/a~' is not a valid path
        """)
  }

  final class Forms: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "\u{E9}") var composed = 0
    @Persisted(json: "e\u{301}") var decomposed = 0
    @Persisted(json: "p.\u{E9}") var deepComposed = 0
    @Persisted(json: "p.e\u{301}") var deepDecomposed = 0
  }

  @Test func `canonically equivalent keys are distinct`() throws {
    let coder = try makeCoder()
    let body = "{\"id\":1,\"\u{E9}\":1,\"e\u{301}\":2,\"p\":{\"\u{E9}\":3,\"e\u{301}\":4}}"
    let forms = try coder.decode(Forms.self, body)
    #expect(forms.composed == 1 && forms.decomposed == 2)
    #expect(forms.deepComposed == 3 && forms.deepDecomposed == 4)
    #expect(try Array(coder.encode(forms)) == Array(body.utf8))
  }
}
