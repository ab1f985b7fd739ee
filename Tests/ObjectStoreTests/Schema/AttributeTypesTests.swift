import Foundation
import ObjectStore
import TestSupport
import Testing

/// An attribute type and the values to test it with.
struct AttributeCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable (Store) throws -> Void

  init<V: PersistableValue & Sendable & Equatable>(
    _ keyPath: any ReferenceWritableKeyPath<AllTypes, V> & Sendable, _ values: V...
  ) {
    self.init(keyPath, values) { $0 == $1 }
  }

  init<V: PersistableValue & Sendable>(
    _ keyPath: any ReferenceWritableKeyPath<AllTypes, V> & Sendable, _ values: [V],
    isSame: @escaping @Sendable (V, V) -> Bool
  ) {
    testDescription = AllTypes.attributeName(for: keyPath)
    check = { store in
      for (index, value) in values.enumerated() {
        let object = AllTypes(id: index)
        object[keyPath: keyPath] = value
        #expect(isSame(object[keyPath: keyPath], value), "unmanaged \(value)")
        try store.write { try store.add(object) }
        #expect(isSame(object[keyPath: keyPath], value), "managed \(value)")
        #expect(isSame(object.frozen().withObject { $0[keyPath: keyPath] }, value), "frozen")
        let next = values[(index + 1) % values.count]
        try store.write {
          object[keyPath: keyPath] = next
          #expect(isSame(object[keyPath: keyPath], next), "assigned \(next)")
        }
        #expect(isSame(object[keyPath: keyPath], next), "committed \(next)")
      }
    }
  }
}

private let day = Date(timeIntervalSince1970: 1_526_654_617.25)
private let id = UUID(uuidString: "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11") ?? UUID()
private let tree: JSONValue = [
  "b": [1, 2.5, nil, true, "x", .number("123456789012345678901234567890")], "a": [:], "": "ü",
]

