import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `Text search` {
  private typealias Owner = Searched.Owner
  private typealias Animal = Searched.Animal

  private let store: Store
  private var animals: Results<Searched.Animal> { store.objects(Animal.self) }

  init() throws { store = try Store() }

  private func create(_ names: String...) throws {
    try store.write {
      for name in names {
        try store.create(
          Animal.self, value: ["id": .init(animals.count), "name": .string(name)])
      }
    }
  }

  /// The ids of the animals whose name matches. The index, a scan and the naive implementation must agree.
  private func found(
    _ search: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Int] {
    let results = try animals.filter("name TEXT %@", search)
    let ids = results.map(\.id)
    // Collections are searched without the index.
    let all = Array(animals)
    let scanned = try StorePredicate("name TEXT %@", search)
    let frozen = try animals.sorted(by: \.id).limit(all.count).filter(scanned)
    #expect(frozen.map(\.id) == ids, "\(search)", sourceLocation: sourceLocation)
    let naive = all.filter { NaiveSearch.holds(search, $0.name) }.map(\.id)
    #expect(naive == ids, "\(search)", sourceLocation: sourceLocation)
    return ids
  }

  // MARK: - Matching

  @Test func `search finds strings that contain every word`() throws {
    try create("Coffee beans", "Bean bags, coffee cups", "Beans", "Café Bär", "")
    #expect(try found("coffee") == [0, 1])
    #expect(try found("BEAN coffee") == [1])
    #expect(try found("bean, (coffee)!") == [1])
    #expect(try found("coffee coffee") == [0, 1])
    #expect(try found("bean tea") == [])
    #expect(try found("cafe") == [3])
    #expect(try found("BA\u{308}R café") == [3])
    // Only whole words match.
    #expect(try found("coff") == [] && found("offee") == [])
  }

  @Test func `a star matches words by prefix`() throws {
    try create(
      "coffee", "coffeehouse", "coffeehouses", "coffeehousemaster", "cof", "scoff", "cof-fee")
    #expect(try found("cof*") == [0, 1, 2, 3, 4, 6])
    #expect(try found("coffee*") == [0, 1, 2, 3])
    #expect(try found("coffeeho*") == [1, 2, 3])
    #expect(try found("coffeehouse*") == [1, 2, 3])
    #expect(try found("coffeehouses*") == [2])
    // These words share their first eight bytes.
    #expect(try found("coffeehouse") == [1])
    #expect(try found("coffeeho") == [])
    #expect(try found("cof* fee") == [6])
    // A star must directly follow a word; elsewhere it is ignored.
    #expect(try found("cof *") == [4, 6] && found("* cof") == [4, 6])
    #expect(try found("c*f") == [])
    try create("日本語", "日本酒", "Bär")
    #expect(try found("日本*") == [7, 8] && found("日本") == [] && found("bä*") == [9])
  }

  @Test func `a minus excludes strings that contain the word`() throws {
    try create("coffee beans", "coffee tea", "tea", "teapot coffee", "")
    #expect(try found("coffee -tea") == [0, 3])
    #expect(try found("coffee -tea*") == [0])
    #expect(try found("-tea coffee") == [0, 3])
    #expect(try found("coffee -coffee") == [])
    // With only excluded words, all other strings match, including the empty one.
    #expect(try found("-tea") == [0, 3, 4])
    #expect(try found("-tea* -beans") == [4])
    // A minus elsewhere separates words.
    #expect(try found("coffee-tea") == [1] && found("coffee - tea") == [1])
    #expect(try found("(-tea)") == [1, 2] && found("--tea") == [1, 2])
    #expect(try found("coffee\n-TEA") == [0, 3] && found("coffee\u{00A0}-tea") == [0, 3])
  }

  @Test func `null matches neither wanted nor excluded words`() throws {
    try store.write {
      try store.create(Animal.self, value: ["id": 1, "note": "old tea"])
      try store.create(Animal.self, value: ["id": 2, "note": ""])
      try store.create(Animal.self, value: ["id": 3])
    }
    #expect(animals.where { $0.note.matches("tea") }.map(\.id) == [1])
    #expect(animals.where { $0.note.matches("-tea") }.map(\.id) == [2])
    #expect(animals.where { !$0.note.matches("tea") }.map(\.id) == [2, 3])
    #expect(try animals.filter("NOT note TEXT '-tea'").map(\.id) == [1, 3])
  }

  @Test func `a search can contain a hundred words`() throws {
    let words = (0..<100).map { "word\($0)" }
    try create(words.joined(separator: " "), words.dropLast().joined(separator: ","))
    #expect(try found(words.joined(separator: " ")) == [0])
    #expect(try found(words.map { "-" + $0 }.joined(separator: " ")) == [])
  }

  // MARK: - Forms of queries

  @Test func `search has equal results and plans in closure form, format form and as a predicate`()
    throws
  {
    try create("Coffee beans", "Tea")
    let closure = animals.where { $0.name.matches("cof* bea*") }
    let format = try animals.filter("name TEXT 'cof* bea*'")
    let arguments = try animals.filter("%K text %@", "name", "cof* bea*")
    let predicate = StorePredicate(Animal.self) { $0.name.matches("cof* bea*") }
    for results in [closure, format, arguments, try animals.filter(predicate)] {
      #expect(results.map(\.id) == [0])
      #expect(results.explainQuery() == closure.explainQuery())
    }
    #expect(predicate.description == #"name TEXT "cof* bea*""#)
    #expect(try StorePredicate(predicate.description) == predicate)
    let data = try JSONEncoder().encode([predicate])
    #expect(try JSONDecoder().decode([StorePredicate].self, from: data) == [predicate])
  }

  @Test(arguments: [
    ("name text 'a' and not #text TEXT \"b\"", #"name TEXT "a" AND NOT #text TEXT "b""#),
    ("NOT NOT a TEXT 'b\"c'", #"a TEXT "b\"c""#),
    ("ANY a.b TEXT 'c'", #"ANY a.b TEXT "c""#),
    ("NONE a.b TEXT 'c'", #"NONE a.b TEXT "c""#),
    ("SUBQUERY(a, $x, $x.b TEXT 'c').@count > 0", #"ANY a.b TEXT "c""#),
    (
      "SUBQUERY(a, $x, $x.b TEXT 'c' AND $x.d == 1).@count > 1",
      #"SUBQUERY(a, $x0, $x0.b TEXT "c" AND $x0.d == 1).@count > 1"#
    ),
  ])
  func `a search condition is parsed and printed in normal form`(_ text: String, _ written: String)
    throws
  {
    let predicate = try StorePredicate(text)
    #expect(predicate.description == written)
    #expect(try StorePredicate(written) == predicate)
  }

  @Test func `search combines with other conditions and works across links and collections`() throws
  {
    try store.write {
      let jo = try store.create(Owner.self, value: ["id": 1, "name": "Jo Miller"])
      let bo = try store.create(Owner.self, value: ["id": 2, "name": "Bo Müller"])
      for (id, name) in ["Old Bella", "Young Bella", "Ciao", "Bello"].enumerated() {
        let animal = try store.create(
          Animal.self,
          value: ["id": .init(id), "name": .string(name), "legs": id == 2 ? 3 : 4])
        if id < 3 { animal.owner = id == 0 ? jo : bo }
        animal.friends.append(contentsOf: Array(animals.where { $0.id < id }))
        animal.collar = Searched.Collar()
        animal.collar?.text = "\(name) of the farm"
      }
    }
    func ids(_ text: String) throws -> [Int] { try animals.filter(text).map(\.id) }
    #expect(try ids("name TEXT 'bella' AND legs == 4 AND name TEXT '-old'") == [1])
    #expect(try ids("name TEXT 'old' OR name TEXT 'ciao'") == [0, 2])
    #expect(try ids("NOT (name TEXT 'old' OR legs == 3)") == [1, 3])
    #expect(try ids("owner.name TEXT 'mul*'") == [1, 2] && ids("owner.name TEXT '-jo'") == [1, 2])
    #expect(try ids("ANY friends.name TEXT 'young'") == [2, 3])
    #expect(try ids("NONE friends.name TEXT 'bella'") == [0])
    #expect(try ids("ALL friends.name TEXT 'bella'") == [0, 1, 2])
    #expect(
      try ids("SUBQUERY(friends, $f, $f.name TEXT 'bel*' AND $f.legs == 4).@count == 2") == [2, 3])
    #expect(try ids("collar.text TEXT 'farm bell*'") == [0, 1, 3])
    #expect(
      animals.where { $0.friends.any { $0.name.matches("bella -old") } }.map(\.id) == [2, 3])
    #expect(animals.where { $0.owner.name.matches("JO") && $0.legs == 4 }.map(\.id) == [0])
    let owners = store.objects(Owner.self)
    #expect(try owners.filter("ANY animals.name TEXT 'ciao'").map(\.id) == [2])
    #expect(owners[1].animals.where { $0.name.matches("bella") }.map(\.id) == [1])
    #expect(animals[3].friends.where { $0.name.matches("ciao") }.map(\.id) == [2])
    store.checkInvariants()
  }

  // MARK: - Errors

  @Test(arguments: [
    (
      "breed TEXT 'x'",
      "Animal.breed is not searchable: declare it with @Persisted(searchable: true)"
    ),
    (
      "ANY friends.breed TEXT 'x'",
      "Animal.breed is not searchable: declare it with @Persisted(searchable: true)"
    ),
    (
      "owner.animals.@count > 1 AND SUBQUERY(friends, $x, $x.breed TEXT 'x').@count > 1",
      "Animal.breed is not searchable: declare it with @Persisted(searchable: true)"
    ),
    ("legs TEXT 'x'", "Animal.legs is a number, which does not support TEXT"),
    ("site TEXT 'x'", "Animal.site is a URL, which does not support TEXT"),
    ("owner TEXT 'x'", "Animal.owner is an object, which does not support TEXT"),
    (
      "ANY tags TEXT 'x'", "TEXT searches an attribute of objects, not the elements of a collection"
    ),
    ("name TEXT 3", "Animal.name: expected a string, found Int 3"),
    ("name TEXT nil", "Animal.name: expected a string, found null"),
    ("name TEXT note", "the right side of TEXT must be a string, not Animal.note"),
    ("'x' TEXT name", "the left side of TEXT must be an attribute"),
    ("name TEXT[cd] 'x'", "TEXT does not accept [cd]: it always ignores case and diacritics"),
    ("name TEXT ''", "TEXT \"\" contains no word to search for"),
    ("name TEXT '- * !'", "TEXT \"- * !\" contains no word to search for"),
    ("nam TEXT 'x'", "Animal: 'nam' is not an attribute; did you mean 'name'?"),
    (
      "name TEXT",
      "the query \"name TEXT\": expected a value or an attribute at column 10"
    ),
    ("name TEXT {'a'}", "the query \"name TEXT {'a'}\": expected one value at column 10"),
  ])
  func `the error of an invalid search names the reason`(_ text: String, _ message: String) throws {
    let error = #expect(throws: StoreError.self) { try animals.filter(text) }
    #expect(error?.description == message)
  }

  // MARK: - Schemas created at run time

  @Test func `schemas created at run time support search`() throws {
    let schema = ObjectSchema(
      "Ship",
      [
        Property("name", .string, isPrimaryKey: true, isSearchable: true),
        Property("text", .string, isOptional: true, isSearchable: true),
        Property("legs", .int),
      ])
    #expect(
      schema.description == """
        Ship
          name: String primaryKey searchable
          text: String? searchable
          legs: Int
        """)
    let store = try Store(configuration: .inMemory(), schemas: [schema])
    let ships = try store.objects(dynamic: "Ship")
    try store.write {
      try store.create(dynamic: "Ship", value: ["name": "Old Mary", "text": "a boat"])
      try store.create(dynamic: "Ship", value: ["name": "Santa Maria"])
    }
    #expect(try ships.filter("name TEXT 'mar*'").count == 2)
    #expect(try ships.filter("text TEXT 'boat'").count == 1)
    #expect(
      try ships.filter("name TEXT 'mary'").explainQuery() == """
        Ship: words of name, name TEXT "mary": 1 candidate
          where name TEXT "mary": 1 found
        """)
    #expect(throws: StoreError.self) { try ships.filter("legs TEXT 'a'") }
    store.checkInvariants()
  }

  @Test func `searchable combines with other attribute options`() throws {
    let schema = Animal().objectSchema
    #expect(schema.properties.filter(\.isSearchable).map(\.name) == ["name", "note"])
    #expect(schema["note"]?.isIndexed == true && schema["note"]?.declaredKey == "remark")
    #expect(schema["note"]?.options == [.null(.skip)])
  }
}

/// The closure form cannot throw, and the string may come from a request.
@Suite struct `A search without a word` {
  @Test func `a search without words matches nothing in the closure form`() throws {
    let store = try Store()
    try store.write { try store.create(Searched.Animal.self, value: ["id": 1, "name": "!"]) }
    let animals = store.objects(Searched.Animal.self)
    for search in ["!", "", "- *"] {
      #expect(animals.where { $0.name.matches(search) }.isEmpty)
      #expect(animals.where { !$0.name.matches(search) }.count == 1)
    }
  }
}
