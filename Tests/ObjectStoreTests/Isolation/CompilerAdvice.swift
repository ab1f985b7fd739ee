/// A mistake that the compiler rejects, and the advice in its error.
struct CompilerAdvice: Sendable {
  let source: String
  /// The end of the error message: our text, or the relevant part of the compiler's.
  let advice: String

  /// Declarations shared by all mistakes, which are compiled in one call.
  static let models = """
    import Foundation
    import ObjectStore
    import StoreCoding

    enum Role: String, PersistableEnum { case guest, admin }
    struct Code: CustomPersistable, Hashable, Comparable {
      let text: String
      init(persistedValue: String) { text = persistedValue }
      var persistableValue: String { text }
      static func < (a: Code, b: Code) -> Bool { a.text < b.text }
    }
    struct Shape: CustomPersistable, Hashable, Comparable {
      let json: JSONValue
      init(persistedValue: JSONValue) { json = persistedValue }
      var persistableValue: JSONValue { json }
      static func < (a: Shape, b: Shape) -> Bool { false }
    }
    final class Address: EmbeddedObject { @Persisted var street = "" }
    final class Owner: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var extra: JSONValue
      @Persisted(originProperty: "owner") var animals: LinkingObjects<Animal>
    }
    final class Animal: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var note: String?
      @Persisted var legs = 4
      @Persisted var weight: Double?
      @Persisted var chip = UUID()
      @Persisted var owner: Owner?
      @Persisted var owners: List<Owner>
      @Persisted var friends: MutableSet<Animal>
      @Persisted var vets: Map<String, Owner?>
      @Persisted var tags: List<String>
      @Persisted var marks: Map<String, Int>
      @Persisted var extra: JSONValue
      @Persisted var extras: List<JSONValue>
      @Persisted var shape: Shape
    }
    func pass(_ value: some Sendable) {}
    func show(_ animal: Animal) {}

    """

  private static let key =
    "a primary key must be an integer, a String or a UUID, and cannot be optional"
  private static let date = "only a Date or a collection of dates can have a date format"
  private static let search = "only a String or String? can be searchable"
  private static let array = "use List<Element>, which can be empty but not nil"
  private static let stay =
    "objects cannot leave the background: return references, frozen() or keys"
  private static let object =
    "an object is confined to its store's isolation domain: pass its reference, frozen() or key"

  /// Returns a class declaration for each attribute.
  private static func attributes(_ pairs: [(String, String)]) -> [CompilerAdvice] {
    pairs.enumerated().map { index, pair in
      CompilerAdvice(
        source: "final class Mistake\(index): Object { @Persisted\(pair.0) }", advice: pair.1)
    }
  }

  static let attributes: [CompilerAdvice] = attributes([
    (" var a: [String]", array),
    (" var a: [String] = []", array),
    ("(json: \"b\") var a: [Animal]", array),
    (" var a: [String]?", array),
    (" var a: Set<Int> = []", "use MutableSet<Element>, which can be empty but not nil"),
    (" var a: [String: Int]", "use Map<String, Value>, which can be empty but not nil"),
    (" var a: [String: Int] = [:]", "use Map<String, Value>, which can be empty but not nil"),
    (" var a: List<String>?", "a List cannot be nil: declare it without the ?"),
    (" var a: MutableSet<Int>?", "a MutableSet cannot be nil: declare it without the ?"),
    (" var a: Map<String, Int>?", "a Map cannot be nil: declare it without the ?"),
    (
      " var a: Owner",
      "requires that 'Owner' conform to '_PersistableEnumOrCodablePersistableOrOptionalLink'"
    ),
    ("(.date(.iso8601)) var a: Int", date),
    ("(.date(\"yyyy-MM-dd\")) var a = 3", date),
    ("(.date(.iso8601, .unixSeconds), .null(.skip)) var a: String?", date),
    ("(.raw()) var a: Int", "only a String can store raw JSON"),
    ("(.raw(.exact)) var a = 3", "only a String can store raw JSON"),
    ("(.emptyAsNil) var a: URL", "only an optional or a collection can be cleared"),
    (
      "(.acceptsSingleValue) var a: Map<String, Int>",
      "only a List or a MutableSet can accept a single value"
    ),
    ("(.inPlace) var a: Owner?", "only an optional embedded object is updated in place"),
    ("(.keyed) var a: List<Int>", "only a collection of objects can be keyed"),
    (
      "(.keyed(.anyName)) var a: Map<String, Owner?>",
      "only a List or a MutableSet of objects can have members of any name"
    ),
    ("(.writesNil) var a: List<Int?>", "only an optional can be nil"),
    ("(.omitsEmpty) var a: String?", "only a collection can be empty"),
    (
      "(.byKey) var a: List<Int>",
      "only a link or a collection of objects can be encoded by key"
    ),
    ("(.unknown(Role.guest)) var a: Int", "only a PersistableEnum can have unknown values"),
    ("(primaryKey: true) var a: Int?", key),
    ("(primaryKey: true) var a: String? = \"\"", key),
    ("(primaryKey: true) var a: Double", key),
    ("(primaryKey: true) var a = 3.0", key),
    ("(primaryKey: true) var a: Bool", key),
    ("(primaryKey: true) var a: Date", key),
    ("(primaryKey: true) var a = Role.guest", key),
    ("(primaryKey: true) var a: Owner?", key),
    ("(primaryKey: true) var a: List<Int>", key),
    ("(primaryKey: true, json: \"b\", .flexible) var a: Double", key),
    ("(searchable: true) var a: Int", search),
    ("(searchable: true) var a = 3", search),
    ("(searchable: true) var a: Owner?", search),
    ("(searchable: true) var a: List<String>", search),
    ("(indexed: true, searchable: true) var a = Role.guest", search),
    ("(searchable: true, json: \"b\", .flexible) var a: URL", search),
  ])

