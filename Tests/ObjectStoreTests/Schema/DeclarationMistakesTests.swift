import Foundation
import ObjectStore
import TestSupport
import Testing

/// Classes with mistakes. The table below contains the expected messages.
enum Mistaken {
  final class Nothing: Object {
    var plain = 1
  }
  final class TwoKeys: Object {
    @Persisted(primaryKey: true) var a: Int
    @Persisted(primaryKey: true) var b: Int
  }
  final class OptionalKey: Object {
    @Persisted var a: Int?
    override class func primaryKey() -> String? { "a" }
  }
  final class DoubleKey: Object {
    @Persisted var a: Double
    override class func primaryKey() -> String? { "a" }
  }
  final class EnumKey: Object {
    @Persisted var a: Species
    override class func primaryKey() -> String? { "a" }
  }
  final class LinkKey: Object {
    @Persisted var a: Owner?
    override class func primaryKey() -> String? { "a" }
  }
  final class EmbeddedKey: EmbeddedObject {
    @Persisted(primaryKey: true) var a: Int
  }
  final class UnknownKey: Object {
    @Persisted var identifier = 0
    override class func primaryKey() -> String? { "identifer" }
  }
  final class UnknownIndex: Object {
    @Persisted var a = 0
    override class func indexedProperties() -> [String] { ["zzzzzz"] }
  }
  final class ListIndex: Object {
    @Persisted(indexed: true) var a: List<Int>
  }
  final class DataIndex: Object {
    @Persisted(indexed: true) var a: Data
  }
  class CompoundIndexes: Object {
    @Persisted var kind = ""
    @Persisted var born: Date?
    @Persisted var photo = Data()
    @Persisted var legs: List<Int>
    @Persisted var owner: Owner?
    override class var indexes: [[String]] {
      [
        ["kind", "born"], ["kindd", "born"], ["zzzzzz", "kind"],
        ["kind", "photo", "legs", "owner"],
        ["born"], [], ["born", "kind", "born"], ["kind", "born"],
        ["kind", "born", "kind", "born", "kind"],
      ]
    }
  }
  final class CompoundIndexBelow: CompoundIndexes {
    @Persisted var name = ""
    override class var indexes: [[String]] {
      super.indexes + [["name", "kind"], ["nam", "kind"]]
    }
  }
  final class CompoundIndexBeside: CompoundIndexSound {
    @Persisted var name = ""
    override class var indexes: [[String]] { [["name", "legs"], ["kind", "legs"], ["name"]] }
  }
  class CompoundIndexSound: Object {
    @Persisted var kind = ""
    @Persisted var legs = 4
    override class var indexes: [[String]] { [["kind", "legs"]] }
  }
  final class RootLink: Object {
    @Persisted var a: Object?
  }
  final class EmbeddedSet: Object {
    @Persisted var a: MutableSet<Address>
  }
  final class UnknownOrigin: Object {
    @Persisted(originProperty: "animal") var farms: LinkingObjects<Farm>
  }
  final class NoOrigin: Object {
    @Persisted var farms: LinkingObjects<Farm>
  }

  final class WrongOrigin: Object {
    @Persisted(originProperty: "animals") var farms: LinkingObjects<Farm>
  }
  final class ScalarOrigin: Object {
    @Persisted(originProperty: "name") var farms: LinkingObjects<Farm>
  }
  final class Twice: Base {
    @Persisted private var hidden = 2
  }
  class Base: Object {
    @Persisted private var hidden = 1
  }
  final class UnknownCodableKey: Object {
    @Persisted var firstName = ""
    override class var codableKeys: [String: String] { ["fristName": "first_name"] }
  }
  final class UnknownIgnored: Object {
    @Persisted var a = ""
    override class var codableIgnoredAttributes: [String] { ["address"] }
  }
  final class IgnoredKey: Object {
    @Persisted(primaryKey: true) var a: String
    override class var codableIgnoredAttributes: [String] { ["a"] }
  }
  final class RawInt: Object {
    @Persisted var a = 0
    override class var codableRawJsonSubstrings: [String] { ["a", "b"] }
  }
  final class Several: Object {
    @Persisted var a: Double
    @Persisted(indexed: true) var b: Data
    @Persisted var c: MutableSet<Address>
    override class func primaryKey() -> String? { "a" }
    override class var codableKeys: [String: String] { ["x": "1", "aa": "2"] }
    override class var codableIgnoredAttributes: [String] { ["a"] }
  }
  final class Sound: Object {
    @Persisted var link: Several?
    @Persisted var other: TwoKeys?
  }
}

