import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Creating objects` {
  @Test func `absent attributes take defaults in new objects and stay in existing ones`() throws {
    let store = try Store()
    try store.write {
      let made = try store.create(Animal.self, value: ["id": 1, "name": "Bella", "tags": ["a"]])
      #expect(made.legs == 4 && made.species == .cow && made.born == nil)
      made.legs = 3
      let same = try store.create(
        Animal.self, value: ["id": 1, "species": "horse"], update: .modified)
      #expect(same == made && made.legs == 3 && made.name == "Bella" && made.species == .horse)
      #expect(Array(made.tags) == ["a"])
      try store.create(Animal.self, value: ["id": 1, "name": "Daisy"], update: .all)
      #expect(made.legs == 3 && made.name == "Daisy")
    }
  }

  @Test func `an update keeps absent attributes of nested objects, three levels deep`() throws {
    let store = try Store()
    try store.write {
      try store.create(
        Farm.self,
        value: [
          "name": "A", "colours": ["red"],
          "animals": [
            ["id": 1, "name": "Bella", "owner": ["id": 5, "name": "Ann", "home": ["street": "S"]]]
          ],
        ])
      let farm = try store.create(
        Farm.self,
        value: ["name": "A", "animals": [["id": 1, "legs": 3, "owner": ["id": 5]]]],
        update: .modified)
      let animal = farm.animals[0]
      #expect(animal.name == "Bella" && animal.legs == 3)
      #expect(animal.owner?.name == "Ann" && animal.owner?.home?.street == "S")
      #expect(Array(farm.colours) == ["red"])
    }
  }

  @Test func `null in an update clears optionals, links and lists`() throws {
    let store = try Store()
    try store.write {
      let animal = try store.create(
        Animal.self,
        value: [
          "id": 1, "born": .date(.distantPast), "owner": ["id": 2], "tags": ["a"],
        ])
      try store.create(
        Animal.self, value: ["id": 1, "born": nil, "owner": nil, "tags": nil], update: .modified)
      #expect(animal.born == nil && animal.owner == nil && animal.tags.isEmpty)
      #expect(store.objects(Owner.self).count == 1)
    }
  }

  @Test func `an update replaces lists, sets and maps completely`() throws {
    let store = try Store()
    try store.write {
      let farm = try store.create(
        Farm.self,
        value: [
          "name": "A", "animals": [["id": 1], ["id": 2]], "colours": ["red", "blue"],
          "prices": ["milk": 1, "hay": 2],
        ])
      try store.create(
        Farm.self,
        value: [
          "name": "A", "animals": [["id": 2], ["id": 3]], "colours": ["blue"],
          "prices": ["hay": 3.5],
        ], update: .modified)
      #expect(farm.animals.map(\.id) == [2, 3])
      #expect(Array(farm.colours) == ["blue"])
      #expect(farm.prices.dictionary == ["hay": 3.5])
      #expect(store.objects(Animal.self).map(\.id) == [1, 2, 3])
    }
  }

  @Test func `nested objects without keys are replaced completely unless they are equal`() throws {
    let store = try Store()
    try store.write {
      let farm = try store.create(
        Farm.self,
        value: [
          "name": "A", "fields": [["street": "1", "city": "X"], ["street": "2"]],
          "notes": [["text": "n"]],
        ])
      let (first, note) = (farm.fields[0], farm.notes[0])
      try store.create(
        Farm.self, value: ["name": "A", "fields": [["street": "2"]], "notes": [["text": "n"]]],
        update: .modified)
      #expect(first.isInvalidated && farm.fields.map(\.street) == ["2"])
      #expect(farm.fields[0].city == nil)
      #expect(farm.notes[0] == note && !note.isInvalidated)
      try store.create(Farm.self, value: ["name": "A", "notes": []], update: .modified)
      #expect(note.isInvalidated && store.objects(Note.self).isEmpty)
    }
  }

  @Test func `an update accepts dictionaries with values of type Any`() throws {
    let store = try Store()
    let owner = Owner(id: 3)
    let day = Date(timeIntervalSince1970: 1)
    let values: [String: Any?] = [
      "id": 1, "name": "Bella", "legs": Int8(3), "born": day, "species": Species.horse,
      "owner": owner, "mother": ["id": 2, "name": "Daisy", "born": nil] as [String: Any?],
      "tags": ["a", "b"],
    ]
    let animal = try store.write { try store.create(Animal.self, value: values) }
    #expect(animal.name == "Bella" && animal.legs == 3 && animal.born == day)
    #expect(animal.species == .horse && animal.mother?.name == "Daisy")
    #expect(animal.owner?.id == 3 && Array(animal.tags) == ["a", "b"])
    let farm: [String: Any] = [
      "name": "A", "animals": [animal], "colours": Set(["red"]), "prices": ["milk": 1],
      "address": ["street": "S"], "notes": [["text": "n"]],
    ]
    let made = try store.write { try store.create(Farm.self, value: farm) }
    #expect(Array(made.animals) == [animal] && made.prices.dictionary == ["milk": 1])
    #expect(made.address?.street == "S" && made.notes.map(\.text) == ["n"])
    try store.write {
      try store.create(Animal.self, value: ["id": 1, "born": nil] as [String: Any?], update: .all)
    }
    #expect(animal.born == nil)
  }

  @Test func `an update accepts values from JSONSerialization`() throws {
    let text = """
      {"id": 1, "int": 1, "bool": true, "double": 1.5, "string": "x", "int8": 0, "optBool": false,
       "optString": null, "ints": [0, 1, 2], "double2": 3, "uint64": 18446744073709551615,
       "int64": -9223372036854775808, "json": {"a": [true, 1, null]}, "float": 1}
      """
    var any = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    any["double2"] = nil
    let store = try Store()
    let made = try store.write { try store.create(AllTypes.self, value: any) }
    #expect(made.int == 1 && made.bool && made.double == 1.5 && made.string == "x")
    #expect(made.int8 == 0 && made.optBool == false && made.optString == nil)
    #expect(Array(made.ints) == [0, 1, 2] && made.uint64 == .max && made.int64 == .min)
    #expect(made.json == ["a": [true, 1, nil]] && made.float == 1)
  }

  @Test func `an update can be built from variables`() throws {
    let store = try Store()
    let (number, none, day) = (4, String?.none, Date(timeIntervalSince1970: 2))
    let owner = Owner(id: 3, name: "Ann")
    try store.write { try store.add(owner) }
    var update: UpdateDictionary = [
      "id": .init(number), "born": .init(day), "owner": .init(owner), "tags": .init(["a"]),
      "species": .init(Species.sheep),
    ]
    update["name"] = "Bella"
    let animal = try store.write { try store.create(Animal.self, value: update) }
    #expect(animal.id == 4 && animal.born == day && animal.owner == owner)
    #expect(animal.species == .sheep && animal.name == "Bella" && Array(animal.tags) == ["a"])
    #expect(UpdateValue(none) == .null)
    #expect(update.keys == ["id", "born", "owner", "tags", "species", "name"])
    update["name"] = nil
    #expect(update.keys.count == 5 && update["name"] == nil)
  }

  @Test func `an unmanaged object in an update contributes a copy of its values`() throws {
    let store = try Store()
    let farm = Farm(name: "A")
    farm.prices = ["milk": 2]
    farm.colours = ["red"]
    farm.animals = [Animal(id: 1, name: "Bella")]
    farm.address = Address(street: "S")
    final class Region: Object { @Persisted var farm: Farm? }
    let made = try store.write {
      try store.create(Region.self, value: ["farm": .init(farm)])
    }
    #expect(made.farm?.prices.dictionary == ["milk": 2])
    #expect(made.farm?.animals.map(\.name) == ["Bella"])
    #expect(made.farm?.address?.street == "S" && !farm.isManaged)
  }

  @Test func `the description of an update has its names and values in order`() {
    let update: UpdateDictionary = [
      "id": 7, "name": "Bella", "born": nil, "tags": ["a", 1.5, true], "owner": ["id": 1],
    ]
    #expect(
      update.description
        == #"[id: 7, name: "Bella", born: null, tags: ["a", 1.5, true], owner: [id: 1]]"#)
    #expect(UpdateDictionary().description == "[:]")
    let other: UpdateDictionary = ["b": 1, "a": 2]
    #expect(other == ["a": 2, "b": 1] && other != ["a": 2])
    #expect(Set([other, ["a": 2, "b": 1]]).count == 1)
  }

  @Test func `an update that creates an object can omit a generated key`() throws {
    let store = try Store()
    let (a, b) = try store.write { (try store.create(Ticket.self), try store.create(Ticket.self)) }
    #expect(store.object(ofType: Ticket.self, forPrimaryKey: a.id) == a && a != b)
  }

  @Test func `null in an update of a JSONValue attribute is JSON null`() throws {
    let store = try Store()
    let made = try store.write {
      try store.create(
        AllTypes.self, value: ["id": 1, "json": nil, "jsons": [nil, 1], "optJSON": nil])
    }
    #expect(made.json == .null && Array(made.jsons) == [nil, 1] && made.optJSON == nil)
  }

  final class Café: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var crème = ""
  }

  @Test func `a name in another Unicode normal form is not an attribute`() throws {
    let store = try Store()
    let composed = "cr\u{E8}me"
    let decomposed = "cre\u{300}me"
    let names = Café().objectSchema.properties.map(\.name)
    let other = names[1].utf8.elementsEqual(composed.utf8) ? decomposed : composed
    for update in [[("id", 1), (other, "x")], [(other, "x"), ("id", 1)]]
      as [[(String, UpdateValue)]]
    {
      let error = #expect(throws: StoreError.self) {
        try store.write { _ = try store.create(Café.self, value: UpdateDictionary(update)) }
      }
      #expect("\(error as Any)".contains("is not an attribute"))
    }
  }

  @Test func `names in two Unicode normal forms are two attributes`() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let schema = ObjectSchema(
      "Place",
      [
        Property("id", .int, isPrimaryKey: true), Property(composed, .string),
        Property(decomposed, .int, isIndexed: true),
      ], codableKeys: [decomposed: "count"], indexes: [[composed, decomposed]])
    #expect(schema.mistakes.isEmpty)
    #expect(schema[composed]?.shape.name == "String" && schema[decomposed]?.shape.name == "Int")
    let store = try Store(configuration: .inMemory(), schemas: [schema])
    try store.write {
      _ = try store.create(
        dynamic: "Place",
        value: UpdateDictionary([("id", 1), (composed, "x"), (decomposed, 2)]))
    }
    let places = try store.objects(dynamic: "Place")
    #expect(places[0][composed] as? String == "x" && places[0][decomposed] as? Int == 2)
    #expect(try places.filter("\(composed) == 'x'").count == 1)
    #expect(try places.filter("\(decomposed) == 2").count == 1)
    #expect(throws: StoreError.self) { try places.filter("\(composed) == 2").count }
  }

  final class Weighed: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var weight: Double
  }

  @Test(arguments: ["0.0000000001", "12345678e96", "0.1", "-3.3", "123456789.123456789"])
  func `a Decimal is converted to the nearest Double`(_ text: String) throws {
    let store = try Store()
    let decimal = try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
    let weighed = try store.write {
      try store.create(Weighed.self, value: ["id": 1, "weight": .init(decimal)])
    }
    #expect(weighed.weight == Double(text))
  }
}
