import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// A stream gives the same objects, outcomes, issues and errors as the payload that is read at once.
@Suite struct `A stream and the whole payload` {
  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var tags: List<String>
    @Persisted var size: Size?
    @Persisted var next: Item?

    override class var listEnvelope: String? { "data.items" }
  }

  final class Size: EmbeddedObject {
    @Persisted var width = 0.0
  }

  private static let page = #"""
    {"t": 4, "é\"[": ["]"], "data": {"a": {}, "items": [
      {"id": 1, "name": "ë \"[{\\\" 𝄞 \ud834\udd1e", "tags": ["]"], "size": {"width": 1.5e0}},
     {"id": 3,"name":"ü", "x": [[{}], -0.5, true, null]},{"id":1,"next":{"id": 4}}  ], "b": [1]}, "n": "/2"}

    """#

  @Test(arguments: [
    "users/users.json", "bad/truncated.json", "bad/error-in-the-middle.json", "bad/empty.json",
    "bad/only-whitespace.json",
  ])
  func `a fixture with a bare array gives the same`(path: String) async throws {
    try await expectSameAsWhole(Coding.BareUser.self, CodingFixtures.data(path))
  }

  @Test(arguments: [
    "users/users-enveloped.json", "users/users-enveloped-with-siblings.json",
    "users/users-data-items.json", "bad/envelope-missing.json", "bad/invalid-utf8.json",
    "bad/single-quotes.json", "bad/trailing-garbage.json", "bad/comment.json",
  ])
  func `a fixture with an envelope gives the same`(path: String) async throws {
    try await expectSameAsWhole(Coding.User.self, CodingFixtures.data(path))
    try await expectSameAsWhole(Coding.PagedUser.self, CodingFixtures.data(path))
  }

  @Test func `the other fixtures with lists give the same`() async throws {
    for path in ["restaurants/list.json", "restaurants/list-refreshed.json"] {
      try await expectSameAsWhole(Coding.Restaurant.self, CodingFixtures.data(path))
    }
    for path in ["muppets/part1.json", "muppets/part2.json"] {
      try await expectSameAsWhole(Coding.Muppet.self, CodingFixtures.data(path))
      try await expectSameAsWhole(Coding.Muppet.self, CodingFixtures.data(path)) {
        $0.dialect = .strict
      }
    }
    try await expectSameAsWhole(
      Coding.AdoptableAnimal.self, CodingFixtures.data("adoption/animals.json"))
    try await expectSameAsWhole(
      Coding.Car.self, CodingFixtures.data("parking-lot/lot.json"), at: "cars")
    try await expectSameAsWhole(
      Coding.Truck.self, CodingFixtures.data("parking-lot/lot.json"), at: "trucks")
  }

  @Test(arguments: [
    #"[]"#, #" [ ] "#, #"[{"id": 1}]"#, "\u{FEFF}[{\"id\": 1},\r\n{\"id\": \"x\"}]",
    #"[{"id": 1},]"#, #"[{"id": 1},{"id": 2},{"id": 3},]"#, #"[,]"#, #"[{"id": 1},,{"id": 2}]"#,
    #"[{"id": 1} {"id": 2}]"#, #"[{"id": 1}, 2, {"id": 3}]"#, #"[{"id": 1}, truely]"#,
    #"[{"id": 1}, "x"]"#, #"[{"id": 1}, {"id": 2]]"#, #"[{"id": 1}}"#, #"[{"id": 1}] x"#,
    #"[{"id": 1}, {"name": "x"}]"#, #"[{"id": 1}, {"other": 2}, {"id": 3}]"#, #"[{"id": 1}, "#,
    #"[{"id": 1}, {"id": 2"#, #"[{"id": 1}, {"id": 2, "name": ["#, #"[{"id": 1}"#, "[", " ", "",
    #""x""#, "12", "tru", "null", "<html>", "[1, 2", #"[{"id": 1, "name": "\ud834"}]"#,
    #"[{"id": 1, "name": 5}, {"id": 2}]"#, #"[{"id": 2}, {"id": 1, "name": null}]"#,
    "[{\"id\": 1, \"name\": \"a\nb\"}]",
    "\u{1F}\u{8B}", #"[{"id": 1, "id": 2}, {"id": 3, "name": "x", "name": "y"}]"#,
  ])
  func `a bare array gives the same`(text: String) async throws {
    for change: (inout StoreCoder.Configuration) -> Void in [
      { _ in }, { $0 = .strict }, { $0.mismatches = .skipElement }, { $0 = .realmCoder },
      { $0.limits.elementCount = 1 }, { $0.limits.depth = 1 },
    ] {
      try await expectSameAsWhole(Item.self, text.utf8, at: "", change)
    }
  }

  @Test(arguments: [
    page, #"{"data": {"items": []}}"#, #"{"data": {"items": [], "x": 1}, "y": 2}"#,
    #"{"data": {"items": {"id": 1}}}"#, #"{"data": {"items": 5}}"#, #"{"data": {"items": null}}"#,
    #"{"data": []}"#, #"{"data": {"itemz": [{"id": 1}]}, "x": 1}"#, #"{"error": "none"}"#,
    #"{"data": {"items": [{"id": 1}], "x": tru}}"#, #"{"data": {"items": [{"id": 1}]}"#,
    #"{"data": {"items": [{"id": 1}]}} x"#, #"{"data": {"items": [{"id": 1}] "x": 1}}"#,
    #"{"a": nul, "data": {"items": [{"id": 1}]}}"#, #"{"data": {"items": [{"id": 1, "x": [}]}"#,
    #"{"a": "#, "{", "[]", "5", "", #"{"data": {"items": [1"#, #"{"x": 1, "x": 2, "data": {}}"#,
    #"{"x":1,"data":{"items":[{"id":1},{"id":2,"name":0}]}}"#,
  ])
  func `a list in an envelope gives the same`(text: String) async throws {
    for change: (inout StoreCoder.Configuration) -> Void in [
      { _ in }, { $0 = .strict }, { $0.mismatches = .skipElement },
    ] {
      try await expectSameAsWhole(Item.self, text.utf8, change)
    }
  }

  @Test(arguments: [
    ("/0", #"[[{"id": 1}, {"id": "x"}], {"page": 3}]"#),
    ("/1", #"[{"page": 3}, [{"id": 1}, {"id": 2}, {"id": "x"}]]"#),
    ("/2", #"[{"page": 3}, [{"id": 1}]]"#),
    ("/a/2/b", #"{"a": [0, "x", {"b": [{"id": 1}, {"id": 2}]}, 9], "c": 1}"#),
    ("/a/1", #"{"a": {"1": [{"id": 1}, {"id": "x"}]}, "c": 1}"#),
    (#"/a"\~1"#, #"{"a\"\\/": [{"id": 1}, {"id": 2}], "c": 1}"#),
    ("/*", #"[{"id": 1}, {"id": 2}]"#),
    ("/data/*/node", #"{"data": [{"node": {"id": 1}}, {"x": 1}, {"node": {"id": 2}}], "y": 1}"#),
    ("/data/*/node", #"{"data": [{"node": {"id": 1}}, {"node": {"id": "x"}}], "y": 1}"#),
    ("/*/1", #"[[0, {"id": 1}], [0, {"id": 2}], [0]]"#),
  ])
  func `a list at a path gives the same`(path: String, text: String) async throws {
    try await expectSameAsWhole(Item.self, text.utf8, at: path)
    try await expectSameAsWhole(Item.self, text.utf8, at: path) { $0.mismatches = .skipElement }
  }

  /// The cuts alternate from one text to the next.
  private func expectSame(_ texts: some Sequence<[UInt8]>, skipping: Bool) async throws {
    for (number, text) in texts.enumerated() {
      try await expectSameAsWhole(
        Item.self, text, cuts: [cuts[number % cuts.count]]
      ) {
        if skipping { $0.mismatches = .skipElement }
      }
    }
  }

  @Test(arguments: [false, true])
  func `a payload that ends early gives the same error`(skipping: Bool) async throws {
    let page = Array(Self.page.utf8)
    try await expectSame((0..<page.count).lazy.map { Array(page[..<$0]) }, skipping: skipping)
  }

  @Test(arguments: Array("{}[],:\"\\x1 \u{1}".utf8) + [0xC3, 0xFF])
  func `a payload with one wrong byte gives the same`(wrong: UInt8) async throws {
    let page = Array(Self.page.utf8)
    let spoiled = page.indices.lazy.map { index in
      var spoiled = page
      spoiled[index] = wrong
      return spoiled
    }
    // A quarter of the positions in each run that is not thorough.
    let isShort = !SeededRandom.isThorough
    try await expectSame(
      spoiled.enumerated().lazy.filter { !isShort || ($0.offset + Int(wrong)) % 4 == 0 }
        .map(\.element), skipping: wrong % 2 == 0)
  }

  @Test func `a payload with a missing byte gives the same`() async throws {
    let page = Array(Self.page.utf8)
    try await expectSame(
      page.indices.lazy.map { index in
        var spoiled = page
        spoiled.remove(at: index)
        return spoiled
      }, skipping: true)
  }

  @Test(arguments: SeededRandom.seeds(1...30))
  func `a random payload gives the same`(seed: UInt64) async throws {
    var maker = RandomPage(seed: seed)
    var texts = (0..<10).map { _ in Array(maker.page().utf8) }
    for index in texts.indices where index % 2 == 1 { maker.spoil(&texts[index]) }
    try await expectSame(texts, skipping: seed % 2 == 0)
  }
}

/// Random payloads with a list at `data.items`.
struct RandomPage {
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  mutating func page() -> String {
    let items = list(random.below(12)) { $0.item() }
    let before = random.below(3), after = random.below(3)
    return object(
      (0..<before).map { ("a\($0)", value(2)) }
        + [("data", object([("x", value(1)), ("items", items), ("y", value(2))]))]
        + (0..<after).map { ("b\($0)", value(2)) }) + space()
  }

  /// Replaces, inserts or removes a byte.
  mutating func spoil(_ text: inout [UInt8]) {
    let index = random.below(text.count)
    let bytes = Array("{}[],:\"\\0tn \n".utf8) + [0xE2, 0x00]
    switch random.below(3) {
    case 0: text.remove(at: index)
    case 1: text.insert(bytes[random.below(bytes.count)], at: index)
    default: text[index] = bytes[random.below(bytes.count)]
    }
  }

  private mutating func item() -> String {
    if random.once(in: 12) { return value(1) }
    var members = [("id", "\(random.below(20))")]
    if random.once(in: 2) { members.append(("name", random.once(in: 8) ? value(1) : string())) }
    if random.once(in: 2) { members.append(("tags", list(random.below(4)) { $0.string() })) }
    if random.once(in: 3) { members.append(("size", object([("width", "2.50")]))) }
    if random.once(in: 3) { members.append(("next", object([("id", "\(random.below(20))")]))) }
    if random.once(in: 3) { members.append((string(), value(3))) }
    return object(members.map { ($0.hasPrefix("\"") ? $0 : "\"\($0)\"", $1) })
  }

  private mutating func value(_ depth: Int) -> String {
    switch random.below(depth > 0 ? 7 : 5) {
    case 0: "null"
    case 1: random.once(in: 2) ? "true" : "false"
    case 2: "-1.5e3"
    case 3: "\(random.below(1000))"
    case 4: string()
    case 5: list(random.below(4)) { $0.value(depth - 1) }
    default: object([("k", value(depth - 1)), ("l", value(depth - 1))])
    }
  }

  private mutating func string() -> String {
    let parts = [
      #"\""#, #"\\"#, "[", "]", "{", "}", ",", "é", "漢字", "𝄞", #"\ud834\udd1e"#, #"\u00e9"#,
      #"\n"#, "plain text of some length", "a", ":",
    ]
    return "\"" + (0..<random.below(6)).map { _ in parts[random.below(parts.count)] }.joined()
      + "\""
  }

  private mutating func list(_ count: Int, _ element: (inout RandomPage) -> String) -> String {
    var elements: [String] = []
    for _ in 0..<count { elements.append(space() + element(&self) + space()) }
    return "[" + elements.joined(separator: ",") + "]"
  }

  private mutating func object(_ members: [(String, String)]) -> String {
    var texts: [String] = []
    for (key, value) in members {
      texts.append("\(key.hasPrefix("\"") ? key : "\"\(key)\""):\(space())\(value)\(space())")
    }
    return "{" + texts.joined(separator: ",") + "}"
  }

  private mutating func space() -> String {
    ["", "", " ", "\n", "\r\n", "\r", "\t  "][random.below(7)]
  }
}
