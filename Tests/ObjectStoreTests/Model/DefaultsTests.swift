import Foundation
import ObjectStore
import TestSupport
import Testing

private nonisolated(unsafe) var evaluations = 0

private func next() -> Int {
  evaluations += 1
  return evaluations
}

final class Ticket: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var made = Date()
  @Persisted var token: UUID
  @Persisted var number = next()
  @Persisted var legs = 4
  @Persisted var name = "none"
  @Persisted var note: String? = "empty"
  @Persisted var price: Double? = 0
  @Persisted var flag = true
  @Persisted var species: Species = .horse
  @Persisted var tags: List<String> = ["a", "b"]
  @Persisted var marks: MutableSet<Int> = [2, 1]
  @Persisted var map: Map<String, Int> = ["k": 1]
  @Persisted var json: JSONValue = ["x": [1]]
  @Persisted var born = Date(timeIntervalSince1970: 1000)
}

/// A counter for one test.
private final class Counter: @unchecked Sendable {
  // Sendable: only one test, a single task, uses an instance.
  @TaskLocal static var current = Counter()
  var value = 0

  static func next() -> Int {
    current.value += 1
    return current.value
  }
}

private final class Cabin: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number = Counter.next()
  @Persisted var stove: Stove? = Stove()
}

private final class Stove: EmbeddedObject {
  @Persisted var number = Counter.next()
  @Persisted var door: Door? = Door()
}

private final class Door: EmbeddedObject {
  @Persisted var number = Counter.next()
}

/// The day that declared defaults read. Each test sets it like a clock.
enum Today {
  @TaskLocal static var day = 1
}

final class Visit: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var day = Today.day
  @Persisted var isLate = Today.day > 5
  @Persisted var note: String?
  @Persisted var guest: Guest?
  @Persisted var others: List<Guest>
  @Persisted var bed: Bed?
}

/// A class without a primary key.
final class Guest: Object {
  @Persisted var name = ""
  @Persisted var day = Today.day
}

final class Bed: EmbeddedObject {
  @Persisted var width = 90
  @Persisted var day = Today.day
}

/// A class whose initializer assigns values conditionally.
final class Moody: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var legs: Int
  @Persisted var mood: String?
  @Persisted var marks: List<Int>

  required init() {
    super.init()
    if Today.day > 5 {
      legs = Today.day
      mood = "late"
      marks.append(Today.day)
    }
  }
}

final class ConstantKey: Object {
  @Persisted(primaryKey: true) var id = Today.day
  @Persisted var name = ""
}

final class NumberedKey: Object {
  @Persisted(primaryKey: true) var id: String
  @Persisted var path = ""

  required init() {
    super.init()
    id = UUID().uuidString
    path = "/visits/\(id)"
  }
}

final class Stable: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var home: Address? = Address(street: "default")
  @Persisted var spares: List<Address> = [Address(street: "a"), Address(street: "b", city: "c")]
  @Persisted var scores: Map<String, Double> = ["x": 0.5]
}

final class LinkedDefaults: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var owner: Owner? = Owner(id: 9, name: "default")
  @Persisted var owners: List<Owner> = [Owner(id: 9)]
  @Persisted var byName: Map<String, Owner?> = ["x": Owner(id: 8)]
  @Persisted var born = Date(timeIntervalSince1970: .nan)
}

/// A class that creates another object conditionally.
final class Host: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var rank = 3
  var early = Today.day == 7 ? Helper() : nil
  var late: Helper?

  required init() {
    super.init()
    if Today.day == 8 { late = Helper() }
  }
}

final class Helper: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var size = 12
}

@Suite struct `Declared defaults` {
  @Test func `a non-constant default is evaluated for each object`() throws {
    let store = try Store()
    let (a, b) = try store.write {
      (try store.create(Ticket.self), try store.create(Ticket.self))
    }
    #expect(a.id != b.id)
    #expect(a.token != b.token)
    #expect(a.number != b.number)
    #expect(a.made <= b.made && a.made.timeIntervalSinceNow > -60)
    let (c, d) = (Ticket(), Ticket())
    #expect(c.id != d.id && c.token != d.token && c.number != d.number)
    let id = c.id
    try store.write { try store.add(c) }
    #expect(c.id == id && c.token == c.token)
  }

  @Test func `created and added objects have the constant defaults`() throws {
    let store = try Store()
    let added = Ticket()
    let created = try store.write {
      try store.add(added)
      return try store.create(Ticket.self, value: ["name": "given"])
    }
    #expect(added.name == "none" && created.name == "given")
    for ticket in [added, created] {
      #expect(ticket.legs == 4)
      #expect(ticket.note == "empty")
      #expect(ticket.price == 0)
      #expect(ticket.flag)
      #expect(ticket.species == .horse)
      #expect(Array(ticket.tags) == ["a", "b"])
      #expect(Set(ticket.marks) == [1, 2])
      #expect(ticket.map.dictionary == ["k": 1])
      #expect(ticket.json == ["x": [1]])
      #expect(ticket.born == Date(timeIntervalSince1970: 1000))
    }
  }

