import Foundation
import TestSupport

@testable import ObjectStore

/// Objects with every kind of value, and questions about them: the same for the same seed.
struct QueryWorld {
  enum Family: CaseIterable {
    case number, bool, text, data, date, uuid, kind

    var operations: [QueryComparison.Operation] {
      switch self {
      case .number, .date: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
      case .bool, .uuid: [.equal, .notEqual]
      case .text, .kind:
        [
          .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contains, .beginsWith,
          .endsWith, .like,
        ]
      case .data: [.equal, .notEqual, .contains, .beginsWith, .endsWith]
      }
    }

    var options: [TextOptions] {
      switch self {
      case .text:
        [[], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]
      default: [[]]
      }
    }

    var values: [QueryValue] {
      switch self {
      case .number: QueryWorld.numbers
      case .bool: [.bool(true), .bool(false)]
      case .text:
        QueryWorld.texts.map { .string($0) } + ["*e*", "?", "\\*", "b*é"].map { .string($0) }
      case .kind: [.string("cafe"), .string("bar"), .string("none")]
      case .data: QueryWorld.datas.map { .data($0) }
      case .date: QueryWorld.dates.map { .date($0) }
      case .uuid: QueryWorld.uuids.map { .uuid($0) }
      }
    }
  }

  struct Attribute {
    let path: [String]
    let family: Family

    init(_ path: String, _ family: Family) {
      self.path = path.split(separator: ".").map(String.init)
      self.family = family
    }
  }

  static let attributes: [Attribute] = [
    Attribute("id", .number), Attribute("flag", .bool), Attribute("maybeFlag", .bool),
    Attribute("small", .number), Attribute("whole", .number), Attribute("maybeWhole", .number),
    Attribute("natural", .number), Attribute("float", .number), Attribute("double", .number),
    Attribute("maybeDouble", .number), Attribute("decimal", .number),
    Attribute("maybeDecimal", .number), Attribute("text", .text), Attribute("maybeText", .text),
    Attribute("url", .text), Attribute("kind", .kind), Attribute("data", .data),
    Attribute("date", .date), Attribute("maybeDate", .date), Attribute("uuid", .uuid),
    Attribute("owner.name", .text), Attribute("owner.age", .number),
    Attribute("owner.friend.age", .number), Attribute("place.city", .text),
    Attribute("place.x", .number),
  ]

