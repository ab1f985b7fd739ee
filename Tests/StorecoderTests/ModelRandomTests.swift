import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import storecoder

@Suite struct `Random files for storecoder model` {
  @Test(arguments: SeededRandom.seeds(1...60))
  func `declarations of a random file reproduce its values`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    // Declarations do not distinguish null from missing if a class has both.
    let hasNulls = random.once(in: 2)
    let kinds = (0..<(3 + random.below(5))).map { _ in
      RandomValue.random(&random, depth: 3, hasNulls: hasNulls)
    }
    let keys = ["created_at", "price", "day", "edges", "users", "a/b", "time", "x"].shuffled(
      using: &random)
    let objects = (1...(1 + random.below(6))).map { index in
      let members = zip(keys, kinds).compactMap { key, kind in
        kind.json(&random).map { "\"\(key)\": \($0)" }
      }
      return "{\((["\"id\": \(index)"] + members).joined(separator: ", "))}"
    }
    let json = "[\(objects.joined(separator: ",\n"))]"
    let tool = try StorecoderTool()
    let source = try JSONSource(tool.file("things.json", json), envelope: nil)
    let schema = try Model.schema(of: [source])
    do {
      try ModelRoundTrip(schema).check(json)
    } catch {
      Issue.record("\(error)\n\(json)\n\(SwiftModels(schema).text)")
    }
  }
}

/// A kind of random values: of one notation, or nested.
private indirect enum RandomValue {
  case day, time(fraction: Int, zone: String), unixTime, amount(fractionDigits: Int), word, number
  case list(RandomValue), keyed([(String, RandomValue)], hasKey: Bool), wrapper(RandomValue)
  case connection(RandomValue), object([(String, RandomValue)])
  case null(RandomValue), missing(RandomValue)

  static func random(
    _ random: inout SeededRandom, depth: Int, hasNulls: Bool
  ) -> RandomValue {
    // Classes at several paths are one class, so only the file's own objects have nulls.
    func next() -> RandomValue { .random(&random, depth: depth - 1, hasNulls: false) }
    func members() -> [(String, RandomValue)] {
      ["id", "created_at", "price", "edges"].prefix(1 + random.below(4))
        .map { ($0, $0 == "id" ? .number : next()) }
    }
    if depth == 0 || random.once(in: 2) {
      return switch random.below(8) {
      case 0: .day
      case 1:
        .time(fraction: random.below(8), zone: ["Z", "+00:00", "+0000", "+02:00"][random.below(4)])
      case 2: .unixTime
      case 3: .amount(fractionDigits: random.below(4))
      case 4: .word
      case 5, 6:
        hasNulls ? .null(depth == 0 ? .day : next()) : .missing(depth == 0 ? .word : next())
      default: .number
      }
    }
    switch random.below(5) {
    case 0: return .list(next())
    case 1: return .keyed(members(), hasKey: random.once(in: 2))
    case 2: return .wrapper(next())
    case 3: return .connection(next())
    default: return .object(members())
    }
  }

  /// Returns a value; nil for a missing member.
  func json(_ random: inout SeededRandom) -> String? {
    func digits(_ count: Int) -> String { (0..<count).map { _ in "\(random.below(10))" }.joined() }
    func two(_ range: ClosedRange<Int>) -> String {
      let number = range.lowerBound + random.below(range.count)
      return number < 10 ? "0\(number)" : "\(number)"
    }
    func value(_ kind: RandomValue) -> String { kind.json(&random) ?? "{}" }
    func object(_ members: [(String, RandomValue)]) -> String {
      let members = members.compactMap { key, kind in
        kind.json(&random).map { "\"\(key)\": \($0)" }
      }
      return "{\(members.joined(separator: ", "))}"
    }
    func array(_ element: () -> String) -> String {
      "[\((0..<random.below(4)).map { _ in element() }.joined(separator: ", "))]"
    }
    switch self {
    case .day: return "\"20\(digits(2))-\(two(1...12))-\(two(1...28))\""
    case .time(let fraction, let zone):
      let time = "\(two(0...23)):\(two(0...59)):\(two(0...59))"
      return "\"20\(digits(2))-\(two(1...12))-\(two(1...28))T\(time)"
        + "\(fraction == 0 ? "" : ".\(digits(fraction))")\(zone)\""
    case .unixTime: return "1\(digits(9))"
    case .amount(let count):
      return "\"\(1 + random.below(99))\(count == 0 ? "" : ".")\(digits(count))\""
    case .word: return "\"\(["a", "b", "c"][random.below(3)])\""
    case .number: return "\(random.below(1_000))\(random.once(in: 3) ? ".5" : "")"
    case .list(let element): return array { value(element) }
    case .keyed(let members, let hasKey):
      let parts = Set((0..<random.below(4)).map { _ in random.below(90) }).sorted().map { key in
        let key = "\(hasKey ? "k" : "")\(key)"
        let id = hasKey ? [("id", RandomValue.word)] : []
        let text = object(members.filter { $0.0 != "id" })
        let content = text == "{}" ? "" : ", \(text.dropFirst().dropLast())"
        return "\"\(key)\": {\(id.isEmpty ? "\"n\": 1" : "\"id\": \"\(key)\"")\(content)}"
      }
      return "{\(parts.joined(separator: ", "))}"
    case .wrapper(let kind): return array { "{\"node\": \(value(kind))}" }
    case .connection(let kind): return "{\"edges\": \(array { "{\"node\": \(value(kind))}" })}"
    case .object(let members): return object(members)
    case .null(let kind): return random.once(in: 3) ? "null" : value(kind)
    case .missing(let kind): return random.once(in: 3) ? nil : kind.json(&random)
    }
  }
}
