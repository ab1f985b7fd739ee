import Foundation
import ObjectStore
import StoreCoding
import TestSupport

// Payloads of generated classes. Each has some of the attributes, in one of their notations.

extension BodyClasses {
  private static func text(_ node: PayloadNode, _ random: inout SeededRandom) -> String {
    switch node {
    case .text(let text): return text
    case .array(let elements):
      // Null in place of an object would empty the collections in it.
      var isObject = false
      if case .object? = elements.values.first { isObject = true }
      return PayloadNode.array(elements, without: isObject ? "{}" : "null") {
        text($0, &random)
      }
    case .object(let members):
      var texts = members.map { "\"\($0.key)\":\(text($0.value, &random))" }
      texts.shuffle(using: &random)
      return "{\(texts.joined(separator: ","))}"
    }
  }

  /// Returns a document with some of the attributes of an object.
  mutating func payload(id: Int) -> String {
    let object = object("Whole", id: id)
    return classes["Whole"]?.envelope == nil ? object : #"{"data":{"item":\#(object),"more":[1]}}"#
  }

  /// Returns an object of a class.
  mutating func object(_ name: String, id: Int? = nil, isNamed: Bool = false) -> String {
    guard let declared = classes[name] else { return "null" }
    var node = PayloadNode.object([])
    if declared.hasKey, !isNamed || random.once(in: 2) {
      node.set(["id"], .text("\(id ?? 1 + random.below(9))"))
    }
    for attribute in declared.attributes where random.below(9) < 5 {
      let paths = [attribute.path, attribute.path] + attribute.aliases
      let path = pick(paths)
      let value = value(attribute, isAlone: path.count == 1)
      node.set(path.prefix { $0 != "*" }, .text(value))
    }
    if isNamed, declared.hasKey { node.set(["s"], .text(#""named""#)) }
    for unread in ["u", "v"] where random.once(in: 5) { node.set([unread], unreadValue()) }
    if declared.keepsUnread {
      for path in declared.wrappers.sorted(by: { $0.count < $1.count })
      where Int(path.last ?? "") == nil && !path[0].hasPrefix("list") && !path[0].hasPrefix("each")
        && random.once(in: 6)
      {
        node.set(path + ["u"], unreadValue())
      }
    }
    if random.once(in: 12) {
      let hasCollection = declared.attributes.contains { $0.path[0] == "a/b" && $0.isCollection }
      let wrappers = declared.wrappers.filter { $0 == ["a/b"] && !hasCollection }
      for path in wrappers { node.set(path[...], .text(random.once(in: 2) ? "{}" : "null")) }
    }
    return Self.text(node, &random)
  }

  private mutating func unreadValue() -> PayloadNode {
    .text(pick(["1", "0.40", "1e2", #""x""#, "[1,{}]", #"{"b":1,"a":[]}"#, "true"]))
  }

  /// Returns the text of a value of an attribute.
  ///
  /// - Parameter isAlone: True if no other attribute is in an object or array around the value.
  private mutating func value(_ attribute: BodyAttribute, isAlone: Bool) -> String {
    let policy = attribute.options.compactMap { option -> AttributePolicy.Nulls? in
      if case .null(let policy) = option { policy } else { nil }
    }.last
    let acceptsNull = attribute.isOptional || attribute.isCollection || attribute.form == .link
    switch policy ?? configuration.nulls {
    case .fail: break
    case .clear: if acceptsNull, random.once(in: 8) { return "null" }
    case .skip, .default: if random.once(in: 8) { return "null" }
    }
    let skips = attribute.has(.mismatch(.skipAttribute)) || attribute.has(.mismatch(.useDefault))
    if isAlone, skips, attribute.kind != .json, attribute.kind != .raw, random.once(in: 8) {
      return attribute.isCollection ? "17.5" : "[[7]]"
    }
    if attribute.has(.emptyAsNil), random.once(in: 8) {
      let hasText = [.string, .json].contains(attribute.kind) || attribute.isCollection
      return attribute.kind == .object && attribute.form == .link
        ? pick([#""""#, "false", "{}", "[]"]) : hasText ? #""""# : pick([#""""#, "[]", "false"])
    }
    if !attribute.isCollection, let spelling = attribute.nilSpellings.first, random.once(in: 8) {
      return spelling == .some("") || spelling == .some("none")
        ? #""\#(spelling == .some("") ? "" : "none")""# : text(of: spelling)
    }
    return plainValue(attribute)
  }

  private func text(of spelling: JSONValue) -> String {
    if case .int(let value) = spelling { "\(value)" } else { #""""# }
  }

  /// Returns the text of a value that is neither null nor one that a policy skips.
  mutating func plainValue(_ attribute: BodyAttribute) -> String {
    if !attribute.isCollection { return element(attribute) }
    var texts: [String] = []
    for _ in 0..<random.below(4) { texts.append(elementOrNull(attribute)) }
    if attribute.form == .map || attribute.isKeyed {
      let isKeyed = attribute.isKeyed
      if isKeyed {
        let names = ["1", "2", "8"].filter { _ in random.once(in: 2) }
        return "{"
          + names.map {
            "\"\($0)\":\(object("Target", id: Int($0), isNamed: !attribute.hasAnyNames))"
          }
          .joined(separator: ",") + "}"
      }
      return "{" + zip(["a", "é", "k.l"], texts).map { "\"\($0)\":\($1)" }.joined(separator: ",")
        + "}"
    }
    let isWildcard = attribute.path.contains("*")
    if attribute.has(.acceptsSingleValue), !isWildcard, random.once(in: 4) {
      return element(attribute)
    }
    if attribute.has(.mismatch(.skipElement)), !isWildcard, random.once(in: 3) {
      texts.insert("[[7]]", at: random.below(texts.count + 1))
    }
    if isWildcard {
      texts = texts.map { "{\"v\":\($0)\(random.once(in: 4) ? #","w":1"# : "")}" }
    }
    return "[\(texts.joined(separator: ","))]"
  }

  mutating func elementOrNull(_ attribute: BodyAttribute) -> String {
    attribute.isOptional && random.once(in: 4) ? "null" : element(attribute)
  }

  mutating func element(_ attribute: BodyAttribute) -> String {
    let isFlexible = attribute.has(.flexible)
    if attribute.isConverted { return pick(["0", "4", "-10", "8"]) }
    let isText = attribute.has(.string(fractionDigits: 0)) && random.once(in: 2)
    switch attribute.kind {
    case .int:
      if isText { return pick([#""3""#, #""-4""#]) }
      return pick(
        ["1", "5", "-7", "3.0", "1e2", "9007199254740993"] + (isFlexible ? [#""2""#, "true"] : []))
    case .string:
      return pick(
        [#""a""#, #""é\n""#, #""x/y""#, #""b""#] + (isFlexible ? ["1.5", "true", "7"] : []))
    case .bool: return pick(["true", "false"] + (isFlexible ? ["0", #""yes""#] : []))
    case .double:
      return pick(
        ["1.5", "2", "0.1", "1e300", "-3.25", "0.30000000000000004"]
          + (isFlexible ? [#""-2""#] : []))
    case .decimal:
      return pick(
        ["1.50", "12345678901234567890.5", "-0.001", "1e3"] + (isFlexible ? [#""2.5""#] : []))
    case .data:
      let isAnyForm = attribute.options.contains { if case .base64 = $0 { true } else { false } }
      return pick([#""AQID""#, #""/+8=""#, #""AA==""#] + (isAnyForm ? [#""_-8""#, #""AQ""#] : []))
    case .date: return date(attribute)
    case .url: return pick([#""http://a.de/x?y=1""#, #""a:b""#])
    case .uuid:
      return pick([
        #""6F9619FF-8B86-D011-B42D-00CF4FC964FF""#, #""6f9619ff-8b86-d011-b42d-00cf4fc964fe""#,
      ])
    case .json:
      return pick(["1.0", "0.40", "1e2", #"{"b":[],"a":1}"#, "[1,null]", #""t""#, "false", "{}"])
    case .raw: return pick(["[ 1, 2 ]", "5", #"{"b" : 1,"a":[]}"#, #""x""#])
    case .object:
      let name = attribute.target ?? ""
      return attribute.has(.byKey) ? "\(1 + random.below(9))" : object(name)
    }
  }

  private mutating func date(_ attribute: BodyAttribute) -> String {
    let format = pick(attribute.dates ?? configuration.dates)
    switch format {
    case .unixSeconds:
      return pick(
        ["0", "1526655217.123", "1526655217"] + (attribute.has(.flexible) ? [#""7.5""#] : []))
    case .unixMilliseconds: return pick(["0", "1526655217123", "86400000"])
    case .date: return pick([#""2018-05-18""#, #""1969-12-31""#])
    case .iso8601:
      return pick([
        #""2018-05-18T14:53:37Z""#, #""2018-05-18T14:53:37.123Z""#,
        #""2018-05-18T14:53:37.5+02:00""#,
        #""2018-05-18T00:00:00Z""#,
      ])
    default: return pick([#""20200203""#, #""19991231""#])
    }
  }
}
