import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The behavior of RealmCoder, with unprefixed declarations.
@Suite struct `Porting from RealmCoder` {
  private func realmCoder() throws -> StoreCoder {
    try StoreCoder(store: Store(), configuration: .realmCoder)
  }

  // MARK: - Users and envelopes

  private func check(_ user: Coding.User) {
    #expect(user.objId == "fec224c1")
    #expect(user.rank == 7)
    #expect(user.username == "bridget")
    #expect(user.firstName == "Bridget")
    #expect(user.lastName == "O'Malley")
    #expect(user.address == "14 Harbour Lane, Galway")
    #expect(user.joined == Date(timeIntervalSince1970: 1_526_655_217))
    #expect(
      user.configJson
        == #"{"alerts":{"sound":null,"volume":8e-1},"columns":[3,1,2],"theme":"dark","zoom":1.50}"#)
    #expect(user.publisher?.name == "Harbour Press")
    #expect(Array(user.tags) == ["sailing", "maps", "café"])
    #expect(user.friends.map(\.username) == ["tomasz", "ines"])
    #expect(user.home?.city == "Galway")
    #expect(user.role == .admin)
    #expect(user.draftNote == "")
  }

  @Test(arguments: ["users/user-enveloped.json", "users/user-enveloped-with-siblings.json"])
  func `an object is found in its envelope regardless of other keys`(path: String) throws {
    check(try realmCoder().decode(Coding.User.self, fixture: path))
    check(try makeCoder().decode(Coding.User.self, fixture: path))
  }

  @Test(arguments: ["users/users-enveloped.json", "users/users-enveloped-with-siblings.json"])
  func `a list is found in its envelope regardless of other keys`(path: String) throws {
    let users = try realmCoder().decodeArray(Coding.User.self, fixture: path)
    #expect(users.map(\.objId) == ["fec224c1", "0b7d93e4", "a41c6f28"])
    check(users[0])
  }

  @Test func `a class without envelopes reads objects and lists without envelopes`() throws {
    let coder = try makeCoder()
    check(try coder.decode(Coding.BareUser.self, fixture: "users/user.json"))
    let users = try coder.decodeArray(Coding.BareUser.self, fixture: "users/users.json")
    #expect(users.map(\.rank) == [7, 3, -1])
    #expect(users[2].lastName == #"da Silva "Nê""#)
    #expect(Array(users[2].tags) == ["books", "🚀 rockets"])
    #expect(coder.store.object(ofType: Coding.User.self, forPrimaryKey: "77e0b35a") != nil)
  }

