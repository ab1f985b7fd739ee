import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Conversions by code` {
  struct Cents: ValueCoding {
    func decode(_ json: JSONValue) throws -> Decimal { try json.decode(Decimal.self) / 100 }
    func encode(_ price: Decimal) throws -> JSONValue { try JSONValue(encoding: price * 100) }
  }

  struct Refusal: Error, CustomStringConvertible { var description: String { "refused" } }

  /// `"user_7"` as 7.
  struct UserNumber: ValueCoding {
    func decode(_ json: JSONValue) throws -> Int {
      guard let text = json.stringValue, text.hasPrefix("user_"),
        let number = Int(text.dropFirst(5))
      else { throw Refusal() }
      return number
    }
    func encode(_ number: Int) throws -> JSONValue {
      if number < 0 { throw Refusal() }
      return .string("user_\(number)")
    }
  }

  struct Reversed: ValueCoding {
    func decode(_ json: JSONValue) throws -> String {
      String(try json.decode(String.self).reversed())
    }
    func encode(_ text: String) -> JSONValue { .string(String(text.reversed())) }
  }

  final class Order: Object {
    @Persisted(primaryKey: true, .coding(UserNumber())) var id: Int
    @Persisted(.coding(Cents())) var price: Decimal
    @Persisted(.coding(Cents()), .mismatch(.skipAttribute)) var tip: Decimal?
    @Persisted(.coding(Cents()), .omitsEmpty) var history: List<Decimal>
    @Persisted(.coding(Reversed()), .omitsEmpty) var names: Map<String, String?>
    @Persisted(.coding(Reversed()), .omitsEmpty) var tags: MutableSet<String>
    @Persisted(
      .coding(decode: { try $0.decode(String.self) == "yes" }, encode: { $0 ? "yes" : "no" }))
    var isPaid = false
    @Persisted(
      .coding(
        decode: { Date(timeIntervalSince1970: try $0.decode(Double.self) * 86_400) },
        encode: { .double($0.timeIntervalSince1970 / 86_400) }))
    var day: Date?
    @Persisted(.byKey) var next: Order?
  }

  private let text =
    #"{"id":"user_7","price":1999,"tip":5,"history":[1,250],"names":{"a":"cba","b":null},"#
    + #""tags":["yx"],"isPaid":"yes","day":1.5,"next":"user_8"}"#

  @Test func `values are converted in both directions`() throws {
    let coder = try makeCoder()
    let order = try coder.decode(Order.self, text)
    #expect(order.id == 7)
    #expect(order.price == Decimal(string: "19.99"))
    #expect(order.tip == Decimal(string: "0.05"))
    #expect(Array(order.history) == [Decimal(string: "0.01"), Decimal(string: "2.5")])
    #expect(order.names["a"] == "abc")
    #expect(order.names["b"] == .some(nil))
    #expect(order.tags.contains("xy"))
    #expect(order.isPaid)
    #expect(order.day == Date(timeIntervalSince1970: 129_600))
    #expect(order.next?.id == 8)
    #expect(try coder.text(order) == text)
    #expect(try coder.encode(order.frozen()).text == text)
    #expect(try coder.read(Order.self, from: Data(text.utf8)).unchanged == 1)
    let update = try coder.updateDictionary(for: Order.self, from: Data(text.utf8))
    #expect(update["price"] == .decimal(Decimal(string: "19.99")!))
  }

  @Test func `false is converted`() throws {
    let coder = try makeCoder()
    let order = try coder.decode(Order.self, #"{"id":"user_7","isPaid":"no"}"#)
    #expect(!order.isPaid)
    #expect(try coder.text(order) == #"{"id":"user_7","isPaid":"no"}"#)
    let unmanaged = Order()
    unmanaged.id = 7
    #expect(try coder.text(unmanaged).hasSuffix(#""isPaid":"no"}"#))
  }

  @Test func `unmanaged objects are encoded in the same form`() throws {
    let order = Order()
    (order.id, order.price, order.isPaid) = (7, 2, true)
    order.history.append(3)
    order.names["b"] = .some(nil)
    #expect(
      try makeCoder().text(order)
        == #"{"id":"user_7","price":200,"history":[300],"names":{"b":null},"isPaid":"yes"}"#)
  }

  @Test(arguments: [
    (
      #""price":"x""#,
      #"price (Order.price, id 7): expected Decimal, found string "x" at line 1, column 24"#
    ),
    (
      #""history":[1,[]]"#,
      "history[1] (Order.history, id 7): expected Decimal, found an array at line 1, column 29"
    ),
    (
      #""next":"x""#,
      #"next (Order.next, id 7): expected the key of an Order (a value for UserNumber), or an object, "#
        + #"found string "x" at line 1, column 23"#
    ),
  ])
  func `an error of a conversion is a mismatch with the place of the value`(
    member: String, expected: String
  ) throws {
    let found = message {
      _ = try makeCoder().decode(Order.self, #"{"id":"user_7",\#(member)}"#)
    }
    #expect(found.hasPrefix(expected), "\(found)")
  }

  @Test func `any error of a conversion is a mismatch, to which policies apply`() throws {
    #expect(
      message { _ = try makeCoder().decode(Order.self, #"{"id":7}"#) }
        == "id (Order.id): expected UserNumber (refused), found number 7 at line 1, column 7")
    let result = try makeCoder().read(
      Order.self, from: Data(#"{"id":"user_7","tip":true}"#.utf8))
    #expect(result.issues.map(\.path) == ["tip"])
    #expect(result.objects.first?.tip == nil)
  }

  @Test func `null is subject to the null policy and not converted`() throws {
    let coder = try makeCoder()
    let order = try coder.decode(Order.self, #"{"id":"user_7","tip":null}"#)
    #expect(order.tip == nil)
    #expect(
      message { _ = try coder.decode(Order.self, #"{"id":"user_7","price":null}"#) }
        == "price (Order.price, id 7): null for a Decimal that is not optional at line 1, column 24"
    )
  }

  @Test func `a value that a conversion cannot encode is an error`() throws {
    let order = Order()
    order.id = -1
    #expect(
      message { _ = try makeCoder().text(order) }
        == "id (Order.id): expected a value that UserNumber can encode, found refused")
  }

  final class Wrong: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.coding(Cents()), .flexible, .asString) var a: Decimal
    @Persisted(.coding(Reversed()), .raw()) var b: String
    @Persisted(.asString(fractionDigits: 39)) var c: Decimal
  }

  @Test func `a conversion excludes options for the form of values`() throws {
    #expect(
      message { try makeCoder().check(Wrong.self) } == """
        Wrong.a: 'coding' cannot be combined with 'asString'
        Wrong.a: 'coding' cannot be combined with 'flexible'
        Wrong.b: 'coding' cannot be combined with 'raw'
        Wrong.c: 39 is not a number of fraction digits from 0 to 38
        """)
  }

  @Test func `a schema made at run time has conversions of the type of its attribute`() throws {
    let options = try #require(Order().objectSchema["price"]?.options)
    #expect(
      ObjectSchema(
        "Made",
        [
          Property("id", .int, isPrimaryKey: true), Property("price", .decimal, options: options),
          Property("text", .string, options: options),
          Property("count", .string, options: [.string(fractionDigits: 0), .base64(.standard)]),
        ]
      ).mistakes == [
        "Made.text: the type is String, but the option requires Decimal",
        "Made.count: the type is String, but the option requires a number",
        "Made.count: the type is String, but the option requires Data",
      ])
  }

  @Test func `explain names the conversion`() throws {
    #expect(try makeCoder().explain(Order.self).contains("mismatch: skipAttribute, coding: Cents"))
  }

  @MainActor final class Counter {
    var count = 0
  }

  final class Deep: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(
      .coding(
        decode: { json in
          MainActor.assumeIsolated {}
          return try json.decode(Int.self)
        },
        encode: { value in
          MainActor.assumeIsolated {}
          return .int(Int64(value))
        })) var value: Int
    @Persisted var next: Deep?
  }

  @MainActor @Test func `conversions run in the isolation of the caller, at any depth`() throws {
    var text = "null"
    for id in (0..<200).reversed() { text = #"{"id":\#(id),"value":\#(id),"next":\#(text)}"# }
    let coder = try makeCoder()
    let deep = try coder.decode(Deep.self, text)
    #expect(deep.next?.next?.value == 2)
    #expect(try coder.text(deep).hasPrefix(#"{"id":0,"value":0"#))
  }
}

@Suite struct `Numbers as strings and forms of Base64` {
  final class Product: Object {
    @Persisted(primaryKey: true, .asString) var id: UInt64
    @Persisted(.asString(fractionDigits: 2)) var price: Decimal
    @Persisted(.asString) var weight: Double?
    @Persisted(.asString, .omitsEmpty) var sizes: List<Int>
    @Persisted(.asString(fractionDigits: 2), .omitsEmpty) var rates: Map<String, Float?>
    @Persisted(.byKey) var parent: Product?
  }

  private let text =
    #"{"id":"18446744073709551615","price":"199.00","weight":"0.5","sizes":["1","-2"],"#
    + #""rates":{"a":"0.10","b":null},"parent":"7"}"#

  @Test func `numbers are read from strings and written as strings`() throws {
    let coder = try makeCoder()
    let product = try coder.decode(Product.self, text)
    #expect(product.id == .max)
    #expect(product.price == 199)
    #expect(product.rates["a"] == 0.1)
    #expect(product.parent?.id == 7)
    #expect(try coder.text(product) == text)
    #expect(try coder.read(Product.self, from: Data(text.utf8)).unchanged == 1)
    let plain = #"{"id":5,"price":1.234,"weight":1e300,"sizes":[3]}"#
    #expect(
      try coder.text(coder.decode(Product.self, plain))
        == #"{"id":"5","price":"1.234","weight":"1e+300","sizes":["3"]}"#)
    let unmanaged = Product()
    (unmanaged.id, unmanaged.price) = (1, Decimal(string: "2.5")!)
    #expect(try coder.text(unmanaged) == #"{"id":"1","price":"2.50"}"#)
  }

  final class Amounts: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.asString) var a: Double?
    @Persisted(.asString(fractionDigits: 2)) var b: Double?
    @Persisted(.asString) var c: Float?
  }

  @Test(
    arguments: [
      (1e16, "10000000000000000", "10000000000000000.00"),
      (-1.5e20, "-150000000000000000000", "-150000000000000000000.00"),
      (1e21, "1e+21", "1000000000000000000000.00"),
      (1.2345e20, "123450000000000000000", "123450000000000000000.00"),
      (0.000_012_5, "0.0000125", "0.0000125"), (0.000_001, "0.000001", "0.000001"),
      (1.5e-7, "1.5e-07", "0.00000015"), (-0.0, "-0", "-0.00"),
    ] as [(Double, String, String)])
  func `numbers that are written as strings have an exponent only if they are extreme`(
    number: Double, plain: String, padded: String
  ) throws {
    let coder = try makeCoder()
    let text = #"{"id":1,"a":"\#(plain)","b":"\#(padded)"}"#
    let amounts = Amounts()
    (amounts.id, amounts.a, amounts.b) = (1, number, number)
    #expect(try coder.text(amounts) == text)
    let decoded = try coder.decode(Amounts.self, text)
    #expect(decoded.a == number && decoded.b == number)
  }

  @Test func `a number with minimum fraction digits never has an exponent`() throws {
    let amounts = Amounts()
    (amounts.id, amounts.b, amounts.c) = (1, 1e300, 1e18)
    let zeros = String(repeating: "0", count: 300)
    #expect(
      try makeCoder().text(amounts)
        == #"{"id":1,"b":"1\#(zeros).00","c":"1000000000000000000"}"#)
  }

  @Test(arguments: [" 1", "1 ", "\\t1\\r", "007", "+7", ".5", "1.", "0x1", "", "１"])
  func `a string that is not a JSON number is not a number`(text: String) throws {
    let coder = try makeCoder { $0.isFlexible = true }
    for member in ["id", "a", "b"] {
      let failure = kind {
        try coder.decode(Amounts.self, #"{"id":1,"\#(member)":"\#(text)"}"#)
      }
      #expect(failure == .typeMismatch || failure == .primaryKeyNotFound)
    }
  }

  @Test func `a Boolean is not a number that is written as a string`() throws {
    let coder = try makeCoder()
    #expect(
      message { try coder.decode(Product.self, #"{"id": 1, "price": false}"#) }
        == "price (Product.price, id 1): expected Decimal, found false at line 1, column 20")
    #expect(
      message { try coder.decode(Product.self, #"{"id": true, "price": 1}"#) }
        == "id (Product.id): expected UInt64, found true at line 1, column 8")
    let flexible = try makeCoder { $0.isFlexible = true }
    #expect(try flexible.decode(Product.self, #"{"id": true, "price": false}"#).id == 1)
  }

  final class File: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.base64(.urlSafe)) var token: Data?
    @Persisted(.base64()) var content: Data?
    @Persisted(.base64(.urlSafe), .omitsEmpty) var parts: List<Data>
    @Persisted var strict: Data?
  }

  @Test(arguments: [
    "+/+/AQ==", "-_-_AQ", "-_-_AQ==", "+/+/AQ", " +/+/\\r\\nAQ==\\n", "-_+/A\\tQ",
  ])
  func `every form of Base64 is read, and the declared one written`(form: String) throws {
    let coder = try makeCoder()
    let file = try coder.decode(
      File.self, #"{"id":1,"token":"\#(form)","content":"\#(form)","parts":["\#(form)",""]}"#)
    let bytes = Data([0xFB, 0xFF, 0xBF, 1])
    #expect((file.token, file.content) == (bytes, bytes))
    #expect(Array(file.parts) == [bytes, Data()])
    let text = #"{"id":1,"token":"-_-_AQ","content":"+/+/AQ==","parts":["-_-_AQ",""]}"#
    #expect(try coder.text(file) == text)
    #expect(try coder.read(File.self, from: Data(text.utf8)).unchanged == 1)
  }

  @Test func `Base64 of every length and without padding fits into its buffer`() throws {
    let coder = try makeCoder()
    for count in Array(0...70) + [1_047, 1_048, 1_049, 5_000] {
      let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
      let text = bytes.base64EncodedString().replacing("=", with: "")
      let file = try coder.decode(File.self, #"{"id":1,"token":"\#(text)"}"#)
      #expect(file.token == bytes)
    }
  }

  @Test(arguments: ["A", "+/+/A", "AQ=", "A===", "A=Q=", "AQ==AQ==", "ä", "=", "===="])
  func `other text is refused`(text: String) throws {
    let isValid = text == "AQ="
    #expect(
      (try? makeCoder().decode(File.self, #"{"id":1,"token":"\#(text)"}"#)) != nil || !isValid)
    #expect(
      kind { _ = try makeCoder().decode(File.self, #"{"id":1,"strict":"\#(text)"}"#) }
        == .typeMismatch)
    if isValid { return }
    #expect(
      kind { _ = try makeCoder().decode(File.self, #"{"id":1,"token":"\#(text)"}"#) }
        == .typeMismatch)
  }
}
