import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The complete error of each document in `Fixtures/bad`.
@Suite struct `Bad payloads` {
  enum Shape: Sendable {
    case user, users, enveloped, restaurant
  }

  static let table: [(String, Shape, String)] = [
    (
      "truncated", .users,
      #"[1] (id "0b7d93e4"): the text ends in the middle of a value at line 3, column 40"#
    ),
    (
      "trailing-garbage", .user,
      #"unexpected text after the JSON value, found "}" at line 7, column 1"#
    ),
    (
      "lone-surrogate", .user,
      #"username (id "fec224c1"): a lone surrogate escape at line 4, column 19"#
    ),
    (
      "invalid-utf8", .user,
      #"username (id "fec224c1"): bytes that are not UTF-8 at line 4, column 19"#
    ),
    (
      "control-character", .user,
      #"username (id "fec224c1"): an unescaped control character in a string at line 4, column 19"#
    ),
    (
      "bad-escape", .user,
      #"username (id "fec224c1"): an invalid escape sequence at line 4, column 19"#
    ),
    (
      "number-leading-zero", .user,
      #"rank (id "fec224c1"): a malformed number, found "07" at line 3, column 12"#
    ),
    (
      "number-too-large", .restaurant,
      "rating (Restaurant.rating, id 42): number 1e400 is outside the range of Double? "
        + "at line 1, column 46"
    ),
    (
      "int-fraction", .user,
      #"rank (BareUser.rank, id "fec224c1"): expected Int, found number 1.5 at line 3, column 11"#
    ),
    (
      "int-overflow", .user,
      #"rank (BareUser.rank, id "fec224c1"): number 9223372036854775808 is outside the range of Int "#
        + "at line 3, column 11"
    ),
    (
      "string-for-number", .user,
      #"rank (BareUser.rank, id "fec224c1"): expected Int, found string "7" at line 3, column 11"#
    ),
    (
      "number-for-string", .user,
      "id (BareUser.objId): expected String, found number 3 at line 2, column 9"
    ),
    (
      "null-for-non-optional", .user,
      #"username (BareUser.username, id "fec224c1"): null for a String that is not optional "#
        + "at line 4, column 15"
    ),
    (
      "wrong-date", .user,
      #"joined (BareUser.joined, id "fec224c1"): expected a date (ISO 8601), "#
        + #"found string "2018-02-30T14:53:37.000Z" at line 5, column 13"#
    ),
    (
      "missing-key", .user,
      "(BareUser.objId): no value for the primary key 'id', found the keys 'rank', 'username' "
        + "at line 1, column 1"
    ),
    (
      "missing-nested-key", .user,
      #"publisher (Publisher.identifier): no value for the primary key "#
        + "'identifier', found the key 'name' at line 4, column 16"
    ),
    (
      "no-keys-found", .user,
      "no key of the object belongs to BareUser, found the keys 'colour', 'wheels' at line 1, column 1"
    ),
    (
      "envelope-missing", .enveloped,
      "expected the envelope 'user', found the keys 'person', 'status' at line 1, column 1"
    ),
    ("array-for-object", .user, "expected an object, found an array at line 1, column 1"),
    (
      "object-for-array", .users,
      "expected an array of objects, found an object with the keys 'id', 'rank' at line 1, column 1; "
        + "a list in an object needs a 'listEnvelope' or an 'at:'"
    ),
    ("empty", .user, "the JSON text is empty at line 1, column 1"),
    ("only-whitespace", .user, "the JSON text is empty at line 4, column 1"),
    (
      "error-in-the-middle", .users,
      #"[4].rank (BareUser.rank, id "5d19c802"): expected Int, found string "five" "#
        + "at line 6, column 31"
    ),
    (
      "unknown-enum", .user,
      #"role (BareUser.role, id "fec224c1"): expected Role (guest, admin), "#
        + #"found string "superuser" at line 4, column 11"#
    ),
    (
      "bad-base64", .user,
      #"avatar (BareUser.avatar, id "fec224c1"): expected Data (base64), "#
        + #"found string "iVBORw0KGgo*AAAA" at line 4, column 13"#
    ),
    (
      "comment", .user,
      #"(id "fec224c1"): expected a quoted key in an object, found "// the key" "#
        + "at line 2, column 21"
    ),
    (
      "single-quotes", .user,
      #"expected a quoted key in an object, found "'id': 'fec224c1'," at line 2, column 3"#
    ),
  ]