@Suite struct `Mistakes in declarations` {
  static let mistakes: [(ObjectBase.Type, [String])] = [
    (
      Mistaken.Nothing.self,
      ["Nothing: no @Persisted attribute was found (is reflection metadata disabled?)"]
    ),
    (Mistaken.TwoKeys.self, ["TwoKeys: more than one primary key: a, b"]),
    (Mistaken.OptionalKey.self, ["OptionalKey.a: a primary key cannot be optional"]),
    (
      Mistaken.DoubleKey.self,
      ["DoubleKey.a: Double cannot be a primary key; use an integer, String or UUID"]
    ),
    (
      Mistaken.EnumKey.self,
      ["EnumKey.a: Species cannot be a primary key; use an integer, String or UUID"]
    ),
    (
      Mistaken.LinkKey.self,
      ["LinkKey.a: Owner? cannot be a primary key; use an integer, String or UUID"]
    ),
    (
      Mistaken.EmbeddedKey.self, ["EmbeddedKey.a: an embedded object cannot have a primary key"]
    ),
    (
      Mistaken.UnknownKey.self,
      ["UnknownKey.primaryKey(): 'identifer' is not an attribute; did you mean 'identifier'?"]
    ),
    (
      Mistaken.UnknownIndex.self, ["UnknownIndex.indexedProperties(): 'zzzzzz' is not an attribute"]
    ),
    (Mistaken.ListIndex.self, ["ListIndex.a: List<Int> cannot be indexed"]),
    (Mistaken.DataIndex.self, ["DataIndex.a: Data cannot be indexed"]),
    (Mistaken.CompoundIndexes.self, compoundMistakes),
    (
      Mistaken.CompoundIndexBelow.self,
      compoundMistakes + [
        "CompoundIndexBelow.indexes: 'nam' is not an attribute; did you mean 'name'?"
      ]
    ),
    (
      Mistaken.CompoundIndexBeside.self,
      ["CompoundIndexBeside.indexes: (name) is a single attribute; declare it as indexed instead"]
    ),
    (Mistaken.RootLink.self, ["RootLink.a: a link must refer to a model class, not to Object"]),
    (
      Mistaken.EmbeddedSet.self,
      ["EmbeddedSet.a: a set cannot hold embedded objects; use a List"]
    ),
    (
      Mistaken.UnknownOrigin.self,
      [
        "UnknownOrigin.farms: originProperty 'animal' is not an attribute of Farm; "
          + "did you mean 'animals'?"
      ]
    ),
    (
      Mistaken.NoOrigin.self,
      [
        "NoOrigin.farms: name the attribute of Farm that links here: "
          + "@Persisted(originProperty: \"…\")"
      ]
    ),
    (
      Mistaken.WrongOrigin.self,
      [
        "WrongOrigin.farms: originProperty 'animals' of Farm is List<Animal>, "
          + "not a link to WrongOrigin"
      ]
    ),
    (
      Mistaken.ScalarOrigin.self,
      [
        "ScalarOrigin.farms: originProperty 'name' of Farm is String, not a link to ScalarOrigin"
      ]
    ),
    (Mistaken.Twice.self, ["Twice.hidden: declared twice in the class and its superclasses"]),
    (
      Mistaken.UnknownCodableKey.self,
      ["UnknownCodableKey.codableKeys: 'fristName' is not an attribute; did you mean 'firstName'?"]
    ),
    (
      Mistaken.UnknownIgnored.self,
      ["UnknownIgnored.codableIgnoredAttributes: 'address' is not an attribute"]
    ),
    (
      Mistaken.IgnoredKey.self,
      ["IgnoredKey.codableIgnoredAttributes: the primary key 'a' cannot be ignored"]
    ),
    (
      Mistaken.RawInt.self,
      [
        "RawInt.codableRawJsonSubstrings: 'a' is Int; only a String keeps raw JSON",
        "RawInt.codableRawJsonSubstrings: 'b' is not an attribute",
      ]
    ),
    (
      Mistaken.Several.self,
      [
        "Several.a: Double cannot be a primary key; use an integer, String or UUID",
        "Several.b: Data cannot be indexed",
        "Several.c: a set cannot hold embedded objects; use a List",
        "Several.codableKeys: 'aa' is not an attribute; did you mean 'a'?",
        "Several.codableKeys: 'x' is not an attribute",
        "Several.codableIgnoredAttributes: the primary key 'a' cannot be ignored",
      ]
    ),
  ]

