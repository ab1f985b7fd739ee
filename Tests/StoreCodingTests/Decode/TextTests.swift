import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The encoding, syntax and size of payloads.
@Suite struct `Encoding, syntax and size of payloads` {
  private let payload = #"{ "id": "é🚀", "name": "ß" }"#

  @Test(
    arguments: [
      String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32,
      .utf32LittleEndian, .utf32BigEndian,
    ])
  func `UTF-8, UTF-16 and UTF-32 are read`(encoding: String.Encoding) throws {
    let data = try #require(payload.data(using: encoding))
    let leaf = try makeCoder().decode(Leaf.self, from: data)
    #expect(leaf.id == "é🚀")
    #expect(leaf.name == "ß")
  }

  @Test func `a byte order mark is skipped`() throws {
    let leaf = try makeCoder().decode(
      Leaf.self, from: Data([0xEF, 0xBB, 0xBF]) + Data(payload.utf8))
    #expect(leaf.id == "é🚀")
  }

  @Test func `invalid UTF-16 throws an error`() throws {
    #expect(
      message {
        try makeCoder().decode(
          Leaf.self, from: Data([0xFF, 0xFE, 0x7B, 0, 0x22, 0, 0x00, 0xD8, 0x22, 0]))
      } == "text that is neither valid UTF-8 nor valid UTF-16 or UTF-32")
  }

  @Test func `repairing replaces invalid Unicode in read and skipped values`() throws {
    let coder = try makeCoder { $0.invalidUnicode = .repair }
    let leaf = try coder.decode(Leaf.self, #"{ "id": "a\ud800b", "x": "\udc00" }"#)
    #expect(leaf.id == "a\u{FFFD}b")
    var bytes = Data(#"{ "id": "b", "name": "c"#.utf8)
    bytes.append(0xFF)
    bytes.append(Data(#"d" }"#.utf8))
    #expect(try coder.decode(Leaf.self, from: bytes).name == "c\u{FFFD}d")
    #expect(kind { try makeCoder().decode(Leaf.self, from: bytes) } == .syntax)
  }

  private final class Quote: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.raw(.exact)) var raw: String?
    @Persisted(.mismatch(.skipAttribute)) var lenient = 1
  }

  @Test func `raw JSON with invalid Unicode that is repaired keeps its spaces`() throws {
    let coder = try makeCoder { $0.invalidUnicode = .repair }
    let quote = try coder.decode(Quote.self, #"{"id":1,"raw":[ "a\ud800" ]}"#)
    #expect(quote.raw == #"[ "a\uFFFD" ]"#)
  }

  @Test func `a null that a lenient attribute skips is reported`() throws {
    let result = try makeCoder().read(
      Quote.self, from: Data(#"{"id":1,"lenient":null}"#.utf8))
    #expect(
      result.issues.map(\.description) == [
        "lenient (Quote.lenient, id 1): null for an Int that is not optional at line 1, column 19"
      ])
    #expect(result.objects.first?.lenient == 1)
  }

  @Test func `error messages show values with repaired Unicode`() throws {
    let coder = try makeCoder { $0.invalidUnicode = .repair }
    #expect(
      message { try coder.decode(Leaf.self, #"{"id":"a","name":["\ud800"]}"#) }
        == #"name (Leaf.name, id "a"): expected String, found an array at line 1, column 18"#)
    #expect(
      message { try coder.decode(AllTypes.self, #"{"id":1,"int":"a\ud800b"}"#) }
        == "int (AllTypes.int, id 1): expected Int, found string \"a\\uFFFDb\" "
        + "at line 1, column 15")
    let bytes = Data(#"{"id":1,"int":"a"#.utf8) + [0xFF] + Data(#""}"#.utf8)
    #expect(
      message { try coder.decode(AllTypes.self, from: bytes) }
        == "int (AllTypes.int, id 1): expected Int, found string \"a\u{FFFD}\" "
        + "at line 1, column 15")
  }

  @Test func `ignored values are validated`() throws {
    #expect(
      message { try makeCoder().decode(Leaf.self, #"{ "id": "a", "x": "\ud800" }"#) }
        == #"x (id "a"): a lone surrogate escape at line 1, column 20"#)
    #expect(
      message { try makeCoder().decode(Leaf.self, #"{ "id": "a", "x": [01] }"#) }
        == #"x (id "a"): a malformed number, found "01" at line 1, column 21"#)
  }

  @Test func `one trailing comma is rejected only by the strict dialect`() throws {
    let text = #"[{ "id": "a", }, { "id": "b" },]"#
    #expect(try makeCoder().decodeArray(Leaf.self, text).count == 2)
    let strict = try StoreCoder(store: Store(), configuration: .strict)
    #expect(
      message { try strict.decodeArray(Leaf.self, text) }
        == #"[0] (id "a"): a trailing comma at line 1, column 13"#)
    #expect(
      message { try makeCoder().decodeArray(Leaf.self, #"[{ "id": "a",, }]"#) }
        == #"[0] (id "a"): expected a quoted key in an object, found ", }]" at line 1, column 14"#
    )
    #expect(
      kind { try strict.decodeArray(Coding.Muppet.self, fixture: "muppets/part1.json") } == .syntax)
  }

  // MARK: - Limits

  private func chain(_ depth: Int) -> String {
    String(repeating: #"{"depth":1,"next":"#, count: depth - 1) + #"{"depth":2}"#
      + String(repeating: "}", count: depth - 1)
  }

  @Test func `objects can be nested in at most 512 levels`() throws {
    let coder = try makeCoder()
    try coder.decode(Coding.Link.self, chain(512))
    #expect(coder.store.objects(Coding.Link.self).count == 512)
    let other = try makeCoder()
    let text = message { try other.decode(Coding.Link.self, chain(513)) }
    #expect(text.hasPrefix("next.next.next."))
    #expect(
      text.hasSuffix(
        ".next.next: the limit of 512 nested arrays and objects is exceeded at line 1, column 9217")
    )
    #expect(kind { try other.decode(Coding.Link.self, chain(513)) } == .limitExceeded)
    #expect(other.store.objects(Coding.Link.self).isEmpty)
  }

  @Test(arguments: [
    ("", "[", StoreCodingError.Kind.nonDictionaryTopLevelObject), ("", #"{"a":"#, .limitExceeded),
    (#"{"id":1,"unknown":"#, "[", .limitExceeded),
    (#"{"id":1,"unknown":"#, #"{"a":"#, .limitExceeded),
    (#"{"id":1,"json":"#, "[", .limitExceeded), (#"{"id":1,"json":"#, #"{"a":"#, .limitExceeded),
    (#"{"id":1,"exact":"#, "[", .limitExceeded), (#"{"id":1,"exact":"#, #"{"a":"#, .limitExceeded),
    (#"{"id":1,"minified":"#, "[", .limitExceeded),
    (#"{"id":1,"minified":"#, #"{"a":"#, .limitExceeded),
    (#"{"id":1,"int":"#, "[", .typeMismatch), (#"{"id":1,"int":"#, #"{"a":"#, .typeMismatch),
  ])
  func `100,000 levels are rejected in read and skipped values`(
    start: String, open: String, expected: StoreCodingError.Kind
  ) throws {
    let coder = try makeCoder()
    let text = start + String(repeating: open, count: 100_000)
    #expect(kind { try coder.decode(AllTypes.self, text) } == expected)
    #expect(coder.store.objects(AllTypes.self).isEmpty)
  }

  @Test func `the depth limit is capped at 16,384`() throws {
    let coder = try makeCoder { $0.limits.depth = 1_000_000 }
    let text = #"{"id":"a","x":\#(String(repeating: "[", count: 16_384))"#
    #expect(
      message { try coder.decode(Leaf.self, text) }
        == #"(id "a"): the limit of 16384 nested arrays and objects is exceeded "#
        + "at line 1, column 16398")
  }

  @Test func `skipped values in nested objects do not add to the depth`() throws {
    let elements = (0..<600).map { #"{"id":\#($0),"leaf":{"id":5}}"# }
    let result = try makeCoder().read(
      [Coding.Policies].self, from: Data("[\(elements.joined(separator: ","))]".utf8))
    #expect(result.objects.count == 600)
    #expect(result.issues.count == 600)
  }

  @Test func `a payload of exactly the maximum byte count is accepted`() throws {
    let text = #"{ "id": "a" }"#
    let coder = try makeCoder { $0.limits.byteCount = text.utf8.count }
    #expect(message { try coder.decode(Leaf.self, text) } == "no error")
    let smaller = try makeCoder { $0.limits.byteCount = text.utf8.count - 1 }
    #expect(
      message { try smaller.decode(Leaf.self, text) }
        == "the limit of 12 bytes is exceeded: found 13 bytes")
  }

  @Test func `the limit of 16 MiB applies to a string and not to its list or map`() throws {
    let coder = try makeCoder()
    let text = String(repeating: "t", count: 1 << 20)
    let list = (0..<17).map { "\"\($0)\(text)\"" }.joined(separator: ",")
    let map = (0..<17).map { "\"\($0)\(text)\":\($0)" }.joined(separator: ",")
    let object = try coder.decode(
      AllTypes.self, #"{"id":1,"strings":[\#(list)],"intMap":{\#(map)}}"#)
    #expect(object.strings.count == 17)
    #expect(object.strings.last == "16\(text)")
    #expect(object.intMap["16\(text)"] == 16)
    let huge = String(repeating: "k", count: 16 << 20)
    #expect(
      message { try coder.decode(AllTypes.self, #"{"id":1,"intMap":{"\#(huge)":1}}"#) }
        == "intMap (AllTypes.intMap, id 1): a value of 16 MiB or more is outside the range of "
        + "a key of Map<String, Int> at line 1, column 19")
    #expect(
      message { try coder.decode(AllTypes.self, #"{"id":1,"strings":["\#(huge)"]}"#) }
        == "strings[0] (AllTypes.strings, id 1): a value of 16 MiB or more is outside the range "
        + "of String at line 1, column 20")
  }

  @Test func `a number that is converted to a string is limited to 16 MiB`() throws {
    final class Flexible: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted(.flexible) var text = ""
    }
    let coder = try makeCoder()
    let digits = String(repeating: "1", count: 16 << 20)
    #expect(
      message { try coder.decode(Flexible.self, #"{"id":1,"text":\#(digits)}"#) }
        == "text (Flexible.text, id 1): a value of 16 MiB or more is outside the range of String "
        + "at line 1, column 16")
    let object = try coder.decode(Flexible.self, #"{"id":1,"text":\#(digits.dropLast())}"#)
    #expect(object.text.utf8.count == (16 << 20) - 1)
  }

  @Test func `500 levels are decoded, applied, encoded and deleted on a stack of 512 KB`() {
    let text = chain(500)
    let found = onSmallStack {
      do {
        let coder = try makeCoder()
        let store = coder.store
        let link = try coder.decode(Coding.Link.self, text)
        let body = try coder.text(link)
        try coder.decode(Coding.Link.self, body)
        let update = try coder.updateDictionary(for: Coding.Link.self, from: Data(text.utf8))
        let count = store.objects(Coding.Link.self).count + update.count
        try coder.decode(Coding.Link.self, #"{ "depth": 1 }"#)
        try store.write { store.deleteAll() }
        return "\(body == text) \(count)"
      } catch {
        return "\(error)"
      }
    }
    #expect(found == "true 1002")
  }

  @Test func `500 levels of owned objects are decoded and compared on a stack of 512 KB`() {
    let first = String(repeating: #"{"depth":1,"next":"#, count: 498) + #"{"depth":2}"#
    let text = #"{"id":1,"first":\#(first)\#(String(repeating: "}", count: 499))"#
    let found = onSmallStack {
      do {
        let coder = try makeCoder()
        let chain = try coder.decode(Coding.Chain.self, text)
        let version = coder.store.version
        try coder.decode(Coding.Chain.self, text)
        let unchanged = coder.store.version == version
        let isSame = try coder.text(chain) == text
        try coder.decode(Coding.Chain.self, #"{ "id": 1, "first": null }"#)
        return "\(unchanged) \(isSame) \(chain.first == nil)"
      } catch {
        return "\(error)"
      }
    }
    #expect(found == "true true true")
  }

  @Test func `exceeding the limit of bytes, elements or depth throws an error`() throws {
    let coder = try makeCoder {
      $0.limits.byteCount = 40
      $0.limits.elementCount = 2
      $0.limits.depth = 3
    }
    #expect(
      message {
        try coder.decode(Leaf.self, #"{ "id": "\#(String(repeating: "a", count: 40))" }"#)
      }
        == "the limit of 40 bytes is exceeded: found 52 bytes")
    #expect(
      message { try coder.decodeArray(Leaf.self, #"[{"id":"a"},{"id":"b"},{"id":"c"}]"#) }
        == "the limit of 2 elements is exceeded at line 1, column 24")
    #expect(try coder.decodeArray(Leaf.self, #"[{"id":"a"},{"id":"b"}]"#).count == 2)
    #expect(
      message { try coder.decodeArray(Leaf.self, #"[{"id":"a","x":[[]]}]"#) }
        == #"[0] (id "a"): the limit of 3 nested arrays and objects is exceeded at line 1, column 17"#
    )
  }

  @Test func `a payload of 10 MB is one transaction`() throws {
    var text = "["
    let name = String(repeating: "n", count: 480)
    for index in 0..<20_000 {
      if index > 0 { text += "," }
      text += #"{"id":"\#(index)","name":"\#(name)"}"#
    }
    text += "]"
    let coder = try makeCoder()
    let version = coder.store.version
    let leaves = try coder.decodeArray(Leaf.self, text)
    #expect(text.utf8.count > 10_000_000)
    #expect(coder.store.version == version + 1)
    #expect(leaves.count == 20_000)
    #expect(leaves[19_999].id == "19999")
    #expect(leaves[19_999].name == name)
    #expect(try coder.encodeArray(leaves).text == text)
  }
}