  @Test func `a class with an envelope does not read payloads without it`() throws {
    let coder = try makeCoder()
    #expect(
      message {
        try coder.decode(Coding.User.self, fixture: "users/user.json")
      }.hasPrefix("expected the envelope 'user', found the keys 'id', 'rank', 'username', "))
    #expect(
      kind { try coder.decode(Coding.User.self, "{}") } == .envelopeNotFound(found: []))
    #expect(
      message { try coder.decode(Coding.User.self, "{}") }
        == "expected the envelope 'user', found no keys at line 1, column 1")
    #expect(
      message { try coder.decode(Coding.User.self, #"{ "usr": {} }"#) }
        == "expected the envelope 'user', found the key 'usr' at line 1, column 1")
    #expect(
      kind { try coder.decodeArray(Coding.User.self, fixture: "users/users.json") }
        == .envelopeNotFound(found: []))
  }

  @Test func `nested objects have no envelope`() throws {
    let coder = try makeCoder()
    let user = try coder.decode(
      Coding.User.self, #"{ "user": { "id": "a", "friends": [{ "id": "b" }] } }"#)
    #expect(user.friends.map(\.objId) == ["b"])
    #expect(
      message {
        try coder.decode(
          Coding.User.self, #"{ "user": { "id": "a", "friends": [{ "user": { "id": "b" } }] } }"#)
      }
        == #"user.friends[0] (User.friends, id "a"): no key of the object belongs to User, "#
        + "found the key 'user' at line 1, column 36")
  }

  @Test func `an object instead of a list and a list instead of an object are errors`() throws {
    let coder = try realmCoder()
    #expect(
      kind { try coder.decode(Coding.BareUser.self, "[]") } == .nonDictionaryTopLevelObject)
    #expect(
      kind { try coder.decodeArray(Coding.BareUser.self, "{}") } == .nonArrayTopLevelObject)
    #expect(
      message { try coder.decode(Coding.User.self, #"{ "user": [1] }"#) }
        == "user: expected an object, found an array at line 1, column 11")
    #expect(
      message { try coder.decodeArray(Coding.User.self, #"{ "users": 3 }"#) }
        == "users: expected an array of objects, found number 3 at line 1, column 12")
  }

  @Test func `an object without known keys or without its primary key throws an error`()
    throws
  {
    let coder = try realmCoder()
    #expect(kind { try coder.decode(Coding.BareUser.self, #"{ "x": 1 }"#) } == .noKeysFound)
    #expect(
      kind { try coder.decode(Coding.BareUser.self, #"{ "rank": 1 }"#) } == .primaryKeyNotFound)
  }

  // MARK: - Bodies

  @Test func `a body is pretty-printed with sorted keys and without nil and ignored attributes`()
    throws
  {
    let coder = try realmCoder()
    let user = Coding.User()
    user.objId = "fec224c1"
    user.username = "bridget"
    user.address = "never sent"
    user.joined = Date(timeIntervalSince1970: 1_526_655_217)
    user.configJson = #"{ "b": [1, 2.50], "a": {} }"#
    user.home = Coding.Place()
    user.home?.street = "a/b"
    let expected = #"""
      {
        "user" : {
          "configJson" : {
            "a" : {

            },
            "b" : [
              1,
              2.50
            ]
          },
          "first_name" : "",
          "friends" : [

          ],
          "home" : {
            "city" : "",
            "street" : "a\/b"
          },
          "id" : "fec224c1",
          "joined" : "2018-05-18T14:53:37.000Z",
          "last_name" : "",
          "rank" : -1,
          "role" : "guest",
          "tags" : [

          ],
          "username" : "bridget"
        }
      }
      """#
    #expect(try coder.text(user, useEnvelope: true) == expected)
    let bare = try coder.text(user)
    #expect(bare.hasPrefix("{\n  \"configJson\" : {\n"))
    #expect(
      try coder.encodeArray([user], useEnvelope: true).text.hasPrefix(
        "{\n  \"users\" : [\n    {\n      \"configJson\" : {\n"))
  }

  @Test(arguments: [
    ("2018-05-18T14:53:37Z", "2018-05-18T14:53:37.000Z"),
    ("2018-05-18 16:53:37.25+02", "2018-05-18T14:53:37.250Z"),
    ("2018-05-18T14:53:37.1234567Z", "2018-05-18T14:53:37.1234567Z"),
  ])
  func `a date in any ISO 8601 form is written with milliseconds, or more digits if it has them`(
    date: String, written: String
  ) throws {
    let coder = try realmCoder()
    let user = try coder.decode(Coding.BareUser.self, #"{"id":"a","joined":"\#(date)"}"#)
    #expect(try coder.text(user).contains(#""joined" : "\#(written)""#))
  }

  @Test func `the keys of a body are sorted as by JSONSerialization`() throws {
    let user = Coding.Numbered()
    user.id = 1
    let body = try realmCoder().encode(user)
    let object = try JSONSerialization.jsonObject(with: body)
    let foundation = try JSONSerialization.data(
      withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    #expect(body.text == foundation.text)
  }

  @Test func `the keys of managed and unmanaged maps are sorted as by JSONSerialization`() throws {
    let coder = try realmCoder()
    let object = AllTypes()
    object.id = 1
    for (key, value) in [("k10", 1), ("k2", 2), ("K", 3), ("k", 4)] { object.intMap[key] = value }
    let unmanaged = try coder.encode(object)
    let foundation = try JSONSerialization.data(
      withJSONObject: try JSONSerialization.jsonObject(with: unmanaged),
      options: [.prettyPrinted, .sortedKeys])
    #expect(unmanaged.text == foundation.text)
    #expect(unmanaged.text.contains("    \"k\" : 4,\n    \"K\" : 3,\n    \"k2\" : 2,"))
    try coder.store.write { try coder.store.add(object) }
    #expect(try coder.encode(object) == unmanaged)
  }

  // MARK: - Skipped values

  @Test func `nulls and values of the wrong type are skipped, each with an issue`() throws {
    let coder = try realmCoder()
    try coder.decode(Coding.BareUser.self, fixture: "users/user.json")
    let result = try coder.read(
      Coding.BareUser.self,
      from: Data(
        """
        { "id": "fec224c1", "rank": "seven", "username": null, "joined": null, "tags": 3,
          "home": "no", "role": "king", "friends": null, "last_name": "Doe" }
        """.utf8))
    let user = result.objects[0]
    #expect(user.rank == 7)
    #expect(user.username == "bridget")
    #expect(user.joined != nil)
    #expect(user.tags.count == 3)
    #expect(user.home?.city == "Galway")
    #expect(user.role == .admin)
    #expect(user.friends.count == 2)
    #expect(user.lastName == "Doe")
    #expect(
      result.issues.map(\.description) == [
        #"rank (BareUser.rank, id "fec224c1"): expected Int, found string "seven" at line 1, column 29"#,
        #"username (BareUser.username, id "fec224c1"): null was skipped at line 1, column 50"#,
        #"joined (BareUser.joined, id "fec224c1"): null was skipped at line 1, column 66"#,
        #"tags (BareUser.tags, id "fec224c1"): expected List<String>, found number 3 at line 1, column 80"#,
        #"home (BareUser.home, id "fec224c1"): expected Place?, found string "no" at line 2, column 11"#,
        #"role (BareUser.role, id "fec224c1"): expected Role (guest, admin), found string "king" at line 2, column 25"#,
        #"friends (BareUser.friends, id "fec224c1"): null was skipped at line 2, column 44"#,
      ])
  }

  @Test func `numbers, booleans and strings are converted to each other`() throws {
    let coder = try realmCoder()
    let user = try coder.decode(
      Coding.BareUser.self, #"{ "id": 3, "rank": true, "username": 5.50 }"#)
    #expect(user.objId == "3")
    #expect(user.rank == 1)
    #expect(user.username == "5.50")
    let values = try coder.decode(AllTypes.self, #"{ "id": 1, "bool": 1, "int": 5.0 }"#)
    #expect(values.bool)
    #expect(values.int == 5)
  }

  @Test func `the default coder reports a number instead of a string id`() throws {
    #expect(
      message { try makeCoder().decode(Coding.BareUser.self, #"{ "id": 3 }"#) }
        == "id (BareUser.objId): expected String, found number 3 at line 1, column 9")
  }

  // MARK: - Dictionaries

  @Test func `a dictionary from JSONSerialization decodes like its JSON`() throws {
    let data = try CodingFixtures.data("users/user.json")
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let coder = try makeCoder()
    let user = try coder.decode(Coding.BareUser.self, from: object)
    #expect(user.username == "bridget")
    #expect(user.rank == 7)
    #expect(user.publisher?.identifier == 1)
    #expect(Array(user.tags) == ["sailing", "maps", "café"])
    let values = try coder.decode(
      AllTypes.self,
      from: ["id": 1, "bool": true, "double": 0.5, "uint64": UInt64.max, "json": NSNull()])
    #expect(values.bool)
    #expect(values.double == 0.5)
    #expect(values.uint64 == .max)
    let flags = try #require(
      try JSONSerialization.jsonObject(
        with: Data(#"{"id":1,"bool":false,"int":1,"double":1.0}"#.utf8))
        as? [String: Any])
    let again = try coder.decode(AllTypes.self, from: flags)
    #expect(!again.bool)
    #expect(again.int == 1)
    #expect(again.double == 1)
    let list = try coder.decodeArray(Leaf.self, from: [["id": "a"], ["id": "b"]])
    #expect(list.map(\.id) == ["a", "b"])
  }

  @Test func `a dictionary with a value that JSON cannot represent throws an error with its path`()
    throws
  {
    let coder = try makeCoder()
    #expect(
      message {
        try coder.decode(Leaf.self, from: ["id": "a", "x": ["y": [1, Date()]]])
      } == "x.y[1]: expected a value that JSON can represent, found Date")
    #expect(
      message { try coder.decode(Leaf.self, from: ["id": Double.nan]) }
        == "id: JSON has no number for nan")
  }

  // MARK: - Other fixtures

  @Test func `a farm is decoded with an RFC 1123 date and a raw position`() throws {
    let coder = try makeCoder()
    let farm = try coder.decode(Coding.Farm.self, fixture: "farm/farm.json")
    #expect(farm.established == Date(timeIntervalSince1970: 1_526_655_217))
    let centroid =
      #"{"coordinates":[-2,52],"crs":{"properties":{"name":"EPSG:4326"},"type":"name"},"type":"Point"}"#
    #expect(farm.centroid == centroid)
    #expect(farm.animals.map(\.name) == ["Clover", "Pip", "Duchess"])
    #expect(farm.owner?.name == "Marigold Hart")
    #expect(
      try coder.text(farm)
        == #"{"id":"willow-end","name":"Willow End Farm","established":"Fri, 18 May 2018 14:53:37 GMT","#
        + #""centroid":\#(centroid),"animals":[{"id":1,"name":"Clover","legs":4,"kind":"cow"},"#
        + #"{"id":2,"name":"Pip","legs":2,"kind":"hen"},{"id":3,"name":"Duchess","legs":4,"kind":"horse"}],"#
        + #""owner":{"id":9,"name":"Marigold Hart"}}"#)
    try coder.decode(Coding.Farm.self, fixture: "farm/farm-centroid-scalar.json")
    #expect(farm.centroid == "5")
    #expect(farm.animals.count == 3)
  }

  @Test func `a parking lot is decoded with cars and trucks`() throws {
    let lot = try realmCoder().decode(Coding.ParkingLot.self, fixture: "parking-lot/lot.json")
    #expect(lot.cars.map(\.plate) == ["KV 48 210", "B-ÄÖ 7731", "5 XRT 902"])
    #expect(lot.trucks.map(\.axles) == [3, 2])
  }

  @Test func `an adoption list is decoded from an envelope with other keys next to it`() throws {
    let coder = try realmCoder()
    let animals = try coder.decodeArray(
      Coding.AdoptableAnimal.self, fixture: "adoption/animals.json")
    #expect(animals.map(\.name) == ["Biscuit", "Mr. Whiskers III"])
    #expect(animals[0].photos.count == 2)
    #expect(animals[0].publishedAt == Date(timeIntervalSince1970: 1_545_510_692))
    #expect(animals[0].contact?.address?.city == "Millbrook")
    #expect(Array(animals[0].tags) == ["friendly", "house trained", "likes snow"])
    #expect(animals[0].attributes["spayed_neutered"] == true)
    #expect(animals[0].attributes["declawed"] == .some(nil))
    #expect(animals[1].photos.isEmpty)
    #expect(animals[1].contact?.phone == nil)
  }

  @Test func `a second payload updates the muppets of a first one with a trailing comma`() throws {
    let coder = try makeCoder()
    let muppets = try coder.decodeArray(Coding.Muppet.self, fixture: "muppets/part1.json")
    #expect(muppets.map(\.name) == ["Fennimore", "Lady Truffle", "Wobbles"])
    try coder.decodeArray(Coding.Muppet.self, fixture: "muppets/part2.json")
    #expect(muppets[0].occupation == "theatre director")
    #expect(muppets[0].name == "Fennimore")
    #expect(Array(muppets[0].skills) == ["banjo", "patience"])
    #expect(muppets[1].name == "Dame Truffle")
    #expect(muppets[1].occupation == "singer")
    #expect(Array(muppets[1].skills) == ["karate", "opera"])
    #expect(muppets[2].debut == nil)
    #expect(muppets[2].occupation == "comedian")
    #expect(coder.store.objects(Coding.Muppet.self).count == 3)
  }

  @Test func `a restaurant keeps the values of its detail when the list is decoded again`() throws {
    let coder = try makeCoder()
    let store = coder.store
    try coder.decodeArray(Coding.Restaurant.self, fixture: "restaurants/list.json")
    let chez = try coder.decode(Coding.Restaurant.self, fixture: "restaurants/detail-42.json")
    #expect(chez.menu.map(\.price) == [8.5, 14, Decimal(string: "21.9")])
    let result = try coder.read(
      [Coding.Restaurant].self, from: CodingFixtures.data("restaurants/list-refreshed.json"))
    #expect(result.outcomes == [.updated, .unchanged, .unchanged, .unchanged, .inserted])
    #expect((result.inserted, result.updated, result.unchanged) == (1, 1, 3))
    #expect(chez.rating == 4.7)
    #expect(chez.phone == "+33 1 55 50 12 42")
    #expect(chez.openingHours.count == 4)
    try coder.decode(Coding.Restaurant.self, fixture: "restaurants/detail-42-menu-change.json")
    #expect(chez.menu.map(\.id) == [4201, 4203, 4204])
    #expect(chez.menu[1].price == 23.5)
    #expect(store.object(ofType: Coding.Dish.self, forPrimaryKey: 4202)?.name == "Ratatouille")
  }
}
