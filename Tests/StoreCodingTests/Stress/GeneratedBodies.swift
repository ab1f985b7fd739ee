import Foundation
import ObjectStore
import StoreCoding
import TestSupport

/// An attribute of a generated class.
struct BodyAttribute {
  enum Kind: CaseIterable {
    case int, string, bool, double, decimal, data, date, url, uuid, json, raw, object
  }

  let name: String
  let kind: Kind
  var form: AttributeShape.Form
  /// The class of the objects.
  var target: String?
  let isOptional: Bool
  var options: [Property.Option] = []
  /// The components of the path in JSON; a number is an index, and `*` each element.
  var path: [String]
  var aliases: [[String]] = []
  /// True if the attribute is decoded, but not encoded.
  var isIgnored = false

  var isCollection: Bool { form != .scalar && form != .link }
  var isKeyed: Bool { has(.keyed(.primaryKey)) || hasAnyNames }
  var hasAnyNames: Bool { has(.keyed(.anyName)) }
  var isConverted: Bool { has(BodyClasses.coding) }
  func has(_ option: Property.Option) -> Bool { options.contains(option) }

  /// The formats of dates, if the attribute declares them.
  var dates: [DateFormat]? {
    for case .dates(let formats) in options { return formats }
    return nil
  }

  /// The spellings of nil of `.nilWhen`.
  var nilSpellings: [JSONValue] {
    for case .nilWhen(let values) in options { return values }
    return []
  }

  var shape: AttributeShape {
    let kinds: [Kind: AttributeShape.Kind] = [
      .int: .int, .string: .string, .bool: .bool, .double: .double, .decimal: .decimal,
      .data: .data, .date: .date, .url: .url, .uuid: .uuid, .json: .json, .raw: .string,
    ]
    let scalar = kinds[kind] ?? .int
    return switch (form, target) {
    case (.list, let target?): .list(target)
    case (.set, let target?): .set(target)
    case (.map, let target?): .map(target)
    case (_, let target?): .object(target)
    case (.list, _): .list(scalar)
    case (.set, _): .set(scalar)
    case (.map, _): .map(scalar)
    default: .value(scalar)
    }
  }

  var property: Property {
    Property(
      name, shape, isOptional: isOptional, json: Self.declared(path),
      options: options + (aliases.isEmpty ? [] : [.aliases(aliases.map(Self.declared))]))
  }

  /// A path as a class declares it.
  private static func declared(_ path: [String]) -> String {
    let isPointer = path.contains {
      $0 == "*" || Int($0) != nil || $0.contains { "./~".contains($0) }
    }
    if !isPointer { return path.joined(separator: ".") }
    return path.reduce("") {
      $0 + "/" + $1.replacing("~", with: "~0").replacing("/", with: "~1")
    }
  }
}

/// A generated class.
struct BodyClass {
  let name: String
  var attributes: [BodyAttribute]
  var hasKey = false
  var isEmbedded = false
  /// True if an attribute keeps the members that no other attribute reads.
  var keepsUnread = false
  var envelope: String?
  var alwaysEncoded: [String] = []

  var schema: ObjectSchema {
    let key = hasKey ? [Property("id", .int, isPrimaryKey: true)] : []
    let rest = keepsUnread ? [Property("rest", .json, options: [.unread])] : []
    return ObjectSchema(
      name, key + attributes.map(\.property) + rest, isEmbedded: isEmbedded,
      codableIgnoredAttributes: attributes.filter(\.isIgnored).map(\.name),
      codableAlwaysEncoded: alwaysEncoded, objectEnvelope: envelope,
      tracksEdits: name == "Whole" && BodyClasses.tracksEdits)
  }

  /// The paths of the objects and arrays that lead to attributes.
  var wrappers: Set<[String]> {
    var paths: Set<[String]> = []
    for attribute in attributes {
      for path in [attribute.path] + attribute.aliases {
        for count in 1..<max(path.count, 1) { paths.insert(Array(path.prefix(count))) }
      }
    }
    return paths
  }
}

/// Classes with up to three options per attribute, and their payloads, from a seed.
///
/// `Whole` is the class of the documents. It refers to `Target`, which has a primary key, to embedded objects of `Part`, and
/// to objects of `Note`, which have no key.
struct BodyClasses {
  let seed: UInt64
  var random: SeededRandom
  var classes: [String: BodyClass] = [:]
  var configuration = CodingConfiguration()

  /// A mistake of no attribute.
  private struct Mistake: Error {
    let explanation: String
  }

  /// True to track the edits of `Whole`.
  @TaskLocal static var tracksEdits = false

  private struct Halves: ValueCoding {
    func decode(_ json: JSONValue) throws -> Int { try json.decode(Int.self) / 2 }
    func encode(_ value: Int) throws -> JSONValue { try JSONValue(encoding: value * 2) }
  }

  private final class Converted: Object {
    @Persisted(.coding(Halves())) var value: Int
  }

