import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import TestSupport
import Testing

@Suite struct `Patches of the resource server` {
  static let mergePatch = "application/merge-patch+json"
  static let jsonPatch = "application/json-patch+json"

  private func examples(_ name: String) throws -> [JSONValue] {
    try JSONDecoder().decode([JSONValue].self, from: CodingFixtures.data("patches/\(name).json"))
  }

  private func json(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  /// Sends a PATCH to a server with the resource 7, which has `value` as a member.
  private func patch(_ value: JSONValue, _ body: String, _ type: String?) -> String {
    let server = ResourceServer(ResourceCollection("animals"))
    server.set(["value": value], id: 7, in: "animals")
    var headers = NetworkResponse.Headers()
    headers["Content-Type"] = type
    return server.request("PATCH animals/7", body, headers).line
  }

  // MARK: - JSON Merge Patch

  @Test func `a merge patch is applied as in the examples of RFC 7396`() throws {
    let examples = try examples("rfc7396")
    #expect(examples.count == 15)
    for example in examples {
      let original = try #require(example["original"])
      let (change, result) = try (#require(example["patch"]), #require(example["result"]))
      #expect(original.merging(change) == result)
      // A null in the member removes it.
      let expected: JSONValue = change == .null ? ["id": 7] : ["id": 7, "value": result]
      let body = JSONValue.object(["value": change]).jsonText
      #expect(patch(original, body, Self.mergePatch) == "200 \(expected.jsonText)")
    }
  }

  // MARK: - JSON Patch

  @Test func `a JSON Patch is applied as in the examples of RFC 6902`() throws {
    let examples = try examples("rfc6902")
    #expect(examples.count == 12)
    for example in examples {
      let (original, change) = try (#require(example["original"]), #require(example["patch"]))
      let result = try? original.applying(jsonPatch: change)
      #expect(result ?? .null == example["result"], "\(example["name"] ?? .null)")
    }
  }

  static let moves = [
    // RFC 6902 A.6, A.7 and A.11.
    (
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
    ),
    (
      #"{"foo":["all","grass","cows","eat"]}"#,
      #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
      #"{"baz":"qux","foo":"bar"}"#
    ),
    (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
    (#"{"a":1,"b":2}"#, #"[{"op":"move","from":"/a","path":"/b"}]"#, #"{"b":1}"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
    (
      #"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/a/c"}]"#,
      #"{"a":{"b":1,"c":{"b":1}}}"#
    ),
    (#"{"a":[1,2]}"#, #"[{"op":"copy","from":"/a/0","path":"/a/-"}]"#, #"{"a":[1,2,1]}"#),
    (#"{"a":1}"#, #"[{"op":"copy","from":"","path":"/b"}]"#, #"{"a":1,"b":{"a":1}}"#),
    (#"{"a":null}"#, #"[{"op":"test","path":"/a","value":null}]"#, #"{"a":null}"#),
    (#"{"a":1}"#, #"[{"op":"add","path":"/b","value":null}]"#, #"{"a":1,"b":null}"#),
    (#"{"a":1}"#, #"[{"op":"replace","path":"","value":[]}]"#, "[]"),
    (#"{"":{"a/b":1,"~1":2}}"#, #"[{"op":"remove","path":"//a~1b"}]"#, #"{"":{"~1":2}}"#),
    (#"{"":{"~1":2}}"#, #"[{"op":"replace","path":"//~01","value":3}]"#, #"{"":{"~1":3}}"#),
    (#"{"a":1}"#, #"[{"op":"test","path":"/a","value":1.0}]"#, #"{"a":1}"#),
    (#"{"a":[1.50]}"#, #"[{"op":"test","path":"/a","value":[15e-1]}]"#, #"{"a":[1.50]}"#),
    (#"{"a":1}"#, "[]", #"{"a":1}"#),
  ]

  @Test(arguments: moves)
  func `a JSON Patch moves, copies and tests`(original: String, change: String, result: String)
    throws
  {
    #expect(try json(original).applying(jsonPatch: json(change)) == json(result))
  }

  static let failures: [(String, JSONPatchFailure)] = [
    // RFC 6902 A.13 without the repeated name.
    (#"[{"op":"remove","path":"/baz"}]"#, .conflict(operationIndex: 0)),
    (
      #"[{"op":"test","path":"/a","value":1},{"op":"test","path":"/a","value":2}]"#,
      .conflict(operationIndex: 1)
    ),
    (#"[{"op":"test","path":"/a","value":"1"}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"test","path":"/e","value":"\u00E9"}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"replace","path":"/b","value":1}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"add","path":"/a/b","value":1}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"add","path":"/list/4","value":1}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"add","path":"/list/01","value":1}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"add","path":"/list/-1","value":1}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"remove","path":"/list/-"}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"replace","path":"/list/3","value":1}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"remove","path":""}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"copy","from":"/b","path":"/c"}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"move","from":"/b","path":"/b"}]"#, .conflict(operationIndex: 0)),
    (#"[{"op":"move","from":"/list","path":"/list/0"}]"#, .malformed),
    (#"[{"op":"move","path":"/a"}]"#, .malformed),
    (#"[{"op":"add","path":"/b"}]"#, .malformed),
    (#"[{"op":"add","path":"b","value":1}]"#, .malformed),
    (#"[{"op":"add","path":"/b~2","value":1}]"#, .malformed),
    (#"[{"op":"add","path":"/b~","value":1}]"#, .malformed),
    (#"[{"op":"add","value":1}]"#, .malformed),
    (#"[{"op":"increment","path":"/a"}]"#, .malformed),
    (#"[{"op":"remove","path":"/b"},{"op":"add"}]"#, .malformed),
    (#"{"op":"remove","path":"/a"}"#, .malformed),
    ("[1]", .malformed),
  ]

  @Test(arguments: failures)
  func `a JSON Patch that cannot be applied throws the operation`(
    change: String, failure: JSONPatchFailure
  ) throws {
    let document = try json(#"{"a":1,"list":[1,2,3],"e":"e\u0301"}"#)
    let change = try json(change)
    #expect(throws: failure) { try document.applying(jsonPatch: change) }
  }

  // MARK: - Media types

  static let bodies: [(String?, String, String)] = [
    (mergePatch, #"{"value":{"a":null,"c":3}}"#, #"200 {"id":7,"value":{"b":2,"c":3}}"#),
    ("Application/Merge-Patch+JSON; charset=utf-8", #"{"value":null}"#, #"200 {"id":7}"#),
    ("application/json", #"{"value":{"a":null}}"#, #"200 {"id":7,"value":{"a":null}}"#),
    ("application/json", #"{"value":null,"note":"x"}"#, #"200 {"id":7,"note":"x"}"#),
    (nil, #"{"value":null}"#, #"200 {"id":7}"#),
    (
      jsonPatch, #"[{"op":"add","path":"/value/b","value":3}]"#,
      #"200 {"id":7,"value":{"a":1,"b":3}}"#
    ),
    (
      jsonPatch, #"[{"op":"test","path":"/value/a","value":2}]"#,
      #"409 {"id":7,"value":{"a":1,"b":2}}"#
    ),
    (jsonPatch, #"[{"op":"remove","path":"/note"}]"#, #"409 {"id":7,"value":{"a":1,"b":2}}"#),
    (jsonPatch, #"{"value":1}"#, #"400 {"message":"The body is not a JSON Patch."}"#),
    (
      jsonPatch, #"[{"op":"replace","path":"","value":[]}]"#,
      #"400 {"message":"A resource is an object."}"#
    ),
    (jsonPatch, #"[{"op":"remove","path":"/id"}]"#, #"200 {"id":7,"value":{"a":1,"b":2}}"#),
    (mergePatch, "[]", #"400 {"message":"A resource is an object."}"#),
    ("text/plain", "{}", #"415 {"message":"The media type text/plain is not supported."}"#),
  ]

  @Test(arguments: bodies)
  func `the media type of a PATCH determines its effect`(
    type: String?, body: String, expected: String
  ) {
    #expect(patch(["a": 1, "b": 2], body, type) == expected)
  }

  @Test func `an unsupported media type is refused with the supported ones`() {
    let response = ResourceServer.farms().request(
      "PATCH animals/7", "{}", ["Content-Type": "text/plain"])
    #expect(
      response?.headers["Accept-Patch"]
        == "application/merge-patch+json, application/json-patch+json, application/json")
  }

  @Test(arguments: SeededRandom.seeds(1...5))
  func `a random merge patch has the same effect as the reference`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 1...SeededRandom.steps(100) {
      let (original, change) = (value(&random, 3), value(&random, 3))
      #expect(original.merging(change) == PatchReference.merging(change, into: original))
    }
  }

  private func value(_ random: inout SeededRandom, _ depth: Int) -> JSONValue {
    switch random.below(depth == 0 ? 3 : 6) {
    case 0: .null
    case 1: .int(Int64(random.below(3)))
    case 2: .string("x")
    case 3: .array((0..<random.below(3)).map { _ in value(&random, depth - 1) })
    default:
      .object(
        JSONObject(
          (0..<random.below(4)).map { _ in
            (key: ["a", "b", "c"][random.below(3)], value: value(&random, depth - 1))
          }))
    }
  }
}