  @Test func `null in an update overrides the default`() throws {
    let store = try Store()
    let ticket = try store.write {
      try store.create(Ticket.self, value: ["note": nil, "price": nil, "tags": nil])
    }
    #expect(ticket.note == nil && ticket.price == nil && ticket.tags.isEmpty)
  }

  // MARK: - Evaluation for each row

  private func visit(_ id: Int, on day: Int, _ store: Store) throws -> Visit {
    try Today.$day.withValue(day) {
      try store.write { try store.create(Visit.self, value: ["id": .init(id)]) }
    }
  }

  // R25
  @Test func `a default is evaluated for each new row, however the row is created`() throws {
    let store = try Store()
    let days = [3, 3, 9, 4]
    let visits = try days.enumerated().map { try visit($0, on: $1, store) }
    #expect(visits.map(\.day) == days)
    #expect(visits.map(\.isLate) == [false, false, true, false])
    try Today.$day.withValue(11) {
      try store.write {
        try store.create(
          Visit.self,
          value: ["id": 10, "guest": ["name": "a"], "others": [["name": "b"]], "bed": ["width": 1]])
        let added = Visit()
        added.id = 11
        try store.add(added)
        try store.update(Visit.self, key: 12, \.note <- "x", missing: .orInsert)
      }
    }
    for id in 10...12 {
      #expect(store.object(ofType: Visit.self, forPrimaryKey: id)?.day == 11)
    }
    let nested = store.object(ofType: Visit.self, forPrimaryKey: 10)
    #expect(nested?.guest?.day == 11 && nested?.others[0].day == 11 && nested?.bed?.day == 11)
  }

  @Test func `an update of an existing object applies no defaults`() throws {
    let store = try Store()
    let visit = try visit(1, on: 3, store)
    try Today.$day.withValue(9) {
      try store.write {
        try store.create(Visit.self, value: ["id": 1, "note": "x"], update: .modified)
      }
    }
    #expect(visit.day == 3 && visit.note == "x")
  }

  @Test func `values that an initializer assigns are defaults, even if assigned conditionally`()
    throws
  {
    let store = try Store()
    func make(_ id: Int, on day: Int) throws -> Moody {
      try Today.$day.withValue(day) {
        try store.write { try store.create(Moody.self, value: ["id": .init(id)]) }
      }
    }
    let moods = try [make(1, on: 2), make(2, on: 8), make(3, on: 3), make(4, on: 9)]
    #expect(moods.map(\.legs) == [0, 8, 0, 9])
    #expect(moods.map(\.mood) == [nil, "late", nil, "late"])
    #expect(moods.map { Array($0.marks) } == [[], [8], [], [9]])
    let given = try Today.$day.withValue(8) {
      try store.write {
        try store.create(Moody.self, value: ["id": 5, "legs": 1, "mood": nil])
      }
    }
    #expect(given.legs == 1 && given.mood == nil && Array(given.marks) == [8])
  }

  // R25
  @Test func `a default of the primary key applies only if it differs between objects`() throws {
    let store = try Store()
    for day in [1, 6] {
      let error = Today.$day.withValue(day) {
        #expect(throws: StoreError.self) { try store.write { try store.create(ConstantKey.self) } }
      }
      #expect(error?.description == "ConstantKey: the update has no value for the primary key 'id'")
    }
    let (a, b) = try store.write {
      (try store.create(NumberedKey.self), try store.create(NumberedKey.self))
    }
    #expect(a.id != b.id && a.path == "/visits/\(a.id)" && b.path == "/visits/\(b.id)")
  }

  // MARK: - Repeated content

  @Test func `applying the same content again creates no version despite changed defaults`() throws
  {
    let store = try Store()
    let update: UpdateDictionary = [
      "id": 1, "guest": ["name": "a"], "others": [["name": "b"], ["name": "c"]], "bed": [:],
    ]
    func load(on day: Int, _ update: UpdateDictionary) throws -> UInt64 {
      try Today.$day.withValue(day) {
        try store.write(as: .server) {
          try store.create(Visit.self, value: update, update: .modified)
        }
      }
      return store.version
    }
    let first = try load(on: 2, update)
    #expect(try load(on: 3, update) == first)
    let visit = try #require(store.object(ofType: Visit.self, forPrimaryKey: 1))
    #expect(visit.guest?.day == 2 && visit.bed?.day == 2 && visit.others.map(\.day) == [2, 2])
    // A value that was given explicitly is compared with the current default.
    var given = update
    given["bed"] = ["day": 5]
    let second = try load(on: 3, given)
    #expect(second > first && visit.bed?.day == 5)
    #expect(try load(on: 4, given) == second)
    #expect(try load(on: 5, update) == second)
    let third = try load(on: 6, update)
    #expect(third > second && visit.bed?.day == 6)
    // An assigned value is compared with the default, too.
    try store.write { visit.guest?.day = 7 }
    let fourth = store.version
    #expect(try load(on: 7, update) == fourth)
    #expect(try load(on: 8, update) > fourth)
    #expect(visit.guest?.day == 8 && visit.others.map(\.day) == [2, 2])
  }

