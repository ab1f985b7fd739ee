import Foundation
import ObjectStore
import StoreCoding
import TestSupport

/// Mappings and payloads generated from a seed, identical on every platform.
struct PayloadMaker {
  var random: SeededRandom
  let mapping: GeneratedMapping
  let dates: [DateFormat]
  private let paths: [String: [String: [String]]]

  static let attributes: [String: [String]] = [
    "Generated": [
      "id", "bool", "int", "int8", "uint64", "float", "double", "decimal", "string", "text",
      "data", "date", "uuid", "json", "role", "level", "meters", "url", "anyJSON", "optionalInt",
      "optionalBool", "optionalText", "optionalDouble", "optionalDate", "day", "http", "seconds",
      "milliseconds", "pattern", "skipsNull", "failsNull", "defaultsNull", "skipsMismatch",
      "defaultsMismatch", "skipsElements", "flexibleInt", "flexibleText", "exact", "minified",
      "mood", "moods", "blank", "ints", "optionalInts", "dates", "jsons", "texts", "doubles",
      "map", "optionalMap", "child", "children", "childMap", "note", "notes", "noteSet", "spot",
      "spots", "spotMap", "keyed", "keyedOrNull", "keyedList", "keyedSkipping", "keyedMap",
      "nullInt",
      "nullOrSeven", "nullSpot", "omittedInts", "omittedOrOne", "omittedTexts", "omittedMap",
      "omittedNotes", "pair", "pairs",
    ],
    "GeneratedChild": ["key", "name", "weight", "spot"],
    "GeneratedNote": ["title", "likes", "author"],
    "GeneratedPair": ["left", "right", "weight", "child"],
    "GeneratedSpot": ["x", "label", "hint", "marks"],
  ]

  /// The schema of the class without a mapping. The engine reads the ignored attributes of a class once per process; those
  /// of a mapping would depend on the order of the tests.
  private static let schema = try? ObjectSchema.of(Coding.Generated.self)

  init(seed: UInt64, dates: [DateFormat]) {
    _ = Self.schema
    random = SeededRandom(seed: seed)
    self.dates = dates
    var mapping = GeneratedMapping()
    var paths: [String: [String: [String]]] = [:]
    for (name, attributes) in Self.attributes.sorted(by: { $0.key < $1.key }) {
      var nextIndex = [0, 0]
      for attribute in attributes {
        let path = Self.path(attribute, &nextIndex, &random)
        paths[name, default: [:]][attribute] = path.steps
        if path.text != attribute { mapping.keys[name, default: [:]][attribute] = path.text }
      }
    }
    for attribute in Self.attributes["Generated", default: []].dropFirst()
    where Int.random(in: 0..<20, using: &random) == 0 {
      mapping.ignored["Generated", default: []].append(attribute)
    }
    if Bool.random(using: &random) { mapping.raw["Generated"] = ["text"] }
    let envelopes = [nil, "item", "data.item", "/data/1/a~1b", "/0"]
    mapping.objectEnvelope = envelopes[Int.random(in: 0..<5, using: &random)]
    mapping.listEnvelope = envelopes[Int.random(in: 0..<5, using: &random)]
    self.mapping = mapping
    self.paths = paths
  }

