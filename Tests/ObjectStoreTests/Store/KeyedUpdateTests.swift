import ObjectStore
import TestSupport
import Testing

@Suite struct `Typed updates by keys, conditions and objects` {
  private func farm() throws -> Store {
    let store = try Store()
    try store.write {
      try store.create(Owner.self, value: ["id": 1, "name": "Jo"])
      try store.create(
        Animal.self, value: ["id": 7, "name": "Bella", "owner": .object(["id": 1])],
        update: .modified)
      try store.create(Animal.self, value: ["id": 8, "name": "Ed", "legs": 3])
      try store.create(
        Farm.self, value: ["name": "A", "animals": [["id": 7], ["id": 8], ["id": 7]]],
        update: .modified)
    }
    return store
  }

  private func text(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing was thrown"
    } catch {
      return "\(error)"
    }
  }

  // MARK: - Links

  @Test func `assigning a key to a link creates a missing target`() throws {
    let store = try farm()
    #expect(try store.update(Animal.self, key: 8, \.owner <- .key(1)) == .updated(["owner"]))
    #expect(try store.update(Animal.self, key: 8, \.owner <- .key(1)) == .unchanged)
    let ed = try #require(store.object(ofType: Animal.self, forPrimaryKey: 8))
    #expect(ed.owner?.name == "Jo")
    #expect(try store.update(Animal.self, key: 8, \.owner <- .key(2)) == .updated(["owner"]))
    #expect(ed.owner?.id == 2)
    #expect(ed.owner?.name == "")
    #expect(try store.update(Animal.self, key: 8, \.owner <- nil) == .updated(["owner"]))
    #expect(ed.owner == nil)
    #expect(store.objects(Owner.self).count == 2)
  }

  @Test func `a list of objects can be assigned, extended and reduced by keys`() throws {
    let store = try farm()
    let farm = try #require(store.object(ofType: Farm.self, forPrimaryKey: "A"))
    try store.update(farm, \.animals -= .keys([7, 99]))
    #expect(farm.animals.map(\.id) == [8])
    #expect(store.objects(Animal.self).count == 2)
    try store.update(farm, \.animals += .keys([7, 9, 7]))
    #expect(farm.animals.map(\.id) == [8, 7, 9, 7])
    try store.update(farm, \.animals <- .keys([9]), \.animals += .keys([8]))
    #expect(farm.animals.map(\.id) == [9, 8])
    #expect(try store.update(farm, \.animals <- .keys([9, 8])) == .unchanged)
    #expect(
      try store.update(
        Farm.self, key: "B", \.animals += .keys([7, 70]), \.address <- Address(street: "s"),
        missing: .orInsert) == .updated(["animals", "address"]))
    let other = try #require(store.object(ofType: Farm.self, forPrimaryKey: "B"))
    #expect(other.animals.map(\.id) == [7, 70])
  }

  @Test func `a key of another type is rejected, and nothing changes`() throws {
    let store = try farm()
    let version = store.version
    #expect(
      text {
        try store.update(Animal.self, key: 7, \.legs <- 2, \.owner <- .key("x"))
      } == "Owner.id: expected Int, found a key of type String")
    #expect(
      text { try store.update(Farm.self, key: "A", \.animals -= .keys(["x"])) }
        == "Animal.id: expected Int, found a key of type String")
    #expect(
      text { try store.update(Farm.self, key: "A", \.notes += .keys([1])) }
        == "Note: the class has no primary key, which is needed to find and update objects")
    #expect(store.version == version)
    #expect(store.object(ofType: Animal.self, forPrimaryKey: 7)?.legs == 4)
  }

  @Test func `a rejected update creates no linked objects`() throws {
    let store = try farm()
    #expect(
      text { try store.update(Animal.self, key: 7, \.owner <- .key(5), \.mother <- .key("x")) }
        == "Animal.id: expected Int, found a key of type String")
    #expect(store.objects(Owner.self).map(\.id) == [1])
    #expect(store.object(ofType: Animal.self, forPrimaryKey: 7)?.owner?.id == 1)
  }

  // MARK: - Sets

  @Test func `an update can add and remove elements of a set`() throws {
    let store = try farm()
    let farm = try #require(store.object(ofType: Farm.self, forPrimaryKey: "A"))
    #expect(try store.update(farm, \.colours += ["red", "blue", "red"]) == .updated(["colours"]))
    #expect(farm.colours == ["red", "blue"])
    #expect(try store.update(farm, \.colours += ["red"]) == .unchanged)
    #expect(try store.update(farm, \.colours -= ["green"]) == .unchanged)
    #expect(try store.update(farm, \.colours -= ["red", "green"]) == .updated(["colours"]))
    #expect(farm.colours == ["blue"])
  }

  // MARK: - Objects and conditions

  @Test func `an object can be updated directly, even without a primary key`() throws {
    let store = try farm()
    let note = try store.write { try store.create(Note.self, value: ["text": "a"]) }
    #expect(try store.update(note, \.text <- "b") == .updated(["text"]))
    #expect(try store.update(note, \.text <- "b") == .unchanged)
    #expect(note.text == "b")
    try store.write { store.delete(note) }
    #expect(
      text { try store.update(note, \.text <- "c") }
        == "Note: the object was deleted or rolled back")
    #expect(
      text { try store.update(Note("d"), \.text <- "c") }
        == "Note: the object is unmanaged or frozen, or belongs to another store")
  }

  @Test func `an update with a condition updates all matching objects`() throws {
    let store = try farm()
    #expect(
      try store.update(Animal.self, where: { $0.legs == 3 }, \.legs <- 4, \.tags += ["x"]) == 1)
    #expect(try store.update(Animal.self, where: { $0.legs == 3 }, \.legs <- 4) == 0)
    #expect(try store.update(Animal.self, where: { $0.legs == 4 }, \.legs <- 4) == 0)
    #expect(store.object(ofType: Animal.self, forPrimaryKey: 8)?.tags == ["x"])
  }

  // MARK: - Keys

  @Test func `rekeying an object by its old key keeps links to it`() throws {
    let store = try farm()
    let farm = try #require(store.object(ofType: Farm.self, forPrimaryKey: "A"))
    #expect(try store.rekey(Animal.self, from: 7, to: 1044))
    #expect(try !store.rekey(Animal.self, from: 7, to: 1045))
    #expect(farm.animals.map(\.id) == [1044, 8, 1044])
    #expect(
      text { try store.rekey(Animal.self, from: 1044, to: 8) }
        == "Animal: an object with the primary key 8 already exists")
    #expect(
      text { try store.rekey(Animal.self, from: "a", to: "b") }
        == "Animal.id: expected Int, found a key of type String")
    #expect(
      text { try store.rekey(Note.self, from: 1, to: 2) }
        == "Note: the class has no primary key, which is needed to find and update objects")
  }

  final class Club: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var members: MutableSet<Owner>
  }

  @Test func `keys of objects can be assigned to, inserted into and removed from a set`() throws {
    let store = try Store()
    let club = try store.write { try store.create(Club.self, value: ["id": 1]) }
    func ids() -> [Int] { club.members.map(\.id).sorted() }
    try store.update(club, \.members += .keys([7, 9, 7]))
    #expect(ids() == [7, 9])
    try store.update(club, \.members -= .keys([7, 99]), \.members += .keys([8]))
    #expect(ids() == [8, 9] && store.objects(Owner.self).count == 3)
    #expect(try store.update(club, \.members += .keys([8])) == .unchanged)
    try store.update(club, \.members <- .keys([7]))
    #expect(ids() == [7])
    let error = #expect(throws: StoreError.self) {
      try store.update(club, \.members += .keys(["x"]))
    }
    #expect(error?.description == "Owner.id: expected Int, found a key of type String")
  }
}
