import Foundation
import ObjectStore
import Observation
import TestSupport
import Testing

/// The code in the ObjectStore articles.
@Suite struct `The ObjectStore articles` {
  final class Owner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted(originProperty: "owner") var animals: LinkingObjects<Animal>
  }

  final class Animal: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = "unnamed"
    @Persisted var legs = 4
    @Persisted var note: String?
    @Persisted var born: Date?
    @Persisted var owner: Owner?
    @Persisted var tags: List<String>
  }

  final class Farm: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var animals: List<Animal>
    @Persisted var address: Address?
  }

  final class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city = ""
  }

  @Test func `added and created objects are found in the store`() throws {
    let store = try Store()
    let bella = Animal()
    bella.id = 7
    bella.name = "Bella"
    try store.write {
      try store.add(bella)
      bella.owner = try store.create(Owner.self, value: ["id": 1, "name": "Jo"])
    }
    let found = store.object(ofType: Animal.self, forPrimaryKey: 7)  // the same row as bella
    let names = store.objects(Animal.self).map(\.name)

    #expect(found == bella)
    #expect(names == ["Bella"])
    #expect(bella.owner?.animals.map(\.id) == [7])
  }

  // MARK: - Keys of several attributes

  enum Rated {
    final class Rating: Object {
      @Persisted(primaryKey: true) var id: String  // "7|cafe", built from these two:
      @Persisted var userID: Int
      @Persisted var restaurantID: String
      @Persisted var stars = 0
      override class var compoundKey: [String] { ["userID", "restaurantID"] }
    }

    final class Order: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var rating: Rating?
    }
  }

  @Test func `a compound key is accepted wherever a key is`() throws {
    typealias Rating = Rated.Rating
    typealias Order = Rated.Order
    let store = try Store()
    let key = CompoundKey(7, "cafe")
    try store.update(Rating.self, key: key, \.stars <- 4, missing: .orInsert)
    let rating = store.object(ofType: Rating.self, forPrimaryKey: key)
    try store.update(Order.self, key: 1, \.rating <- .key(key), missing: .orInsert)
    try store.rekey(Rating.self, from: key, to: CompoundKey(7, "diner"))

    #expect(rating?.stars == 4 && rating?.id == "7|diner" && rating?.restaurantID == "diner")
    #expect(store.object(ofType: Order.self, forPrimaryKey: 1)?.rating == rating)
    #expect(store.objects(Rating.self).where { $0.id == "7|diner" }.count == 1)
  }

  // MARK: - Files

  @Test func `a file store keeps its objects when reopened`() async throws {
    let folder = try TemporaryFolder()
    let url = folder.file("animals.store")
    let backup = folder.file("backup.store")
    let configuration = StoreConfiguration.file(url)
    let store = try Store(configuration: configuration)
    try store.write {
      try store.create(Animal.self, value: ["id": 7, "name": "Bella"], update: .modified)
    }
    try await store.flush()
    try await store.compact()  // minimizes the file
    try await store.copy(to: backup)  // a consistent copy; the store stays in use
    try await store.integrityCheck()  // reads the whole file
    try await store.compact { fraction in print("\(Int(fraction * 100)) %") }
    let copy = try Store(configuration: .file(backup))
    #expect(copy.object(ofType: Animal.self, forPrimaryKey: 7)?.name == "Bella")
    let edited = StoreConfiguration.file(url, externalEdits: .accept)
    #expect(edited != configuration)
    let draft = try Store(configuration: .inMemory(copyOf: url))
    #expect(draft.object(ofType: Animal.self, forPrimaryKey: 7)?.name == "Bella")
  }

  @Test func `a reader looks for the commits of another process`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("animals.store")
    do { _ = try Store(configuration: .file(url)) }
    let reader = try Store(
      configuration: .file(url, readOnly: true, refreshInterval: .milliseconds(500)))
    reader.refresh()
    #expect(reader.damage == [])
  }

  @Test func `a damaged file is reported with its new name`() throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(folder.file("animals.store"))
    do { _ = try Store(configuration: configuration) }
    try Data(repeating: 1, count: 5000).write(to: folder.file("animals.store"))
    do {
      _ = try Store(configuration: configuration)
    } catch let error as StoreError {
      if case .fileDamaged(let path, let details, let setAside) = error.kind {
        print(path, details, setAside ?? "")
      }
    }
    #expect(FileManager.default.fileExists(atPath: folder.file("animals.store.damaged").path))
  }

  // MARK: - Migration

  final class Person: Object {
    @Persisted(primaryKey: true) var email: String
    @Persisted var fullName = ""
    @Persisted var age = 0
    @Persisted var friends: List<Person>
    @Persisted var address: Home?
  }

  final class Home: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city = ""
  }

  /// Writes persons of the first schema version.
  private func writePersons(_ url: URL, emails: [String]) throws {
    let person = ObjectSchema(
      "Person",
      [
        Property("id", .int, isPrimaryKey: true), Property("email", .string),
        Property("name", .string), Property("years", .string),
        Property("friend", .object("Person")), Property("street", .string),
        Property("city", .string),
      ])
    let acquaintance = ObjectSchema("Acquaintance", [Property("name", .string)])
    let store = try Store(
      configuration: .file(url, schemaVersion: 1), schemas: [person, acquaintance])
    try store.write {
      try store.create(dynamic: "Acquaintance", value: ["name": "Al"])
      for (id, email) in emails.enumerated() {
        try store.create(
          dynamic: "Person",
          value: [
            "id": .init(id), "email": .init(email), "name": "Jo", "years": "41",
            "street": "Main St", "city": "Ulm",
            "friend": ["id": 0],
          ], update: .modified)
      }
    }
  }

  @Test func `a file is migrated when it is opened`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("people.store")
    try writePersons(url, emails: ["jo@example.org"])
    let configuration = StoreConfiguration.file(url, classes: [Person.self], schemaVersion: 2) {
      migration in
      if migration.oldVersion < 2 {
        try migration.renameAttribute("Person", from: "name", to: "fullName")
        try migration.enumerate("Person") { old, new in
          new["age"] = Int(old["years"] as? String ?? "") ?? 0
        }
      }
    }
    let store = try Store(configuration: configuration)
    #expect(store.objects(Person.self).map(\.fullName) == ["Jo"])
    #expect(store.objects(Person.self).map(\.age) == [41])
  }

  @Test func `a migration can move links and values to new attributes`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("people.store")
    try writePersons(url, emails: ["jo@example.org", "al@example.org"])
    let configuration = StoreConfiguration.file(url, classes: [Person.self], schemaVersion: 2) {
      migration in
      try migration.enumerate("Person") { old, new in
        if let friend = old["friend"] as? DynamicObject,
          let friend = try migration.newObject(of: friend)
        {
          (new["friends"] as? List<DynamicObject>)?.append(friend)
        }
      }
      try migration.enumerate("Person") { old, new in
        new["address"] = ["street": old["street"], "city": old["city"]] as [String: Any?]
      }
      try migration.deleteClass("Acquaintance")
    }
    let store = try Store(configuration: configuration)
    #expect(
      store.objects(Person.self).map { $0.friends.map(\.email) }
        == [["jo@example.org"], ["jo@example.org"]])
    #expect(store.objects(Person.self).map(\.address?.city) == ["Ulm", "Ulm"])
  }

  @Test func `a migration runs over several schema versions`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("people.store")
    try writePersons(url, emails: ["jo@example.org"])
    let person = ObjectSchema(
      "Person",
      [
        Property("id", .int, isPrimaryKey: true), Property("title", .string),
        Property("age", .string),
      ])
    let configuration = StoreConfiguration.file(url, schemaVersion: 3) { migration in
      if migration.oldVersion < 2 {
        try migration.renameAttribute("Person", from: "name", to: "fullName")
      }
      if migration.oldVersion < 3 {
        try migration.renameAttribute("Person", from: "fullName", to: "title")
      }
      if migration.oldVersion < 2 {
        try migration.enumerate("Person") { old, new in new["age"] = old["years"] ?? 0 }
      }
    }
    let store = try Store(configuration: configuration, schemas: [person])
    #expect(try store.objects(dynamic: "Person").map { $0["title"] as? String } == ["Jo"])
    #expect(try store.objects(dynamic: "Person").map { $0["age"] as? String } == ["41"])
  }

  @Test func `a migration that leaves a duplicate key fails`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("people.store")
    try writePersons(url, emails: ["jo@example.org", "jo@example.org"])
    let configuration = StoreConfiguration.file(url, classes: [Person.self], schemaVersion: 2) {
      _ in
    }
    do {
      _ = try Store(configuration: configuration)
    } catch let error as StoreError {
      // …/people.store: the migration failed:
      // Person.email: 2 objects have the primary key "jo@example.org"
      print(error)
    }
    #expect(
      throws: StoreError(
        .migrationFailed(
          path: url.resolvingSymlinksInPath().path,
          mistakes: [#"Person.email: 2 objects have the primary key "jo@example.org""#]))
    ) { try Store(configuration: configuration) }
  }

  // MARK: - DynamicClasses

  @Test func `classes declared at run time store objects`() throws {
    let user = ObjectSchema(
      "User",
      [
        Property("id", .int, isPrimaryKey: true),
        Property("name", .string, isOptional: true),
        Property("tags", .list(.string)),
        Property("friends", .list("User")),
      ])
    let store = try Store(configuration: .inMemory(), schemas: [user])

    let bo = try store.write {
      try store.create(dynamic: "User", value: ["id": 1, "name": "Bo", "friends": [["id": 2]]])
    }
    let name = bo["name"] as? String  // "Bo"
    let friends = bo["friends"] as? List<DynamicObject>
    try store.write { bo["name"] = "Bea" }

    #expect(name == "Bo" && bo["name"] as? String == "Bea")
    #expect(friends?.map { $0["id"] as? Int } == [2])
  }

  // MARK: - Results

  @Test func `the code about sections and bulk changes works`() throws {
    let store = try Store()
    let farm = Farm()
    let jo = Owner()
    try store.write {
      try store.add([farm])
      try store.add(jo)
      for (id, legs) in [(1, 4), (2, 3), (3, 2)] {
        let animal = try store.create(
          Animal.self, value: ["id": .init(id), "legs": .init(legs)])
        animal.owner = id == 3 ? nil : jo
        farm.animals.append(animal)
      }
    }
    let animals = store.objects(Animal.self)
    let few = animals.where { $0.legs < 4 }.sorted(by: \.name)
    #expect(few.map(\.id) == [2, 3])

    for section in animals.sorted(by: \.name).sectioned(by: \.legs) {
      print(section.key, section.map(\.name))
    }

    let onFarm = farm.animals.where { $0.legs > 2 }
    let legs = farm.animals.sum(of: \.legs)
    let ofJo = jo.animals.sorted(by: \.name)
    #expect(onFarm.map(\.id) == [1, 2] && legs == 9 && ofJo.count == 2)

    let changed = try few.update(\.legs <- 4, \.note <- nil)
    try store.write {
      store.delete(animals.where { $0.owner == nil })
    }
    #expect(changed == 2 && few.isEmpty && animals.map(\.id) == [1, 2])
  }

  // MARK: - Queries

  @Test func `the code about observing changes works`() throws {
    let store = try Store()
    let animals = store.objects(Animal.self)
    try store.write { try store.create(Animal.self, value: ["id": 7]) }
    let animal = animals[0]
    func work(_ store: Store) throws { try store.write { animal.legs = 3 } }
    var tokens: [ObservationToken] = []
    do {
      let token = animals.observe { change in
        switch change {
        case .initial(let animals):
          print(animals.count)
        case .update(_, let deletions, let insertions, let modifications):
          print(deletions, insertions, modifications)
        case .error:
          break
        }
      }
      tokens.append(token)
    }
    do {
      let token = animal.observe { change in
        switch change {
        case .change(let names): print(names)  // ["legs", "name"]
        case .deleted: print("gone")
        }
      }
      tokens.append(token)
    }
    do {
      let token = animals.observe(keyPaths: [\.name, \.owner?.name]) { change in
        print(change.newModifications)
      }
      tokens.append(token)
    }
    do {
      let token = store.observe { changes in
        for key in changes[Animal.self]?.deleted ?? [] { print("gone: \(key)") }
        for animal in changes[Animal.self]?.modified ?? [] { print(animal.key, animal.attributes) }
      }
      tokens.append(token)
    }
    let before = store.holdVersion()
    try work(store)
    let changes = try store.changes(since: before)
    #expect(changes[Animal.self]?.modified.map(\.attributes) == [["legs"]])
    store.refresh()
    for token in tokens { token.cancel() }
  }

  @MainActor @Test func `the code about tracking reads works`() throws {
    let store = try Store()
    let animals = store.objects(Animal.self)
    let animal = try store.write { try store.create(Animal.self, value: ["id": 1]) }
    var title = ""
    let redraw: @MainActor @Sendable () -> Void = {}
    withObservationTracking {
      title = "\(animals.count): \(animal.name), \(animal.owner?.name ?? "nobody")"
    } onChange: {
      Task { @MainActor in redraw() }
    }
    #expect(title == "1: unnamed, nobody")
  }

  @MainActor @Test func `the code about awaiting changes works`() async throws {
    let store = try Store()
    let animals = store.objects(Animal.self)
    let task = Task { () -> Bool in
      for await change in animals.changes {
        print(change.newModifications)
      }
      return Task.isCancelled
    }
    await Task.yield()
    task.cancel()
    #expect(await task.value)
  }

  @Test func `the code about queries works`() throws {
    let store = try Store()
    try store.write {
      for (id, legs) in [(1, 4), (2, 3), (3, 4), (4, 2)] {
        let animal = try store.create(
          Animal.self,
          value: [
            "id": .init(id), "legs": .init(legs),
            "name": .string(["Bella", "Bo", "Ciao", "Dora"][id - 1]),
            "tags": id == 3 ? [] : ["shy"],
          ])
        animal.owner = try store.create(
          Owner.self, value: ["id": 1, "name": "Jo"], update: .modified)
      }
    }
    let animals = store.objects(Animal.self)
    let shy = animals.where { $0.legs > 2 && $0.owner.name == "Jo" && $0.tags.contains("shy") }
    let names = shy.sorted(by: \.name).limit(10).map(\.name)
    #expect(names == ["Bella", "Bo"])

    let plain = animals.where { $0.note == nil || $0.note.contains("x", options: .caseInsensitive) }
    let some = animals.where { $0.legs.in([3, 4]) && !$0.name.like("B?l*") }
    let below = animals.where { animal in animal.owner.animals.any { $0.legs > animal.legs } }
    #expect(plain.count == 4 && some.map(\.id) == [2, 3] && below.map(\.id) == [2, 4])

    let alike = try animals.filter("legs > %@ AND ANY tags ==[c] %@", 2, "shy")
    let joined = try animals.filter("owner.animals.@count > 1 AND name BEGINSWITH 'B'")
    #expect(alike.map(\.id) == [1, 2] && joined.map(\.id) == [1, 2])

    let macro = try animals.filter(#Predicate<Animal> { $0.legs > 2 && $0.owner?.name == "Jo" })
    #expect(macro.map(\.id) == [1, 2, 3])

    let predicate = StorePredicate(Animal.self) { $0.owner.name == "Jo" }
    print(predicate)  // owner.name == "Jo"
    let same = try StorePredicate(predicate.description)
    let count = try animals.filter(same).count
    #expect(same == predicate && count == 4)
    #expect(predicate.description == #"owner.name == "Jo""#)

    let oldest = try animals.sorted(by: [
      StoreSortDescriptor("owner.name"), StoreSortDescriptor("legs", ascending: false),
    ])
    let kinds = animals.distinct(by: \.legs)
    let most = animals.max(of: \.legs)
    let sum = animals.where { $0.owner != nil }.sum(of: \.legs)
    #expect(oldest.map(\.id) == [1, 3, 2, 4] && kinds.map(\.id) == [1, 2, 4])
    #expect(most == 4 && sum == 13)

    #expect(
      throws: StoreError(.unknownAttribute(className: "Animal", name: "lges", suggestion: "legs"))
    ) {
      try animals.filter("lges > 3")
    }
    let error = #expect(throws: StoreError.self) { try animals.filter("legs > 'four'") }
    #expect(error?.description == #"Animal.legs: expected a number, found String "four""#)
  }

  enum Indexed {
    final class Owner: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
    }

    final class Animal: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted(indexed: true) var name = ""
      @Persisted(indexed: true) var legs = 4
      @Persisted var owner: Owner?
    }

    final class Visit: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var kind = ""
      @Persisted var day = 0

      override class var indexes: [[String]] { [["kind", "day"]] }
    }
  }

  @Test func `an index of several attributes serves a condition and a sort order`() throws {
    let store = try Store()
    try store.write {
      for id in 0..<400 {
        try store.create(
          Indexed.Visit.self,
          value: ["id": .init(id), "kind": id % 2 == 0 ? "teeth" : "hoofs", "day": .init(id)])
      }
    }
    let visits = store.objects(Indexed.Visit.self)
    let latest = visits.where { $0.kind == "teeth" }.sorted(by: \.day, ascending: false).limit(20)
    print(latest.explainQuery())
    // Visit: index on (kind, day), kind == "teeth", in descending order: 20 candidates
    //   where kind == "teeth": 20 found
    //   sorted by day descending
    //   limit 20: 20 left
    #expect(
      latest.explainQuery() == """
        Visit: index on (kind, day), kind == "teeth", in descending order: 20 candidates
          where kind == "teeth": 20 found
          sorted by day descending
          limit 20: 20 left
        """)
  }

  @Test func `explainQuery describes the plan of a query`() throws {
    let store = try Store()
    try store.write {
      let jo = try store.create(Indexed.Owner.self, value: ["id": 1, "name": "Jo"])
      for id in 0..<20 {
        let animal = try store.create(
          Indexed.Animal.self, value: ["id": .init(id), "legs": id < 12 ? 8 : 4])
        if id % 3 == 0 { animal.owner = jo }
      }
    }
    let animals = store.objects(Indexed.Animal.self)
    let few = animals.where { $0.legs > 6 && $0.owner.name == "Jo" }.sorted(by: \.name)
    print(few.explainQuery())
    // Animal: index on legs, legs > 6: 12 candidates
    //   where legs > 6 AND owner.name == "Jo": 4 found
    //   sorted by name
    #expect(
      few.explainQuery() == """
        Animal: index on legs, legs > 6: 12 candidates
          where legs > 6 AND owner.name == "Jo": 4 found
          sorted by name
        """)
  }

  enum Searchable {
    final class Animal: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted(searchable: true) var name = ""
      @Persisted(searchable: true) var note: String?
    }
  }

  @Test func `queries search for words`() throws {
    let store = try Store()
    try store.write {
      for (id, note) in ["Likes apples", "Pears or APPLES?", "An apple, no pear", "Pears"]
        .enumerated()
      {
        try store.create(Searchable.Animal.self, value: ["id": .init(id), "note": .string(note)])
      }
    }
    let animals = store.objects(Searchable.Animal.self)
    let text = "pears -apples"
    let fond = animals.where { $0.note.matches("apple* -pear") }
    let typed = try animals.filter("note TEXT %@", text)  // throws if `text` has no word
    #expect(fond.map(\.id) == [0, 1] && typed.map(\.id) == [3])
    let error = #expect(throws: StoreError.self) { try animals.filter("note TEXT %@", "") }
    #expect(error?.description == "TEXT \"\" contains no word to search for")
  }

  // MARK: - UpdateDictionaries

  @Test func `update dictionaries change only the named attributes`() throws {
    let store = try Store()
    let owner = try store.write { try store.create(Owner.self, value: ["id": 1, "name": "Jo"]) }

    var update: UpdateDictionary = ["id": 7, "name": "Bella", "owner": ["id": 1], "note": nil]
    update["legs"] = 3
    try store.write {
      try store.create(Animal.self, value: update, update: .modified)
    }

    let bella = try #require(store.object(ofType: Animal.self, forPrimaryKey: 7))
    #expect(bella.legs == 3 && bella.owner == owner && owner.name == "Jo")

    let note = update["note"]  // .null: clears the note
    let born = update["born"]  // nil: leaves the date unchanged

    #expect(note == .null)
    #expect(born == nil)

    let next = 8
    update = ["id": .init(next), "born": .init(Date.now), "owner": .init(owner)]

    try store.write {
      try store.create(Animal.self, value: update, update: .modified)
    }
    #expect(store.object(ofType: Animal.self, forPrimaryKey: 8)?.owner == owner)

    let values: [String: Any?] = ["id": 9, "name": "Dora", "note": nil]
    try store.write {
      try store.create(Animal.self, value: values, update: .modified)
    }

    #expect(store.object(ofType: Animal.self, forPrimaryKey: 9)?.name == "Dora")
  }

  @Test func `an unmanaged object in an update overwrites all attributes`() throws {
    let store = try Store()
    let owner = try store.write { try store.create(Owner.self, value: ["id": 1, "name": "Jo"]) }
    let nameless = Owner()
    nameless.id = 1
    try store.write {
      try store.create(
        Animal.self, value: ["id": 7, "owner": .init(nameless)], update: .modified)
    }
    #expect(owner.name == "" && !nameless.isManaged)
  }

  @Test func `assignments change attributes by key path`() throws {
    let store = try Store()
    try store.write { try store.create(Animal.self, value: ["id": 7, "legs": 3]) }

    let outcome = try store.update(
      Animal.self, key: 7, \.legs <- 4, \.note <- nil, \.tags += ["shy"])
    // .updated(["legs", "tags"]): the note was already nil

    #expect(outcome == .updated(["legs", "tags"]))

    try store.update(Animal.self, key: 10, \.name <- "Emma", missing: .orInsert)

    #expect(store.object(ofType: Animal.self, forPrimaryKey: 10)?.name == "Emma")

    try store.update(id: 7, \Animal.name, "Bella")

    let bella = try #require(store.object(ofType: Animal.self, forPrimaryKey: 7))
    #expect(bella.name == "Bella")

    try store.update(bella, \.legs <- 4)
    let count = try store.update(Animal.self, where: { $0.legs < 4 }, \.legs <- 4)

    #expect(count == 0)

    try store.rekey(Animal.self, from: -1, to: 1044)
    #expect(try store.update(id: 7, \Animal.name, "Bella") == .unchanged)
    #expect(try store.update(id: 77, \Animal.name, "Bella") == .notFound)

    let name = Animal.attributeName(for: \.owner?.name)  // "owner.name"

    #expect(name == "owner.name")
  }

  @Test func `an update with equal contents creates no version`() throws {
    let store = try Store()
    let update: UpdateDictionary = ["id": 1, "animals": [["id": 7]], "address": ["city": "Bath"]]
    try store.write { try store.create(Farm.self, value: update, update: .modified) }
    let version = store.version
    try store.write { try store.create(Farm.self, value: update, update: .modified) }
    #expect(store.version == version)
  }

  // MARK: - Transactions

  @Test func `a failed write is rolled back as a whole`() throws {
    let store = try Store()
    try store.write {
      let bella = try store.create(Animal.self, value: ["id": 7, "name": "Bella"])
      bella.legs = 3
    }
    try store.write {
      try store.create(Farm.self, value: ["id": 1, "name": "Hill Farm"])
      do {
        try store.write {
          try store.create(Animal.self, value: ["id": 8])
          throw CancellationError()
        }
      } catch {
        // Animal 8 is rolled back. The farm is kept and committed.
      }
    }

    #expect(store.objects(Farm.self).count == 1)
    #expect(store.objects(Animal.self).map(\.id) == [7])
  }

  @Test func `a rollback restores objects that were added, created, changed and deleted`() throws {
    let store = try Store()
    let (kept, deleted) = try store.write {
      (
        try store.create(Animal.self, value: ["id": 1, "name": "Kit"]),
        try store.create(Animal.self, value: ["id": 2, "name": "Lou"])
      )
    }
    let added = Animal()
    added.id = 3
    added.name = "Max"
    var made: Animal?
    #expect(throws: CancellationError.self) {
      try store.write {
        try store.add(added)
        added.name = "Moritz"
        made = try store.create(Animal.self, value: ["id": 4, "name": "Nell"])
        kept.name = "Kitty"
        store.delete(deleted)
        throw CancellationError()
      }
    }
    #expect(!added.isManaged && added.name == "Max")
    #expect(made?.isInvalidated == true && made?.name == "")
    #expect(kept.name == "Kit")
    #expect(!deleted.isInvalidated && deleted.name == "Lou")
  }

  @Test func `frozen objects can be read in another isolation domain`() async throws {
    let store = try Store()
    try await store.asyncWrite {
      try store.create(Animal.self, value: ["id": 9, "name": "Dora"])
    }
    let count = try await store.inBackground { store in
      try store.write {
        for id in 20..<30 { try store.create(Animal.self, value: ["id": .init(id)]) }
      }
      return store.objects(Animal.self).count
    }
    let bella = try #require(store.object(ofType: Animal.self, forPrimaryKey: 9))

    let frozen = bella.frozen()
    let name = await Task.detached { frozen.name }.value

    let reference = bella.reference
    let legs = try await store.inBackground { store in store.resolve(reference)?.legs }

    #expect(count == 11 && store.objects(Animal.self).count == 11)
    #expect(name == "Dora")
    #expect(legs == 4)
  }

  // MARK: - Errors

  @Test func `errors describe the problem and its location`() throws {
    let store = try Store()
    var message = ""
    do {
      try store.write {
        try store.create(Animal.self, value: ["id": 7, "legs": "four"], update: .modified)
      }
    } catch let error as StoreError {
      message = error.description  // Animal.legs: expected Int, found String "four"
    }
    #expect(message == #"Animal.legs: expected Int, found String "four""#)
  }

  @Test(
    arguments: [
      (["id": 7, "legs": "four"], #"Animal.legs: expected Int, found String "four""#),
      (
        ["id": 7, "legs": .uint(9_223_372_036_854_775_808)],
        "Animal.legs: 9223372036854775808 is outside the range of Int"
      ),
      (["id": 7, "name": nil], "Animal.name: null for an attribute that is not optional"),
      (["name": "Bella"], "Animal: the update has no value for the primary key 'id'"),
      (["id": 7, "nmae": "Bella"], "Animal: 'nmae' is not an attribute; did you mean 'name'?"),
      (["id": 7], "Animal: an object with the primary key 7 already exists"),
    ] as [(UpdateDictionary, String)])
  func `the ObjectStore article quotes the actual error messages`(
    update: UpdateDictionary, text: String
  ) throws {
    let store = try Store()
    try store.write { try store.create(Animal.self, value: ["id": 7]) }
    let error = #expect(throws: StoreError.self) {
      try store.write { try store.create(Animal.self, value: update) }
    }
    #expect(error?.description == text)
    let article = Documentation.root
      .appending(path: "Sources/ObjectStore/ObjectStore.docc/Errors.md")
    #expect(try String(contentsOf: article, encoding: .utf8).contains("`\(text)`"))
  }
}
