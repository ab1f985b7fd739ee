import Foundation
import ObjectStore
import StoreCoding
import Testing

/// The code in the StoreCoding articles.
@Suite struct `The StoreCoding articles` {
  enum Role: String, PersistableEnum { case guest, admin }

  final class User: Object {
    @Persisted(primaryKey: true) var objId: String
    @Persisted var firstName = ""
    @Persisted var address: String?
    @Persisted(json: "profile.born_on", .date(.date)) var born: Date?
    @Persisted(.unknown(.guest)) var role: Role = .guest
    @Persisted var configJson = ""
    @Persisted var friends: List<User>

    override class var codableKeys: [String: String] {
      ["objId": "id", "firstName": "first_name"]
    }
    override class var codableIgnoredAttributes: [String] { ["address"] }
    override class var codableRawJsonSubstrings: [String] { ["configJson"] }
    override class var objectEnvelope: String? { "user" }
    override class var listEnvelope: String? { "users" }
  }

  private let store: Store
  private let list = Data(
    """
    {"users": [
      {"id": "b1", "first_name": "Ann", "role": "superuser"},
      {"id": "b2", "first_name": "Bob", "configJson": {"b": 1.50, "a": [1, 2]}, "friends": [{"id": "b1"}]}
    ], "page": 1}
    """.utf8)
  private let detail = Data(
    #"{"user": {"id": "b1", "profile": {"born_on": "1999-12-31"}}, "cached": false}"#.utf8)

  init() throws {
    store = try Store()
  }

  // MARK: - StoreCoding

  @Test func `the code about decoding and encoding works`() throws {
    let coder = StoreCoder(store: store)

    let users = try coder.decodeArray(User.self, from: list)  // one transaction for the whole list
    let user = try coder.decode(User.self, from: detail)  // the object of that key, updated
    let body = try coder.encode(user)

    #expect(users[0] == user && store.version == 2)
    #expect(user.firstName == "Ann" && user.role == .guest && users[1].friends[0] == user)
    #expect(
      String(decoding: body, as: UTF8.self)
        == #"{"id":"b1","first_name":"Ann","profile":{"born_on":"1999-12-31"},"role":"guest"}"#)
    #expect(users[1].configJson == #"{"a":[1,2],"b":1.50}"#)
  }

  @Test func `a configuration describes the conventions of an API`() throws {
    var legacy = StoreCoder.Configuration.default
    legacy.dates = [.format("dd/MM/yyyy"), .unixSeconds]
    legacy.keys = .snakeCase
    let legacyCoder = StoreCoder(store: store, configuration: legacy)

    #expect(legacyCoder.explain(Customer.self).contains("config_json"))
  }

  // MARK: - Declarations

  @Test func `check finds no mistake in the declarations`() throws {
    try StoreCoder(store: Store()).check(User.self)
  }

  @Test func `a call can pass the path of its response`() throws {
    let coder = StoreCoder(store: store)
    let found = Data(#"{"search": {"items": [{"id": "a1"}]}}"#.utf8)
    let bare = Data(#"{"id": "b1"}"#.utf8)

    try coder.decodeArray(User.self, from: found, at: "search.items")
    try coder.decode(User.self, from: bare, at: "")

    #expect(store.objects(User.self).map(\.objId).sorted() == ["a1", "b1"])
  }

  @Test func `a result has the values outside the envelope`() throws {
    let coder = StoreCoder(store: store)
    let list = Data(
      #"{"total_count": 1, "data": {"users": [{"id": "a1"}]}, "links": {"next": "/2"}}"#.utf8)

    let page = try coder.read([User].self, from: list, at: "data.users")
    let count = try page.metadata("total_count")?.intValue
    let next = try page.metadata("/links/next")?.stringValue

    #expect(count == 1)
    #expect(next == "/2")
  }

  @Test func `a call can pass the key of its object`() throws {
    let coder = StoreCoder(store: store)
    let profile = Data(#"{"user": {"first_name": "Ann"}}"#.utf8)

    let me = try coder.decode(User.self, from: profile, key: "me")

    #expect(me.objId == "me")
  }

  @Test func `a complete payload clears what it lacks`() throws {
    final class Order: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var title = ""
      @Persisted var note: String?
    }
    let coder = StoreCoder(store: try Store(configuration: .inMemory()))
    let summary = Data(#"{"id":7,"title":"a"}"#.utf8)
    let detail = summary
    try coder.decode(Order.self, from: Data(#"{"id":7}"#.utf8))

    let order = try coder.decode(Order.self, from: summary)  // {"id":7,"title":"a"}
    let isNoteKnown = order.isKnown(\.note)  // false: the summary does not contain it
    try coder.decode(Order.self, from: detail, absent: .clear)  // the same: the note is nil
    let body = try coder.encode(order)  // {"id":7,"title":"a"}

    #expect(!isNoteKnown && order.isKnown(\.note))
    #expect(body == summary)
  }

  @Test func `the query of the article on placeholders excludes them`() throws {
    final class Owner: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted(.placeholder) var isPlaceholder = false
    }

    let owners = store.objects(Owner.self).where { !$0.isPlaceholder }

    let coder = StoreCoder(store: store)
    try coder.decode(Owner.self, from: Data(#"{"id": 1}"#.utf8))
    #expect(owners.isEmpty)
    try coder.decode(Owner.self, from: Data(#"{"id": 1, "name": "A"}"#.utf8))
    #expect(owners.count == 1)
  }

  @Test func `a payload leaves a local attribute unchanged`() throws {
    final class Recipe: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var title = ""
      @Persisted(.local) var isFavorite = false
    }

    let coder = StoreCoder(store: store)
    let recipe = try coder.decode(Recipe.self, from: Data(#"{"id": 1, "title": "A"}"#.utf8))
    try store.write { recipe.isFavorite = true }
    try coder.decode(
      Recipe.self, from: Data(#"{"id": 1, "title": "B", "isFavorite": false}"#.utf8))
    #expect(recipe.isFavorite && recipe.title == "B")
    #expect(String(decoding: try coder.encode(recipe), as: UTF8.self) == #"{"id":1,"title":"B"}"#)
  }

  struct Cents: ValueCoding {
    func decode(_ json: JSONValue) throws -> Decimal { try json.decode(Decimal.self) / 100 }
    func encode(_ price: Decimal) throws -> JSONValue { try JSONValue(encoding: price * 100) }
  }

  final class Product: Object {
    @Persisted(primaryKey: true, .asString) var id: Int
    @Persisted(.coding(Cents())) var price: Decimal
    @Persisted(.date(.format("yyyy-MM-dd HH:mm", timeZone: "Europe/Berlin"))) var opened: Date
    @Persisted(.base64(.urlSafe)) var token: Data
  }

  @Test func `the rows of the table about forms of values are right`() throws {
    let coder = StoreCoder(store: store)
    let text =
      #"{"id":"1512085950","price":19900,"opened":"2018-05-18 14:53","token":"-_-_AQ"}"#
    let product = try coder.decode(Product.self, from: Data(text.utf8))
    #expect(product.price == 199)
    #expect(product.opened == Date(timeIntervalSince1970: 1_526_647_980))
    #expect(try String(decoding: coder.encode(product), as: UTF8.self) == text)
  }

  @Test func `the article contains the actual mapping table`() throws {
    let table = StoreCoder(store: store).explain(User.self)
    #expect(try Self.article("Declarations").contains("```text\n\(table)\n```"))
  }

  // MARK: - Decoding, encoding

  @Test func `read reports the outcomes of a payload`() throws {
    let coder = StoreCoder(store: store)
    try coder.decode(User.self, from: detail)

    let result = try coder.read([User].self, from: list)
    let summary = "\(result.inserted) new, \(result.updated) changed, \(result.unchanged) the same"
    let problems = result.issues.map(\.description)

    #expect(summary == "1 new, 1 changed, 0 the same")
    #expect(
      problems == [
        #"users[0].role (User.role, id "b1"): expected Role (guest, admin), found string "superuser" at line 2, column 45"#
      ])
  }

  @Test func `an update dictionary contains the changes of a payload`() throws {
    let coder = StoreCoder(store: store)

    let update = try coder.updateDictionary(for: User.self, from: detail)
    let changes = update.keys  // the attributes the payload mentions

    #expect(changes == ["objId", "born"])
    #expect(store.version == 0)
    try store.write { try store.create(User.self, value: update, update: .modified) }
    let version = store.version
    try coder.decode(User.self, from: detail)
    #expect(store.version == version)
  }

  @Test func `encoding puts objects into envelopes on request`() throws {
    let coder = StoreCoder(store: store)
    let user = try coder.decode(User.self, from: detail)

    let body = try coder.encode(user)
    let enveloped = try coder.encode(user, useEnvelope: true)
    let all = try coder.encodeArray(store.objects(User.self), useEnvelope: true)

    let text = String(decoding: body, as: UTF8.self)
    #expect(String(decoding: enveloped, as: UTF8.self) == #"{"user":\#(text)}"#)
    #expect(String(decoding: all, as: UTF8.self) == #"{"users":[\#(text)]}"#)
  }

  // MARK: - Errors

  private let payload = Data(
    """
    {"users": [
      {"id": "b1"},
      {"id": "b2", "profile": {"born_on": "31/12/1999"}}
    ]}
    """.utf8)

  @Test func `errors have a path and a position`() throws {
    let coder = StoreCoder(store: store)
    var report = ""
    do {
      try coder.decodeArray(User.self, from: payload)
    } catch let error as StoreCodingError {
      report = "\(error)"
    }
    #expect(try Self.article("Errors").contains("```text\n\(report)\n```"))
    #expect(store.version == 0)
  }

  @Test func `issues report skipped values`() throws {
    var lenient = StoreCoder.Configuration.default
    lenient.mismatches = .skipElement
    let reader = StoreCoder(store: store, configuration: lenient)
    let result = try reader.read([User].self, from: payload)
    let issues = result.issues.map(\.description)

    #expect(result.objects.map(\.objId) == ["b1"])
    #expect(issues.count == 1 && issues[0].hasPrefix("users[1].profile.born_on"))
  }

  final class Ranked: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var rank = 0
    @Persisted var name = ""
  }

  @Test(arguments: [
    (#"[{"id": 1, "rank": "four"}]"#, #"expected Int, found string "four""#),
    (
      #"[{"id": 1, "rank": 9223372036854775808}]"#,
      "number 9223372036854775808 is outside the range of Int"
    ),
    (#"[{"id": 1, "name": null}]"#, "null for a String that is not optional"),
    (#"[{"rank": 1}]"#, "no value for the primary key 'id', found the key 'rank'"),
    ("[NaN]", #"expected a JSON value, found "NaN""#),
    (#"[{"id": 1, "rank": 1, "rank": 2}]"#, "the key 'rank' occurs twice in one object"),
    (
      #"{"count": 2, "items": []}"#,
      "expected an array of objects, found an object with the keys 'count', 'items'"
    ),
    (#"[{"id": 1}, {"id": 2}]"#, "the limit of 1 elements is exceeded"),
  ])
  func `the StoreCoding article quotes the actual error messages`(json: String, text: String) throws
  {
    var configuration = StoreCoder.Configuration.strict
    configuration.limits.elementCount = 1
    let coder = StoreCoder(store: store, configuration: configuration)
    let error = #expect(throws: StoreCodingError.self) {
      try coder.decodeArray(Ranked.self, from: Data(json.utf8))
    }
    #expect(error?.description.contains(text) == true)
    #expect(try Self.article("Errors").contains("`\(text)`"))
  }

  @Test func `the article quotes the errors for missing envelopes and objects without known keys`()
    throws
  {
    let coder = StoreCoder(store: store)
    let article = try Self.article("Errors")
    for json in [#"{"people": [], "count": 0}"#, #"{"users": [{"x": 1}]}"#] {
      let error = #expect(throws: StoreCodingError.self) {
        try coder.decodeArray(User.self, from: Data(json.utf8))
      }
      let text = error?.description.components(separatedBy: " at line")[0] ?? ""
      #expect(article.contains("`\(text.components(separatedBy: ": ").last ?? "")`"))
    }
    let error = #expect(throws: StoreCodingError.self) {
      try coder.decode(Ranked.self, from: Data("[]".utf8))
    }
    #expect(error?.description.hasPrefix("expected an object, found an array") == true)
  }

  // MARK: - PortingFromRealmCoder

  final class Customer: Object {
    @Persisted var objId = ""
    @Persisted var rank = -1
    @Persisted var firstName = ""
    @Persisted var configJson = ""

    override class func primaryKey() -> String? { "objId" }
    override class var codableKeys: [String: String] {
      ["objId": "id", "firstName": "first_name"]
    }
    override class var codableRawJsonSubstrings: [String] { ["configJson"] }
    override class var listEnvelope: String? { "customers" }
  }

  @Test func `a ported model decodes and encodes as with RealmCoder`() throws {
    let payload = Data(
      #"{"customers": [{"id": 3, "rank": null, "first_name": 7, "configJson": {"b": 1, "a": 2}}]}"#
        .utf8)

    let coder = StoreCoder(store: store, configuration: .realmCoder)
    let customers = try coder.decodeArray(Customer.self, from: payload)
    let body = try coder.encodeArray(customers, useEnvelope: true)

    #expect(customers[0].objId == "3" && customers[0].rank == -1)
    #expect(
      String(decoding: body, as: UTF8.self) == """
        {
          "customers" : [
            {
              "configJson" : {
                "a" : 2,
                "b" : 1
              },
              "first_name" : "7",
              "id" : "3",
              "rank" : -1
            }
          ]
        }
        """)
  }

  final class Zoo: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var isOpen = false
    @Persisted var rank = -1
    @Persisted var weight: Float
    @Persisted var note: String? = "old"
    @Persisted var names: List<String>
    @Persisted var boss: Ranked?
    @Persisted var staff: List<Ranked>
  }

  @Test(arguments: [
    (#"{"id": "z", "note": null, "rank": null}"#, 2),
    (#"{"id": "z", "note": 7, "rank": "many", "names": 4}"#, 2),
    (#"{"id": "z", "isOpen": 1, "rank": true, "weight": 0.1}"#, 0),
    (#"{"id": 3}"#, 0),
    (#"{"id": "z", "boss": 7, "staff": [{"id": 1}, "x"]}"#, 2),
  ])
  func `the realmCoder preset skips and reports the values that RealmCoder skipped`(
    json: String, issues: Int
  ) throws {
    let coder = StoreCoder(store: store, configuration: .realmCoder)
    let result = try coder.read(Zoo.self, from: Data(json.utf8))
    #expect(result.issues.count == issues, "\(result.issues)")
    #expect(store.objects(Ranked.self).isEmpty)
  }

  @Test(arguments: [
    (
      #"{"id": "z", "boss": {"rank": 1}}"#,
      "boss (Ranked.id): no value for the primary key 'id', found the key 'rank' at line 1, column 21"
    ),
    (
      #"{"id": "z", "staff": [{}]}"#,
      "staff[0] (Zoo.staff, id \"z\"): no key of the object belongs to Ranked, found no keys at line 1, column 23"
    ),
  ])
  func `the realmCoder preset rejects the payloads that RealmCoder rejected`(
    json: String, text: String
  ) throws {
    let coder = StoreCoder(store: store, configuration: .realmCoder)
    let error = #expect(throws: StoreCodingError.self) {
      try coder.read(Zoo.self, from: Data(json.utf8))
    }
    #expect(error?.description == text)
    #expect(store.version == 0)
  }

  private static func article(_ name: String) throws -> String {
    let file = Documentation.root
      .appending(path: "Sources/StoreCoding/StoreCoding.docc/\(name).md")
    return try String(contentsOf: file, encoding: .utf8)
  }
}
