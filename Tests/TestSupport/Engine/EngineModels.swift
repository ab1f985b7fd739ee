public import Foundation
public import ObjectStore

/// The models of the engine's tests: every kind of identity and of attribute, and every kind of link between them.
///
///     Farm ──animals, herd, byName, boss──▶ Animal ──owner──▶ Owner ──friend──▶ Owner
///      └─ notesByDay ─▶ Note                 ├─ friends ─▶ Animal
///                                            ├─ note, notes ─▶ Note ──replies──▶ Note   no key
///                                            └─ collar ─▶ Collar ──bells──▶ Bell        embedded
public enum EngineDomain {
  public final class Owner: Object {
    @Persisted(primaryKey: true) public var id: String
    @Persisted(indexed: true) public var name: String?
    @Persisted(indexed: true) public var rank: Int
    @Persisted public var friend: Owner?
    @Persisted(originProperty: "owner") public var animals: LinkingObjects<Animal>
  }

  public final class Animal: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted(indexed: true) public var name = "unnamed"
    @Persisted(indexed: true) public var legs = 4
    @Persisted public var weight: Double
    @Persisted(indexed: true) public var isWild: Bool?
    @Persisted public var isTame: Bool
    @Persisted public var owner: Owner?
    @Persisted public var tags: List<String>
    @Persisted public var doses: List<Double?>
    @Persisted public var colors: MutableSet<String>
    @Persisted public var scores: Map<String, Int>
    @Persisted public var friends: List<Animal>
    @Persisted public var note: Note?
    @Persisted public var notes: List<Note>
    @Persisted public var collar: Collar?
    @Persisted(originProperty: "friends") public var admirers: LinkingObjects<Animal>
    @Persisted(originProperty: "animals") public var farms: LinkingObjects<Farm>
  }

  public final class Farm: Object {
    @Persisted(primaryKey: true) public var id: Int
    @Persisted public var name: String
    @Persisted public var animals: List<Animal>
    @Persisted public var boss: Animal?
    @Persisted public var herd: MutableSet<Animal>
    @Persisted public var byName: Map<String, Animal?>
    @Persisted public var notesByDay: Map<String, Note>
    @Persisted public var collars: List<Collar>
  }

  /// Keyless: each nested object is a row of its own.
  public final class Note: Object {
    @Persisted(indexed: true) public var text: String
    @Persisted public var stars: Int?
    @Persisted public var author: Owner?
    @Persisted public var replies: List<Note>
  }

  public final class Collar: EmbeddedObject {
    @Persisted public var color = "red"
    @Persisted(indexed: true) public var size: Int
    @Persisted public var maker: Owner?
    @Persisted public var bells: List<Bell>
    @Persisted public var label: Note?
  }

  public final class Bell: EmbeddedObject {
    @Persisted public var tone: Int
  }

  /// One attribute of each type with its own way of reading bytes.
  public final class Record: Object {
    @Persisted(primaryKey: true) public var id: UUID
    @Persisted(indexed: true) public var double: Double
    @Persisted public var float: Float
    @Persisted(indexed: true) public var date: Date
    @Persisted public var decimal: Decimal
    @Persisted public var data: Data
    @Persisted public var url: URL
    @Persisted(indexed: true) public var uuid: UUID
    @Persisted(indexed: true) public var small: UInt8
    @Persisted public var large: UInt64
    @Persisted public var text: String
    @Persisted public var optional: String?
    @Persisted public var ids: List<UUID>
  }
}
