import ObjectStore
import Testing

/// A managed object in an update is a reference. An unmanaged object contributes its attributes.
@Suite struct `Unmanaged objects in updates` {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var friend: Person?
    @Persisted var friends: List<Person>
    @Persisted var byRole: Map<String, Person?>
    @Persisted(originProperty: "friends") var befriendedBy: LinkingObjects<Person>
  }

  class Member: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var friends: List<Member>
    @Persisted(originProperty: "friends") var befriendedBy: LinkingObjects<Member>
  }

  final class Patron: Member {
    @Persisted var amount = 0
  }

  @Test func `a cycle of unmanaged objects refers to the repeated object by its key`() {
    let (ann, bob) = (Person(), Person())
    (ann.id, bob.id) = (1, 2)
    ann.friend = bob
    bob.friends.append(ann)
    bob.byRole["self"] = bob
    #expect(
      UpdateValue(ann).description
        == "[id: 1, name: \"\", friend: [id: 2, name: \"\", friend: null, friends: [[id: 1]], "
        + "byRole: [self: [id: 2]]], friends: [], byRole: [:]]")
  }

  @Test func `a subclass may inherit inverse links`() throws {
    let store = try Store()
    try store.write {
      let patron = Patron()
      patron.id = 1
      try store.add(patron)
    }
    #expect(store.objects(Patron.self).first?.befriendedBy.count == 0)
  }

  @Test func `a default may open and read another store`() throws {
    final class Nested: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var count = (try? Store())?.objects(Person.self).count ?? -1
    }
    let store = try Store()
    let made = try store.write { try store.create(Nested.self, value: ["id": 1]) }
    #expect(made.count == 0)
  }
}
