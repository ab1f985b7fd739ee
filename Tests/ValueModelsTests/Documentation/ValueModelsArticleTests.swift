import ObjectStore
import Testing
import ValueModels

/// The code in the ValueModels article.
@Suite struct `The ValueModels article` {
  struct Character: Persistable {
    let identifier: Int
    let name: String
    let realName: String
    let publisher: Publisher?

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
  }

  struct Publisher: MappedPersistable {
    var identifier = 0
    var name = ""

    typealias ManagedObject = PublisherObject
    static let mapping: Fields = [
      .key(\.identifier, \.identifier),
      .field(\.name, \.name),
    ]
  }
  init() {}

  @Test func `values are mapped soundly`() throws {
    try Container().check(Character.self, Publisher.self)
  }

  @Test func `values are written and read`() throws {
    let ironMan = Character(
      identifier: 1455, name: "Iron Man", realName: "Tony Stark",
      publisher: Publisher(identifier: 31, name: "Marvel"))
    let batman = Character(identifier: 1699, name: "Batman", realName: "", publisher: nil)

    let container = try Container()
    try container.write { transaction in
      try transaction.add(ironMan)
      try transaction.update(
        Publisher.self, values: [.set(\.identifier, 31), .set(\.name, "Marvel Comics")])
      try transaction.update(Character.self, key: 1455, \.realName <- "Anthony Edward Stark")
      try transaction.delete(batman)
    }

    let heroes = container.values(Character.self).where { $0.publisher.name == "Marvel Comics" }
    print(heroes.count, heroes.first?.name ?? "–")
    let publishers = container.values(Publisher.self)
      .where { $0.name.contains("DC") }.sorted(by: \.name)
    print(publishers.map(\.name))

    let marvels = container.values(Character.self, matching: .publisherName("Marvel Comics"))

    #expect(heroes.map(\.realName) == ["Anthony Edward Stark"])
    #expect(marvels.count == 1 && publishers.isEmpty)
  }
}

extension `The ValueModels article`.Character {
  init(
    identifier: Int, name: String, realName: String,
    publisher: `The ValueModels article`.Publisher?
  ) {
    self.identifier = identifier
    self.name = name
    self.realName = realName
    self.publisher = publisher
  }

  enum Query: QueryType {
    case publisherName(String)

    var predicate: StorePredicate? {
      switch self {
      case .publisherName(let value):
        StorePredicate(CharacterObject.self) { $0.publisher.name == value }
      }
    }

    var sortDescriptors: [StoreSortDescriptor] { [StoreSortDescriptor("name")] }
  }
}
