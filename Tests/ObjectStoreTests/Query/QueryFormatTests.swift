import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `The format form of queries` {
  @Test(arguments: [
    ("a = 1", "a == 1"),
    ("a==1&&b<>2||!c=3", "a == 1 AND b != 2 OR NOT c == 3"),
    ("a == 1 and (b == 2 or c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
    ("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
    ("a.b.c => -1.5e3", "a.b.c >= -1500.0"),
    ("a BEGINSWITH[cd] 'x\\'y\"z'", #"a BEGINSWITH[cd] "x'y\"z""#),
    ("a IN {1, 'b', nil, TRUE}", #"a IN {1, "b", nil, true}"#),
    ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"),
    ("some a.b LIKE \"x*\"", #"ANY a.b LIKE "x*""#),
    ("ALL a > b", "ALL a > b"),
    ("NONE a.b IN {1}", "NONE a.b IN {1}"),
    ("NOT ALL a BETWEEN {1, 2}", "NOT ALL a BETWEEN {1, 2}"),
    ("NOT NOT a == 1 AND NOT TRUEPREDICATE", "a == 1 AND FALSEPREDICATE"),
    ("5 < a AND 'x' IN b", #"a > 5 AND "x" IN b"#),
    ("SUBQUERY(a, $x, $x.b == 1).@count != 0", "ANY a.b == 1"),
    (
      "NOT SUBQUERY(a, $x, $x.b == $x.c).@count > 0", "SUBQUERY(a, $x0, $x0.b == $x0.c).@count == 0"
    ),
    ("3 IN a", "3 IN a"),
    (
      "a.@count > 2 AND a.b.@max < 3 AND a.@avg.b == 1",
      "a.@count > 2 AND a.b.@max < 3 AND a.@avg.b == 1"
    ),
    (
      "SUBQUERY(a, $x, $x.b == 1 AND SUBQUERY($x.c, $y, $y == $x.d OR $y == e).@count > 0).@count == 2",
      "SUBQUERY(a, $x0, $x0.b == 1 AND SUBQUERY($x0.c, $x1, $x1 == $x0.d OR $x1 == e).@count > 0).@count == 2"
    ),
    ("a.@known", "a.@known == true"),
    (
      "not a.b.@Known and (c.@known or true == d.@known)",
      "NOT a.b.@known == true AND (c.@known == true OR d.@known == true)"
    ),
    ("a.@known = b.@known", "a.@known == b.@known"),
    ("ANY a.#in.@known", "ANY a.#in.@known == true"),
    (
      "SUBQUERY(a, $x, NOT $x.b.c.@known).@count == 0",
      "SUBQUERY(a, $x0, NOT $x0.b.c.@known == true).@count == 0"
    ),
    ("SUBQUERY(a, $x, $x.b.c.@known).@count > 0", "ANY a.b.c.@known == true"),
    ("TRUEPREDICATE OR FALSEPREDICATE", "TRUEPREDICATE OR FALSEPREDICATE"),
    (
      "a == CAST('{\"b\": [1.0, 1e2], \"a\": \"x\"}', 'JSON')",
      #"a == CAST("{\"a\":\"x\",\"b\":[1.0,100.0]}", "JSON")"#
    ),
    ("#in == 1 AND self == nil", "#in == 1 AND SELF == nil"),
    ("größe == 18446744073709551615", "größe == 18446744073709551615"),
  ])
  func `a query is parsed and printed in normal form`(_ text: String, _ written: String) throws {
    let predicate = try StorePredicate(text)
    #expect(predicate.description == written)
    #expect(try StorePredicate(written) == predicate)
    let data = try JSONEncoder().encode([predicate])
    #expect(try JSONDecoder().decode([StorePredicate].self, from: data) == [predicate])
  }

  @Test func `placeholders of a query are replaced by arguments`() throws {
    let id = try #require(UUID(uuidString: "11111111-2222-3333-4444-555555555555"))
    let predicate = try StorePredicate(
      "%K == %@ AND b IN %@ AND c < %@ AND d == %@ AND e == %d", "x.y", "q\n", [1, 2],
      Date(timeIntervalSinceReferenceDate: 1.5), id, 7)
    #expect(
      predicate.description
        == #"x.y == "q\n" AND b IN {1, 2} AND c < CAST(1.5, "NSDate") AND "#
        + #"d == CAST("11111111-2222-3333-4444-555555555555", "UUID") AND e == 7"#)
    #expect(try StorePredicate(predicate.description) == predicate)
    #expect(try StorePredicate("a == %@", nil).description == "a == nil")
    let part = "a part".dropFirst(2)
    #expect(
      try StorePredicate("a == %@ OR a IN %@", part, [part]).description
        == #"a == "part" OR a IN {"part"}"#)
    #expect(
      try StorePredicate("a == %@", Decimal(string: "0.10")).description
        == #"a == CAST("0.1", "Decimal")"#)
  }

  @Test(arguments: [
    ("", "expected a value or an attribute at column 1"),
    ("a", "expected an operator at column 2"),
    ("a == ", "expected a value or an attribute at column 6"),
    ("a == 1 b", "expected AND, OR or the end of the query at column 8"),
    ("(a == 1", "expected ')' at column 8"),
    ("a == 'x", "expected the end of the string at column 6"),
    ("a ==[x] 1", "expected 'c' or 'd' at column 6"),
    ("é == 1x", "expected a number at column 6"),
    ("a BETWEEN {1}", "expected two values in braces after BETWEEN at column 3"),
    ("a IN 3", "expected a list of values or a collection after IN at column 3"),
    (
      "SUBQUERY(a, $x, $y == 1).@count > 0",
      "expected a variable of an enclosing SUBQUERY at column 17"
    ),
    ("a.@foo > 1", "expected @count, @known, @min, @max, @sum or @avg at column 3"),
    (
      "a MATCHES 'x'",
      "expected LIKE with * and ? instead of MATCHES (regular expressions are not supported) at column 3"
    ),
    ("a == %@", "expected an argument for this placeholder; 0 were given at column 6"),
  ])
  func `a syntax error names the expected token and its column`(_ text: String, _ message: String) {
    let error = #expect(throws: StoreError.self) { try StorePredicate(text) }
    #expect(error?.description == "the query \"\(text)\": \(message)")
  }

  @Test func `surplus arguments and arguments of unsupported types are rejected`() {
    #expect(
      throws: StoreError(
        .invalidQuery(
          "the query \"a == 1 \": expected a placeholder for argument 1 of 1 at column 8"))
    ) {
      try StorePredicate("a == 1 ", 2)
    }
    struct Own {}
    let error = #expect(throws: StoreError.self) { try StorePredicate("a == %@", Own()) }
    #expect(error?.description == "argument 1: expected a value an attribute can hold, found Own")
    let animal = Animal()
    for argument in [animal, [animal]] as [Any] {
      let error = #expect(throws: StoreError.self) { try StorePredicate("a == %@", argument) }
      #expect(
        error?.description
          == "argument 1: expected an object that a store manages, found an unmanaged Animal")
    }
    #expect(throws: StoreError.self) { try StorePredicate(String(repeating: "(", count: 100_000)) }
    #expect(throws: StoreError.self) {
      try StorePredicate(String(repeating: "NOT ", count: 3) + "(")
    }
  }

  @Test(arguments: [
    ("nam == 1", "AllTypes: 'nam' is not an attribute"),
    ("leaf.nmae == 'x'", "Leaf: 'nmae' is not an attribute; did you mean 'name'?"),
    ("int == 'x'", "AllTypes.int: expected a number, found String \"x\""),
    ("string > 3", "AllTypes.string: expected a string, found Int 3"),
    ("string == int", "AllTypes.string: expected a string, found a number, AllTypes.int"),
    ("int CONTAINS 3", "AllTypes.int is a number, which does not support CONTAINS"),
    ("bool < true", "AllTypes.bool is a Bool, which does not support <"),
    ("int ==[c] 3", "AllTypes.int is a number: [c] applies only to strings"),
    ("json > 3", "AllTypes.json is JSON, which does not support >"),
    (
      "strings == 'x'",
      "AllTypes.strings is List<String>; use ANY, ALL or NONE with its elements, or @count"
    ),
    ("ANY int == 3", "AllTypes.int is Int, not a collection"),
    ("string.x == 3", "AllTypes.string is String, which has no attribute 'x'"),
    ("strings.@sum == 3", "strings is a string, which does not support @sum"),
    ("ANY strings.x == 3", "x: an element is String, which has no attributes"),
    ("3 == 3", "both sides of a comparison are values; one must be an attribute"),
  ])
  func `the error of a query that does not fit the class names the attribute and reason`(
    _ text: String, _ message: String
  ) throws {
    let things = try Store().objects(AllTypes.self)
    let error = #expect(throws: StoreError.self) { try things.filter(text) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    "id IN " + String(repeating: "{", count: 20_000),
    "id == " + String(repeating: "CAST(", count: 20_000),
  ])
  func `braces and casts nested more than 200 levels deep are rejected`(_ text: String) {
    let error = #expect(throws: StoreError.self) { try StorePredicate(text) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("expected at most 200 levels at column"))
  }

  @Test func `conditions in parentheses may have 200 levels and not 201`() throws {
    func text(levels: Int) -> String {
      String(repeating: "(", count: levels - 1) + "id == 1"
        + String(repeating: ")", count: levels - 1)
    }
    _ = try StorePredicate(text(levels: 200))
    let error = #expect(throws: StoreError.self) { try StorePredicate(text(levels: 201)) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("expected at most 200 levels at column"))
  }

  @Test(arguments: ["TRUEPREDICATE OR n", "", "..n..", "a b", "n == 3"])
  func `an argument of %K must be a path of names`(_ name: String) {
    let error = #expect(throws: StoreError.self) { try StorePredicate("%K == 3", name) }
    #expect(
      error.map { "\($0)" }
        == "the query \"%K == 3\": expected names separated by dots as the argument of %K at column 1"
    )
  }

  @Test(arguments: ["#8i == 3", "#1.#2x == 0", "#in == 1"])
  func `escaped names that look like keywords or numbers round-trip`(_ text: String) throws {
    let predicate = try StorePredicate(text)
    #expect(predicate.description == text)
    #expect(try StorePredicate(predicate.description) == predicate)
  }

  @Test func `predicates compare strings by bytes, and NaN equals NaN`() throws {
    let (one, other) = (
      try StorePredicate("a == %@", "\u{e9}"), try StorePredicate("a == %@", "e\u{301}")
    )
    #expect(one != other)
    let nan = try StorePredicate("a == %@", Double.nan)
    #expect(nan == (try StorePredicate("a == %@", Double.nan)))
    #expect(Set([nan, nan, one, other]).count == 3)
  }

  @Test func `number literals keep their exact value`() throws {
    #expect(
      try StorePredicate("a == 1234567890123456789.01")
        == StorePredicate("a == %@", Decimal(string: "1234567890123456789.01")!))
    #expect(try StorePredicate("a == 0.1") == StorePredicate("a == %@", 0.1))
    for text in ["1e-400", "1e400", "-3e999"] {
      let error = #expect(throws: StoreError.self) { try StorePredicate("a == \(text)") }
      #expect(
        error.map { "\($0)" }
          == "the query \"a == \(text)\": expected a number that a Double can hold at column 6")
    }
    _ = try StorePredicate("a == 0e-400")
  }
}
