import ObjectStore
import ValueModels

final class PublisherObject: Object {
  @Persisted(primaryKey: true) var identifier: Int
  @Persisted var name = ""
  @Persisted(originProperty: "publisher") var characters: LinkingObjects<CharacterObject>
}

final class CharacterObject: Object {
  @Persisted(primaryKey: true) var identifier: Int
  @Persisted var name = ""
  @Persisted var realName = ""
  @Persisted var alias: String?
  @Persisted var publisher: PublisherObject?
  /// Not mapped; adding a value must not clear it.
  @Persisted var notes = ""
}

// MARK: - Own conversions, as in the article "Using Realm with Value Types"

struct Publisher: Persistable, Equatable {
  let identifier: Int
  let name: String

  init(identifier: Int, name: String) {
    self.identifier = identifier
    self.name = name
  }

  init(managedObject: PublisherObject) {
    identifier = managedObject.identifier
    name = managedObject.name
  }

  func managedObject() -> PublisherObject {
    let object = PublisherObject()
    object.identifier = identifier
    object.name = name
    return object
  }
}

struct Character: Persistable, Equatable {
  let identifier: Int
  let name: String
  let realName: String
  let publisher: Publisher?

  init(identifier: Int, name: String, realName: String = "", publisher: Publisher? = nil) {
    self.identifier = identifier
    self.name = name
    self.realName = realName
    self.publisher = publisher
  }

  init(managedObject: CharacterObject) {
    identifier = managedObject.identifier
    name = managedObject.name
    realName = managedObject.realName
    publisher = managedObject.publisher.map(Publisher.init(managedObject:))
  }

  func managedObject() -> CharacterObject {
    let character = CharacterObject()
    character.identifier = identifier
    character.name = name
    character.realName = realName
    character.publisher = publisher?.managedObject()
    return character
  }

  enum PropertyValue: PropertyValueType {
    case identifier(Int)
    case name(String)
    case realName(String)
    case alias(String?)
    case publisher(Publisher?)
    case wings(Int)

    var propertyValuePair: PropertyValuePair {
      switch self {
      case .identifier(let identifier): ("identifier", identifier)
      case .name(let name): ("name", name)
      case .realName(let realName): ("realName", realName)
      case .alias(let alias): ("alias", alias)
      case .publisher(let publisher): ("publisher", publisher?.managedObject())
      case .wings(let count): ("wings", count)
      }
    }
  }

  enum Query: QueryType {
    case identifier(Int)
    case publisherName(String)
    case wings

    var predicate: StorePredicate? {
      switch self {
      case .identifier(let value):
        StorePredicate(CharacterObject.self) { $0.identifier == value }
      case .publisherName(let value):
        StorePredicate(CharacterObject.self) { $0.publisher.name == value }
      case .wings: try? StorePredicate("wings > 1")
      }
    }

    var sortDescriptors: [StoreSortDescriptor] { [StoreSortDescriptor("name")] }
  }
}

let marvel = Publisher(identifier: 31, name: "Marvel")
let dc = Publisher(identifier: 10, name: "DC Comics")
let ironMan = Character(
  identifier: 1455, name: "Iron Man", realName: "Tony Stark", publisher: marvel)
let batman = Character(
  identifier: 1699, name: "Batman", realName: "Bruce Wayne", publisher: dc)
let antMan = Character(
  identifier: 1440, name: "Ant-Man", realName: "Hank Pym", publisher: marvel)

/// Returns a container with three heroes.
func heroes() throws -> Container {
  let container = try Container()
  try container.write { try $0.addAll([ironMan, batman, antMan]) }
  return container
}

/// The description of the error that `body` throws, or "nothing was thrown".
func text(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "nothing was thrown"
  } catch {
    return "\(error)"
  }
}

// MARK: - A mapped value of an object with an embedded object

final class TowerPlace: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var floor = 3
}

final class TowerObject: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var place: TowerPlace?
}

struct Tower: MappedPersistable {
  var id = 0
  var street = ""
  var floor = 0

  typealias ManagedObject = TowerObject
  static let mapping: Fields = [
    .key(\.id, \.id),
    .field(
      \.place, \.place, from: { (street: $0?.street ?? "", floor: $0?.floor ?? 0) },
      to: {
        let place = TowerPlace()
        (place.street, place.floor) = ($0.street, $0.floor)
        return place
      }),
  ]

  private var place: (street: String, floor: Int) {
    get { (street, floor) }
    set { (street, floor) = newValue }
  }
}