  static let numbers: [QueryValue] = [
    .int(0), .int(1), .int(-1), .int(3), .int(127), .int(-128), .int(128), .int(.max), .int(.min),
    .uint(.max), .uint(UInt64(Int64.max) + 1), .double(0.5), .double(-0.0), .double(3),
    .double(-1.5), .double(0x1p63), .double(-0x1p63), .double(0x1p64),
    .double(9_007_199_254_740_992),
    .double(1e300), .double(-.infinity), .double(.infinity), .decimal(Decimal(5) / 10),
    .decimal(3), .decimal(Decimal(-15) / 10),
  ]
  static let texts = [
    "", "a", "bee", "Bee", "bée", "BÉE", "be", "e", "ß", "SS", "日本", "a*b", "\"q\"\n",
  ]
  static let datas = [Data(), Data([0]), Data([1, 2, 3]), Data([2, 3]), Data([255, 0])]
  static let dates = [-1.5, 0, 1, 1e9].map { Date(timeIntervalSinceReferenceDate: $0) }
  static let uuids = [0, 1, 255].map { (last: UInt8) in
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last))
  }

  var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func one<T>(_ values: [T]) -> T { values[random.below(values.count)] }

  // MARK: - Objects

  /// Some hundred things, more than a chunk of rows, some of them deleted again.
  ///
  /// Things of a subclass have parts that are things, of which there are some then.
  mutating func store<T: Asked.Thing>(
    of type: T.Type = Asked.Thing.self, count: Int = 300
  ) throws -> Store {
    let store = try Store()
    try store.write {
      var owners: [Asked.Owner] = []
      for id in 0..<6 {
        let owner = try store.create(Asked.Owner.self, value: ["id": .string("o\(id)")])
        owner.name = one(Self.texts)
        owner.age = random.once(in: 3) ? nil : random.below(5)
        owner.friend = random.once(in: 2) ? nil : owners.randomElement(using: &random)
        owners.append(owner)
      }
      var parts: [Asked.Thing] = []
      for id in 0..<(type == Asked.Thing.self ? 0 : 20) {
        parts.append(try store.create(Asked.Thing.self, value: ["id": .init(id)]))
        fill(parts[id])
      }
      var things: [T] = []
      for id in 0..<count {
        let thing = try store.create(T.self, value: ["id": .init(id)])
        fill(thing)
        thing.owner = random.once(in: 3) ? nil : owners.randomElement(using: &random)
        for _ in 0..<random.below(3) where !parts.isEmpty { thing.parts.append(one(parts)) }
        things.append(thing)
        if type == Asked.Thing.self { parts.append(thing) }
      }
      for _ in 0..<count / 6 {
        let thing = one(things)
        if !thing.isInvalidated { store.delete(thing) }
      }
    }
    return store
  }

  mutating func fill(_ thing: Asked.Thing) {
    thing.flag = random.once(in: 2)
    thing.maybeFlag = random.once(in: 3) ? nil : random.once(in: 2)
    thing.small = one([0, 1, 3, .min, .max, -1])
    thing.whole = one([0, 1, -1, 3, .min, .max, 9_007_199_254_740_993])
    thing.maybeWhole = random.once(in: 3) ? nil : thing.whole
    thing.natural = one([0, 3, .max, UInt64(Int64.max) + 1])
    thing.float = one([0, 0.5, -1.5, 3, .infinity])
    thing.double = one([0, -0.0, 0.5, 3, 0x1p63, -0x1p63, 1e300, -.infinity, .nan])
    thing.maybeDouble = random.once(in: 3) ? nil : one([0.5, 3, 9_007_199_254_740_992])
    thing.decimal = one([0, 3, Decimal(5) / 10, Decimal(-15) / 10])
    thing.maybeDecimal = random.once(in: 3) ? nil : thing.decimal
    thing.text = one(Self.texts)
    thing.maybeText = random.once(in: 3) ? nil : one(Self.texts)
    thing.data = one(Self.datas)
    thing.date = one(Self.dates)
    thing.maybeDate = random.once(in: 3) ? nil : one(Self.dates)
    thing.uuid = one(Self.uuids)
    thing.url = one([URL(fileURLWithPath: "/be"), URL(fileURLWithPath: "/Bee")])
    thing.kind = one([.cafe, .bar, .club])
    for _ in 0..<random.below(3) { thing.tags.append(one(Self.texts)) }
    for _ in 0..<random.below(4) { thing.numbers.append(random.below(5) - 2) }
    for _ in 0..<random.below(3) { thing.scores.insert(one([0.5, 3, -1.5])) }
    for key in ["x", "y"] where random.once(in: 2) {
      thing.marks[key] = .some(random.once(in: 2) ? nil : random.below(4))
    }
    if random.once(in: 2) {
      let place = Asked.Place()
      place.city = random.once(in: 2) ? nil : one(Self.texts)
      place.x = one([0, 3, -1.5])
      thing.place = place
    }
  }

  // MARK: - Questions

  /// A condition on a thing, at most so many levels deep.
  mutating func node(depth: Int, scope: Int = 0) -> QueryNode {
    if depth > 0 {
      switch random.below(10) {
      case 0, 1:
        return .and((0..<2 + random.below(2)).map { _ in node(depth: depth - 1, scope: scope) })
      case 2, 3:
        return .or((0..<2 + random.below(2)).map { _ in node(depth: depth - 1, scope: scope) })
      case 4: return .not(node(depth: depth - 1, scope: scope))
      case 5, 6: return quantified(depth, scope)
      default: break
      }
    }
    return comparison(depth, scope)
  }

  private mutating func quantified(_ depth: Int, _ scope: Int) -> QueryNode {
    let quantifier = one([QueryQuantifier.any, .all, .none])
    switch random.below(5) {
    case 0:
      return .quantified(
        quantifier, QueryAttribute([one(["parts", "wholes"])]),
        node(depth: depth - 1, scope: scope + 1))
    case 1:
      return .quantified(quantifier, QueryAttribute(["tags"]), valueComparison([], .text))
    case 2:
      let path = one([["numbers"], ["parts", "numbers"], ["wholes", "scores"], ["marks"]])
      return .quantified(quantifier, QueryAttribute(path), valueComparison([], .number))
    case 3:
      return .isElement(
        .value(.int(Int64(random.below(4)))), of: QueryAttribute(["numbers"]), [])
    default:
      let path = one([["parts", "whole"], ["parts", "owner", "age"], ["owner", "things", "id"]])
      return .quantified(quantifier, QueryAttribute(path), valueComparison([], .number))
    }
  }

  private mutating func valueComparison(_ path: [String], _ family: Family) -> QueryNode {
    let operand = QueryOperand.attribute(QueryAttribute(path))
    if random.once(in: 4) {
      return .isIn(operand, [one(family.values), one(family.values)], [])
    }
    return .comparison(
      operand, QueryComparison(one(family.operations), one(family.options)),
      .value(random.once(in: 8) ? .null : one(family.values)))
  }

  private mutating func comparison(_ depth: Int, _ scope: Int) -> QueryNode {
    let attribute = one(Self.attributes)
    switch random.below(8) {
    case 0:
      let others = Self.attributes.filter { $0.family == attribute.family }
      return .comparison(
        .attribute(QueryAttribute(attribute.path)),
        QueryComparison(one(attribute.family.operations), one(attribute.family.options)),
        .attribute(QueryAttribute(one(others).path, scope: random.below(scope + 1))))
    case 1:
      return .comparison(
        .count(QueryAttribute([one(["tags", "parts", "numbers", "scores", "marks", "wholes"])])),
        QueryComparison(one(Family.number.operations)), .value(.int(Int64(random.below(4)))))
    case 2:
      let (path, names): ([String], [String]) = one([
        (["numbers"], []), (["scores"], []), (["marks"], []), (["parts"], ["small"]),
        (["parts"], ["maybeDecimal"]), (["wholes"], ["owner", "age"]),
      ])
      return .comparison(
        .aggregate(one([.min, .max, .sum, .average]), of: QueryAttribute(path), names),
        QueryComparison(one(Family.number.operations)),
        .value(one([.int(0), .int(3), .double(0.5), .null])))
    case 3 where depth > 0:
      return .comparison(
        .countWhere(QueryAttribute(["parts"]), node(depth: depth - 1, scope: scope + 1)),
        QueryComparison(one(Family.number.operations)), .value(.int(Int64(random.below(3)))))
    default: return valueComparison(attribute.path, attribute.family)
    }
  }
}