@Suite struct `Every type of attribute` {
  static let scalars: [AttributeCase] = [
    AttributeCase(\.bool, true, false),
    AttributeCase(\.int, 0, 1, -1, .min, .max),
    AttributeCase(\.int8, 0, 1, -1, .min, .max),
    AttributeCase(\.int16, 0, 1, -1, .min, .max),
    AttributeCase(\.int32, 0, 1, -1, .min, .max),
    AttributeCase(\.int64, 0, 1, -1, .min, .max),
    AttributeCase(\.uint, 0, 1, .max),
    AttributeCase(\.uint8, 0, 1, .max),
    AttributeCase(\.uint16, 0, 1, .max),
    AttributeCase(\.uint32, 0, 1, .max),
    AttributeCase(\.uint64, 0, 1, .max, 1 << 63),
    AttributeCase(
      \.float,
      [0.1, -0.0, 0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
    ) { $0.bitPattern == $1.bitPattern },
    AttributeCase(
      \.double,
      [0.1, -0.0, 0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
    ) { $0.bitPattern == $1.bitPattern },
    AttributeCase(
      \.decimal, 0, -1, Decimal(sign: .minus, exponent: -2, significand: 1999),
      Decimal(string: "12345678901234567890.123456789") ?? 0, .greatestFiniteMagnitude,
      .leastNonzeroMagnitude, Decimal(sign: .plus, exponent: 120, significand: 3)),
    AttributeCase(
      \.string, "", "a", "zoë 🐄", "a\0b", "e\u{301}", String(repeating: "long ", count: 1000)),
    AttributeCase(\.data, Data(), Data([0]), Data([255, 0, 1]), Data(count: 5000)),
    AttributeCase(\.date, day, .distantPast, .distantFuture, Date(timeIntervalSince1970: -0.5)),
    AttributeCase(\.uuid, id, UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
    AttributeCase(
      \.url, URL(filePath: "/farm/barn"), URL(string: "https://farm.example/a?b=%20#c")!),
    AttributeCase(\.species, .cow, .sheep, .horse),
    AttributeCase(\.level, .low, .middle, .high),
    AttributeCase(\.metres, Metres(0), Metres(-2.5)),
    AttributeCase(\.word, Word(""), Word("hay")),
    AttributeCase(\.json, nil, true, 1, -2.5, "x", [], [:], tree),
  ]

  static let optionals: [AttributeCase] = [
    AttributeCase(\.optBool, nil, true, false),
    AttributeCase(\.optInt, nil, 0, .min, .max),
    AttributeCase(\.optInt8, nil, 0, .min, .max),
    AttributeCase(\.optInt16, nil, 0, .min, .max),
    AttributeCase(\.optInt32, nil, 0, .min, .max),
    AttributeCase(\.optInt64, nil, 0, .min, .max),
    AttributeCase(\.optUInt, nil, 0, .max),
    AttributeCase(\.optUInt8, nil, 0, .max),
    AttributeCase(\.optUInt16, nil, 0, .max),
    AttributeCase(\.optUInt32, nil, 0, .max),
    AttributeCase(\.optUInt64, nil, 0, .max),
    AttributeCase(\.optFloat, [nil, 0, -0.0, .nan, 0.1]) { $0?.bitPattern == $1?.bitPattern },
    AttributeCase(\.optDouble, [nil, 0, -0.0, .nan, 0.1]) { $0?.bitPattern == $1?.bitPattern },
    AttributeCase(\.optDecimal, nil, 0, Decimal(sign: .minus, exponent: -2, significand: 1999)),
    AttributeCase(\.optString, nil, "", "hay"),
    AttributeCase(\.optData, nil, Data(), Data([1, 2])),
    AttributeCase(\.optDate, nil, day),
    AttributeCase(\.optUUID, nil, id),
    AttributeCase(\.optURL, nil, URL(filePath: "/farm")),
    AttributeCase(\.optSpecies, nil, .cow, .horse),
    AttributeCase(\.optLevel, nil, .low, .high),
    AttributeCase(\.optMetres, nil, Metres(0), Metres(3)),
    AttributeCase(\.optWord, nil, Word(""), Word("hay")),
    AttributeCase(\.optJSON, nil, .some(.null), 1, tree),
  ]

  @Test(arguments: scalars)
  func `every scalar type round-trips unmanaged, managed and frozen`(_ attribute: AttributeCase)
    throws
  {
    try attribute.check(try Store())
  }

  @Test(arguments: optionals)
  func `every optional type round-trips unmanaged, managed and frozen`(
    _ attribute: AttributeCase
  ) throws {
    try attribute.check(try Store())
  }

  /// Fills the collections of an object with values that differ between rounds.
  private func fill(_ object: AllTypes, round: Int) {
    object.bools = [true, false, round == 0]
    object.ints = [.min, 0, .max, round]
    object.uint64s = [0, .max]
    object.floats = [0.1, -0.0]
    object.strings = ["", "ü", "\(round)"]
    object.dates = [day, .distantPast]
    object.uuids = [id]
    object.decimals = [0, 1, Decimal(sign: .plus, exponent: -1, significand: 5)]
    object.allSpecies = [.horse, .cow]
    object.jsons = [nil, 1, tree]
    object.optBools = [nil, true, nil, false]
    object.optInts = [nil, 0, -1]
    object.optStrings = ["", nil, "x"]
    object.intSet = [3, 1, 3, -2]
    object.stringSet = ["b", "a", "b"]
    object.intMap = ["one": 1, "two": 2]
    object.stringMap = ["": "empty", "k": ""]
    object.optStringMap = ["nothing": nil, "some": "x"]
    object.spots = [Spot(label: nil), Spot(x: 2, label: "B")]
    object.optSpotMap = ["home": Spot(label: "H"), "none": nil]
  }

  private func check(_ object: AllTypes, round: Int) {
    #expect(Array(object.bools) == [true, false, round == 0])
    #expect(Array(object.ints) == [.min, 0, .max, round])
    #expect(Array(object.uint64s) == [0, .max])
    #expect(object.floats.map(\.bitPattern) == [Float(0.1).bitPattern, Float(-0.0).bitPattern])
    #expect(Array(object.strings) == ["", "ü", "\(round)"])
    #expect(Array(object.dates) == [day, .distantPast])
    #expect(Array(object.uuids) == [id])
    #expect(Array(object.decimals) == [0, 1, Decimal(sign: .plus, exponent: -1, significand: 5)])
    #expect(Array(object.allSpecies) == [.horse, .cow])
    #expect(Array(object.jsons) == [nil, 1, tree])
    #expect(Array(object.optBools) == [nil, true, nil, false])
    #expect(Array(object.optInts) == [nil, 0, -1])
    #expect(Array(object.optStrings) == ["", nil, "x"])
    #expect(Set(object.intSet) == [3, 1, -2] && object.intSet.count == 3)
    #expect(Set(object.stringSet) == ["a", "b"] && object.stringSet.count == 2)
    #expect(object.intMap.dictionary == ["one": 1, "two": 2])
    #expect(object.stringMap.dictionary == ["": "empty", "k": ""])
    #expect(object.optStringMap.dictionary == ["nothing": nil, "some": "x"])
    #expect(object.spots.map(\.x) == [0, 2])
    #expect(object.spots.map(\.label) == [nil, "B"])
    #expect(object.optSpotMap["home"]??.label == "H")
    #expect(object.optSpotMap["none"] == .some(nil) && object.optSpotMap["other"] == nil)
  }

  @Test func `every collection type round-trips unmanaged, managed and frozen`() throws {
    let store = try Store()
    let object = AllTypes()
    fill(object, round: 0)
    check(object, round: 0)
    try store.write { try store.add(object) }
    check(object, round: 0)
    try store.write {
      fill(object, round: 1)
      check(object, round: 1)
    }
    check(object, round: 1)
    object.frozen().withObject { check($0, round: 1) }
  }

  @Test func `links and collections of objects round-trip managed and frozen`() throws {
    let store = try Store()
    let (object, other) = (AllTypes(id: 1), AllTypes(id: 2))
    other.int = 2
    object.link = other
    object.spot = Spot(label: "A")
    object.objects = [other, object, other]
    object.objectSet = [other, object, other]
    object.objectMap = ["self": object, "other": other, "none": nil]
    try store.write { try store.add(object) }
    #expect(store.objects(AllTypes.self).count == 2)
    func check(_ object: AllTypes, _ other: AllTypes) {
      #expect(object.link == other)
      #expect(object.link?.int == 2)
      #expect(object.spot?.label == "A")
      #expect(Array(object.objects) == [other, object, other])
      #expect(object.objectSet.count == 2 && object.objectSet.contains(other))
      #expect(object.objectMap["self"] == .some(object) && object.objectMap["none"] == .some(nil))
      #expect(Array(other.linkedBy) == [object])
      #expect(Array(other.listedBy) == [object])
    }
    check(object, other)
    object.frozen().withObject { object in
      guard let other = object.link else { return #expect(Bool(false)) }
      check(object, other)
    }
  }

  @Test func `attributes without a default start as zero, empty, nil or the first case`() throws {
    let store = try Store()
    let unmanaged = AllTypes()
    let managed = try store.write { try store.create(AllTypes.self, value: ["id": 0]) }
    for object in [unmanaged, managed] {
      #expect(object.bool == false)
      #expect(object.uint64 == 0)
      #expect(object.decimal == 0)
      #expect(object.string == "")
      #expect(object.data == Data())
      #expect(object.date == Date(timeIntervalSince1970: 0))
      #expect(object.url == URL(fileURLWithPath: "/"))
      #expect(object.species == .cow)
      #expect(object.level == .low)
      #expect(object.metres == Metres(0))
      #expect(object.json == .null)
      #expect(object.optInt == nil)
      #expect(object.optString == nil)
      #expect(object.link == nil)
      #expect(object.strings.isEmpty)
      #expect(object.intSet.isEmpty)
      #expect(object.intMap.isEmpty)
      #expect(object.linkedBy.isEmpty)
    }
  }

  @Test func `an optional Boolean can be changed between nil, false and true`() throws {
    let store = try Store()
    try store.write { try store.create(EngineAnimal.self, value: ["id": 1]) }
    let animal = try store.animal(1)
    for value in [false, nil, true, nil, false] as [Bool?] {
      try store.write { animal.isWild = value }
      #expect(animal.isWild == value)
      store.checkInvariants()
    }
  }
}