  private func decode(_ shape: Shape, _ data: Data, _ coder: StoreCoder) throws {
    switch shape {
    case .user: try coder.decode(Coding.BareUser.self, from: data)
    case .users: try coder.decodeArray(Coding.BareUser.self, from: data)
    case .enveloped: try coder.decode(Coding.User.self, from: data)
    case .restaurant: try coder.decode(Coding.Restaurant.self, from: data)
    }
  }

  @Test(arguments: table)
  func `a bad payload throws the expected error without changing the store`(
    name: String, shape: Shape, expected: String
  ) throws {
    let coder = try makeCoder()
    try coder.decode(Coding.BareUser.self, fixture: "users/user.json")
    let before = try coder.encodeArray(coder.store.objects(Coding.BareUser.self)).text
    let version = coder.store.version
    let data = try CodingFixtures.data("bad/\(name).json")
    #expect(message { try decode(shape, data, coder) } == expected)
    #expect(coder.store.version == version)
    #expect(try coder.encodeArray(coder.store.objects(Coding.BareUser.self)).text == before)
    #expect(coder.store.objects(Coding.User.self).count == 2)
    #expect(coder.store.objects(Coding.Publisher.self).count == 1)
  }

  @Test func `the kind, path and position of an error are available as properties`() throws {
    let coder = try makeCoder()
    let data = try CodingFixtures.data("bad/error-in-the-middle.json")
    let error = #expect(throws: StoreCodingError.self) {
      try coder.decodeArray(Coding.BareUser.self, from: data)
    }
    #expect(error?.kind == .typeMismatch)
    #expect(error?.path == "[4].rank")
    #expect(error?.attribute == "BareUser.rank")
    #expect(error?.key == #"id "5d19c802""#)
    #expect(error?.expected == "Int")
    #expect(error?.found == #"string "five""#)
    #expect(error?.position?.line == 6)
    #expect(error?.position?.column == 31)
    #expect(error?.byteOffset == data.text.utf8.distanceTo(#""five""#))
  }

  @Test(
    arguments: [
      (
        #"{"id":1,"plain":tru}"#,
        #"plain (id 1): expected a JSON value, found "tru" at line 1, column 20"#
      ),
      (
        #"{"id":1,"uuid":fals}"#,
        #"uuid (id 1): expected a JSON value, found "fals" at line 1, column 20"#
      ),
      (
        #"{"id":1,"list":01}"#,
        #"list (id 1): a malformed number, found "01" at line 1, column 17"#
      ),
      (
        #"{"id":1,"list":[1,nul]}"#,
        #"list[1] (id 1): expected a JSON value, found "nul" at line 1, column 22"#
      ),
      (
        #"{"id":1,"plain":"x"#,
        "plain (id 1): the text ends in the middle of a value at line 1, column 19"
      ),
    ])
  func `a malformed value is a syntax error even if its type also differs from the attribute's`(
    text: String, expected: String
  ) throws {
    let coder = try makeCoder()
    let error = #expect(throws: StoreCodingError.self) {
      try coder.decode(Coding.Policies.self, from: Data(text.utf8))
    }
    #expect(error?.kind == .syntax)
    #expect(error?.description == expected)
  }

  @Test func `a malformed value in place of an envelope is a syntax error`() throws {
    #expect(
      message { try makeCoder().decodeArray(Coding.PagedUser.self, #"{"data":tru}"#) }
        == #"data: expected a JSON value, found "tru" at line 1, column 12"#)
  }

  @Test func `the last of duplicate keys wins with an issue unless the coder is strict`() throws {
    let coder = try makeCoder()
    let result = try coder.read(
      Coding.BareUser.self, from: CodingFixtures.data("bad/duplicate-keys.json"))
    #expect(result.objects[0].rank == 8)
    #expect(
      result.issues.map(\.description) == [
        #"rank (BareUser.rank, id "fec224c1"): the key 'rank' occurs twice in one object "#
          + "at line 5, column 3"
      ])
    let strict = try StoreCoder(store: Store(), configuration: .strict)
    #expect(
      message { try strict.decode(Coding.BareUser.self, fixture: "bad/duplicate-keys.json") }
        == #"rank (BareUser.rank, id "fec224c1"): the key 'rank' occurs twice in one object "#
        + "at line 5, column 3")
  }
}

extension String.UTF8View {
  fileprivate func distanceTo(_ text: String) -> Int? {
    String(self).range(of: text).map { distance(from: startIndex, to: $0.lowerBound) }
  }
}