  static let values: [CompilerAdvice] = [
    CompilerAdvice(source: "func f0(_ value: Animal) { pass(value) }", advice: object),
    CompilerAdvice(source: "func f1(_ value: [Animal]) { pass(value) }", advice: object),
    CompilerAdvice(
      source: "func f2(_ value: Store) { pass(value) }",
      advice: "a Store stays in its isolation: open one there with its configuration, "
        + "or use inBackground"),
    CompilerAdvice(
      source: "func f3(_ value: StoreCoder) { pass(value) }",
      advice:
        "a StoreCoder must stay in the isolation of its store: create one where the store is used"),
    CompilerAdvice(
      source: "func f4(_ value: List<Int>) { pass(value) }",
      advice: "a List is confined to its store's isolation domain: pass an Array of its values, or "
        + "frozen()"
    ),
    CompilerAdvice(
      source: "func f5(_ value: MutableSet<Int>) { pass(value) }",
      advice:
        "a MutableSet is confined to its store's isolation domain: pass a Set of its values, or "
        + "frozen()"),
    CompilerAdvice(
      source: "func f6(_ value: Map<String, Int>) { pass(value) }",
      advice: "a Map is confined to its store's isolation domain: pass its dictionary, or frozen()"),
    CompilerAdvice(
      source: "func f7(_ value: LinkingObjects<Animal>) { pass(value) }",
      advice: "LinkingObjects are confined to their store's isolation domain: read them from the "
        + "object's frozen()"),
    CompilerAdvice(
      source: "func f8(_ value: Results<Animal>) { pass(value) }",
      advice: "Results stay in the isolation of their store: pass frozen()"),
  ]

  static let lists: [CompilerAdvice] = [
    CompilerAdvice(
      source: """
        func readAll(_ coder: StoreCoder) throws {
          print(try coder.readAll(Animal.self, from: Data()).inserted)
        }
        """, advice: "use readAll([Element].self, from:)"),
    CompilerAdvice(
      source: """
        func readFile(_ coder: StoreCoder, _ file: URL) throws {
          print(try coder.readAll(Animal.self, contentsOf: file).inserted)
        }
        """, advice: "use readAll([Element].self, contentsOf:)"),
    CompilerAdvice(
      source: """
        func readByName(_ coder: StoreCoder) throws {
          print(try coder.readArray(dynamic: "Animal", from: Data()).inserted)
        }
        """, advice: "use read([DynamicObject].self, dynamic: …)"),
    CompilerAdvice(
      source: "func state(_ object: Object) -> EditState { object.editState }",
      advice: "'EditState' has been renamed to 'Edit.State'"),
    CompilerAdvice(
      source: """
        func encode(_ coder: StoreCoder, _ animals: [Animal]) throws {
          print(try coder.encode(animals).count)
        }
        """, advice: "use encodeArray(_:useEnvelope:) for a list"),
    CompilerAdvice(
      source: """
        func upload(_ coder: StoreCoder, _ animals: [Animal]) throws {
          print(try coder.encode(animals, useEnvelope: true).count)
        }
        """, advice: "use encodeArray(_:useEnvelope:) for a list"),
  ]

  static let work: [CompilerAdvice] = [
    CompilerAdvice(
      source: """
        @MainActor func count(_ store: Store) async throws {
          let animals = try await store.inBackground { Array($0.objects(Animal.self)) }
          print(animals.count)
        }
        """, advice: stay),
    CompilerAdvice(
      source: """
        @MainActor func name(_ store: Store) async throws -> String {
          let animal = try await store.inBackground { $0.objects(Animal.self)[0] }
          let name: String = animal.name
          return name
        }
        """, advice: stay),
    CompilerAdvice(
      source: """
        @MainActor func first(_ store: Store) async throws {
          let animals = try await store.inBackground { $0.objects(Animal.self) }
          print(animals[0])
        }
        """, advice: stay),
    CompilerAdvice(
      source: """
        @MainActor func loop(_ store: Store) async throws {
          let animals = try await store.inBackground { Array($0.objects(Animal.self)) }
          for animal in animals { print(animal) }
        }
        """, advice: "requires '_ObjectsStayInBackground' to conform to 'Sequence'"),
    CompilerAdvice(
      source: """
        @MainActor func call(_ store: Store) async throws {
          let animal = try await store.inBackground { $0.objects(Animal.self)[0] }
          show(animal)
        }
        """,
      advice:
        "cannot convert value of type '_ObjectsStayInBackground' to expected argument type 'Animal'"
    ),
    CompilerAdvice(
      source: """
        @MainActor func load(_ store: Store) async throws -> [Animal] {
          try await store.inBackground { Array($0.objects(Animal.self)) }
        }
        """, advice: object),
    CompilerAdvice(
      source: """
        @MainActor func task(_ store: Store) {
          Task { store.objects(Animal.self)[0] }
        }
        """, advice: object),
  ]

  static let all = attributes + values + lists + work + queries + realm + habits
}
