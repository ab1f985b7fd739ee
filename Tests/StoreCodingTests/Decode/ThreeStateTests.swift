import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Absent, null and present values` {
  private let company = #"""
    { "id": 500, "name": "Northwind", "ceo": { "id": 31, "name": "Ada", "title": "Chief",
      "nicknames": ["A"], "assistant": { "id": 77, "name": "Lars", "title": "PA",
        "nicknames": ["L", "B"], "desk": { "room": "4.12", "floor": 4 } } } }
    """#

  private func known() throws -> (StoreCoder, Coding.Company, Coding.Person) {
    let coder = try makeCoder()
    let company = try coder.decode(Coding.Company.self, company)
    let assistant = try #require(company.ceo?.assistant)
    return (coder, company, assistant)
  }

  @Test func `absent attributes keep their values, three levels deep`() throws {
    let (coder, company, assistant) = try known()
    try coder.decode(
      Coding.Company.self,
      #"{ "id": 500, "ceo": { "id": 31, "assistant": { "id": 77, "name": "Kim" } } }"#)
    #expect(company.name == "Northwind")
    #expect(company.ceo?.title == "Chief")
    #expect(company.ceo.map { Array($0.nicknames) } == ["A"])
    #expect(assistant.name == "Kim")
    #expect(assistant.title == "PA")
    #expect(assistant.desk?.floor == 4)
    #expect(Array(assistant.nicknames) == ["L", "B"])
  }

  @Test func `absent attributes of a new object take their defaults, three levels deep`() throws {
    let coder = try makeCoder()
    let company = try coder.decode(
      Coding.Company.self,
      #"{ "id": 1, "ceo": { "id": 2, "assistant": { "id": 3, "desk": { "room": "a" } } } }"#)
    let assistant = try #require(company.ceo?.assistant)
    #expect(company.name == "unnamed")
    #expect(company.ceo?.name == "nobody")
    #expect(assistant.name == "nobody")
    #expect(assistant.title == nil)
    #expect(assistant.nicknames.isEmpty)
    #expect(assistant.desk?.floor == 1)
    #expect(assistant.assistant == nil)
  }

  @Test func `a default is evaluated for each new object`() throws {
    let coder = try makeCoder()
    let two = try coder.decodeArray(Coding.Policies.self, #"[{ "id": 1 }, { "id": 2 }]"#)
    #expect(two[0].uuid != two[1].uuid)
    let before = two[0].uuid
    try coder.decode(Coding.Policies.self, #"{ "id": 1, "plain": 5 }"#)
    #expect(two[0].uuid == before)
  }

  @Test func `null clears an optional attribute, a link and a list at every depth`() throws {
    let (coder, company, assistant) = try known()
    try coder.decode(
      Coding.Company.self,
      #"""
      { "id": 500, "ceo": { "id": 31, "title": null, "nicknames": null,
        "assistant": { "id": 77, "title": null, "desk": null, "nicknames": null } } }
      """#)
    #expect(company.ceo?.title == nil)
    #expect(company.ceo?.nicknames.isEmpty == true)
    #expect(assistant.title == nil)
    #expect(assistant.desk == nil)
    #expect(assistant.nicknames.isEmpty)
    #expect(assistant.name == "Lars")
    try coder.decode(Coding.Company.self, #"{ "id": 500, "ceo": null }"#)
    #expect(company.ceo == nil)
    #expect(coder.store.objects(Coding.Person.self).count == 2)
  }

  /// Expects the values that `partial/nulls.json` gives a user.
  private func expectNullsApplied(to user: Coding.BareUser) {
    #expect(user.address == nil)
    #expect(user.joined == nil)
    #expect(user.publisher == nil)
    #expect(user.tags.isEmpty)
    #expect(user.friends.isEmpty)
    #expect(user.home == nil)
  }

  @Test func `null in a new object is nil or an empty list`() throws {
    let coder = try makeCoder()
    let user = try coder.decode(Coding.BareUser.self, fixture: "partial/nulls.json")
    expectNullsApplied(to: user)
    #expect(user.rank == -1)
  }

  @Test func `every null of the fixture clears the stored value`() throws {
    let coder = try makeCoder()
    let user = try coder.decode(Coding.BareUser.self, fixture: "users/user.json")
    try coder.decode(Coding.BareUser.self, fixture: "partial/nulls.json")
    expectNullsApplied(to: user)
    #expect(user.rank == 7)
  }

  @Test func `absent and null values of later company payloads keep and clear attributes`() throws {
    let coder = try makeCoder()
    let company = try coder.decode(Coding.Company.self, fixture: "partial/company.json")
    try coder.decode(Coding.Company.self, fixture: "partial/company-partial.json")
    let assistant = try #require(company.ceo?.assistant)
    #expect(assistant.name == "Lars Berg-Holm")
    #expect(assistant.desk?.room == "4.12")
    #expect(company.ceo?.title == "Chief Executive")
    try coder.decode(Coding.Company.self, fixture: "partial/company-nulls.json")
    #expect(company.ceo?.title == nil)
    #expect(assistant.desk == nil)
    #expect(assistant.name == "Lars Berg-Holm")
    #expect(company.ceo?.name == "Adaeze Okafor")
  }

  @Test func `a partial payload of an order changes only the attributes it contains`() throws {
    let coder = try makeCoder()
    let order = try coder.decode(Coding.Order.self, fixture: "partial/order-full.json")
    try coder.decode(Coding.Order.self, fixture: "partial/order-partial.json")
    #expect(order.completed)
    #expect(order.note == nil)
    #expect(Array(order.tags) == ["a", "b"])
    #expect(order.customer?.email == "p.nair@example.com")
    #expect(order.customer?.name == "Priya Nair")
    #expect(order.total == Decimal(string: "61.35"))
    #expect(order.lines.map(\.quantity) == [1, 4])
    #expect(order.placedAt != nil)
  }

  @Test(
    arguments: [
      (
        #"{ "id": 500, "name": null }"#,
        "name (Company.name, id 500): null for a String that is not optional at line 1, column 22"
      ),
      (
        #"{ "id": 500, "ceo": { "id": 31, "name": null } }"#,
        "ceo.name (Person.name, id 31): null for a String that is not optional at line 1, column 41"
      ),
      (
        #"{ "id": 500, "ceo": { "id": 31, "assistant": { "id": 77, "desk": { "floor": null } } } }"#,
        "ceo.assistant.desk.floor (Desk.floor, id 77): null for an Int that is not optional at line 1, column 77"
      ),
      (
        #"{ "id": 500, "ceo": { "nicknames": [null], "id": 31 } }"#,
        "ceo.nicknames[0] (Person.nicknames): null for an element of List<String> that is not optional at line 1, column 37"
      ),
      (
        #"{ "id": null }"#,
        "id (Company.id): null for an Int that is not optional at line 1, column 9"
      ),
      (
        #"{ "id": 500, "name": 3 }"#,
        "name (Company.name, id 500): expected String, found number 3 at line 1, column 22"
      ),
      (
        #"{ "id": 500, "ceo": [] }"#,
        "ceo (Company.ceo, id 500): expected Person?, found an array at line 1, column 21"
      ),
      (
        #"{ "id": 500, "ceo": { "id": 31, "assistant": { "id": 77, "title": true } } }"#,
        "ceo.assistant.title (Person.title, id 77): expected String?, found true at line 1, column 67"
      ),
      (
        #"{ "id": 500, "ceo": { "id": 31, "nicknames": "x" } }"#,
        #"ceo.nicknames (Person.nicknames, id 31): expected List<String>, found string "x" at line 1, column 46"#
      ),
      (
        #"{ "id": 500, "ceo": { "id": 31, "nicknames": ["x", {}] } }"#,
        "ceo.nicknames[1] (Person.nicknames, id 31): expected String, found an object at line 1, column 52"
      ),
      (
        #"{ "id": 500, "ceo": {} }"#,
        "ceo (Company.ceo, id 500): no key of the object belongs to Person, found no keys at line 1, column 21"
      ),
      (
        #"{ "id": 500, "ceo": { "name": "x" } }"#,
        "ceo (Person.id): no value for the primary key 'id', found the key 'name' at line 1, column 21"
      ),
      (
        #"{ "x": {} }"#,
        "no key of the object belongs to Company, found the key 'x' at line 1, column 1"
      ),
      (#"{}"#, "no key of the object belongs to Company, found no keys at line 1, column 1"),
    ])
  func `a value that cannot be stored throws an error at every depth and stores nothing`(
    payload: String, expected: String
  ) throws {
    let (coder, _, _) = try known()
    let version = coder.store.version
    let before = try coder.encodeArray(coder.store.objects(Coding.Company.self)).text
    #expect(message { try coder.decode(Coding.Company.self, payload) } == expected)
    #expect(coder.store.version == version)
    #expect(try coder.encodeArray(coder.store.objects(Coding.Company.self)).text == before)
  }

  // MARK: - Policies of an attribute

  @Test func `the null policy of an attribute determines the effect of null`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Coding.Policies.self,
      #"""
      { "id": 1, "skipped": 20, "defaulted": 30, "defaultedNumber": 40, "cleared": 60, "zero": 70,
        "list": [1] }
      """#)
    try coder.decode(
      Coding.Policies.self,
      #"""
      { "id": 1, "skipped": null, "defaulted": null, "defaultedNumber": null, "cleared": null,
        "zero": null, "list": null }
      """#)
    #expect(object.skipped == 20)
    #expect(object.defaulted == 3)
    #expect(object.defaultedNumber == 4)
    #expect(object.cleared == nil)
    #expect(object.zero == 0)
    #expect(Array(object.list) == [1])
    let uuid = object.uuid
    try coder.decode(Coding.Policies.self, #"{ "id": 1, "uuid": null }"#)
    #expect(object.uuid == uuid && !object.isKnown(\.uuid))
    try coder.decode(
      Coding.Policies.self, #"{ "id": 1, "uuid": "e621e1f8-c36c-495a-93fc-0c247a3e6e5f" }"#)
    try coder.decode(Coding.Policies.self, #"{ "id": 1, "uuid": null }"#)
    #expect(object.uuid != uuid && !object.isKnown(\.uuid))
    #expect(
      message { try coder.decode(Coding.Policies.self, #"{ "id": 1, "failing": null }"#) }
        == "failing (Policies.failing, id 1): null for an Int? that rejects it at line 1, column 23"
    )
  }

  @Test func `the mismatch policy of an attribute determines the effect of a bad value`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Coding.Policies.self,
      #"{ "id": 1, "lenient": 70, "usesDefault": 80, "numbers": [1], "leaf": { "id": "a" } }"#)
    let result = try coder.read(
      Coding.Policies.self,
      from: Data(
        #"""
        { "id": 1, "lenient": "x", "usesDefault": "x", "numbers": [2, "x"], "leaf": { "id": 5 },
          "plain": 11 }
        """#.utf8))
    #expect(object.lenient == 70)
    #expect(object.usesDefault == 8)
    #expect(Array(object.numbers) == [1])
    #expect(object.leaf?.id == "a")
    #expect(object.plain == 11)
    #expect(
      result.issues.map(\.description) == [
        #"lenient (Policies.lenient, id 1): expected Int, found string "x" at line 1, column 23"#,
        #"usesDefault (Policies.usesDefault, id 1): expected Int, found string "x" at line 1, column 43"#,
        #"numbers[1] (Policies.numbers, id 1): expected Int, found string "x" at line 1, column 63"#,
        "leaf.id (Leaf.id): expected String, found number 5 at line 1, column 85",
      ])
    #expect(
      message { try coder.decode(Coding.Policies.self, #"{ "id": 1, "plain": "x" }"#) }
        == #"plain (Policies.plain, id 1): expected Int, found string "x" at line 1, column 21"#)
  }

  @Test func `skipElement skips the element of the list with an issue`() throws {
    let coder = try makeCoder()
    let result = try coder.read(
      [Coding.Policies].self,
      from: Data(
        #"[{ "id": 1 }, { "id": 2, "skipsElement": "x" }, { "id": 3 }]"#.utf8))
    #expect(result.objects.map(\.id) == [1, 3])
    #expect(
      result.issues.map(\.description) == [
        #"[1].skipsElement (Policies.skipsElement, id 2): expected Int, found string "x" at line 1, column 42"#
      ])
    #expect(coder.store.objects(Coding.Policies.self).count == 2)
    #expect(
      kind { try coder.decode(Coding.Policies.self, #"{ "id": 2, "skipsElement": "x" }"#) }
        == .typeMismatch)
  }

  @Test func `a skipped element leaves no nested objects or lists behind`()
    throws
  {
    let coder = try makeCoder()
    try coder.decodeArray(
      Coding.Policies.self,
      #"[{ "id": 1, "leaf": { "id": "ghost" }, "skipsElement": "x" }, { "id": 2 }]"#)
    #expect(coder.store.objects(Leaf.self).isEmpty)
    let lenient = try makeCoder { $0.mismatches = .skipElement }
    let lists = try lenient.decodeArray(
      AllTypes.self,
      #"[{ "id": 1, "ints": [1, 2, "x"] }, { "id": 2, "intMap": { "a": 1, "b": "x" } }, { "id": 3, "ints": [3] }]"#
    )
    #expect(lists.map(\.id) == [3])
    #expect(Array(lists[0].ints) == [3])
    let skipping = try makeCoder()
    let policies = try skipping.decode(
      Coding.Policies.self, #"{ "id": 1, "numbers": [1, 2, "x"], "list": [4] }"#)
    #expect(policies.numbers.isEmpty)
    #expect(Array(policies.list) == [4])
  }

  @Test func `the policy of an attribute overrides that of the coder`() throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let result = try coder.read(
      [Coding.Policies].self,
      from: Data(
        #"[{ "id": 1, "plain": "x" }, { "id": 2, "lenient": "x" }, 3, { "plain": 1 }, {}, [], { "id": 4 }]"#
          .utf8))
    #expect(result.objects.map(\.id) == [2, 4])
    #expect(
      result.issues.map(\.description) == [
        #"[0].plain (Policies.plain, id 1): expected Int, found string "x" at line 1, column 22"#,
        #"[1].lenient (Policies.lenient, id 2): expected Int, found string "x" at line 1, column 51"#,
        "[2]: expected Policies, found number 3 at line 1, column 58",
        "[3] (Policies.id): no value for the primary key 'id', found the key 'plain' at line 1, column 61",
        "[4]: no key of the object belongs to Policies, found no keys at line 1, column 77",
        "[5]: expected Policies, found an array at line 1, column 81",
      ])
    #expect(
      message { try coder.decodeArray(Coding.Policies.self, #"[{ "id": 1, "strict": "x" }]"#) }
        == #"[0].strict (Policies.strict, id 1): expected Int, found string "x" at line 1, column 23"#
    )
    #expect(
      kind { try coder.decodeArray(Coding.Policies.self, #"[{ "id": 1, "plain": tru }]"#) }
        == .syntax)
  }

  @Test(arguments: [AttributePolicy.Mismatches.skipAttribute, .useDefault])
  func `the coder's mismatch policy applies to attributes without one`(
    policy: AttributePolicy.Mismatches
  )
    throws
  {
    let coder = try makeCoder { $0.mismatches = policy }
    let object = try coder.decode(Coding.Policies.self, #"{ "id": 1, "plain": 50 }"#)
    let result = try coder.read(
      Coding.Policies.self, from: Data(#"{ "id": 1, "plain": "x", "zero": "x" }"#.utf8))
    #expect(object.plain == (policy == .useDefault ? 1 : 50))
    #expect(result.issues.count == 2)
  }

  @Test(arguments: [AttributePolicy.Nulls.skip, .default, .fail, .clear])
  func `the coder's null policy applies to attributes without one`(policy: AttributePolicy.Nulls)
    throws
  {
    let coder = try makeCoder { $0.nulls = policy }
    let person = try coder.decode(
      Coding.Person.self, #"{ "id": 1, "title": "Dr", "nicknames": ["x"] }"#)
    let text = message {
      try coder.decode(Coding.Person.self, #"{ "id": 1, "title": null, "nicknames": null }"#)
    }
    switch policy {
    case .skip:
      #expect(text == "no error")
      #expect(person.title == "Dr")
      #expect(person.nicknames.count == 1)
    case .default, .clear:
      #expect(text == "no error")
      #expect(person.title == nil)
      #expect(person.nicknames.isEmpty)
    case .fail:
      #expect(
        text
          == "title (Person.title, id 1): null for a String? that rejects it at line 1, column 21")
      #expect(person.title == "Dr")
    }
  }

  // MARK: - Flexible

  @Test(arguments: [#""true""#, #""1""#, #""YES""#, "1", "true"])
  func `a flexible Bool that is true in any form is found by a query and is unchanged by true`(
    value: String
  ) throws {
    let coder = try makeCoder()
    try coder.decode(Coding.Flexible.self, #"{"id":1,"bool":\#(value)}"#)
    #expect(coder.store.objects(Coding.Flexible.self).where { $0.bool == true }.count == 1)
    let again = try coder.read(Coding.Flexible.self, from: Data(#"{"id":1,"bool":true}"#.utf8))
    #expect(again.unchanged == 1)
  }

  @Test func `flexible attributes convert between strings, numbers and booleans`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Coding.Flexible.self,
      #"""
      { "id": 1, "int": "3", "uint8": "255", "double": "1.5e3", "float": "0.1", "decimal": "3.133",
        "bool": 1, "string": 5, "list": ["1", 2, true], "level": "7" }
      """#)
    #expect(object.int == 3)
    #expect(object.uint8 == 255)
    #expect(object.double == 1500)
    #expect(object.float == 0.1)
    #expect(object.decimal == Decimal(string: "3.133"))
    #expect(object.bool)
    #expect(object.string == "5")
    #expect(Array(object.list) == [1, 2, 1])
    #expect(object.level == .high)
    try coder.decode(
      Coding.Flexible.self,
      #"{ "id": 1, "int": true, "double": false, "decimal": true, "bool": "false", "string": 1.50 }"#
    )
    #expect(object.int == 1)
    #expect(object.double == 0)
    #expect(object.decimal == 1)
    #expect(!object.bool)
    #expect(object.string == "1.50")
    try coder.decode(Coding.Flexible.self, #"{ "id": 1, "string": true, "bool": "1" }"#)
    #expect(object.string == "true")
    #expect(object.bool)
  }

  @Test(
    arguments: [
      (
        #""int": "x""#,
        #"int (Flexible.int, id 1): expected Int, found string "x" at line 1, column 19"#
      ),
      (
        #""int": """#,
        #"int (Flexible.int, id 1): expected Int, found string "" at line 1, column 19"#
      ),
      (
        #""int": "3 4""#,
        #"int (Flexible.int, id 1): expected Int, found string "3 4" at line 1, column 19"#
      ),
      (
        #""int": "1.5""#,
        #"int (Flexible.int, id 1): expected Int, found string "1.5" at line 1, column 19"#
      ),
      (
        #""uint8": "256""#,
        #"uint8 (Flexible.uint8, id 1): string "256" is outside the range of UInt8 at line 1, column 21"#
      ),
      (
        #""int": "3\u0000""#,
        #"int (Flexible.int, id 1): expected Int, found string "3\u0000" at line 1, column 19"#
      ),
      (
        #""int": "\ufeff3""#,
        #"int (Flexible.int, id 1): expected Int, found string "\ufeff3" at line 1, column 19"#
      ),
      (
        #""bool": 5"#,
        "bool (Flexible.bool, id 1): expected Bool, found number 5 at line 1, column 20"
      ),
      (
        #""bool": "maybe""#,
        #"bool (Flexible.bool, id 1): expected Bool, found string "maybe" at line 1, column 20"#
      ),
      (
        #""string": []"#,
        "string (Flexible.string, id 1): expected String, found an array at line 1, column 22"
      ),
    ])
  func `a flexible attribute rejects a value that it cannot convert`(
    member: String, expected: String
  ) throws {
    let coder = try makeCoder()
    #expect(
      message { try coder.decode(Coding.Flexible.self, #"{ "id": 1, \#(member) }"#) } == expected)
  }
}
