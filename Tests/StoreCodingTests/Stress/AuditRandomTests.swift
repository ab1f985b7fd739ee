import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Audits of random payloads` {
  enum Color: String, PersistableEnum {
    case red, green
  }

  final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted var color: Color?
    @Persisted var sizes: List<Int>
    @Persisted(json: "place.city") var city: String?
    @Persisted(json: "place.zip") var zip: Int?
    @Persisted var parent: Item?
    @Persisted var items: List<Item>
    @Persisted var byName: Map<String, Item?>
  }

  /// The values of random members; each may be absent.
  private func item(_ random: inout SeededRandom, depth: Int) -> [String: Any] {
    var item: [String: Any] = [:]
    func scalar() -> Any {
      switch random.below(5) {
      case 0: NSNull()
      case 1: random.below(100)
      case 2: ["red", "green", "blue", "pink"][random.below(4)]
      case 3: [random.below(10), "x"]
      default: ["k": 1]
      }
    }
    func object() -> Any {
      depth > 0 && !random.once(in: 4) ? self.item(&random, depth: depth - 1) : scalar()
    }
    if !random.once(in: 6) { item["id"] = random.once(in: 6) ? scalar() : random.below(100) }
    for key in ["name", "color", "a", "b", "c"] where random.once(in: 2) { item[key] = scalar() }
    if random.once(in: 2) { item["sizes"] = (0..<random.below(4)).map { _ in scalar() } }
    if random.once(in: 8) { item["sizes"] = scalar() }
    if random.once(in: 2) {
      var place: [String: Any] = [:]
      for key in ["city", "zip", "x"] where random.once(in: 2) { place[key] = scalar() }
      item["place"] = random.once(in: 4) ? scalar() : place
    }
    if random.once(in: 3) { item["parent"] = object() }
    if random.once(in: 3) { item["items"] = (0..<random.below(4)).map { _ in object() } }
    if random.once(in: 3) {
      var map: [String: Any] = [:]
      for key in ["p", "q"] where random.once(in: 2) { map[key] = object() }
      item["byName"] = map
    }
    return item
  }

  /// Counts of the same facts, from the objects of JSONSerialization.
  private struct Oracle {
    var unread: [String: Int] = [:]
    var objects: [String: Int] = [:]
    var values: [String: Int] = [:]
    var nulls: [String: Int] = [:]
    var mismatches: [String: Int] = [:]
    var rawValues: [String: [String: Int]] = [:]

    mutating func object(_ object: [String: Any], _ prefix: String) {
      let names = [
        "id", "name", "color", "sizes", "place.city", "place.zip", "parent", "items", "byName",
      ]
      for name in names {
        objects[prefix + name, default: 0] += 1
      }
      for (key, value) in object { member(key, value, prefix) }
      if object["id"] == nil { mismatches[prefix + "id", default: 0] += 1 }
    }

    private mutating func member(_ key: String, _ value: Any, _ prefix: String) {
      let path = prefix + key
      switch key {
      case "a", "b", "c", "k": unread[path, default: 0] += 1
      case "place":
        if let place = value as? [String: Any] {
          for key in place.keys where key != "city" && key != "zip" {
            unread["\(path).\(key)", default: 0] += 1
          }
          if let city = place["city"] { attribute("\(path).city", city) { $0 is String } }
          if let zip = place["zip"] { attribute("\(path).zip", zip) { $0 is Int } }
        } else {
          for name in ["city", "zip"] {
            attribute("\(path).\(name)", value) { _ in false }
          }
        }
      case "id":
        if value is NSNull { mismatches[path, default: 0] += 1 }
        attribute(path, value) { $0 is Int }
      case "name": attribute(path, value) { $0 is String }
      case "color":
        if let text = value as? String, text != "red", text != "green" {
          rawValues[path, default: [:]][text, default: 0] += 1
          values[path, default: 0] += 1
        } else {
          attribute(path, value) { $0 is String }
        }
      case "sizes":
        attribute(path, value) { $0 is [Any] }
        for element in value as? [Any] ?? [] where !(element is Int) {
          mismatches[path, default: 0] += 1
        }
      case "parent":
        attribute(path, value) { $0 is [String: Any] }
        if let parent = value as? [String: Any] { object(parent, "\(path).") }
      case "items":
        attribute(path, value) { $0 is [Any] }
        for element in value as? [Any] ?? [] {
          self.element(element, path, "\(path).", acceptsNull: false)
        }
      default:
        attribute(path, value) { $0 is [String: Any] }
        for (_, element) in value as? [String: Any] ?? [:] {
          self.element(element, path, "\(path).*.", acceptsNull: true)
        }
      }
    }

    private mutating func element(
      _ value: Any, _ path: String, _ prefix: String, acceptsNull: Bool
    ) {
      if let object = value as? [String: Any] {
        self.object(object, prefix)
      } else if !(acceptsNull && value is NSNull) {
        mismatches[path, default: 0] += 1
      }
    }

    private mutating func attribute(_ path: String, _ value: Any, accepts: (Any) -> Bool) {
      values[path, default: 0] += 1
      if value is NSNull {
        nulls[path, default: 0] += 1
      } else if !accepts(value) {
        mismatches[path, default: 0] += 1
      }
    }
  }

  private func counts(_ pairs: [(String, Int)]) -> [String: Int] {
    Dictionary(pairs.filter { $0.1 > 0 }, uniquingKeysWith: +)
  }

  private func payloads(_ random: inout SeededRandom) -> [[[String: Any]]] {
    (0..<3).map { _ in (0..<8).map { _ in item(&random, depth: 3) } }
  }

  @Test(arguments: SeededRandom.seeds(1...5))
  func `counts equal those of a walk over JSONSerialization`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let coder = try makeCoder()
    for payload in payloads(&random) {
      let data = try JSONSerialization.data(withJSONObject: payload)
      let audit = try coder.audit([Item].self, from: data)
      var oracle = Oracle()
      let parsed = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
      for item in parsed { oracle.object(item, "") }
      #expect(audit.objectCount == payload.count)
      #expect(counts(audit.unreadKeys.map { ($0.path, $0.count) }) == oracle.unread)
      #expect(counts(audit.attributes.map { ($0.path, $0.objectCount) }) == oracle.objects)
      #expect(counts(audit.attributes.map { ($0.path, $0.valueCount) }) == oracle.values)
      #expect(counts(audit.attributes.map { ($0.path, $0.nullCount) }) == oracle.nulls)
      #expect(counts(audit.mismatches.map { ($0.path, $0.count) }) == oracle.mismatches)
      #expect(
        Dictionary(uniqueKeysWithValues: audit.unknownRawValues.map { ($0.path, $0.counts) })
          == oracle.rawValues)
    }
  }

  @Test(arguments: SeededRandom.seeds(1...5))
  func `decoding accepts a payload exactly if no value is a mismatch`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<SeededRandom.steps(12) {
      let data = try JSONSerialization.data(withJSONObject: item(&random, depth: 1))
      let coder = try makeCoder()
      let audit = try coder.audit(Item.self, from: data)
      let isAccepted = (try? coder.decode(Item.self, from: data)) != nil
      #expect(
        isAccepted == (audit.mismatches.isEmpty && audit.unknownRawValues.isEmpty),
        "\(data.text)\n\(audit)")
    }
  }

  @Test(arguments: SeededRandom.seeds(1...3))
  func `merging audits equals auditing all elements in one payload`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let coder = try makeCoder()
    let payloads = payloads(&random)
    let audits = try payloads.map {
      try coder.audit([Item].self, from: JSONSerialization.data(withJSONObject: $0))
    }
    let whole = try coder.audit(
      [Item].self, from: JSONSerialization.data(withJSONObject: payloads.flatMap(\.self)))
    let merged = audits.reduce(Audit()) { $0.union($1) }
    #expect(audits[0].union(audits[1].union(audits[2])) == merged)
    #expect(try summary(merged) == summary(whole))
    #expect(try summary(audits.reversed().reduce(Audit()) { $0.union($1) }) == summary(whole))
    #expect(
      try JSONDecoder().decode(Audit.self, from: JSONEncoder().encode(merged)) == merged)
  }

  /// The encoded audit without the number of payloads and the first values and their places.
  private func summary(_ audit: Audit) throws -> String {
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(audit))
    func stripped(_ value: Any) -> Any {
      if let array = value as? [Any] { return array.map(stripped) }
      guard var object = value as? [String: Any] else { return value }
      for key in ["payloadCount", "first", "found"] { object[key] = nil }
      return object.mapValues(stripped)
    }
    return try JSONSerialization.data(
      withJSONObject: stripped(object), options: [.sortedKeys]
    ).text
  }
}
