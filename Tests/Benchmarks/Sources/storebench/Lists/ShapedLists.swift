import Foundation

extension Benchmark {
  /// P21: lists with different JSON layouts and different kinds of strings.
  static var shapedLists: [Benchmark] {
    [
      flat("flat", "12 attributes") { flatList($0) }.benchmarks,
      flat("pretty", "the same, pretty-printed") { flatList($0, layout: .pretty) }
        .with { $0.isPretty = true }.benchmarks,
      flat("shuffled", "the same, keys shuffled") { flatList($0, layout: .shuffled) }
        .with { $0.isEncoded = false }.benchmarks,
      ListShape("P21.one", "the same, 1 key of 12 known", LoneKey.self, [PlainLoneKey].self) {
        flatList($0)
      }.with { $0.targets = targets }.benchmarks,
      ListShape(
        "P21.unknown", "60 unknown and 3 known keys", FewOfMany.self, [PlainFewOfMany].self,
        data: wideList
      ).with { $0.targets = targets }.benchmarks,
      ListShape("P21.long", "texts of 4 kB", Article.self, [PlainArticle].self, data: longTexts)
        .with { $0.targets = targets }.benchmarks,
      flat("cyrillic", "12 attributes, Cyrillic") { flatList($0, text: .cyrillic) }.benchmarks,
      flat("cjk", "12 attributes, CJK") { flatList($0, text: .cjk) }.benchmarks,
      flat("emoji", "12 attributes, emoji") { flatList($0, text: .emoji) }.benchmarks,
      flat("unicode", "12 attributes, \\u escapes") { flatList($0, text: .unicodeEscapes) }
        .with { $0.isEncoded = false }.benchmarks,
      flat("escapes", "12 attributes, short escapes") { flatList($0, text: .shortEscapes) }
        .benchmarks,
      ListShape(
        "P21.floats", "8 doubles of 17 digits", EightDoubles.self, [PlainDoubles].self,
        data: longDoubles
      ).with { $0.targets = targets }.benchmarks,
    ].flatMap { $0 }
  }

  private static var targets: [Target] { [.timesFaster(10)] }

  private static func flat(
    _ id: String, _ what: String, data: @escaping (Workload) throws -> Data
  ) -> ListShape<FlatRecord, [PlainFlatRecord]> {
    ListShape("P21." + id, what, FlatRecord.self, [PlainFlatRecord].self, data: data)
      .with { $0.targets = targets }
  }
}

/// The kind of characters in the strings of a list.
private enum TextStyle {
  case ascii, cyrillic, cjk, emoji, unicodeEscapes, shortEscapes

  var words: [String] {
    switch self {
    case .ascii: ["lantern", "winter", "harbour", "a", "river", "under", "glass", "of"]
    case .cyrillic, .unicodeEscapes: ["река", "фонарь", "зима", "и", "гора", "письмо", "сад"]
    case .cjk: ["川", "灯台", "冬の夜", "手紙", "山道", "庭園", "港"]
    case .emoji: ["🚀", "sushi 🍣", "👩‍🚀", "ok 👍🏽", "🌊🌊", "rain", "🇮🇸"]
    case .shortEscapes: ["\"said\"", "tab\there", "line\nbreak", "C:\\path", "plain", "a\tb"]
    }
  }

  func append(wordCount: Int, to bytes: inout [UInt8], _ random: inout Random) {
    let words = words
    let text = (0..<wordCount).map { _ in random.pick(words) }.joined(separator: " ")
    guard self == .unicodeEscapes else { return bytes.appendJSONString(text) }
    bytes.appendText("\"")
    for unit in text.utf16 {
      bytes.appendText("\\u")
      bytes.appendHex(UInt64(unit), digits: 4)
    }
    bytes.appendText("\"")
  }
}

/// The layout of the members of an object.
private enum Layout {
  case compact, pretty, shuffled
}

private func flatList(
  _ workload: Workload, layout: Layout = .compact, text: TextStyle = .ascii
) -> Data {
  var order = Array(0..<12)
  let isPretty = layout == .pretty
  return list(of: workload.sizes.listed, seed: 21) { bytes, random, index in
    if layout == .shuffled { random.shuffle(&order) }
    for member in order {
      if bytes.last != UInt8(ascii: "{") { bytes.appendText(",") }
      if isPretty { bytes.appendText("\n    ") }
      bytes.appendText("\"\(flatNames[member])\":\(isPretty ? " " : "")")
      switch member {
      case 0: bytes.appendText("\(index + 1)")
      case 5: bytes.appendText("\(random.below(1_000_000))")
      case 6: bytes.appendScaled(random.below(1_000_000), places: 4)
      case 7: bytes.appendText(random.chance(percent: 50) ? "true" : "false")
      case 9, 10: bytes.appendText("\(random.below(100))")
      default: text.append(wordCount: random.within(1...5), to: &bytes, &random)
      }
    }
    if isPretty { bytes.appendText("\n  ") }
  }
}

private let flatNames = [
  "id", "name", "title", "city", "street", "amount", "ratio", "active", "code", "group", "level",
  "note",
]

/// A list of objects with undeclared members of several kinds around three declared ones.
private func wideList(_ workload: Workload) -> Data {
  list(of: workload.sizes.listed, seed: 22) { bytes, random, index in
    for member in 0..<60 {
      switch member {
      case 5: bytes.appendField("id", integer: index + 1)
      case 30: bytes.appendField("name", string: words(2, &random))
      case 55: bytes.appendField("amount", integer: random.below(1_000))
      default: break
      }
      if bytes.last != UInt8(ascii: "{") { bytes.appendText(",") }
      bytes.appendText("\"unknown_member_\(member)\":")
      switch member % 6 {
      case 0: bytes.appendText("\(random.below(1_000_000))")
      case 1: bytes.appendJSONString(words(random.within(1...8), &random))
      case 2: bytes.appendText("null")
      case 3: bytes.appendText("[1,2,{\"deep\":\(random.below(10))}]")
      case 4: bytes.appendScaled(random.below(1_000_000), places: 3)
      default: bytes.appendText("{\"url\":\"https://example.com/\(member)\",\"ok\":true}")
      }
    }
  }
}

private func longTexts(_ workload: Workload) -> Data {
  list(of: max(workload.sizes.listed / 5, 1), seed: 23) { bytes, random, index in
    bytes.appendField("id", integer: index + 1)
    bytes.appendKey("text")
    TextStyle.ascii.append(wordCount: 700, to: &bytes, &random)
  }
}

/// A list of numbers with 15 decimal places, such as `-65.613616999999977`; nearly all have 16 to 18 digits.
private func longDoubles(_ workload: Workload) -> Data {
  let names: [StaticString] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
  ]
  return list(of: workload.sizes.listed, seed: 24) { bytes, random, index in
    bytes.appendField("id", integer: index + 1)
    for name in names {
      bytes.appendKey(name)
      let value = Double(random.within(-180_000_000...180_000_000)) / 1e6 + 1e-14
      bytes.appendText(String(format: "%.15f", value))
    }
  }
}
