import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Bodies in which members with names of their own contain the errors.
@Suite struct `Lists of errors in the body of a rejection` {
  final class Customer: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  final class Line: EmbeddedObject {
    @Persisted(json: "quantity") var count = 0
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var note: String?
    @Persisted var lines: List<Line>
    @Persisted(json: "customer_id", .byKey) var customer: Customer?
  }

  /// A class whose attributes have the names of the members.
  final class Report: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(json: "description") var summary = ""
    @Persisted var details: List<String>
    @Persisted var violations: Line?
  }

  private func lines(_ body: Data, of type: ObjectBase.Type = Order.self) throws -> [String] {
    let rejection = try makeCoder().rejection(of: type, in: body)
    return rejection.general
      + rejection.attributes.flatMap { entry in
        entry.messages.map { "[\(entry.attribute)] \($0)" }
      }
  }

  @Test(
    arguments: [
      (
        "cornice.json",
        [
          "Invalid JSON", "querystring.note: Unknown parameter", "[note] Required",
          #"[lines[1].count] "x" is not a number"#,
        ]
      ),
      (
        "kinto.json",
        [
          "Invalid parameters", "data.note in body: Invalid value", "data.color: Unknown field",
          "[note] Invalid value",
        ]
      ),
      (
        "api-platform.json",
        [
          "The order is not complete.", "note: This value should not be blank.",
          "note: This value should not be blank.", "An error occurred",
          "[note] This value should not be blank.",
          "[lines[0].count] This value should be positive.",
        ]
      ),
      (
        "symfony.json",
        ["Validation Failed", "note: This value is too long.", "[note] This value is too long."]
      ),
      (
        "zod.json",
        [
          "The order is empty", "[note] Required",
          "[lines[2].count] Number must be greater than 0",
        ]
      ),
      ("zod-flattened.json", ["The order is empty", "color: Unknown color", "[note] Required"]),
      (
        "graphql.json",
        [
          "input.color: Color is unknown", "The shop is closed", "[note] Note is too long",
          "[lines[1].count] Quantity must be positive",
        ]
      ),
    ])
  func `the body of a framework is read by attribute`(file: String, expected: [String]) throws {
    #expect(try lines(CodingFixtures.data("rejections/\(file)")) == expected)
  }

  @Test(arguments: [
    // Zod, formatted.
    (
      #"{"_errors": ["a"], "note": {"_errors": ["b"]}, "lines": {"0": {"quantity": {"_errors": ["c"]}}}}"#,
      ["a", "[note] b", "[lines[0].count] c"]
    ),
    (#"{"errors": {"formErrors": [], "fieldErrors": {"name": ["a"]}}}"#, ["[name] a"]),
    // Ajv.
    (
      #"{"errors": [{"instancePath": "/lines/0/quantity", "keyword": "type", "message": "a"}]}"#,
      ["[lines[0].count] a"]
    ),
    // RFC 7807.
    (
      #"{"type": "t", "title": "a", "invalid-params": [{"name": "note", "reason": "b"}]}"#,
      ["a", "[note] b"]
    ),
    // Google APIs.
    (
      #"""
      {"error": {"code": 400, "message": "a", "status": "INVALID_ARGUMENT", "details": [
        {"@type": "type.googleapis.com/google.rpc.BadRequest",
         "fieldViolations": [{"field": "note", "description": "b"}]}]}}
      """#, ["a", "[note] b"]
    ),
    (
      #"{"message": "a", "details": {"note": ["b"], "color": ["c"]}}"#,
      ["a", "color: c", "[note] b"]
    ),
    (#"{"message": "a", "details": "b"}"#, ["a", "details: b"]),
    (#"{"hydra:title": "a", "@type": "hydra:Error", "hydra:description": "b"}"#, ["a", "b"]),
    (#"{"userErrors": [{"field": ["note"], "message": "a"}]}"#, ["[note] a"]),
    (
      #"{"data": {"orderUpdate": {"customerUserErrors": [{"field": ["customer", "id"], "message": "a"}]}}}"#,
      ["[customer.id] a"]
    ),
    (
      #"{"errors": [{"message": "a", "path": ["orderUpdate", "note"], "extensions": {"code": "X"}}]}"#,
      ["orderUpdate.note: a"]
    ),
    (#"{"errors": [{"name": "note", "color": "red"}]}"#, ["color: red", "[name] note"]),
    (
      #"{"errors": {"note": {"name": "ValidatorError", "message": "a", "path": "note"}}}"#,
      ["[note] a"]
    ),
    (
      #"{"errors": {"lines.2.quantity": {"message": "a", "path": "quantity"}}}"#,
      ["[lines[2].count] a"]
    ),
    (
      #"{"errors": [{"msg": "a", "path": "note", "location": "query"}, {"msg": "b", "path": "note", "location": "body"}]}"#,
      ["query.note: a", "[note] b"]
    ),
    (#"{"type": "e", "errors": [{"code": "c", "detail": "a", "attr": "note"}]}"#, ["[note] a"]),
    (#"{"data": {"orderUpdate": {"order": {"id": 1}, "userErrors": []}}}"#, []),
    (
      #"{"message": "a", "data": {"orderUpdate": {"userErrors": []}}}"#, ["a"]
    ),
    (#"{"errors": [], "status": 422, "note": ["a"]}"#, ["[note] a"]),
    (#"{"errors": {}, "violations": [{"propertyPath": "note", "message": "a"}]}"#, ["[note] a"]),
    (#"{"description": "a"}"#, ["a"]),
  ])
  func `further shapes are read`(body: String, expected: [String]) throws {
    #expect(try lines(Data(body.utf8)) == expected)
  }

  @Test(arguments: [
    ("/data/attributes/note", "[note] a"),
    ("/data/attributes/lines/1/quantity", "[lines[1].count] a"),
    ("data/attributes/note", "[note] a"), ("/data/0/attributes/note", "[note] a"),
    ("/data/note", "[note] a"), ("/data/id", "[id] a"),
    ("/data/relationships/customer", "[customer] a"),
    ("/data/relationships/customer/data", "[customer] a"),
    ("/data/relationships/customer/data/id", "[customer] a"), ("/data/relationships", "a"),
    ("/data/attributes/color", "/data/attributes/color: a"), ("/data/0", "/data/0: a"),
    ("/included/0/attributes/note", "/included/0/attributes/note: a"),
  ])
  func `a pointer of JSON:API leads to the attribute of a class that is no resource`(
    pointer: String, expected: String
  ) throws {
    let body = #"{"errors": [{"source": {"pointer": "\#(pointer)"}, "detail": "a"}]}"#
    #expect(try lines(Data(body.utf8)) == [expected])
  }

  @Test func `a member with the key of an attribute has messages about the attribute`() throws {
    let body = #"{"description": "a", "details": ["b"], "violations": {"quantity": ["c"]}}"#
    #expect(
      try lines(Data(body.utf8), of: Report.self) == [
        "[summary] a", "[details] b", "[violations.count] c",
      ])
    let list = #"{"errors": [{"description": "a"}]}"#
    #expect(try lines(Data(list.utf8), of: Report.self) == ["[summary] a"])
  }
}
