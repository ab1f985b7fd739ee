import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `JSON values of any shape` {
  final class Extra: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var json: JSONValue = .null
    @Persisted var optional: JSONValue?
    @Persisted(.null(.fail)) var strict: JSONValue = 1
    @Persisted var rings: List<JSONValue>
    @Persisted var areas: Map<String, JSONValue>
    @Persisted var counts: Map<String, Int>
  }

  private func read(_ text: String, _ coder: StoreCoder) throws -> ReadResult<Extra> {
    try coder.read(Extra.self, from: Data(text.utf8))
  }

  @Test func `a JSON value may have 512 levels regardless of the depth limit of payloads`() throws {
    let coder = try makeCoder { $0.limits.depth = 16_384 }
    func text(_ depth: Int) -> String {
      #"{"id":1,"json":"# + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth) + "}"
    }
    let object = try #require(try read(text(512), coder).objects.first)
    #expect(
      String(decoding: try coder.encode(object), as: UTF8.self).contains(
        String(repeating: "[", count: 512)))
    #expect(
      message { _ = try read(text(513), coder) }
        == "json (id 1): the limit of 512 nested arrays and objects in a JSONValue is exceeded "
        + "at line 1, column 528")
    #expect(message { _ = try read(text(9000), coder) }.contains("512 nested arrays"))
  }

  // MARK: - Numbers

  @Test(
    arguments: [
      ("1", .int(1)), ("-0", .double(-0.0)), ("1.0", .double(1)), ("-0.0", .double(-0.0)),
      ("0.0", .double(0)), ("0e9", .double(0)), ("2.50", .double(2.5)), ("0.40", .double(0.4)),
      ("1e2", .double(100)), ("1E+2", .double(100)), ("1e22", .double(1e22)),
      ("1e+22", .double(1e22)), ("0.1", .double(0.1)), ("0.00001", .double(1e-5)),
      ("1e-05", .double(1e-5)), ("10000000000000000000", .double(1e19)),
      // Two decimals of 16 digits, but one Double.
      ("8.000000000000001", .number("8.000000000000001")),
      ("8.000000000000002", .double(8.000000000000002)),
      ("1234567890123456.5", .double(1_234_567_890_123_456.5)),
      ("5e-324", .double(.leastNonzeroMagnitude)), ("9223372036854775807", .int(.max)),
      ("9223372036854775808", .number("9223372036854775808")),
      ("9223372036854774784.0", .number("9223372036854774784.0")),
      ("9007199254740993.0", .number("9007199254740993.0")),
      ("9007199254740992.0", .double(9_007_199_254_740_992)),
      ("1e-400", .number("1e-400")), ("1e400", .number("1e400")),
      ("0.30000000000000004441", .number("0.30000000000000004441")),
      ("1e-99999999999999999999", .number("1e-99999999999999999999")),
      ("123456789012345678901234567890", .number("123456789012345678901234567890")),
    ] as [(String, JSONValue)],
    [[], .sortedKeys, [.sortedKeys, .prettyPrinted]] as [CodingConfiguration.OutputFormatting])
  func `a JSON number is encoded as it was decoded`(
    number: (text: String, value: JSONValue), formatting: CodingConfiguration.OutputFormatting
  ) throws {
    let coder = try makeCoder { $0.outputFormatting = formatting }
    let payload = #"{"id":1,"json":\#(number.text),"optional":[{"a":\#(number.text)}]}"#
    let object = try read(payload, coder).objects[0]
    #expect(object.json == number.value)
    #expect(object.optional == [["a": number.value]])
    if case .double(let double) = object.json, case .double(let expected) = number.value {
      #expect(double.sign == expected.sign)
    }
    let body = try coder.text(object)
    let compact = body.filter { !$0.isWhitespace }
    #expect(compact.contains(#""json":\#(number.text)"#), "\(body)")
    #expect(compact.contains(#""optional":[{"a":\#(number.text)}]"#), "\(body)")
    #expect(try read(body, coder).outcomes == [.unchanged])
    #expect(try read(payload, coder).outcomes == [.unchanged])
    #expect(coder.store.version == 1)
  }

  @Test func `a number keeps its notation until code assigns another value`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Extra.self, #"{"id":1,"json":{"a":0.40,"b":1e2},"optional":2.50}"#)
    let version = coder.store.version
    try coder.store.write {
      object.json = object.json
      object.optional = 2.5
      try coder.store.create(
        Extra.self, value: ["id": 1, "json": ["a": 0.4, "b": 100.0]], update: .modified)
    }
    #expect(coder.store.version == version)
    #expect(try coder.text(object).contains(#""json":{"a":0.40,"b":1e2},"optional":2.50"#))
    try coder.store.write {
      object.json = .object(["a": 0.4, "b": 101.0])
      object.optional = .number("2.5e0")
    }
    #expect(object.optional == 2.5)
    #expect(try coder.text(object).contains(#""json":{"a":0.4,"b":101.0},"optional":2.5e0"#))
  }

  @Test func `another notation of an equal number replaces the stored one`() throws {
    let coder = try makeCoder()
    let object = try read(#"{"id":1,"json":[0.40]}"#, coder).objects[0]
    #expect(try read(#"{"id":1,"json":[0.4]}"#, coder).outcomes == [.updated])
    #expect(try coder.text(object).contains(#""json":[0.4]"#))
    #expect(try read(#"{"id":1,"json":[4e-1]}"#, coder).outcomes == [.updated])
    #expect(try coder.text(object).contains(#""json":[4e-1]"#))
    #expect(object.json == [0.4])
  }

  @Test func `elements of collections have numbers in their shortest form`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Extra.self, #"{"id":1,"rings":[0.40,[1e2]],"areas":{"a":2.50}}"#)
    try coder.store.write { object.rings.append(.number("1.50")) }
    let body = try coder.text(object)
    #expect(body.contains(#""rings":[0.4,[100.0],1.5],"areas":{"a":2.5}"#), "\(body)")
  }

  @Test func `an update dictionary keeps the notation of numbers`() throws {
    let coder = try makeCoder()
    let payload = Data(#"{"id":1,"json":{"a":0.40}}"#.utf8)
    let update = try coder.updateDictionary(for: Extra.self, from: payload)
    let object = try coder.store.write {
      try coder.store.create(Extra.self, value: update, update: .modified)
    }
    #expect(object.json == ["a": 0.4])
    #expect(try coder.text(object).contains(#""json":{"a":0.40}"#))
    #expect(try coder.read(Extra.self, from: payload).outcomes == [.unchanged])
  }

  @Test func `a file keeps the notation of numbers`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let payload =
      #"{"id":1,"json":{"a":[0.40,-0,-0.0,1e2,1.0,12345678901234567890]},"optional":1E2}"#
    do {
      let coder = StoreCoder(store: try Store(configuration: .file(folder.file("extra.store"))))
      try coder.decode(Extra.self, payload)
    }
    let coder = StoreCoder(store: try Store(configuration: .file(folder.file("extra.store"))))
    let object = coder.store.objects(Extra.self)[0]
    #expect(
      try coder.text(object).contains(
        #""json":{"a":[0.40,-0,-0.0,1e2,1.0,12345678901234567890]},"optional":1E2"#))
    let version = coder.store.version
    #expect(try read(payload, coder).outcomes == [.unchanged])
    #expect(coder.store.version == version)
  }

  @Test func `any Double set in code reads back from a body`() throws {
    var random = SeededRandom(seed: 3)
    let coder = try makeCoder()
    let object = try coder.decode(Extra.self, #"{"id":1}"#)
    for round in 0..<500 {
      let value =
        round % 3 == 0
        ? Double(Int64(truncatingIfNeeded: random.next())) : Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      try coder.store.write { object.json = .double(value) }
      #expect(try read(coder.text(object), coder).outcomes == [.unchanged], "\(value)")
    }
    try coder.store.write { object.json = .number("2.50") }
    #expect(object.json == .double(2.5))
    #expect(try coder.text(object).contains(#""json":2.50}"#))
  }

  @Test(arguments: ["", "abc", "1 ", "01", "1.", "NaN", "1e", "0x10", "1,2"])
  func `a JSON number with invalid text throws an error when encoded but not when created`(
    text: String
  ) throws {
    let coder = try makeCoder()
    let object = Extra()
    object.json = ["sizes": [1, .number(text)]]
    let found = message { _ = try coder.encode(object) }
    #expect(found == "json (Extra.json): the text is not one JSON value: \(text)")
    try coder.store.write { try coder.store.add(object) }
    #expect(object.json["sizes"]?[1] == .number(text))
    #expect(message { _ = try coder.encode(object) } == found)
  }

  // MARK: - Null

  @Test func `a JSON null is written only if it reads back as one`() throws {
    let coder = try makeCoder()
    let object = try read(
      #"{"id":1,"json":null,"optional":null,"rings":[],"areas":{},"counts":{}}"#, coder
    ).objects[0]
    #expect(object.json == .null)
    #expect(object.optional == nil)
    try coder.store.write {
      object.optional = .some(.null)
      object.strict = .null
    }
    let body = try coder.text(object)
    #expect(body == #"{"id":1,"json":null,"rings":[],"areas":{},"counts":{}}"#)
    let unmanaged = Extra()
    unmanaged.id = 1
    unmanaged.optional = .some(.null)
    unmanaged.strict = .null
    #expect(try coder.text(unmanaged) == body)
    #expect(try read(body, coder).outcomes == [.unchanged])
  }

  // MARK: - Names

  @Test func `canonically equivalent names of JSON members are distinct`() throws {
    let (composed, split) = ("\u{E9}", "e\u{301}")
    let coder = try makeCoder()
    let payload =
      #"{"id":1,"json":{"\#(composed)":1,"\#(split)":2},"counts":{"\#(composed)":3,"\#(split)":4}}"#
    let object = try coder.decode(Extra.self, payload)
    #expect(object.json[composed] == 1)
    #expect(object.json[split] == 2)
    #expect(object.json.members.count == 2)
    #expect(object.json != .object([composed: 2]))
    let body = try coder.text(object)
    #expect(try read(body, coder).outcomes == [.unchanged])
    let update = try coder.updateDictionary(for: Extra.self, from: Data(payload.utf8))
    guard case .object(let counts) = try #require(update["counts"]) else {
      Issue.record("\(update)")
      return
    }
    #expect(counts.count == 2 && counts[composed] == 3 && counts[split] == 4)
    try coder.store.write { try coder.store.create(Extra.self, value: update, update: .modified) }
    #expect(coder.store.version == 1)
  }

  @Test func `the last of two JSON members with the same name wins`() throws {
    let object = try makeCoder().decode(Extra.self, #"{"id":1,"json":{"b":1,"a":2,"b":3}}"#)
    #expect(object.json == ["a": 2, "b": 3])
    #expect(object.json.members.map(\.key) == ["a", "b"])
  }

  @Test func `update dictionaries with 50,000 names are equal in any order`() {
    let names = (0..<50_000).map { ("k\($0)", UpdateValue.int(Int64($0))) }
    let (one, other) = (UpdateDictionary(names), UpdateDictionary(names.reversed()))
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one != UpdateDictionary(names.dropLast() + [("x", 1)]))
  }

  // MARK: - Nested collections

  @Test func `lists of lists and maps of lists are accessed with subscripts`() throws {
    let coder = try makeCoder()
    let object = try coder.decode(
      Extra.self,
      #"""
      {"id":1,"rings":[[[-65.6,43.4],[-65,44]],[]],"areas":{"205705993":[205705994,205705995],"x":[]},
       "json":{"type":"Polygon","open":false,"big":1e400,"price":12.30,"none":null}}
      """#)
    #expect(object.rings[0][1]?[0]?.doubleValue == -65)
    let longitudes = object.rings.flatMap(\.elements).compactMap { $0[0]?.doubleValue }
    #expect(longitudes == [-65.6, -65])
    let ids = object.areas["205705993"]?.elements.compactMap(\.intValue)
    #expect(ids == [205_705_994, 205_705_995])
    #expect(object.json["type"]?.stringValue == "Polygon")
    #expect(object.json["open"]?.boolValue == false)
    #expect(object.json["big"]?.doubleValue == nil)
    #expect(object.json["price"]?.decimalValue == Decimal(string: "12.3"))
    #expect(object.json["none"]?.isNull == true)
    #expect(object.json["absent"]?.isNull == nil)
    #expect(object.json.members.map(\.key) == ["big", "none", "open", "price", "type"])
    try coder.store.write {
      object.rings = [[[1, 2.5]], []]
      object.areas = ["a": [1, 2]]
      var members = object.json.members
      members["open"] = true
      members["none"] = nil
      object.json = .object(members)
    }
    #expect(object.json["open"] == true && object.json["none"]?.isNull == nil)
    #expect(try coder.text(object).contains(#""rings":[[[1,2.5]],[]],"areas":{"a":[1,2]}"#))
  }
}
