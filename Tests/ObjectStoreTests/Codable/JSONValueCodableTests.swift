import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `JSONValue as Codable` {
  private static let values: [JSONValue] = [
    nil, true, false, 0, -7, 1.5, "", "ä\u{1F600}", [], [:], [1, nil, [true, "x"]],
    ["a": ["b": [1.25]], "ä": nil], .int(.max), .number("18446744073709551615"),
    .number("12345678901234567890.123456"),
  ]

  @Test(arguments: values) func `a value survives JSONEncoder and JSONDecoder`(
    value: JSONValue
  ) throws {
    let data = try JSONEncoder().encode([value])
    #expect(try JSONDecoder().decode([JSONValue].self, from: data) == [value])
  }

  @Test func `a number that Decimal cannot represent is not encodable`() {
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode([JSONValue.number("1e400")])
    }
  }

  @Test func `a JSON value inside a Codable type is read from JSON`() throws {
    struct Page: Decodable {
      let next: String
      let extra: JSONValue
    }
    let page = try JSONDecoder().decode(
      Page.self, from: Data(#"{"next": "a", "extra": {"n": [1, 2.5]}}"#.utf8))
    #expect(page.extra == ["n": [1, 2.5]])
  }
}
