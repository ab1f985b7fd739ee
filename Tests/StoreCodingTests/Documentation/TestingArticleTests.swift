import Foundation
import ObjectStore
import StoreCoding
import Testing
import XCTest

// The code in the article Testing.

private final class User: Object {
  @Persisted(primaryKey: true) var objId: String
  @Persisted var firstName = ""
  @Persisted var address: String?
  @Persisted var friends: List<User>

  override class var codableKeys: [String: String] {
    ["objId": "id", "firstName": "first_name"]
  }
  override class var objectEnvelope: String? { "user" }
}

/// The bytes of a file in the package's folder `Fixtures`.
func fixture(_ path: String) throws -> Data {
  let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
  return try Data(contentsOf: package.appending(path: "Fixtures/\(path)"))
}

struct UserTests {
  let store: Store
  let coder: StoreCoder

  init() throws {
    store = try Store()
    coder = StoreCoder(store: store)
  }

  @Test func `check finds no mistake in the declarations`() throws {
    try coder.check(User.self)
  }

  @Test func `a user has a name and friends`() throws {
    let user = try coder.decode(User.self, from: fixture("users/user-enveloped.json"))
    #expect(user.firstName == "Bridget")
    #expect(user.friends.map(\.objId) == ["0b7d93e4", "a41c6f28"])
  }

  @Test func `the same payload again changes nothing`() throws {
    let payload = try fixture("users/user-enveloped.json")
    try coder.decode(User.self, from: payload)
    let version = store.version
    try coder.decode(User.self, from: payload)
    #expect(store.version == version)
  }

  @Test func `a null address is cleared, and an absent one is unchanged`() throws {
    let cleared = Data(#"{"user": {"id": "u1", "address": null}}"#.utf8)
    let absent = Data(#"{"user": {"id": "u1"}}"#.utf8)
    #expect(
      try coder.updateDictionary(for: User.self, from: cleared) == ["objId": "u1", "address": nil])
    #expect(try coder.updateDictionary(for: User.self, from: absent) == ["objId": "u1"])
  }

  @Test func `what is sent has the changed name`() throws {
    let ann: UpdateDictionary = ["objId": "u1", "firstName": "Ann", "address": "1 Mill Lane"]
    let user = try store.write { try store.create(User.self, value: ann) }
    try store.update(User.self, key: "u1", \.firstName <- "Anne")
    let body = String(decoding: try coder.encode(user), as: UTF8.self)
    #expect(body == #"{"id":"u1","first_name":"Anne","address":"1 Mill Lane","friends":[]}"#)
  }

  @Test func `a user without an id is refused`() throws {
    let error = #expect(throws: StoreCodingError.self) {
      try coder.decode(User.self, from: Data(#"{"user": {"first_name": "Ann"}}"#.utf8))
    }
    #expect(error?.kind == .primaryKeyNotFound)
    #expect(error?.path == "user")
    #expect(store.version == 0)
  }
}

final class UserCase: XCTestCase {
  func testUserHasName() throws {
    let coder = StoreCoder(store: try Store())
    let user = try coder.decode(User.self, from: fixture("users/user-enveloped.json"))
    XCTAssertEqual(user.firstName, "Bridget")
  }
}