  /// A path as declared by a class, and its components.
  private static func path(
    _ name: String, _ nextIndex: inout [Int], _ random: inout SeededRandom
  ) -> (text: String, steps: [String]) {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return ("\(name)é", ["\(name)é"])
    case 1: return ("part.\(name)", ["part", name])
    case 2: return ("part.deep.\(name)", ["part", "deep", name])
    case 3: return ("/a~1b/~0\(name)", ["a/b", "~\(name)"])
    case 4:
      let list = Int.random(in: 0..<2, using: &random)
      nextIndex[list] += Int.random(in: 1...2, using: &random)
      return ("/list\(list)/\(nextIndex[list] - 1)", ["list\(list)", "\(nextIndex[list] - 1)"])
    default: return (name, [name])
    }
  }

  // MARK: - Objects

  private static func text(_ node: PayloadNode, _ random: inout SeededRandom) -> String {
    switch node {
    case .text(let text): return text
    case .array(let elements):
      return PayloadNode.array(elements, without: #""nobody's""#) { text($0, &random) }
    case .object(let members):
      var texts = members.map { "\(quoted($0.key)):\(text($0.value, &random))" }
      if Int.random(in: 0..<4, using: &random) == 0 { texts.append(#""unknown":[{},null]"#) }
      texts.shuffle(using: &random)
      return "{\(texts.joined(separator: Bool.random(using: &random) ? "," : " ,\n"))}"
    }
  }

  /// An object of a class. Some values do not have the type of their attribute.
  mutating func object(_ name: String) -> String {
    var node = PayloadNode.object([])
    for attribute in Self.attributes[name, default: []] {
      let isKey = ["id", "key", "left", "right"].contains(attribute)
      if !isKey, Int.random(in: 0..<4, using: &random) == 0 { continue }
      var text = value(attribute)
      if Int.random(in: 0..<(isKey ? 400 : 250), using: &random) == 0 { text = #"[{"no":[]}]"# }
      if !isKey, Int.random(in: 0..<120, using: &random) == 0 { text = "null" }
      node.set((paths[name]?[attribute] ?? [attribute])[...], .text(text))
    }
    return Self.text(node, &random)
  }

  /// Inserts a value at the path of an envelope.
  static func enveloped(_ value: String, _ envelope: String?) -> String {
    switch envelope {
    case "item": #"{"page":1,"item":\#(value)}"#
    case "data.item": #"{"data":{"item":\#(value),"x":[]},"y":3}"#
    case "/data/1/a~1b": #"{"data":[0,{"a/b":\#(value)}]}"#
    case "/0": "[\(value)]"
    default: value
    }
  }

  // MARK: - Values

  private func quoted(_ text: String) -> String { Self.quoted(text) }

  private mutating func several(_ most: Int, _ make: (inout PayloadMaker) -> String) -> String {
    let count = Int.random(in: 0...most, using: &random)
    var texts: [String] = []
    for _ in 0..<count { texts.append(make(&self)) }
    return "[\(texts.joined(separator: ","))]"
  }

  private mutating func map(_ make: (inout PayloadMaker) -> String) -> String {
    var texts: [String] = []
    for key in ["a", "é", "e\u{301}", "", "k.l"] where Bool.random(using: &random) {
      texts.append("\(quoted(key)):\(make(&self))")
    }
    return "{\(texts.joined(separator: ","))}"
  }

  private mutating func pick(_ texts: String...) -> String {
    texts[Int.random(in: 0..<texts.count, using: &random)]
  }

  private mutating func integer() -> String {
    pick("0", "-0", "7", "1e3", "2.0", "\(randomInt(&random))", "-12", "9007199254740993")
  }

  private mutating func number() -> String {
    pick(
      "0", "-0", "-0.0", "1.50", "1e-7", "12345678901234567890", "\(randomDouble(&random))",
      "\(randomDouble(&random))", "5e-324", "1e22")
  }

  private mutating func text() -> String {
    Bool.random(using: &random)
      ? quoted(randomText(&random)) : pick(#""""#, #""\u00e9\ud83d\ude80""#, #""plain""#)
  }

  private mutating func json() -> String {
    pick(
      "1.0", "-0", "9007199254740993.0", "1e-400", "1e400", #"{"b":1,"a":{"é":[],"é":null}}"#,
      "[[1,2.50],[]]", "true", #""x""#, "123456789012345678901234567890", "{}")
  }

  private mutating func isoDate() -> String {
    let day = pick("2018-05-18", "1969-12-31", "0001-01-01", "9999-12-30", "2300-06-01")
    let fraction = pick("", ".5", ".123", ".1234567", ".000001", ".999999")
    return "\"\(day)T14:53:37\(fraction)\(pick("Z", "+02:00", "-1130"))\""
  }

  private mutating func date() -> String {
    let format = dates[Int.random(in: 0..<dates.count, using: &random)]
    switch format.kind {
    case .unixSeconds: return pick("0", "1526655217.123456", "-3e9", "\(random.next() >> 20)e-3")
    case .unixMilliseconds:
      return pick("0", "1526655217123", "12345678.5", "\(random.next() >> 16)")
    default: return isoDate()
    }
  }

  private mutating func child() -> String { object("GeneratedChild") }
  /// The key of a child, or the complete child.
  private mutating func keyed() -> String {
    Bool.random(using: &random) ? value("key") : child()
  }
  private mutating func note() -> String { object("GeneratedNote") }
  private mutating func spot() -> String { object("GeneratedSpot") }

  /// A value of an attribute in one of its notations.
  private mutating func value(_ attribute: String) -> String {
    switch attribute {
    case "id": return "\(Int.random(in: 0...9, using: &random))"
    case "key": return pick(#""a""#, #""b""#, #""c""#, #""""#)
    case "bool", "optionalBool": return pick("true", "false")
    case "int8": return "\(Int.random(in: -128...127, using: &random))"
    case "uint64": return pick("18446744073709551615", "0", "7")
    case "float": return "\(randomFloat(&random))"
    case "double", "meters", "optionalDouble", "weight", "x": return number()
    case "decimal": return "\(randomDecimal(&random))"
    case "string", "optionalText", "name", "title", "label": return text()
    case "hint": return pick("null", text())
    case "text": return mapping.raw.isEmpty ? text() : json()
    case "data": return pick(#""""#, #""AQID""#, #""/+8=""#)
    case "date", "optionalDate": return date()
    case "uuid": return quoted(randomUUID(&random).uuidString.lowercased())
    case "json", "anyJSON": return json()
    case "role": return pick(#""guest""#, #""admin""#)
    case "level": return pick("-1", "0", "7.0")
    case "url": return quoted(randomURL(&random).absoluteString)
    case "day": return pick(#""2018-05-18""#, #""0000-01-01""#, #""9999-12-31""#)
    case "http": return pick(#""Fri, 18 May 2018 14:53:37 GMT""#, #""1 Jan 0001 00:00:00 +0000""#)
    case "seconds": return pick("0", "-1.5", "1526655217.123", "1e300", "\(random.next() >> 30)")
    case "milliseconds":
      return pick("0", "1526655217123", "1.25", "1e300", "\(random.next() >> 12)")
    case "pattern": return pick(#""1.2.2018 03:04 +05:30""#, #""31.12.1999 23:59 Z""#)
    case "flexibleInt": return pick("1", #""2""#, "true", #""-3.0""#)
    case "flexibleText": return pick("1.50", #""x""#, "true")
    case "exact": return pick(#"{ "b" : [1.0 ,2] }"#, "[ 1 , ]", "5", #""x""#)
    case "minified": return pick(#"{ "b" : 1, "a" : 1.0 }"#, "[ ]", "false")
    case "mood": return pick(#""happy""#, #""sad""#, #""other""#)
    case "moods": return several(3) { $0.pick(#""happy""#, #""sad""#) }
    case "blank": return pick(#""""#, #""a:b""#)
    case "skipsElements": return several(3) { $0.pick("1", "null", #""x""#, "2") }
    case "ints": return several(3) { $0.integer() }
    case "optionalInts": return several(3) { $0.pick("null", "1", "2") }
    case "dates": return several(3) { $0.date() }
    case "jsons": return several(3) { $0.pick("null", $0.json()) }
    case "texts": return several(3) { $0.text() }
    case "doubles": return several(3) { $0.number() }
    case "map": return map { $0.integer() }
    case "optionalMap": return map { $0.pick("null", $0.text()) }
    case "child", "author": return child()
    case "children": return several(3) { $0.child() }
    case "childMap": return map { $0.child() }
    case "note": return note()
    case "notes", "noteSet": return several(3) { $0.note() }
    case "spot": return spot()
    case "spots": return several(3) { $0.spot() }
    case "spotMap": return map { $0.spot() }
    case "keyed": return keyed()
    case "keyedOrNull": return pick("null", keyed())
    case "keyedList", "keyedSkipping": return several(3) { $0.keyed() }
    case "keyedMap": return map { $0.pick("null", $0.keyed()) }
    case "nullInt", "nullOrSeven": return pick("null", integer())
    case "nullSpot": return pick("null", spot())
    case "omittedInts", "omittedOrOne", "marks": return several(2) { $0.integer() }
    case "omittedTexts": return several(2) { $0.text() }
    case "omittedMap": return map { $0.integer() }
    case "omittedNotes": return several(2) { $0.note() }
    case "left": return pick("1", "2", "3")
    case "right": return pick(#""a""#, #""b|""#, #""""#)
    case "pair": return object("GeneratedPair")
    case "pairs": return several(2) { $0.object("GeneratedPair") }
    default: return integer()
    }
  }
}

extension PayloadMaker {
  fileprivate static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\0"..<" ": result += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
