import Foundation
public import ObjectStore
import Testing

// The call sites promised to users. The test is that this file compiles; the functions are not called.

enum Role: String, PersistableEnum { case guest, admin }

final class Place: EmbeddedObject {
  @Persisted var street = ""
}

final class Publisher: Object {
  @Persisted(primaryKey: true) var identifier = 0
  @Persisted var name: String?
}

final class Tag: Object {
  @Persisted(primaryKey: true) var key = ""
}

class User: Object {
  @Persisted(primaryKey: true) var objId: String
  @Persisted var rank: Int = -1
  @Persisted var username = ""
  @Persisted var firstName = ""
  @Persisted(indexed: true) var lastName = ""
  @Persisted var address: String?
  @Persisted var joined: Date?
  @Persisted var configJson = ""
  @Persisted var publisher: Publisher?
  @Persisted var tags: List<String>
  @Persisted var friends: List<User>
  @Persisted var home: Place?
  @Persisted var role: Role = .guest
  @Persisted(.unknown(.guest)) var otherRole: Role = .guest
  @Persisted(.null(.skip)) var maybeRole: Role?
  @Persisted(originProperty: "friends") var befriendedBy: LinkingObjects<User>
  @Persisted(json: "born_on", .date("yyyy-MM-dd", .unixSeconds)) var born: Date?
  @Persisted(json: "made_on", .date("yyyy-MM-dd"), .null(.default)) var made: Date = .distantPast
  @Persisted var set: MutableSet<String>
  @Persisted var map: Map<String, Int>
  var draftNote = ""

  override class var codableKeys: [String: String] {
    ["objId": "id", "firstName": "first_name", "lastName": "last_name"]
  }
  override class var codableIgnoredAttributes: [String] { ["address"] }
  override class var codableRawJsonSubstrings: [String] { ["configJson"] }
  override class var objectEnvelope: String? { "user" }
  override class var listEnvelope: String? { "users" }
}

final class Admin: User {
  @Persisted var level = 0
}

open class OpenModel: Object {
  @Persisted open var identifier = 0
  open override class func primaryKey() -> String? { "identifier" }
  open override class func indexedProperties() -> [String] { ["identifier"] }
}

final class StaticSpelling: Object {
  @Persisted var identifier = 0
  override static func primaryKey() -> String? { "identifier" }
}

final class Hero: Object {
  @Persisted(primaryKey: true) var identifier = 0
  @Persisted var name = ""
  @Persisted var realName = ""
  @Persisted var alias: String?
  @Persisted var rank = 0
  @Persisted var publisher: Publisher?
}

final class Order: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var completed = false
  @Persisted var note: String?
  @Persisted var tags: List<String>
  @Persisted var customer: Publisher?
  @Persisted var due: Date?
}

func storeCallSites(user: User, old: User) async throws {
  let shared = try Store(configuration: .inMemory(identifier: "cache"))
  let store = try Store()
  try store.write {
    try store.add(user)
    let publisher = try store.create(
      Publisher.self, value: ["identifier": 1, "name": "Marvel"], update: .modified)
    user.publisher = publisher
    store.delete(old)
  }
  let found = store.object(ofType: User.self, forPrimaryKey: "fec224c1")
  let reference = user.reference
  let _: User? = store.resolve(reference)
  let frozen = user.frozen()
  let _: String = frozen.firstName
  let _: String? = frozen.publisher?.name
  let _: String? = frozen.address
  let _: [String] = frozen.tags
  let _: FrozenResults<User> = frozen.friends
  let _: Int = frozen.befriendedBy.count
  let _: String? = frozen.home?.street
  let _: [String] = store.objects(Hero.self).frozen().map(\.name)
  _ = (shared, found, store.configuration)
}

func updateCallSites(store: Store, user: User, old: User) throws {
  var update: UpdateDictionary = [
    "identifier": 1455, "realName": "Anthony Edward Stark", "publisher": ["identifier": 1],
    "alias": nil, "tags": ["a", "b", nil], "n": [["x": 1.5], ["y": true]], "neg": -1,
  ]
  let (number, text) = (3, String?.none)
  let variables: UpdateDictionary = [
    "a": .init(number), "b": .init(text), "c": .init(Date()), "d": ["e": .init(number), "f": nil],
    "g": .init(old),
  ]
  update["identifier"] = 7
  update["alias"] = .null
  try store.write { try store.create(Hero.self, value: update, update: .modified) }
  let anyDictionary: [String: Any] = ["identifier": 1]
  try store.create(Hero.self, value: anyDictionary, update: .modified)
  let name = "x"
  try store.create(
    Hero.self, value: ["identifier": 1, "name": name, "publisher": user.publisher],
    update: .modified)
  try store.create(
    Hero.self, value: ["identifier": 1, "name": name, "alias": nil], update: .modified)
  try store.create(
    Hero.self,
    value: ["identifier": 1, "alias": nil, "publisher": ["identifier": 1, "name": nil]],
    update: .modified)
  let outcome = try store.update(
    Order.self, key: 7, \.completed <- true, \.note <- nil, \.tags <- ["a", "b"])
  let array = ["x"]
  try store.update(
    Order.self, key: 7, \.completed <- true, \.note <- name, \.tags <- array, \.customer <- nil,
    \.due <- .now, \.note <- nil, \.completed <- !array.isEmpty, \.tags <- [])
  try store.update(
    Order.self, key: 7, \.tags += ["x"], \.tags -= array, \.completed <- true, \.note <- nil)
  try store.update(Order.self, key: 7, \.completed <- true, missing: .orInsert)
  switch outcome {
  case .updated(let names): _ = names
  case .unchanged, .notFound: break
  }
  try store.update(id: 7, \Order.completed, true)
  _ = Order.attributeName(for: \.completed)
  _ = Order.attributeName(for: \.customer?.name)
  _ = variables
}

func backgroundCallSites(store: Store, update: UpdateDictionary) async throws {
  try await store.inBackground { store in
    try store.write { try store.create(User.self, value: update, update: .modified) }
  }
  let count = try await store.inBackground { store in store.objects(User.self).count }
  let _: Int = count
  let key = try await store.inBackground { store in
    try store.write { try store.create(User.self, value: update, update: .modified).reference }
  }
  let _: ObjectReference<User> = key
  let lines = try await store.inBackground { store in
    let users = store.objects(User.self)
    return users.count
  }
  let _: Int = lines
}

@MainActor final class ViewModel {
  let store: Store
  init() throws { store = try Store() }
  func refresh(_ update: UpdateDictionary) async throws {
    _ = try await store.inBackground { store in store.objects(User.self).count }
    try await store.asyncWrite { try store.create(User.self, value: ["objId": "x"]) }
  }
}

actor Worker {
  let store: Store
  init() throws { store = try Store() }
  func refresh(_ update: UpdateDictionary) async throws {
    _ = try await store.inBackground { store in store.objects(User.self).count }
    try await store.asyncWrite { try store.create(User.self, value: ["objId": "x"]) }
  }
}
