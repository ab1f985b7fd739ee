import Foundation
import TestSupport

@testable import ObjectStore

/// Random objects with every kind of value, and random queries on them, reproducible from a seed.
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
      case .kind: [.string("cow"), .string("horse"), .string("none")]
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

  static let attributes: [Attribute] =
    names(.bool, "bool optBool")
    + names(.number, "id int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64")
    + names(.number, "optInt optInt8 optInt16 optInt32 optInt64")
    + names(.number, "optUInt optUInt8 optUInt16 optUInt32 optUInt64")
    + names(.number, "float double decimal optFloat optDouble optDecimal")
    + names(.number, "level metres optLevel optMetres leaf.age leaf.next.age spot.x")
    + names(.text, "string url word optString optURL optWord leaf.name spot.label")
    + names(.kind, "species optSpecies") + names(.data, "data optData")
    + names(.date, "date optDate") + names(.uuid, "uuid optUUID")

  /// Collections of values.
  static let collections: [Attribute] =
    names(.number, "ints floats optInts intSet doubleSet intMap optIntMap")
    + names(.text, "strings optStrings stringSet stringMap optStringMap")
    + names(.kind, "allSpecies") + names(.date, "dates") + names(.uuid, "uuids")

  private static func names(_ family: Family, _ paths: String) -> [Attribute] {
    paths.split(separator: " ").map { Attribute(String($0), family) }
  }

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
  static let urls = ["/be", "/Bee"].map { URL(fileURLWithPath: $0) }

  var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func one<T>(_ values: [T]) -> T { values[random.below(values.count)] }

  // MARK: - Objects

  /// Creates a store with several hundred objects, more than a chunk of rows, some of which are then deleted.
  ///
  /// The linked objects have the type `AllTypes`. If the objects are of a subclass, some objects of `AllTypes` itself
  /// are created, too.
  mutating func store<T: AllTypes>(of type: T.Type = AllTypes.self, count: Int = 300) throws
    -> Store
  {
    let store = try Store()
    try store.write {
      var leaves: [Leaf] = []
      for id in 0..<6 {
        let leaf = try store.create(Leaf.self, value: ["id": .string("o\(id)")])
        leaf.name = one(Self.texts)
        leaf.age = random.once(in: 3) ? nil : random.below(5)
        leaf.next = random.once(in: 2) ? nil : leaves.randomElement(using: &random)
        leaves.append(leaf)
      }
      var parts: [AllTypes] = []
      for id in 0..<(type == AllTypes.self ? 0 : 20) {
        parts.append(try store.create(AllTypes.self, value: ["id": .init(id)]))
        fill(parts[id])
      }
      var things: [T] = []
      for id in 0..<count {
        let thing = try store.create(T.self, value: ["id": .init(id)])
        fill(thing)
        thing.leaf = random.once(in: 3) ? nil : leaves.randomElement(using: &random)
        for _ in 0..<random.below(3) where !parts.isEmpty { thing.objects.append(one(parts)) }
        things.append(thing)
        if type == AllTypes.self { parts.append(thing) }
      }
      for _ in 0..<count / 6 {
        let thing = one(things)
        if !thing.isInvalidated { store.delete(thing) }
      }
    }
    return store
  }

  mutating func fill(_ thing: AllTypes) {
    thing.bool = random.once(in: 2)
    thing.int = one([0, 1, -1, 3, .min, .max, 9_007_199_254_740_993])
    thing.int8 = one([0, 1, 3, .min, .max, -1])
    thing.int16 = one([0, 3, 127, .min, .max, -1])
    thing.int32 = one([0, 3, 128, .min, .max, -1])
    thing.int64 = one([0, 3, .min, .max, -1])
    thing.uint = one([0, 3, .max, UInt(Int.max) + 1])
    thing.uint8 = one([0, 3, 128, .max])
    thing.uint16 = one([0, 3, 128, .max])
    thing.uint32 = one([0, 3, 127, .max])
    thing.uint64 = one([0, 3, .max, UInt64(Int64.max) + 1])
    thing.float = one([0, 0.5, -1.5, 3, .infinity])
    thing.double = one([0, -0.0, 0.5, 3, 0x1p63, -0x1p63, 1e300, -.infinity, .nan])
    thing.decimal = one([0, 3, Decimal(5) / 10, Decimal(-15) / 10])
    thing.string = one(Self.texts)
    thing.data = one(Self.datas)
    thing.date = one(Self.dates)
    thing.uuid = one(Self.uuids)
    thing.url = one(Self.urls)
    thing.species = one(Species.allCases)
    thing.level = one(Level.allCases)
    thing.metres = Metres(one([0, 0.5, 3, -1.5]))
    thing.word = Word(one(Self.texts))
    fillOptionals(thing)
    fillCollections(thing)
  }

  private mutating func some<T>(_ values: [T]) -> T? { random.once(in: 3) ? nil : one(values) }

  private mutating func fillOptionals(_ thing: AllTypes) {
    thing.optBool = some([true, false])
    thing.optInt = some([thing.int])
    thing.optInt8 = some([0, 3, .min])
    thing.optInt16 = some([0, 127, .max])
    thing.optInt32 = some([0, 128, .min])
    thing.optInt64 = some([0, 3, .max])
    thing.optUInt = some([0, 3, .max])
    thing.optUInt8 = some([0, 127, .max])
    thing.optUInt16 = some([0, 3, 128])
    thing.optUInt32 = some([0, 3, .max])
    thing.optUInt64 = some([thing.uint64])
    thing.optFloat = some([0, -0.0, 3, -1.5, .nan])
    thing.optDouble = some([0.5, 3, 9_007_199_254_740_992])
    thing.optDecimal = some([thing.decimal])
    thing.optString = some(Self.texts)
    thing.optData = some(Self.datas)
    thing.optDate = some(Self.dates)
    thing.optUUID = some(Self.uuids)
    thing.optURL = some(Self.urls)
    thing.optSpecies = some(Species.allCases)
    thing.optLevel = some(Level.allCases)
    thing.optMetres = some([Metres(0), Metres(3)])
    thing.optWord = some([thing.word])
    if random.once(in: 2) { thing.spot = Spot(x: one([0, 3, -1.5]), label: some(Self.texts)) }
  }

  private mutating func fillCollections(_ thing: AllTypes) {
    for _ in 0..<random.below(3) {
      thing.strings.append(one(Self.texts))
      thing.optStrings.append(some(Self.texts))
      thing.stringSet.insert(one(Self.texts))
      thing.doubleSet.insert(one([0.5, 3, -1.5]))
      thing.floats.append(one([0.5, 3, .infinity]))
    }
    for _ in 0..<random.below(4) {
      thing.ints.append(random.below(5) - 2)
      thing.optInts.append(some([0, 3]))
      thing.intSet.insert(random.below(5))
      thing.allSpecies.append(one(Species.allCases))
      thing.dates.append(one(Self.dates))
      thing.uuids.append(one(Self.uuids))
    }
    for key in ["x", "y"] where random.once(in: 2) {
      thing.intMap[key] = random.below(4)
      thing.optIntMap[key] = .some(some([0, 1, 2, 3]))
      thing.stringMap[key] = one(Self.texts)
      thing.optStringMap[key] = .some(some(Self.texts))
    }
  }

  // MARK: - Queries

  /// Returns a random condition with at most this nesting depth.
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
        quantifier, QueryAttribute([one(["objects", "listedBy"])]),
        node(depth: depth - 1, scope: scope + 1))
    case 1:
      let attribute = one(Self.collections)
      return .quantified(
        quantifier, QueryAttribute(attribute.path), valueComparison([], attribute.family))
    case 2:
      let path = one([["ints"], ["objects", "ints"], ["listedBy", "doubleSet"], ["optIntMap"]])
      return .quantified(quantifier, QueryAttribute(path), valueComparison([], .number))
    case 3:
      return .isElement(
        .value(.int(Int64(random.below(4)))), of: QueryAttribute([one(["ints", "optInts"])]), [])
    default:
      let path = one([["objects", "int"], ["objects", "leaf", "age"], ["leaf", "holders", "id"]])
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
        .count(
          QueryAttribute([
            one(["strings", "objects", "ints", "doubleSet", "optIntMap", "listedBy"])
          ])),
        QueryComparison(one(Family.number.operations)), .value(.int(Int64(random.below(4)))))
    case 2:
      let (path, names): ([String], [String]) = one([
        (["ints"], []), (["doubleSet"], []), (["optIntMap"], []), (["objects"], ["int8"]),
        (["objects"], ["optDecimal"]), (["objects"], ["optUInt16"]), (["objects"], ["optFloat"]),
        (["listedBy"], ["leaf", "age"]),
      ])
      return .comparison(
        .aggregate(one([.min, .max, .sum, .average]), of: QueryAttribute(path), names),
        QueryComparison(one(Family.number.operations)),
        .value(one([.int(0), .int(3), .double(0.5), .null])))
    case 3 where depth > 0:
      return .comparison(
        .countWhere(QueryAttribute(["objects"]), node(depth: depth - 1, scope: scope + 1)),
        QueryComparison(one(Family.number.operations)), .value(.int(Int64(random.below(3)))))
    default: return valueComparison(attribute.path, attribute.family)
    }
  }
}