  @Test func `an attribute still counts as defaulted after its assignment is rolled back`() throws {
    let store = try Store()
    let update: UpdateDictionary = ["id": 1, "bed": ["width": 80]]
    try store.write(as: .server) { try store.create(Visit.self, value: update) }
    let visit = try #require(store.object(ofType: Visit.self, forPrimaryKey: 1))
    do {
      try store.write {
        visit.bed?.day = 5
        throw Undo()
      }
    } catch is Undo {}
    let version = store.version
    try Today.$day.withValue(9) {
      try store.write(as: .server) {
        try store.create(Visit.self, value: update, update: .modified)
      }
    }
    #expect(store.version == version && visit.bed?.day == 1)
  }

  @Test func `attributes of a copied embedded object still count as defaulted`() throws {
    let store = try Store()
    let update: UpdateDictionary = ["id": 2, "bed": ["width": 80]]
    let other = try store.write(as: .server) {
      let first = try store.create(Visit.self, value: ["id": 1, "bed": ["width": 80]])
      let other = try store.create(Visit.self, value: ["id": 2])
      other.bed = first.bed
      return other
    }
    let version = store.version
    try Today.$day.withValue(9) {
      try store.write(as: .server) {
        try store.create(Visit.self, value: update, update: .modified)
      }
    }
    #expect(store.version == version && other.bed?.day == 1)
  }

  // MARK: - Objects

  @Test func `each object gets its own row for an embedded default, however it is created`()
    throws
  {
    let store = try Store()
    let objects = try store.write {
      let added = Stable()
      added.id = 1
      try store.add(added)
      try store.update(Stable.self, key: 3, \.scores <- ["y": 1], missing: .orInsert)
      return [
        added, try store.create(Stable.self, value: ["id": 2]),
        try #require(store.object(ofType: Stable.self, forPrimaryKey: 3)),
      ]
    }
    for object in objects {
      #expect(object.home?.street == "default")
      #expect(object.spares.map(\.street) == ["a", "b"] && object.spares[1].city == "c")
    }
    #expect(objects.map(\.scores.dictionary) == [["x": 0.5], ["x": 0.5], ["y": 1]])
    try store.write { objects[0].home?.street = "moved" }
    #expect(objects[1].home?.street == "default" && objects[2].home?.street == "default")
    let bare = try store.write {
      try store.create(Stable.self, value: ["id": 4, "home": nil, "spares": []])
    }
    #expect(bare.home == nil && bare.spares.isEmpty)
  }

  @Test func `a default that cannot be stored is a declaration mistake`() throws {
    #expect {
      _ = try ObjectSchema.of(LinkedDefaults.self)
    } throws: { error in
      (error as? StoreError)?.kind
        == .invalidDeclarations(
          ["owner", "owners", "byName"].map {
            "LinkedDefaults.\($0): its default cannot be stored: a default can only refer to embedded objects; "
              + "assign other objects after creation"
          } + [
            "LinkedDefaults.born: its default cannot be stored: LinkedDefaults.born: "
              + "expected a finite Date, found NaN or infinity"
          ])
    }
  }

  @Test func `reading an object evaluates no defaults, including those of embedded objects`() throws
  {
    let store = try Store()
    let cabin = try store.write {
      try store.create(Cabin.self, value: ["id": 1, "number": 1, "stove": ["number": 2]])
    }
    let counter = Counter()
    try Counter.$current.withValue(counter) {
      for cabin in store.objects(Cabin.self) { #expect(cabin.stove?.number == 2) }
      let found = store.object(ofType: Cabin.self, forPrimaryKey: 1)
      #expect(found?.number == 1 && found?.stove?.door?.number == cabin.stove?.door?.number)
      try store.write {
        try store.create(Cabin.self, value: ["id": 1, "number": 3], update: .modified)
      }
      #expect(counter.value == 0)
      #expect(Cabin().stove?.door?.number == 3)
    }
  }

  @Test(arguments: [1, 7, 8])
  func `objects created by a model's initializer have their defaults`(day: Int) throws {
    let store = try Store()
    try store.write { try store.create(Host.self, value: ["id": 1, "rank": 4]) }
    try Today.$day.withValue(day) {
      let host = try #require(store.object(ofType: Host.self, forPrimaryKey: 1))
      #expect(host.rank == 4)
      #expect(host.early?.size == (day == 7 ? 12 : nil))
      #expect(host.late?.size == (day == 8 ? 12 : nil))
    }
  }
}
