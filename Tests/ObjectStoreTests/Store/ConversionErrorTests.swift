import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Values that do not fit` {
  static let refused: [(UpdateDictionary, String)] = [
    (["int": "1"], "AllTypes.int: expected Int, found String \"1\""),
    (["int": 1.5], "AllTypes.int: expected Int, found Double 1.5"),
    (["int": true], "AllTypes.int: expected Int, found Bool true"),
    (["int": nil], "AllTypes.int: null for an attribute that is not optional"),
    (["int": 1e300], "AllTypes.int: 1e+300 is outside the range of Int"),
    (["int": .uint(.max)], "AllTypes.int: 18446744073709551615 is outside the range of Int"),
    (["int8": 128], "AllTypes.int8: 128 is outside the range of Int8"),
    (["int8": -129], "AllTypes.int8: -129 is outside the range of Int8"),
    (["optInt16": 32768], "AllTypes.optInt16: 32768 is outside the range of Int16"),
    (["int32": 2_147_483_648], "AllTypes.int32: 2147483648 is outside the range of Int32"),
    (["uint": -1], "AllTypes.uint: -1 is outside the range of UInt"),
    (["uint8": 256], "AllTypes.uint8: 256 is outside the range of UInt8"),
    (["uint64": -1.0], "AllTypes.uint64: -1.0 is outside the range of UInt64"),
    (["float": 1e40], "AllTypes.float: 1e+40 is outside the range of Float"),
    (["double": "1"], "AllTypes.double: expected Double, found String \"1\""),
    (["bool": 1], "AllTypes.bool: expected Bool, found Int 1"),
    (["bool": "true"], "AllTypes.bool: expected Bool, found String \"true\""),
    (["string": 3], "AllTypes.string: expected String, found Int 3"),
    (
      ["string": .data(Data([1, 2]))], "AllTypes.string: expected String, found Data of 2 bytes"
    ),
    (["data": "AQI="], "AllTypes.data: expected Data, found String \"AQI=\""),
    (
      ["date": "2018-05-18T14:53:37.000Z"],
      "AllTypes.date: expected Date, found String \"2018-05-18T14:53:37.000Z\""
    ),
    (["date": 5], "AllTypes.date: expected Date, found Int 5"),
    (["uuid": "no"], "AllTypes.uuid: expected UUID, found String \"no\""),
    (["url": ""], "AllTypes.url: expected URL, found String \"\""),
    (["decimal": "1"], "AllTypes.decimal: expected Decimal, found String \"1\""),
    (["species": "dog"], "AllTypes.species: expected Species, found String \"dog\""),
    (["optSpecies": 1], "AllTypes.optSpecies: expected Species?, found Int 1"),
    (["level": 3], "AllTypes.level: expected Level, found Int 3"),
    (["metres": "1"], "AllTypes.metres: expected Double, found String \"1\""),
    (
      ["json": .date(.distantPast)],
      "AllTypes.json: expected JSONValue, found Date 0001-01-01T00:00:00Z"
    ),
    (["link": 1], "AllTypes.link: expected AllTypes?, found Int 1"),
    (["link": ["id": 2, "int": "x"]], "AllTypes.int: expected Int, found String \"x\""),
    (["spot": "S"], "AllTypes.spot: expected Spot?, found String \"S\""),
    (
      ["spot": ["labl": "S"]], "Spot: 'labl' is not an attribute; did you mean 'label'?"
    ),
    (["ints": 1], "AllTypes.ints: expected List<Int>, found Int 1"),
    (["ints": [1, "2"]], "AllTypes.ints: expected List<Int>, found String \"2\""),
    (["ints": [1, nil]], "AllTypes.ints: null for an attribute that is not optional"),
    (["optInts": [1, "2"]], "AllTypes.optInts: expected List<Int?>, found String \"2\""),
    (["intSet": ["a": 1]], "AllTypes.intSet: expected MutableSet<Int>, found an object"),
    (["intMap": [1]], "AllTypes.intMap: expected Map<String, Int>, found an array of 1"),
    (
      ["intMap": ["a": "b"]], "AllTypes.intMap: expected Map<String, Int>, found String \"b\""
    ),
    (["objects": [1]], "AllTypes.objects: expected List<AllTypes>, found Int 1"),
    (["objects": [nil]], "AllTypes.objects: null for an attribute that is not optional"),
    (["linkedBy": []], "AllTypes: 'linkedBy' is not an attribute"),
    (["strin": "x"], "AllTypes: 'strin' is not an attribute; did you mean 'string'?"),
    (["somethingElse": 1], "AllTypes: 'somethingElse' is not an attribute"),
    (
      ["string": .string(String(repeating: "x", count: 16 << 20))],
      "AllTypes.string: a value of 16777216 bytes is larger than the limit of 16 MiB"
    ),
    (
      ["int": .string(String(repeating: "x", count: 50))],
      "AllTypes.int: expected Int, found String \"\(String(repeating: "x", count: 39))…\""
    ),
    (
      ["int": "a\nERROR \"admin\""],
      #"AllTypes.int: expected Int, found String "a\nERROR \"admin\"""#
    ),
    (
      ["int": .string("a" + String(repeating: "\u{301}", count: 100_000))],
      "AllTypes.int: expected Int, found String \"a\(String(repeating: "\u{301}", count: 47))…\""
    ),
    (["a\nERROR": 1], #"AllTypes: 'a\nERROR' is not an attribute"#),
    (["strin\n": "x"], #"AllTypes: 'strin\n' is not an attribute; did you mean 'string'?"#),
    (
      [String(repeating: "x", count: 100_000): 1],
      "AllTypes: '\(String(repeating: "x", count: 41))…' is not an attribute"
    ),
  ]

  @Test(arguments: refused.indices)
  func `a value that does not fit its attribute is rejected, and nothing is stored`(_ index: Int)
    throws
  {
    var (update, text) = Self.refused[index]
    update["id"] = 1
    let store = try Store()
    let error = #expect(throws: StoreError.self) {
      try store.write { try store.create(AllTypes.self, value: update) }
    }
    #expect(error?.description == text)
    #expect(store.version == 0 && store.objects(AllTypes.self).isEmpty)
  }

  static let taken: [(UpdateDictionary, @Sendable (AllTypes) -> Bool)] = [
    (["int": 1.0], { $0.int == 1 }),
    (["int": .uint(7)], { $0.int == 7 }),
    (["uint64": .uint(.max)], { $0.uint64 == .max }),
    (["uint8": 255.0], { $0.uint8 == 255 }),
    (["double": 1], { $0.double == 1 }),
    (["double": .decimal(1.5)], { $0.double == 1.5 }),
    (["float": 0.1], { $0.float == 0.1 }),
    (["float": .double(.infinity)], { $0.float == .infinity }),
    (["decimal": 0.1], { $0.decimal == Decimal(string: "0.1") }),
    (["decimal": .uint(.max)], { $0.decimal == Decimal(UInt64.max) }),
    (["uuid": "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"], { $0.uuid.uuidString.hasPrefix("A0EE") }),
    (["url": "https://a.example/b"], { $0.url.host() == "a.example" }),
    (["species": "horse"], { $0.species == .horse }),
    (["level": -1], { $0.level == .low }),
    (["metres": 2], { $0.metres.value == 2 }),
    (["word": "x"], { $0.word.text == "x" }),
    (["json": [1, "a", ["b": nil]]], { $0.json == [1, "a", ["b": nil]] }),
    (["optInts": [1, nil]], { Array($0.optInts) == [1, nil] }),
    (
      ["objectMap": ["a": nil, "b": ["id": 2]]],
      { $0.objectMap["a"] == .some(nil) && $0.objectMap.count == 2 }
    ),
  ]

  @Test(arguments: taken.indices)
  func `a value that can be converted to the type of its attribute is accepted`(_ index: Int) throws
  {
    var (update, isRight) = Self.taken[index]
    update["id"] = 1
    let store = try Store()
    let object = try store.write { try store.create(AllTypes.self, value: update) }
    #expect(isRight(object))
  }

  @Test func `an update with a missing or null key throws`() throws {
    let store = try Store()
    for update: UpdateDictionary in [["name": "x"], ["id": nil]] {
      let error = #expect(throws: StoreError.self) {
        try store.write { try store.create(Animal.self, value: update, update: .modified) }
      }
      #expect(
        error?.description
          == (update["id"] == nil
            ? "Animal: the update has no value for the primary key 'id'"
            : "Animal.id: null for an attribute that is not optional"))
    }
    let error = #expect(throws: StoreError.self) {
      try store.write {
        try store.create(Animal.self, value: ["id": 1, "owner": ["name": "Ann"]])
      }
    }
    #expect(error?.description == "Owner: the update has no value for the primary key 'id'")
    #expect(store.version == 0)
  }

  @Test func `a value that no attribute can hold is reported with its type`() throws {
    let store = try Store()
    let error = #expect(throws: StoreError.self) {
      try store.write {
        try store.create(
          Animal.self, value: ["id": 1, "name": ObjectIdentifier(store)] as [String: Any?])
      }
    }
    #expect(
      error?.description
        == "Animal.name: expected a value an attribute can hold, found ObjectIdentifier")
  }

  @Test func `a link to a deleted object or one of another class or store is rejected`() throws {
    let (store, foreign) = (try Store(), try Store())
    let owner = Owner(id: 1)
    let stranger = Animal(id: 9)
    try foreign.write { try foreign.add(stranger) }
    try store.write { try store.add(owner) }
    func text(_ update: UpdateDictionary) -> String? {
      #expect(throws: StoreError.self) {
        try store.write { try store.create(Animal.self, value: update) }
      }?.description
    }
    #expect(
      text(["id": 1, "mother": .init(owner)])
        == "Animal.mother: expected Animal?, found Owner at row 0")
    #expect(
      text(["id": 1, "mother": .init(stranger)])
        == "Animal: the object is unmanaged or frozen, or belongs to another store")
    let gone = UpdateValue(owner)
    try store.write { store.delete(owner) }
    #expect(text(["id": 1, "owner": gone]) == "Owner: the object was deleted or rolled back")
  }
}
