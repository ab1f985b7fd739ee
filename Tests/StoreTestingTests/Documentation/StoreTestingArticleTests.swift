import Foundation
import ObjectStore
import StoreCoding
import StoreTesting
import TestSupport
import Testing
import XCTest

final class User: Object {
  @Persisted(primaryKey: true) var objId: String
  @Persisted var rank = 0
  @Persisted var username = ""
  @Persisted var firstName = ""
  @Persisted var lastName = ""
  @Persisted var address: String?
  @Persisted var joined: Date?
  @Persisted var configJson: JSONValue?
  @Persisted var publisher: JSONValue?
  @Persisted var tags: List<String>
  @Persisted var home: JSONValue?
  @Persisted var role = ""
  @Persisted var friends: List<User>

  override class var codableKeys: [String: String] {
    ["objId": "id", "firstName": "first_name", "lastName": "last_name"]
  }
  override class var objectEnvelope: String? { "user" }
  override class var listEnvelope: String? { "users" }
}

@Suite struct UserMappingTests {
  let users = MappingTest(User.self)
  let fixtures = Fixtures()

  @Test func `the declarations have no mistakes`() throws {
    try users.check()
  }

  @Test func `a null address is cleared, and an absent one is unchanged`() throws {
    let payload = Data(#"{"user": {"id": "u1", "address": null}}"#.utf8)
    try users.expectUpdate(from: payload, is: ["objId": "u1", "address": nil])
  }

  @Test func `every object of the list fixture is stored and encoded as given`() throws {
    let count = try users.expectSound(list: fixtures.data("users/users-enveloped.json"))
    #expect(count == 3)
  }
}

@Suite struct `The StoreTesting article` {
  @Test func `ignored keys do not fail the expectation`() throws {
    let users = MappingTest(User.self)
    let payload = Data(
      #"""
      {"users": [{"id": "u1", "avatar": 1, "friends": [{"id": "u2", "avatar": {"x": 1}}]}]}
      """#.utf8)
    try users.expectSound(list: payload, ignoring: ["avatar", "friends.avatar"])
    #expect(throws: StoreTestFailure.self) { try users.expectSound(list: payload) }
  }

  @Test func `the code about plans works`() throws {
    let coder = StoreCoder(store: try Store(configuration: .inMemory()))
    try coder.decode(
      User.self, from: Data(#"{"user": {"id": "u1", "first_name": "Ann"}}"#.utf8))
    let payload = Data(#"{"user": {"id": "u1", "first_name": "Anne"}}"#.utf8)
    let plan = try coder.plan(User.self, from: payload)
    try PlanTest(plan).expectChanges(
      """
      ~ User "u1": firstName "Ann" → "Anne"
      """)
  }
}

final class UserMappingCase: XCTestCase {
  func testFilesThatAreExpected() throws {
    let users = MappingTest(User.self)
    let fixtures = Fixtures()
    let golden = fixtures.url("goldens")

    let payload = try fixtures.data("users/user-enveloped.json")
    try users.expectUpdate(from: payload, isAt: golden.appending(path: "user-update.json"))
    try users.expectBody(of: payload, isAt: golden.appending(path: "user-body.json"))
  }
}
