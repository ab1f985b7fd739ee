import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `One payload, one transaction` {
  @Test func `decoding a list creates one version`() throws {
    let coder = try makeCoder()
    let version = coder.store.version
    try coder.decodeArray(Coding.BareUser.self, fixture: "users/users.json")
    #expect(coder.store.version == version + 1)
  }

  @Test(
    arguments: [
      "users/users.json", "users/user.json", "restaurants/detail-42.json",
      "parking-lot/lot.json", "adoption/animals.json", "partial/order-full.json",
      "farm/farm.json", "muppets/part1.json", "partial/nulls.json",
    ])
  func `decoding the same payload twice creates no second version`(path: String) throws {
    let coder = try makeCoder()
    func decode() throws {
      switch path {
      case "users/users.json": try coder.decodeArray(Coding.BareUser.self, fixture: path)
      case "users/user.json", "partial/nulls.json":
        try coder.decode(Coding.BareUser.self, fixture: path)
      case "restaurants/detail-42.json": try coder.decode(Coding.Restaurant.self, fixture: path)
      case "parking-lot/lot.json": try coder.decode(Coding.ParkingLot.self, fixture: path)
      case "adoption/animals.json":
        try coder.decodeArray(Coding.AdoptableAnimal.self, fixture: path)
      case "partial/order-full.json": try coder.decode(Coding.Order.self, fixture: path)
      case "farm/farm.json": try coder.decode(Coding.Farm.self, fixture: path)
      default: try coder.decodeArray(Coding.Muppet.self, fixture: path)
      }
    }
    try decode()
    let version = coder.store.version
    try decode()
    #expect(coder.store.version == version)
  }

  @Test func `an error in the last element of 10,000 leaves the store unchanged`() throws {
    let coder = try makeCoder()
    try coder.decodeArray(Coding.BareUser.self, fixture: "users/users.json")
    let version = coder.store.version
    let before = try coder.encodeArray(coder.store.objects(Coding.BareUser.self)).text
    var elements = (0..<9_999).map { index in
      #"{"id":"n\#(index)","rank":\#(index),"publisher":{"identifier":\#(index)},"home":{"city":"c"}}"#
    }
    elements[0] = #"{"id":"fec224c1","rank":99}"#
    elements.append(#"{"id":"last","rank":"no"}"#)
    #expect(
      message {
        try coder.decodeArray(Coding.BareUser.self, "[" + elements.joined(separator: ",\n") + "]")
      }
        == #"[9999].rank (BareUser.rank, id "last"): expected Int, found string "no" at line 10000, column 21"#
    )
    #expect(coder.store.version == version)
    #expect(try coder.encodeArray(coder.store.objects(Coding.BareUser.self)).text == before)
    #expect(coder.store.objects(Coding.Publisher.self).count == 2)
  }

  @Test func `decoding inside a write joins it`() throws {
    let coder = try makeCoder()
    let store = coder.store
    let version = store.version
    try store.write {
      try coder.decode(Leaf.self, #"{ "id": "a" }"#)
      try coder.decode(Leaf.self, #"{ "id": "b" }"#)
      #expect(store.version == version)
      #expect(store.objects(Leaf.self).count == 2)
    }
    #expect(store.version == version + 1)
  }

  @Test func `a decoding error caught inside a write rolls back only that decoding`() throws {
    let coder = try makeCoder()
    let store = coder.store
    try store.write {
      try coder.decode(Leaf.self, #"{ "id": "a", "name": "first" }"#)
      #expect(
        kind {
          try coder.decodeArray(
            Leaf.self, #"[{ "id": "b" }, { "id": "a", "name": "second" }, { "id": 3 }]"#)
        } == .typeMismatch)
      try coder.decode(Leaf.self, #"{ "id": "c" }"#)
    }
    #expect(store.objects(Leaf.self).map(\.id) == ["a", "c"])
    #expect(store.objects(Leaf.self)[0].name == "first")
  }

  @Test func `a failed write rolls back the objects decoded in it`() throws {
    struct Stop: Error {}
    let coder = try makeCoder()
    let store = coder.store
    var leaf: Leaf?
    #expect(throws: Stop.self) {
      try store.write {
        leaf = try coder.decode(Leaf.self, #"{ "id": "a" }"#)
        throw Stop()
      }
    }
    #expect(store.objects(Leaf.self).isEmpty)
    #expect(leaf?.isInvalidated == true)
  }

  @Test func `decoding does not join the write of another handle`() throws {
    let store = try Store()
    let other = try Store(configuration: store.configuration)
    try store.write {
      #expect(
        message { try StoreCoder(store: other).decode(Leaf.self, #"{ "id": "a" }"#) }
          == "the same code has an open write on another handle of this store")
    }
  }

  // MARK: - Identity

  @Test func `elements with the same key in a list are merged in order`() throws {
    let coder = try makeCoder()
    let result = try coder.read(
      [Coding.Person].self,
      from: Data(
        #"""
        [{ "id": 1, "name": "a", "title": "x", "nicknames": ["p"] }, { "id": 2 },
         { "id": 1, "name": "b", "desk": { "room": "r" } }, { "id": 1, "title": null }]
        """#.utf8))
    #expect(result.objects.map(\.id) == [1, 2, 1, 1])
    #expect(result.objects[0] == result.objects[2])
    let person = result.objects[0]
    #expect(person.name == "b")
    #expect(person.title == nil)
    #expect(Array(person.nicknames) == ["p"])
    #expect(person.desk?.room == "r")
    #expect(result.outcomes == [.inserted, .inserted, .unchanged, .unchanged])
    #expect(coder.store.objects(Coding.Person.self).count == 2)
  }

  @Test func `the same object may occur many times at any depth`() throws {
    let coder = try makeCoder()
    let users = try coder.decodeArray(
      Coding.BareUser.self,
      #"""
      [{ "id": "a", "publisher": { "identifier": 1, "name": "x" },
         "friends": [{ "id": "f" }, { "id": "f", "rank": 1 }, { "id": "f", "username": "u" }] },
       { "id": "b", "publisher": { "identifier": 1 }, "friends": [{ "id": "f", "rank": 2 }] }]
      """#)
    let friend = try #require(coder.store.object(ofType: Coding.User.self, forPrimaryKey: "f"))
    #expect(Array(users[0].friends) == [friend, friend, friend])
    #expect(Array(users[1].friends) == [friend])
    #expect(friend.rank == 2)
    #expect(friend.username == "u")
    #expect(users[0].publisher == users[1].publisher)
    #expect(users[1].publisher?.name == "x")
  }

  @Test func `objects may refer to each other in cycles`() throws {
    let coder = try makeCoder()
    let link = try coder.decode(
      Coding.KeyedLink.self,
      #"""
      { "id": 1, "next": { "id": 2, "next": { "id": 1, "next": { "id": 2 } } },
        "links": [{ "id": 1 }, { "id": 3, "links": [{ "id": 1 }, { "id": 3 }] }] }
      """#)
    #expect(link.next?.id == 2)
    #expect(link.next?.next == link)
    #expect(link.links.map(\.id) == [1, 3])
    #expect(link.links[1].links.map(\.id) == [1, 3])
    #expect(coder.store.objects(Coding.KeyedLink.self).count == 3)
  }

  @Test func `a nested object is linked and updated by its key`() throws {
    let coder = try makeCoder()
    let store = coder.store
    try coder.decode(Coding.Publisher.self, #"{ "identifier": 1, "name": "Marvel" }"#)
    let user = try coder.decode(
      Coding.BareUser.self, #"{ "id": "a", "publisher": { "identifier": 1 } }"#)
    #expect(user.publisher?.name == "Marvel")
    try coder.decode(
      Coding.BareUser.self, #"{ "id": "a", "publisher": { "identifier": 2, "name": "DC" } }"#)
    #expect(user.publisher?.name == "DC")
    #expect(store.objects(Coding.Publisher.self).map(\.name) == ["Marvel", "DC"])
  }

  // MARK: - Replacing

  @Test func `objects with a key that are removed from a list remain in the store`() throws {
    let coder = try makeCoder()
    let user = try coder.decode(
      Coding.BareUser.self, #"{ "id": "a", "friends": [{ "id": "b" }, { "id": "c" }] }"#)
    try coder.decode(Coding.BareUser.self, #"{ "id": "a", "friends": [{ "id": "c" }] }"#)
    #expect(user.friends.map(\.objId) == ["c"])
    #expect(coder.store.objects(Coding.User.self).map(\.objId) == ["b", "c"])
  }

  @Test func `children without a key are replaced and the old ones are deleted`() throws {
    let coder = try makeCoder()
    let store = coder.store
    let order = try coder.decode(
      Coding.Order.self,
      #"{ "id": 1, "lines": [{ "sku": "a", "title": "A", "quantity": 3 }, { "sku": "b" }] }"#)
    let version = store.version
    try coder.decode(
      Coding.Order.self,
      #"{ "id": 1, "lines": [{ "sku": "a", "title": "A", "quantity": 3 }, { "sku": "b" }] }"#)
    #expect(store.version == version)
    try coder.decode(
      Coding.Order.self, #"{ "id": 1, "lines": [{ "sku": "a" }, { "sku": "b" }, { "sku": "c" }] }"#)
    #expect(order.lines.map(\.sku) == ["a", "b", "c"])
    #expect(order.lines[0].title == "")
    #expect(order.lines[0].quantity == 1)
    #expect(store.objects(Coding.OrderLine.self).count == 3)
    try coder.decode(Coding.Order.self, #"{ "id": 1, "lines": null }"#)
    #expect(store.objects(Coding.OrderLine.self).isEmpty)
  }

  @Test func `an embedded object is replaced as a whole unless its content is equal`() throws {
    let coder = try makeCoder()
    let store = coder.store
    let user = try coder.decode(
      Coding.BareUser.self, #"{ "id": "a", "home": { "street": "s", "city": "c" } }"#)
    let version = store.version
    try coder.decode(
      Coding.BareUser.self, #"{ "id": "a", "home": { "city": "c", "street": "s" } }"#)
    #expect(store.version == version)
    try coder.decode(Coding.BareUser.self, #"{ "id": "a", "home": { "city": "d" } }"#)
    #expect(store.version == version + 1)
    #expect(user.home?.city == "d")
    #expect(user.home?.street == "")
  }

  @Test func `a replaced child without a key remains if another object links to it`() throws {
    let coder = try makeCoder()
    let store = coder.store
    let first = try coder.decode(AllTypes.self, #"{ "id": 1, "remark": { "text": "x" } }"#)
    let second = try coder.decode(AllTypes.self, #"{ "id": 2 }"#)
    try store.write { second.remark = first.remark }
    try coder.decode(AllTypes.self, #"{ "id": 1, "remark": { "text": "y" } }"#)
    #expect(second.remark?.text == "x")
    #expect(store.objects(Remark.self).count == 2)
    try coder.decode(AllTypes.self, #"{ "id": 2, "remark": null }"#)
    #expect(store.objects(Remark.self).map(\.text) == ["y"])
  }

  @Test func `a top-level object without a key is inserted each time`() throws {
    let coder = try makeCoder()
    try coder.decode(Remark.self, #"{ "text": "x" }"#)
    try coder.decodeArray(Remark.self, #"[{ "text": "x" }, { "text": "x" }]"#)
    #expect(coder.store.objects(Remark.self).count == 3)
  }

  // MARK: - Collections

  @Test func `lists, sets and maps of scalars are decoded and replaced`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      AllTypes.self,
      #"""
      { "id": 1, "bools": [true, false], "ints": [3, 1, 3], "floats": [0.1], "decimals": [0.1, 1e2],
        "strings": ["b", "a", "b"], "datas": ["AQI=", ""], "dates": ["2018-05-18T14:53:37Z"],
        "uuids": ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"], "urls": ["https://a.b/c"],
        "allSpecies": ["horse", "cow"], "jsons": [null, 1, {"a": []}], "optInts": [1, null, 3],
        "optStrings": [null, "x"], "stringSet": ["b", "a", "b"], "intSet": [3, 1, 3, -1],
        "intMap": {"b": 2, "a": 1}, "optStringMap": {"x": null, "y": "z"} }
      """#)
    #expect(Array(object.bools) == [true, false])
    #expect(Array(object.ints) == [3, 1, 3])
    #expect(Array(object.floats) == [0.1])
    #expect(Array(object.decimals) == [Decimal(string: "0.1"), 100])
    #expect(Array(object.strings) == ["b", "a", "b"])
    #expect(Array(object.datas) == [Data([1, 2]), Data()])
    #expect(Array(object.dates) == [Date(timeIntervalSince1970: 1_526_655_217)])
    #expect(Array(object.uuids) == [UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")])
    #expect(Array(object.urls) == [URL(string: "https://a.b/c")])
    #expect(Array(object.allSpecies) == [.horse, .cow])
    #expect(Array(object.jsons) == [.null, 1, ["a": []]])
    #expect(Array(object.optInts) == [1, nil, 3])
    #expect(Array(object.optStrings) == [nil, "x"])
    #expect(Set(object.stringSet) == ["a", "b"])
    #expect(Set(object.intSet) == [-1, 1, 3])
    #expect(object.intMap.dictionary == ["a": 1, "b": 2])
    #expect(object.optStringMap["x"] == .some(nil))
    #expect(object.optStringMap["y"] == "z")
    try coder.decode(
      AllTypes.self,
      #"{ "id": 1, "ints": [], "intSet": [7], "intMap": {"c": 3}, "optInts": null }"#)
    #expect(object.ints.isEmpty)
    #expect(Set(object.intSet) == [7])
    #expect(object.intMap.dictionary == ["c": 3])
    #expect(object.optInts.isEmpty)
    #expect(object.strings.count == 3)
  }

  @Test func `objects in collections are updated by key, and those without a key are replaced`()
    throws
  {
    let coder = try makeCoder()
    let store = coder.store
    let payload = #"""
      { "id": 1, "leaves": [{ "id": "a" }, { "id": "b" }], "remarks": [{ "text": "r" }],
        "spots": [{ "x": 1 }, { "x": 2, "label": "l" }], "leafSet": [{ "id": "b" }, { "id": "a" }],
        "remarkSet": [{ "text": "s" }, { "text": "t" }],
        "leafMap": {"k": { "id": "a", "name": "A" }}, "remarkMap": {"m": { "text": "u" }},
        "spotMap": {"p": { "y": 3 }, "o": { "y": 4 }} }
      """#
    let object = try coder.decode(AllTypes.self, payload)
    let version = store.version
    #expect(object.leaves.map(\.name) == ["A", "leaf"])
    #expect(object.remarks.map(\.text) == ["r"])
    #expect(object.spots.map(\.x) == [1, 2])
    #expect(Set(object.leafSet.map(\.id)) == ["a", "b"])
    #expect(Set(object.remarkSet.map(\.text)) == ["s", "t"])
    #expect(object.leafMap["k"]?.id == "a")
    #expect(object.remarkMap["m"]?.text == "u")
    #expect(object.spotMap["p"]?.y == 3)
    #expect(store.objects(Leaf.self).count == 2)
    #expect(store.objects(Remark.self).count == 4)
    try coder.decode(AllTypes.self, payload)
    #expect(store.version == version)
    try coder.decode(
      AllTypes.self,
      #"{ "id": 1, "remarkSet": [{ "text": "t" }], "remarkMap": {}, "spots": [{ "x": 2 }] }"#)
    #expect(object.remarkSet.map(\.text) == ["t"])
    #expect(store.objects(Remark.self).count == 2)
    #expect(object.spots.map(\.label) == [nil])
  }

  @Test func `the last value of a duplicate map key wins with an issue`() throws {
    let coder = try makeCoder()
    let result = try coder.read(
      AllTypes.self,
      from: Data(
        #"{ "id": 1, "leafMap": {"k": { "id": "a" }, "k": { "id": "b" }}, "intMap": {"x": 1} }"#
          .utf8))
    #expect(result.objects[0].leafMap["k"]?.id == "b")
    #expect(coder.store.objects(Leaf.self).map(\.id) == ["b"])
    #expect(
      result.issues.map(\.description) == [
        "leafMap.k (AllTypes.leafMap, id 1): the key 'k' occurs twice in one object at line 1, column 44"
      ])
    #expect(
      message {
        try coder.decode(
          AllTypes.self, #"{ "id": 1, "leafMap": {"k": { "id": "a", "name": 3 }} }"#)
      }
        == #"leafMap.k.name (Leaf.name, id "a"): expected String, found number 3 at line 1, column 50"#
    )
  }

  @Test func `a value replaced by a duplicate key leaves no rows behind`() throws {
    let coder = try makeCoder()
    let result = try coder.read(
      Coding.BareUser.self,
      from: Data(
        #"""
        { "id": "a", "publisher": { "identifier": 1 }, "publisher": { "identifier": 2 },
          "friends": [{ "id": "x", "publisher": { "identifier": 3 } }], "friends": [{ "id": "y" }] }
        """#.utf8))
    #expect(coder.store.objects(Coding.Publisher.self).map(\.identifier) == [2])
    #expect(coder.store.objects(Coding.User.self).map(\.objId) == ["y"])
    #expect(result.issues.map(\.path) == ["publisher", "friends"])
  }

  @Test func `issues of nested objects have their whole path and the nearest key`() throws {
    let coder = try makeCoder()
    let result = try coder.read(
      [Coding.BareUser].self,
      from: Data(
        #"[{ "id": "a" }, { "friends": [{ "id": "f" }, { "home": { "city": "c", "city": "d" }, "id": "g" }], "id": "b" }]"#
          .utf8))
    #expect(
      result.issues.map(\.description) == [
        #"[1].friends[1].home.city (Place.city, id "g"): the key 'city' occurs twice in one object at line 1, column 71"#
      ])
  }

  // MARK: - Reading

  @Test func `read counts inserted, updated and unchanged objects`() throws {
    let coder = try makeCoder()
    let first = try coder.read(
      [Leaf].self, from: Data(#"[{ "id": "a" }, { "id": "b" }, { "id": "c" }]"#.utf8))
    #expect((first.inserted, first.updated, first.unchanged) == (3, 0, 0))
    let second = try coder.read(
      [Leaf].self,
      from: Data(#"[{ "id": "a" }, { "id": "b", "name": "B" }, { "id": "d" }]"#.utf8))
    #expect((second.inserted, second.updated, second.unchanged) == (1, 1, 1))
    #expect(second.objects.map(\.id) == ["a", "b", "d"])
    #expect(second.outcomes == [.unchanged, .updated, .inserted])
    #expect(second.issues.isEmpty)
    let one = try coder.read(Leaf.self, from: Data(#"{ "id": "a", "name": "A" }"#.utf8))
    #expect(one.outcomes == [.updated])
  }
}
