import Foundation
import ObjectStore
import Testing

@Suite struct `JSON of Codable types` {
  // MARK: - Containers

  /// Encodes each member through a container of its own.
  struct Scattered: Codable, Equatable {
    var city = "Ulm"
    var zip = "89073"
    var numbers = [1, 2]

    enum Keys: CodingKey { case info, numbers }
    enum Info: CodingKey { case city, zip }

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      let info = try container.nestedContainer(keyedBy: Info.self, forKey: .info)
      city = try info.decode(String.self, forKey: .city)
      zip = try info.decode(String.self, forKey: .zip)
      numbers = try container.decode([Int].self, forKey: .numbers)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      var first = container.nestedContainer(keyedBy: Info.self, forKey: .info)
      try first.encode(city, forKey: .city)
      var second = container.nestedContainer(keyedBy: Info.self, forKey: .info)
      try second.encode(zip, forKey: .zip)
      for number in numbers {
        var array = container.nestedUnkeyedContainer(forKey: .numbers)
        #expect(array.count == number - 1)
        try array.encode(number)
      }
    }
  }

  @Test func `a nested container continues an earlier one of the same key`() throws {
    let json = try JSONValue(encoding: Scattered())
    #expect(json == ["info": ["city": "Ulm", "zip": "89073"], "numbers": [1, 2]])
    #expect(try json.decode(Scattered.self) == Scattered())
    let foundation = try JSONDecoder().decode(
      JSONValue.self, from: JSONEncoder().encode(Scattered()))
    #expect(json == foundation)
  }

  @Test func `sets and dictionaries have the same JSON in any order of insertion`() throws {
    struct Point: Codable, Hashable { var x: Int }
    let numbers = Array(0..<100)
    var reserved = Set<Int>(minimumCapacity: 1000)
    var points: [Point: String] = Dictionary(minimumCapacity: 1000)
    for number in numbers.reversed() {
      reserved.insert(number)
      points[Point(x: number)] = "\(number)"
    }
    let other = Dictionary(uniqueKeysWithValues: numbers.map { (Point(x: $0), "\($0)") })
    #expect(try JSONValue(encoding: reserved) == JSONValue(encoding: Set(numbers)))
    #expect(try JSONValue(encoding: [points]) == JSONValue(encoding: [other]))
    #expect(try JSONValue(encoding: points).decode([Point: String].self) == other)
    #expect(try JSONValue(encoding: Coded(Set(["b", "a"]))) == ["a", "b"])
    #expect(try JSONValue(encoding: ["b", "a"]) == ["b", "a"])
  }

  // MARK: - Depth

  /// An array in an array …, through containers or values.
  struct Nest: Codable {
    var depth: Int
    init(_ depth: Int) { self.depth = depth }
    init(from decoder: any Decoder) throws {
      var depth = 0
      var container = try decoder.unkeyedContainer()
      while !container.isAtEnd {
        container = try container.nestedUnkeyedContainer()
        depth += 1
      }
      self.depth = depth
    }
    func encode(to encoder: any Encoder) {
      var container = encoder.unkeyedContainer()
      for _ in 0..<depth { container = container.nestedUnkeyedContainer() }
    }
  }

  @Test func `containers may be nested 128 levels deep`() throws {
    let json = try JSONValue(encoding: Nest(127))
    #expect(try json.decode(Nest.self).depth == 127)
    for depth in [128, 1000, 100_000] {
      #expect {
        try JSONValue(encoding: Nest(depth))
      } throws: {
        "\($0)".contains("more than 128 nested arrays and objects")
      }
    }
  }

  @Test func `a JSONValue inside may be nested 512 levels deep`() throws {
    struct Box: Codable { var json: JSONValue }
    func nested(_ depth: Int) -> JSONValue { depth == 0 ? [] : [nested(depth - 1)] }
    #expect(try JSONValue(encoding: Box(json: nested(510))).decode(Box.self).json == nested(510))
    #expect {
      try JSONValue(encoding: Box(json: nested(511)))
    } throws: {
      "\($0)".contains("more than 512 nested arrays and objects")
    }
  }

  // MARK: - Dates and numbers

  @Test(
    arguments: [
      ("0000-12-30T00:00:00Z", Date.distantPast), ("2018-05-18t14:53:37.5z", 548_348_017.5),
      ("2018-05-18T16:53:37+02:00", 548_348_017), ("0000-01-01T00:00:00Z", -63_145_526_400),
      ("9999-12-31T23:59:59.5Z", 252_423_993_599.5),
    ] as [(String, any Sendable)])
  func `dates are read`(text: String, expected: any Sendable) throws {
    let date =
      expected as? Date
      ?? Date(
        timeIntervalSinceReferenceDate: (expected as? Double) ?? Double(expected as? Int ?? 0))
    #expect(try JSONValue.string(text).decode(Date.self) == date)
    let written = try JSONValue(encoding: date)
    #expect(try written.decode(Date.self) == date)
  }

  @Test func `whole seconds are written as by JSONEncoder`() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    for date in [Date.distantFuture, Date(timeIntervalSinceReferenceDate: 7)] {
      let foundation = try JSONDecoder().decode([String].self, from: encoder.encode([date]))
      #expect(try JSONValue(encoding: [date]) == JSONValue(encoding: foundation))
    }
    #expect(
      try JSONValue(encoding: Date(timeIntervalSinceReferenceDate: 7.25))
        == "2001-01-01T00:00:07.250Z")
  }

  @Test(arguments: [
    "2018-02-30T00:00:00Z", "2018-05-18T25:53:37Z", "2018-05-18T14:53:37ZZZ",
    "2018-05-18T14:53:37.5Zabc", "2018-05-18T14:53:37.1.1Z", "2018-05-18.5T14:53:37Z", "",
  ])
  func `dates that do not exist or are not ISO 8601 are refused`(text: String) {
    #expect {
      try JSONValue.string(text).decode([String: Date].self)
    } throws: {
      if case DecodingError.typeMismatch = $0 { true } else { false }
    }
    #expect {
      try JSONValue.string(text).decode(Date.self)
    } throws: {
      if case DecodingError.dataCorrupted = $0 { true } else { false }
    }
  }

  @Test func `wide integers, floats and numbers with a fraction of zero are exact`() throws {
    struct Wide: Codable, Equatable {
      var signed = Int128.min
      var unsigned = [UInt128.max]
      var small: Int128? = 5
    }
    let json = try JSONValue(encoding: Wide())
    #expect(json["signed"] == .number("-170141183460469231731687303715884105728"))
    #expect(json["small"] == 5)
    #expect(try json.decode(Wide.self) == Wide())
    #expect(try JSONValue.number("9007199254740993.0").decode(Int.self) == 9_007_199_254_740_993)
    #expect(
      try JSONValue.number("12345678901234567890.0").decode(UInt64.self)
        == 12_345_678_901_234_567_890)
    #expect(
      try JSONValue.double(1.2345678901234567e19).decode(UInt64.self)
        == 12_345_678_901_234_567_000)
    #expect(
      try JSONValue.double(1.741894053670443e18).decode(Int64.self) == 1_741_894_053_670_443_000)
    #expect(JSONValue.double(1.741894053670443e18).intValue == 1_741_894_053_670_443_000)
    #expect(JSONValue.number("1.20e2").intValue == 120)
    #expect(JSONValue.number("1.25").intValue == nil)
    #expect(JSONValue.number("9223372036854775808").intValue == nil)
    #expect(
      "\(try JSONValue.double(1e38).decode(Int128.self))" == "1" + String(repeating: "0", count: 38)
    )
    for fraction in ["", ".0", ".00e0"] {
      #expect(throws: DecodingError.self) {
        try JSONValue.number("340282366920938463463374607431768211456" + fraction).decode(
          UInt128.self)
      }
      #expect(
        try JSONValue.number("340282366920938463463374607431768211455" + fraction).decode(
          UInt128.self) == .max)
    }
    for text in [
      "0.5", "-0.5e0", "1e-1", "1e41", "1e99999999999999999999", "1e-99999999999999999999",
    ] {
      #expect(throws: DecodingError.self) { try JSONValue.number(text).decode(Int128.self) }
    }
    for text in ["0e9999999999999999999", "-0.000", "0.0e-5"] {
      #expect(try JSONValue.number(text).decode(Int.self) == 0)
    }
    #expect(try JSONValue.number("-12.50e1").decode(Int8.self) == -125)
    // The nearest Double lies halfway between two Floats.
    #expect(try JSONValue.number("1.00000017881393432617187499999").decode(Float.self) == 1.0000001)
  }

  // MARK: - Errors

  struct Item: Decodable { var x: Int }

  /// Returns the case of the error and its path, and the missing key.
  private func name(_ json: JSONValue) -> String {
    let error = #expect(throws: DecodingError.self) { try json.decode([Item].self) }
    func text(_ name: String, _ context: DecodingError.Context) -> String {
      "\(name) \(context.codingPath.map(\.stringValue))"
    }
    return switch error {
    case .valueNotFound(_, let context): text("valueNotFound", context)
    case .typeMismatch(_, let context): text("typeMismatch", context)
    case .keyNotFound(let key, let context): text("keyNotFound \(key.stringValue)", context)
    case .dataCorrupted(let context): text("dataCorrupted", context)
    default: "no error"
    }
  }

  @Test func `errors have the cases of JSONDecoder`() throws {
    #expect(name([["x": nil]]) == #"valueNotFound ["0", "x"]"#)
    #expect(name([["x": "a"]]) == #"typeMismatch ["0", "x"]"#)
    #expect(name([["x": 1.5]]) == #"dataCorrupted ["0", "x"]"#)
    #expect(name([["y": 1]]) == #"keyNotFound x ["0"]"#)
    #expect(name(nil) == "valueNotFound []")
    #expect {
      try JSONValue.array([]).decode(Pair.self)
    } throws: {
      if case DecodingError.valueNotFound = $0 { true } else { false }
    }
  }

  private struct Pair: Decodable {
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      _ = try container.decode(Int.self)
    }
  }
}
