import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Rejections by a server` {
  final class Address: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var code = ""
  }

  final class Customer: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
  }

  final class Line: EmbeddedObject {
    @Persisted(json: "quantity") var count = 0
  }

  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
    @Persisted var note: String?
    @Persisted(json: "profile.born_on", .date(.date), .aliases("born-on")) var born: Date?
    @Persisted(json: "customer_id", .byKey) var customer: Customer?
    @Persisted var lines: List<Line>
    @Persisted var tags: List<String>
    @Persisted var address: Address?
    @Persisted var prices: Map<String, Int>
    @Persisted var extra: JSONValue = [:]
  }

  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int

    override class var codableShape: CodableShape { .jsonAPI(type: "people") }
  }

  final class Article: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var title = ""
    @Persisted var author: Person?
    @Persisted var readers: List<Person>

    override class var codableShape: CodableShape { .jsonAPI(type: "articles") }
  }

  final class Wrapped: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""

    override class var objectEnvelope: String? { "user" }
  }

  final class Wrong: Object {
    @Persisted(json: "a..b") var name = ""
  }

  private let coder: StoreCoder

  init() throws { coder = try makeCoder() }

  /// The general messages, and those of each attribute with its path.
  private static func texts(of rejection: Edit.Rejection) -> [String] {
    rejection.general
      + rejection.attributes.flatMap { entry in
        entry.messages.map { "[\(entry.attribute)] \($0)" }
      }
  }

  private func lines(_ body: String, of type: ObjectBase.Type = Order.self) -> [String] {
    Self.texts(of: coder.rejection(of: type, in: Data(body.utf8)))
  }

  // MARK: - Frameworks

  @Test(
    arguments: [
      (
        "rails.json", Order.self,
        [
          "lines.quantity: is invalid", "The shop is closed",
          "[note] is too long (maximum is 140 characters)", "[note] contains a link",
          "[born] can't be in the future", "[lines[1].count] must be greater than 0",
          "[customer] must exist",
        ]
      ),
      (
        "laravel.json", Order.self,
        [
          "The note field is required. (and 3 more errors)",
          "captcha: The captcha field is required.", "[note] The note field is required.",
          "[lines[0].count] The lines.0.quantity field must be an integer.",
          "[lines[2].count] The lines.2.quantity field must be at least 1.",
          "[tags[1]] The tags.1 field has a duplicate value.",
        ]
      ),
      (
        "django.json", Order.self,
        [
          "The customer cannot order.", "captcha: Wrong.", "[note] This field may not be blank.",
          "[title] Ensure this field has no more than 20 characters.",
          "[born] Date has wrong format. Use one of these formats instead: YYYY-MM-DD.",
          "[lines[1].count] A valid integer is required.", "[lines[1]] The line is empty.",
          "[tags[0]] Not a valid string.", "[address.city] This field is required.",
          "[address] The address is unknown.",
        ]
      ),
      ("django-detail.json", Order.self, ["Authentication credentials were not provided."]),
      (
        "jsonapi.json", Article.self,
        [
          "The document is too old.", "The resource is locked.", "include: Unknown parameter",
          "/data/attributes/color: No color is allowed.", "E_BUSY",
          "[title] The title must contain at least three characters.", "[author] Unknown author",
          "[readers[1]] Unknown reader",
        ]
      ),
      (
        "problem.json", Order.self,
        [
          "Your request is not valid.", "Two values were refused.",
          "#/profile/color: must be 'green', 'red' or 'blue'",
          "[lines[2].count] must be a positive integer", "[born] must be in the past",
        ]
      ),
      (
        "aspnet.json", Order.self,
        [
          "One or more validation errors occurred.", "The order is empty.",
          "[note] The Note field is required.",
          "[lines[0].count] The field Quantity must be between 1 and 99.",
          "[born] The BornOn field is required.",
          "[lines[1].count] The JSON value could not be converted to System.Int32.",
        ]
      ),
      ("texts.json", Order.self, ["The order is empty.", "The customer is unknown."]),
      ("errors-texts.json", Order.self, ["The order is empty.", "The customer is unknown."]),
      (
        "github.json", Order.self,
        [
          "Validation Failed", "color: invalid", "Orders are limited to ten lines.",
          "[note] missing_field", "[note] note is too rude",
        ]
      ),
      (
        "fastapi.json", Order.self,
        [
          "query.page: Field required", "[note] Field required",
          "[lines[2].count] Input should be a valid integer",
        ]
      ),
      (
        "page.html", Order.self,
        [
          #"<!DOCTYPE html>\n<html>\n<head><title>502 Bad Gateway</title></head>\n<body bgcolor="white"><center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.18.0 (Ubuntu)</center></body>\n</html>\n"#
        ]
      ),
    ] as [(String, ObjectBase.Type, [String])])
  func `the body of a framework is read by attribute`(
    file: String, type: ObjectBase.Type, expected: [String]
  ) throws {
    let rejection = coder.rejection(of: type, in: try CodingFixtures.data("rejections/\(file)"))
    #expect(Self.texts(of: rejection) == expected)
  }

  @Test(arguments: [
    (
      #"{"error": "invalid_grant", "error_description": "The code expired."}"#,
      ["invalid_grant", "The code expired."]
    ),
    (
      #"{"error": {"code": 400, "message": "No.", "errors": [{"message": "Bad.", "reason": "x"}]}}"#,
      ["No.", "Bad."]
    ),
    (
      #"{"error": {"message": "Too small.", "param": "note", "type": "invalid"}}"#,
      ["[note] Too small."]
    ),
    (
      #"{"statusCode": 400, "message": ["a is bad", "b is bad"], "error": "Bad Request"}"#,
      ["a is bad", "b is bad", "Bad Request"]
    ),
    (
      #"{"error": {"message": "No.", "type": "t", "doc_url": "u"}, "status": 400, "trace": ["x"]}"#,
      ["No."]
    ),
    (
      #"{"error": "Bad Request", "errors": [{"field": "note", "defaultMessage": "is bad", "code": "c"}]}"#,
      ["Bad Request", "[note] is bad"]
    ),
    (#"{"errors": [{"source": {"pointer": "/"}, "detail": "is bad"}]}"#, ["is bad"]),
    (#"{"message": {"note": ["is bad"]}}"#, ["[note] is bad"]),
    (
      #"{"note": "is required", "color": "is unknown"}"#,
      ["color: is unknown", "[note] is required"]
    ),
    (#"{"note": {"message": "is required", "code": "required"}}"#, ["[note] is required"]),
    (
      #"{"errors": {"note": [{"error": "blank"}, {"error": "too_long", "count": 9}]}}"#,
      ["[note] blank", "[note] too_long"]
    ),
    (
      #"{"errors": [{"note": ["is bad"]}, {"color": "is bad"}]}"#,
      ["color: is bad", "[note] is bad"]
    ),
    (
      #"{"errors": [{"path": ["lines", 0, "quantity"], "message": "Expected number"}]}"#,
      ["[lines[0].count] Expected number"]
    ),
    (#"{"errors": [{"pointer": "/data/attributes/note", "detail": "is bad"}]}"#, ["[note] is bad"]),
    (
      #"{"address": {"code": ["is bad"]}, "prices": {"eur": ["is bad"], "a.b": ["is bad"]}}"#,
      ["[address.code] is bad", "[prices.eur] is bad", #"[prices."a.b"] is bad"#]
    ),
    (
      #"{"extra": {"color": [["is bad"]]}, "lines": {"1": {"quantity": "is bad"}}}"#,
      ["[extra] is bad", "[lines[1].count] is bad"]
    ),
    (
      #"{"note": true, "title": null, "tags": [], "lines": [{}, null], "id": 5}"#,
      ["[note] true", "[id] 5"]
    ),
    (
      #"{"profile": ["is bad"], "lines": [{"captcha": ["is bad"]}], "id": {"x": "is bad"}}"#,
      ["profile: is bad", "lines[0].captcha: is bad", "id.x: is bad"]
    ),
    (
      #"{"errors": {"customer_id": ["a"], "CustomerId": ["b"], "Customer": ["c"], "born_on": ["d"]}}"#,
      ["[customer] a", "[customer] b", "[customer] c", "[born] d"]
    ),
    (#"{"errors": "Nothing works."}"#, ["Nothing works."]),
    (#""Nothing works.""#, ["Nothing works."]), ("17", ["17"]), ("null", []), ("", []), (" \n", []),
    ("{}", []), ("[]", []), (#"{"errors": null, "note": ["a"]}"#, ["[note] a"]),
    (#"{"errors": {"note": ["", "  ", " a \n"]}}"#, ["[note] a"]),
    (#"{"note": ["a"], "note": ["b"]}"#, ["[note] a", "[note] b"]),
    (#"{"note": ["a"],}"#, ["[note] a"]),
    ("not json", ["not json"]), (#"{"note": ["a"]"#, [#"{"note": ["a"]"#]),
    (#"{"note": ["a"]} x"#, [#"{"note": ["a"]} x"#]),
  ])
  func `further shapes of bodies are read`(body: String, expected: [String]) {
    #expect(lines(body) == expected)
  }

  @Test func `names inside the envelope of the class are its attributes`() {
    #expect(
      lines(#"{"user": {"name": ["a"], "x": ["b"]}}"#, of: Wrapped.self) == [
        "user.x: b", "[name] a",
      ])
    #expect(lines(#"{"errors": {"user.name": ["a"]}}"#, of: Wrapped.self) == ["[name] a"])
    #expect(lines(#"{"name": ["a"]}"#, of: Wrapped.self) == ["[name] a"])
  }

  @Test func `all messages about a class with mistakes or an unknown class are general`() {
    #expect(lines(#"{"name": ["a"]}"#, of: Wrong.self) == ["name: a"])
    let unknown = coder.rejection(dynamic: "None", in: Data(#"{"errors": ["a"]}"#.utf8))
    #expect(unknown.general == ["a"])
  }

  @Test func `a rejection of a dynamic class has its attributes`() throws {
    let item = ObjectSchema("Item", [Property("weight", .int, json: "kg")])
    let coder = StoreCoder(store: try Store(configuration: .inMemory(), schemas: [item]))
    let rejection = coder.rejection(dynamic: "Item", in: Data(#"{"kg": ["a"]}"#.utf8))
    #expect(rejection["weight"] == ["a"])
  }

  // MARK: - The value

  @Test func `messages are found by key path and by attribute path`() {
    let body = Data(
      #"{"note": ["a", "b"], "lines": [{"quantity": ["c"]}], "address": {"city": ["d"]}}"#.utf8)
    let rejection = coder.rejection(of: Order.self, in: body)
    #expect(rejection[\Order.note] == ["a", "b"])
    #expect(rejection["note"] == ["a", "b"])
    #expect(rejection["lines[0].count"] == ["c"])
    #expect(rejection[\Order.address?.city] == ["d"])
    #expect(rejection[\Order.lines] == [] && rejection["nothing"] == [])
    #expect(!rejection.isEmpty && rejection == coder.rejection(of: Order.self, in: body))
    #expect(coder.rejection(of: Order.self, in: Data()).isEmpty)
  }

  @Test func `the description is one line without control characters`() {
    let body = #"{"message": "No\n\u001b[31m", "note": ["a"], "lines": [{"quantity": ["b", "c"]}]}"#
    let rejection = coder.rejection(of: Order.self, in: Data(body.utf8))
    #expect(rejection.general == ["No\n\u{1B}[31m"])
    #expect("\(rejection)" == #"No\n\u{1B}[31m; note: a; lines[0].count: b; lines[0].count: c"#)
    #expect("\(coder.rejection(of: Order.self, in: Data()))" == "no messages")
    let many = #"{"note": [\#(Array(repeating: #""a""#, count: 25).joined(separator: ","))]}"#
    #expect(
      "\(coder.rejection(of: Order.self, in: Data(many.utf8)))".hasSuffix("; note: a; and 5 more"))
  }

  @Test func `the description has at most twenty messages, those about attributes included`() {
    let rejection = Edit.Rejection(
      general: Array(repeating: "x", count: 15),
      attributes: ["note": Array(repeating: "a", count: 10), "tags": ["b"]])
    let shown = Array(repeating: "x", count: 15) + Array(repeating: "note: a", count: 5)
    #expect("\(rejection)" == (shown + ["and 6 more"]).joined(separator: "; "))
  }

  // MARK: - Hostile bodies

  @Test func `messages keep their characters, and invalid Unicode is replaced`() {
    #expect(lines(#"{"note": ["\u05d0\u200f ☂️ e\u0301"]}"#) == ["[note] א\u{200F} ☂️ e\u{301}"])
    #expect(lines(#"{"note": ["\ud800x"]}"#) == ["[note] \u{FFFD}x"])
    let bytes = Data(#"{"note": [""#.utf8) + [0xFF, 0xC3] + Data(#""]}"#.utf8)
    #expect(
      Self.texts(of: coder.rejection(of: Order.self, in: bytes)) == ["[note] \u{FFFD}\u{FFFD}"])
    let utf16 = #"{"note": ["é"]}"#.data(using: .utf16LittleEndian) ?? Data()
    #expect(Self.texts(of: coder.rejection(of: Order.self, in: utf16)) == ["[note] é"])
    #expect(
      Self.texts(of: coder.rejection(of: Order.self, in: Data([0x1F, 0x8B, 0xFF, 0]))).count == 1)
    #expect(lines(#"{"e\u0301": ["a"]}"#) == ["e\u{301}: a"])
    #expect(lines(#"{"a\nb\u202e": ["a"]}"#) == [#"a\nb\u{202E}: a"#])
  }

  @Test func `long messages, names and texts are clipped`() throws {
    let long = String(repeating: "x", count: 100_000)
    #expect(lines(#"{"note": ["\#(long)"]}"#) == ["[note] \(long.prefix(1000))…"])
    #expect(lines(long) == ["\(long.prefix(199))…"])
    let general = try #require(lines(#"{"\#(long)": ["a"]}"#).first)
    #expect(general.hasSuffix("…: a") && general.utf8.count < 200)
    let marks = "e" + String(repeating: "\u{301}", count: 100_000)
    let message = try #require(
      coder.rejection(of: Order.self, in: Data(#"["\#(marks)"]"#.utf8)).general.first)
    #expect(message.utf8.count < 4_010 && message.utf8.starts(with: "e\u{301}".utf8))
    let price = try #require(
      coder.rejection(of: Order.self, in: Data(#"{"prices": {"\#(long)": ["a"]}}"#.utf8)).attributes
        .first)
    #expect(price.attribute.utf8.count < 100)
  }

  @Test func `at most a thousand messages are read`() {
    let messages = Array(repeating: #""a""#, count: 1_500).joined(separator: ",")
    #expect(lines("[\(messages)]").count == 1_000)
    #expect(lines(#"{"note": [\#(messages)], "title": ["b"]}"#).count == 1_000)
  }

  @Test(arguments: [
    String(repeating: "[", count: 100_000),
    String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
    String(repeating: #"{"lines":"#, count: 100_000),
  ])
  func `a body that is nested too deeply is one general message`(body: String) {
    #expect(
      lines(body) == ["\(body.prefix(body.count > 200 ? 199 : 200))\(body.count > 200 ? "…" : "")"])
  }

  @Test func `a body beyond the limits of the coder is one general message`() throws {
    let body = Data(#"{"note": ["a"]}"#.utf8)
    let small = try makeCoder { $0.limits.byteCount = 10 }
    #expect(Self.texts(of: small.rejection(of: Order.self, in: body)) == [#"{"note": ["a"]}"#])
    let shallow = try makeCoder { $0.limits.depth = 1 }
    #expect(Self.texts(of: shallow.rejection(of: Order.self, in: body)) == [#"{"note": ["a"]}"#])
  }

  @Test func `at most twenty thousand elements and members are read`() {
    let nulls = Array(repeating: "null", count: 19_990).joined(separator: ",")
    #expect(lines(#"{"note": [\#(nulls), "a"], "title": ["b"]}"#) == ["[note] a", "[title] b"])
    #expect(lines(#"{"note": [\#(nulls)], "id": [\#(nulls)], "title": ["b"]}"#) == [])
  }

  @Test func `a pointer of a megabyte leads to no attribute`() {
    let path = String(repeating: "/lines/0", count: 100_000)
    let body = #"{"errors": [{"pointer": "\#(path)", "detail": "a"}]}"#
    #expect(lines(body).map { $0.suffix(4) } == ["…: a"])
  }

  /// No body may stop the program.
  @Test(arguments: ["rails", "django", "jsonapi", "problem", "github"])
  func `truncated and damaged bodies are read without an error`(name: String) throws {
    let body = try CodingFixtures.data("rejections/\(name).json")
    var random = SeededRandom(seed: 7)
    for _ in 0..<300 {
      var damaged = body.prefix(Int.random(in: 0...body.count, using: &random))
      for _ in 0..<3 where !damaged.isEmpty {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      #expect(coder.rejection(of: Order.self, in: damaged).general.count <= 1_000)
    }
  }
}