  static let compoundMistakes = [
    "CompoundIndexes.indexes: 'kindd' is not an attribute; did you mean 'kind'?",
    "CompoundIndexes.indexes: 'zzzzzz' is not an attribute",
    "CompoundIndexes.indexes: 'photo' is Data, which cannot be indexed",
    "CompoundIndexes.indexes: 'legs' is List<Int>, which cannot be indexed",
    "CompoundIndexes.indexes: 'owner' is Owner?, which cannot be indexed",
    "CompoundIndexes.indexes: (born) is a single attribute; declare it as indexed instead",
    "CompoundIndexes.indexes: () has 0 attributes; name 2 to 4",
    "CompoundIndexes.indexes: (born, kind, born) names 'born' twice",
    "CompoundIndexes.indexes: (kind, born) is declared twice",
    "CompoundIndexes.indexes: (kind, born, kind, born, kind) has 5 attributes; name 2 to 4",
    "CompoundIndexes.indexes: (kind, born, kind, born, kind) names 'kind' twice",
    "CompoundIndexes.indexes: (kind, born, kind, born, kind) names 'born' twice",
    "CompoundIndexes.indexes: (kind, born, kind, born, kind) names 'kind' twice",
  ]

  @Test(arguments: mistakes.indices)
  func `every mistake in a declaration is reported`(_ index: Int) {
    let (type, texts) = Self.mistakes[index]
    let error = #expect(throws: StoreError.self) { try ObjectSchema.of(type) }
    #expect(error?.description == texts.joined(separator: "\n"))
    #expect(error?.kind == .invalidDeclarations(texts))
  }

  /// The mistakes of `Mistaken.Sound` and of the classes that it links to.
  private static let mistakesOfSound = """
    Several.a: Double cannot be a primary key; use an integer, String or UUID
    Several.b: Data cannot be indexed
    Several.c: a set cannot hold embedded objects; use a List
    Several.codableKeys: 'aa' is not an attribute; did you mean 'a'?
    Several.codableKeys: 'x' is not an attribute
    Several.codableIgnoredAttributes: the primary key 'a' cannot be ignored
    TwoKeys: more than one primary key: a, b
    """

  @Test func `adding an object reports the mistakes of all linked classes`() throws {
    let store = try Store()
    let error = #expect(throws: StoreError.self) {
      try store.write { try store.add(Mistaken.Sound()) }
    }
    #expect(error?.description == Self.mistakesOfSound)
    #expect(store.version == 0)
  }

  @Test func `querying a class with invalid declarations is misuse that lists all mistakes`()
    async
  {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = try Store().objects(Mistaken.Sound.self)
    }
    result.says(Self.mistakesOfSound)
  }

  @Test func `a class with invalid declarations does not affect other classes`() throws {
    let store = try Store()
    _ = try? store.write { try store.add(Mistaken.TwoKeys()) }
    try store.write { try store.add(Animal(id: 1)) }
    #expect(store.objects(Animal.self).count == 1)
  }
}
