import Foundation
import ObjectStore
import TestSupport
import Testing

/// Setters do not throw, so the write does.
@Suite struct `Values that cannot be stored` {
  final class Person: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
    @Persisted var born: Date?
    @Persisted var dates: List<Date>
    @Persisted var friend: Person?
    @Persisted var friends: List<Person>
    @Persisted var friendSet: MutableSet<Person>
    @Persisted var byName: Map<String, Person?>

    convenience init(_ id: String) {
      self.init()
      self.id = id
    }
  }

  private let store: Store
  private let person: Person

  init() throws {
    let store = try Store()
    self.store = store
    person = try store.write {
      try store.create(Person.self, value: ["id": "a"])
      return try store.create(Person.self, value: ["id": "p", "name": "before"])
    }
  }

  enum Duplicate: String, CaseIterable {
    case link, linkByName, appended, inserted, assigned, setElement, mapValue, nested

    func assign(to person: Person) {
      switch self {
      case .link: person.friend = Person("a")
      case .linkByName: person["friend"] = Person("a")
      case .appended: person.friends.append(Person("a"))
      case .inserted: person.friends.insert(Person("a"), at: 0)
      case .assigned: person.friends = List([Person("a")])
      case .setElement: person.friendSet.insert(Person("a"))
      case .mapValue: person.byName["x"] = Person("a")
      case .nested:
        let other = Person("b")
        other.friend = Person("a")
        person.friend = other
      }
    }
  }

  @Test(arguments: Duplicate.allCases)
  func `an unmanaged object with an existing key makes the write throw`(_ duplicate: Duplicate)
    throws
  {
    let error = #expect(throws: StoreError.self) {
      try store.write {
        person.name = "after"
        duplicate.assign(to: person)
      }
    }
    #expect(error?.description == #"Person: an object with the primary key "a" already exists"#)
    #expect(store.version == 1 && person.name == "before" && store.objects(Person.self).count == 2)
  }

  @Test func `an unmanaged object with an existing key undoes only its savepoint`() throws {
    try store.write {
      person.name = "after"
      #expect(throws: StoreError.self) { try store.write { person.friend = Person("a") } }
    }
    #expect(person.name == "after" && person.friend == nil)
  }

  enum NotFinite: String, CaseIterable {
    case attribute, element, byName, elementsByName, linked

    func assign(to person: Person) {
      let never = Date(timeIntervalSinceReferenceDate: .infinity)
      switch self {
      case .attribute: person.born = never
      case .element: person.dates.append(never)
      case .byName: person["born"] = never
      case .elementsByName: person["dates"] = [never]
      case .linked:
        let other = Person("b")
        other.born = never
        person.friend = other
      }
    }
  }

  @Test(arguments: NotFinite.allCases)
  func `a date that is not finite makes the write throw`(_ value: NotFinite) throws {
    let error = #expect(throws: StoreError.self) { try store.write { value.assign(to: person) } }
    let name =
      switch value {
      case .attribute, .byName, .linked: "born"
      case .element, .elementsByName: "dates"
      }
    #expect(error?.description == "Person.\(name): expected a finite Date, found NaN or infinity")
    #expect(store.version == 1 && store.objects(Person.self).count == 2)
  }

  enum Deleted: String, CaseIterable {
    case number, null, link, target, element, append, removal, byName

    func assign(_ deleted: Person, _ person: Person) {
      switch self {
      case .number: deleted.name = "x"
      case .null: deleted.born = nil
      case .link: deleted.friend = person
      case .target: person.friend = deleted
      case .element: person.friends.append(deleted)
      case .append: deleted.friends.append(person)
      case .removal: deleted.friendSet.remove(person)
      case .byName: deleted["name"] = "x"
      }
    }
  }

  @Test(arguments: Deleted.allCases)
  func `using a deleted object makes the write throw`(_ use: Deleted) throws {
    let other = try Store(configuration: store.configuration)
    let deleted = try #require(store.object(ofType: Person.self, forPrimaryKey: "a"))
    try other.write { other.delete(other.objects(Person.self).where { $0.id == "a" }) }
    let error = #expect(throws: StoreError.self) {
      try store.write {
        person.name = "after"
        use.assign(deleted, person)
      }
    }
    #expect(error?.description == "Person: the object was deleted or rolled back")
    #expect(store.version == 2 && person.name == "before")
  }

  @Test func `an update with an object of another store throws`() throws {
    let other = try Store()
    let stranger = try other.write { try other.create(Person.self, value: ["id": "x"]) }
    let error = #expect(throws: StoreError.self) {
      try store.write {
        try store.create(Person.self, value: ["id": "n", "friend": .init(stranger)])
      }
    }
    #expect(
      error?.description == "Person: the object is unmanaged or frozen, or belongs to another store"
    )
  }
}
