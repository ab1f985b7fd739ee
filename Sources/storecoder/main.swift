import Foundation
import ObjectStore
import StoreCoding

enum Role: String, PersistableEnum { case guest, admin }
final class Place: EmbeddedObject { @Persisted var street = ""; @Persisted var city = "x" }
final class Owner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name: String?
  @Persisted(originProperty: "owner") var animals: LinkingObjects<Animal>
}
final class Photo: Object { @Persisted var small = "" }
class Animal: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "none"
  @Persisted var legs = 4
  @Persisted var flag = false
  @Persisted var weight: Double?
  @Persisted var owner: Owner?
  @Persisted var tags: List<String>
  @Persisted var friends: List<Animal>
  @Persisted var photos: List<Photo>
  @Persisted var home: Place?
  @Persisted var role: Role = .guest
  @Persisted var scores: Map<String, Int>
  @Persisted var set: MutableSet<Int>
  @Persisted var uid = UUID()
}
let store = try Store()
print(try ObjectSchema.of(Animal.self))
let a = Animal()
a.id = 1; a.name = "Bella"; a.tags.append("x"); a.owner = Owner(); a.owner?.id = 9;
a.home = Place(); a.home?.street = "Main"
a.scores["k"] = 3; a.set.insert(5)
try store.write { try store.add(a) }
print(a, a.isManaged, a.tags, a.owner!.animals.count, store.version)
let b = try store.write {
  try store.create(
    Animal.self,
    value: [
      "id": 2, "name": "Ciao", "owner": ["id": 9, "name": "Jo"], "friends": [["id": 1, "legs": 3]],
      "photos": [["small": "s1"], ["small": "s2"]], "home": ["street": "Q"], "tags": ["p", "q"],
    ], update: .modified)
}
print(b, a.legs, a.owner!.name ?? "nil", a.owner!.animals.map(\.id), store.version)
try store.write {
  try store.create(
    Animal.self,
    value: [
      "id": 2, "name": "Ciao", "owner": ["id": 9, "name": "Jo"], "friends": [["id": 1, "legs": 3]],
      "photos": [["small": "s1"], ["small": "s2"]], "home": ["street": "Q"], "tags": ["p", "q"],
    ], update: .modified)
}
print(store.version, store.objects(Photo.self).count)
try store.write {
  try store.create(
    Animal.self, value: ["id": 2, "photos": [["small": "s1"], ["small": "s3"]]], update: .modified)
}
print(store.version, store.objects(Photo.self).map(\.small))
print(
  try store.update(
    Animal.self, key: 2, \.name <- "Z", \.legs <- 4, \.weight <- 3.5, \.tags += ["zz"]), b.name,
  b.weight as Any, b.tags)
print(Animal.attributeName(for: \.name), Animal.attributeName(for: \.owner?.name))
let f = b.frozen()
try store.write { store.delete(b) }
print(
  f.name, f.tags, f.friends.map(\.name), f.owner?.name as Any, b.isInvalidated, b.name,
  store.objects(Animal.self).count, store.objects(Photo.self).count)
do {
  try store.write {
    a.name = "changed"; let x = try store.create(Animal.self, value: ["id": 5]); _ = x;
    throw CancellationError()
  }
} catch {}
print(a.name, store.objects(Animal.self).count, store.version)
for i in 10..<1000 {
  try store.write {
    try store.create(Animal.self, value: ["id": .init(i), "name": .init("n\(i)")])
  }
}
print(store.objects(Animal.self).count, store.object(ofType: Animal.self, forPrimaryKey: 555)!.name)
print("-- coder")
final class User: Object {
  @Persisted(primaryKey: true) var objId: String
  @Persisted var rank: Int = -1
  @Persisted var username = ""
  @Persisted var firstName = ""
  @Persisted(indexed: true) var lastName = ""
  @Persisted var address: String?
  @Persisted var joined: Date?
  @Persisted var configJson = ""
  @Persisted var tags: List<String>
  @Persisted var friends: List<User>
  @Persisted var home: Place?
  @Persisted var role: Role = .guest
  override class var codableKeys: [String: String] {
    ["objId": "id", "firstName": "first_name", "lastName": "last_name"]
  }
  override class var codableIgnoredAttributes: [String] { ["address"] }
  override class var codableRawJsonSubstrings: [String] { ["configJson"] }
  override class var objectEnvelope: String? { "user" }
  override class var listEnvelope: String? { "users" }
}
do {
  let coder = StoreCoder(store: store)
  let data = try Data(contentsOf: URL(filePath: "Fixtures/users/user-enveloped.json"))
  let v0 = store.version
  let u = try coder.decode(User.self, from: data)
  print(u)
  let v = store.version
  try coder.decode(User.self, from: data)
  print(v0, v, store.version)
  print(String(decoding: try coder.encode(u), as: UTF8.self))
  print(
    String(
      decoding: try StoreCoder(store: store, configuration: .realmCoder).encode(
        u, useEnvelope: true), as: UTF8.self))
  print(coder.explain(User.self))
  for f in try FileManager.default.contentsOfDirectory(atPath: "Fixtures/bad").sorted() {
    let d = try Data(contentsOf: URL(filePath: "Fixtures/bad/\(f)"))
    do { try coder.decode(User.self, from: d); print(f, "OK one") } catch { print(f, error) }
    do { try coder.decodeArray(User.self, from: d); print(f, "OK list") } catch { print(f, error) }
  }
} catch { print("FAILED", error) }