  /// The option `.coding(Halves())`.
  static let coding = try! ObjectSchema.of(Converted.self).properties[0].options[0]

  init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed: seed &* 0x9E37_79B9)
    if random.once(in: 4) { configuration.nulls = .skip }
    if random.once(in: 2) { configuration.mismatches = .skipAttribute }
    configuration.dates = pick([
      [.iso8601], [.iso8601], [.unixSeconds], [.iso8601, .unixMilliseconds],
    ])
    configuration.outputFormatting = .init(rawValue: random.below(8))
    let deep = random.once(in: 3)
    classes["Target"] = BodyClass(
      name: "Target",
      attributes: [
        BodyAttribute(
          name: "n", kind: .int, form: .scalar, isOptional: true,
          path: deep ? ["deep", "n"] : ["n"]
        ),
        BodyAttribute(name: "s", kind: .string, form: .scalar, isOptional: false, path: ["s"]),
        BodyAttribute(name: "t", kind: .date, form: .scalar, isOptional: true, path: ["t"]),
      ], hasKey: true, keepsUnread: random.once(in: 3))
    classes["Part"] = BodyClass(
      name: "Part", attributes: attributes(2 + random.below(3), "p", isRoot: false),
      isEmbedded: true, keepsUnread: random.once(in: 3))
    classes["Note"] = BodyClass(
      name: "Note", attributes: attributes(1 + random.below(2), "k", isRoot: false),
      keepsUnread: random.once(in: 4))
    var whole = BodyClass(
      name: "Whole", attributes: attributes(4 + random.below(6), "w", isRoot: true), hasKey: true,
      keepsUnread: random.once(in: 2))
    whole.envelope = random.once(in: 3) ? "data.item" : nil
    for index in whole.attributes.indices
    where whole.attributes[index].hasAnyNames || random.once(in: 14) {
      whole.attributes[index].isIgnored = true
      // A merge patch replaces an array whole.
      if whole.attributes[index].path[0].hasPrefix("list") {
        whole.attributes[index].path = [whole.attributes[index].name]
      }
    }
    if random.once(in: 4), let attribute = whole.attributes.first(where: { !$0.isIgnored }) {
      whole.alwaysEncoded = [attribute.name]
    }
    classes["Whole"] = whole
  }

  mutating func pick<T>(_ values: [T]) -> T { values[random.below(values.count)] }

  /// Returns a coder for the classes, without the attributes whose declarations contradict each other.
  mutating func makeCoder() throws -> StoreCoder {
    while true {
      let schemas = ["Target", "Part", "Note", "Whole"].compactMap { classes[$0]?.schema }
      let coder = StoreCoder(
        store: try Store(configuration: .inMemory(), schemas: schemas), configuration: configuration
      )
      let explanation = coder.explain(dynamic: "Whole")
      var count = 0
      for (name, declared) in classes {
        let valid = declared.attributes.filter { !explanation.contains("\(name).\($0.name): ") }
        count += declared.attributes.count - valid.count
        classes[name]?.attributes = valid
      }
      if explanation.hasPrefix("Whole") && count == 0 { return coder }
      if count == 0 { throw Mistake(explanation: explanation) }
      let names = classes["Whole"]?.attributes.map(\.name) ?? []
      classes["Whole"]?.alwaysEncoded.removeAll { !names.contains($0) }
      if classes["Note"]?.attributes.isEmpty ?? true { classes["Note"]?.keepsUnread = true }
      if classes["Part"]?.attributes.isEmpty ?? true { classes["Part"]?.keepsUnread = true }
    }
  }

  // MARK: - Attributes

  private typealias Row = (
    kind: BodyAttribute.Kind, form: AttributeShape.Form, target: String?, isOptional: Bool,
    options: [Property.Option]
  )

  private static let common: [Property.Option] = [
    .null(.skip), .null(.default), .null(.fail), .null(.clear), .mismatch(.skipAttribute),
    .mismatch(.useDefault), .aliases([]), .aliases([]),
  ]

  private static let table: [Row] = [
    (.int, .scalar, nil, false, [.flexible, .string(fractionDigits: 0)]),
    (
      .int, .scalar, nil, true,
      [
        .flexible, .emptyAsNil, .writesNil, .string(fractionDigits: 0), coding, .nilWhen([0]),
        .nilWhen(["", 0]),
      ]
    ),
    (.string, .scalar, nil, false, [.flexible]),
    (.string, .scalar, nil, true, [.flexible, .emptyAsNil, .writesNil, .nilWhen(["none"])]),
    (.raw, .scalar, nil, false, [.raw(.exact), .raw(.minified)]),
    (.raw, .scalar, nil, true, [.raw(.exact), .raw(.minified), .writesNil]),
    (.bool, .scalar, nil, true, [.flexible, .writesNil]),
    (
      .decimal, .scalar, nil, true,
      [.flexible, .writesNil, .emptyAsNil, .string(fractionDigits: 2)]
    ),
    (.double, .scalar, nil, false, [.flexible, .string(fractionDigits: 1)]),
    (.double, .scalar, nil, true, [.flexible, .writesNil, .nilWhen([-1])]),
    (.data, .scalar, nil, true, [.base64(.standard), .base64(.urlSafe), .emptyAsNil, .writesNil]),
    (
      .date, .scalar, nil, true,
      [
        .dates([.unixSeconds]), .dates([.date, .iso8601]), .dates([.format("yyyyMMdd")]), .flexible,
        .emptyAsNil, .writesNil,
      ]
    ),
    (.date, .scalar, nil, false, [.dates([.unixMilliseconds]), .flexible]),
    (.uuid, .scalar, nil, true, [.emptyAsNil, .writesNil]),
    (.url, .scalar, nil, true, [.emptyAsNil, .writesNil]),
    (.json, .scalar, nil, false, []),
    (.json, .scalar, nil, true, [.writesNil, .emptyAsNil]),
    (
      .int, .list, nil, false,
      [
        .omitsEmpty, .flexible, .emptyAsNil, .acceptsSingleValue, .string(fractionDigits: 0),
        coding,
        .mismatch(.skipElement),
      ]
    ),
    (.int, .list, nil, true, [.omitsEmpty, .emptyAsNil, .acceptsSingleValue, .nilWhen([0])]),
    (.string, .list, nil, false, [.omitsEmpty, .acceptsSingleValue, .mismatch(.skipElement)]),
    (.date, .list, nil, false, [.dates([.unixSeconds]), .omitsEmpty]),
    (.string, .set, nil, false, [.omitsEmpty, .acceptsSingleValue]),
    (.json, .list, nil, false, [.omitsEmpty]),
    (.double, .map, nil, true, [.omitsEmpty, .emptyAsNil]),
    (.int, .map, nil, false, [.omitsEmpty, .mismatch(.skipElement)]),
    (.object, .link, "Target", true, [.byKey, .writesNil, .emptyAsNil, .nilWhen([0])]),
    (
      .object, .list, "Target", false,
      [
        .byKey, .omitsEmpty, .keyed(.primaryKey), .keyed(.anyName), .acceptsSingleValue,
        .emptyAsNil,
        .mismatch(.skipElement),
      ]
    ),
    (
      .object, .set, "Target", false,
      [.byKey, .omitsEmpty, .keyed(.primaryKey), .acceptsSingleValue]
    ),
    (.object, .map, "Target", true, [.byKey, .omitsEmpty, .keyed(.primaryKey), .emptyAsNil]),
    (.object, .link, "Part", true, [.writesNil]),
    (.object, .list, "Part", false, [.omitsEmpty, .acceptsSingleValue]),
    (.object, .map, "Part", false, [.omitsEmpty]),
    (.object, .link, "Note", true, [.writesNil]),
    (.object, .list, "Note", false, [.omitsEmpty, .emptyAsNil]),
  ]

  private mutating func attributes(
    _ count: Int, _ prefix: String, isRoot: Bool
  ) -> [BodyAttribute] {
    var indexes = [0, 0]
    return (0..<count).map { number in
      var row = pick(Self.table)
      while !isRoot, let target = row.target, target != "Target" { row = pick(Self.table) }
      let name = "\(prefix)\(number)"
      var attribute = BodyAttribute(
        name: name, kind: row.kind, form: row.form, target: row.target, isOptional: row.isOptional,
        path: [name])
      var options = row.options + (row.kind == .raw ? [] : Self.common)
      if !isRoot { options.removeAll { $0 == .keyed(.anyName) } }
      if row.kind == .raw { attribute.options = [row.options[random.below(2)]] }
      for _ in 0..<random.below(4) {
        let option = pick(options)
        guard !attribute.options.contains(where: { Self.isSame($0, option) }) else { continue }
        if option == .aliases([]) {
          attribute.aliases.append(
            random.once(in: 3) ? ["other", "alias_\(name)"] : ["alias_\(name)"])
        } else {
          attribute.options.append(option)
        }
      }
      switch random.below(10) {
      case 0: attribute.path = ["box", name]
      case 1: attribute.path = ["box", "deep", name]
      case 2: attribute.path = ["a/b", "~\(name)"]
      case 3 where isRoot:
        attribute.path = ["list0", "\(indexes[0])"]
        indexes[0] += 1 + (Self.tracksEdits ? 0 : random.below(2))
      case 4 where isRoot:
        attribute.path = ["list1", "\(indexes[1])", name]
        indexes[1] += random.below(Self.tracksEdits ? 2 : 3)
      case 5 where row.form == .list || row.form == .set:
        attribute.path = ["each_\(name)", "*", "v"]
      default: break
      }
      return attribute
    }
  }

  private static func isSame(_ a: Property.Option, _ b: Property.Option) -> Bool {
    func kind(_ option: Property.Option) -> Substring { "\(option)".prefix { $0 != "(" } }
    return kind(a) == kind(b)
  }
}
