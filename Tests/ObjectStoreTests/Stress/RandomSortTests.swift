import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Random orders, limited or not, compared with a stable sort of the values themselves.
///
/// `STORE_RANDOM_STEPS` sets the number of orders per seed. `STORE_RANDOM_SEED` adds a seed.
@Suite struct `Random orders` {
  private static let steps = SeededRandom.steps(100)
  private static let seeds = SeededRandom.seeds(1...3)

  /// Strings that are equal, or nearly so, up to about the length that a sort number holds, or several of them.
  private static let strings: [String] = {
    let long = "123456789012345"
    let beginnings = [
      "", "a", "\0", "a\0", "1234567", "12345678", "12345678\0", "日本語日本", "ÿÿÿÿÿÿÿ",
    ]
    let ends = ["", "\0", "\0\0", "\0x", "x", "xy", "é", "e\u{301}", "ÿ", "\u{10FFFF}"]
    let cut = [String(long.dropLast()), long, long + "6", String(long.dropLast()) + "\0"]
    let pieces = (0..<48).map { number in
      "https://" + (0..<6).map { number >> $0 & 1 == 0 ? "aaaaaaa" : "aaaaaab" }.joined()
    }
    return (beginnings + cut).flatMap { beginning in ends.map { beginning + $0 } } + pieces
  }()
  private static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 1e300,
  ]
  private static let decimals: [Decimal] = [
    "0", "1", "-1", "10", "9", "0.1", "0.10000000000000000001", "-0.1", "-0.10000000000000000001",
    "0.3", "12345678901234567890123456789012345678", "12345678901234567890123456789012345677",
  ].map { Decimal(string: $0) ?? 0 }

  private typealias Order = @Sendable (AllTypes, AllTypes) -> Int

  /// The expected order of each attribute: null first, NaN last.
  private static let orders: [(name: String, order: Order)] = [
    ("bool", { compare($0.bool ? 1 : 0, $1.bool ? 1 : 0) }),
    ("int", { compare($0.int, $1.int) }), ("optInt", { compare($0.optInt, $1.optInt) }),
    ("int8", { compare($0.int8, $1.int8) }), ("uint64", { compare($0.uint64, $1.uint64) }),
    ("optUInt64", { compare($0.optUInt64, $1.optUInt64) }),
    ("double", { compare(number($0.double), number($1.double)) }),
    ("optDouble", { compare($0.optDouble.map(number), $1.optDouble.map(number)) }),
    ("decimal", { compare($0.decimal, $1.decimal) }),
    ("optDecimal", { compare($0.optDecimal, $1.optDecimal) }),
    ("date", { compare($0.date, $1.date) }), ("optDate", { compare($0.optDate, $1.optDate) }),
    ("string", { compare(bytes($0.string), bytes($1.string)) }),
    ("optString", { compare($0.optString.map(bytes), $1.optString.map(bytes)) }),
    ("uuid", { compare($0.uuid.uuidString, $1.uuid.uuidString) }),
    ("leaf.name", { compare($0.leaf.map { bytes($0.name) }, $1.leaf.map { bytes($0.name) }) }),
    ("leaf.age", { compare($0.leaf?.age, $1.leaf?.age) }),
  ]

  private struct Bytes: Comparable {
    let bytes: [UInt8]

    static func < (a: Bytes, b: Bytes) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
  }

  private static func bytes(_ string: String) -> Bytes { Bytes(bytes: Array(string.utf8)) }

  /// NaN sorts above infinity.
  private static func number(_ value: Double) -> Bytes {
    let order = value == 0 ? 0 : value.bitPattern
    let bits = value.isNaN ? .max : order >> 63 != 0 ? ~order : order | 1 << 63
    return Bytes(bytes: withUnsafeBytes(of: bits.bigEndian) { Array($0) })
  }

  private static func compare<T: Comparable>(_ a: T?, _ b: T?) -> Int {
    guard let a, let b else { return (a == nil ? 0 : 1) - (b == nil ? 0 : 1) }
    return a < b ? -1 : a > b ? 1 : 0
  }

  @Test(arguments: Self.seeds)
  func `results in random orders equal a stable sort of the values`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let store = try Self.store(&random)
    var things = store.objects(AllTypes.self)
    for step in 0..<Self.steps {
      if step % 10 == 0 { things = try Self.source(store, &random) }
      let keys = (0..<1 + random.below(3)).map { _ in
        (Self.orders[random.below(Self.orders.count)], ascending: random.once(in: 2))
      }
      let (limit, offset) = (random.below(40), random.once(in: 2) ? 0 : random.below(200))
      let expected = Array(things).enumerated().sorted { a, b in
        for (key, ascending) in keys {
          let order = key.order(a.element, b.element)
          if order != 0 { return ascending ? order < 0 : order > 0 }
        }
        return a.offset < b.offset
      }.map(\.element.id)
      let sorted = try things.sorted(
        by: keys.map { StoreSortDescriptor($0.0.name, ascending: $0.ascending) })
      let cut = sorted.limit(limit, offset: offset)
      let names = keys.map { "\($0.0.name) \($0.ascending)" }
      #expect(sorted.map(\.id) == expected, "\(names)")
      #expect(
        cut.map(\.id) == Array(expected.dropFirst(offset).prefix(limit)),
        "\(names), \(limit) from \(offset)\n\(cut.explainQuery())")
      #expect(cut.limit(3).map(\.id) == Array(expected.dropFirst(offset).prefix(min(limit, 3))))
    }
  }

  private static func store(_ random: inout SeededRandom) throws -> Store {
    let store = try Store()
    func one<T>(_ values: [T]) -> T { values[random.below(values.count)] }
    try store.write {
      let leaves = try (0..<10).map { id in
        let leaf = try store.create(Leaf.self, value: ["id": .string("l\(id)")])
        leaf.name = one(strings)
        leaf.age = random.once(in: 3) ? nil : random.below(3)
        return leaf
      }
      for id in 0..<400 {
        let thing = try store.create(AllTypes.self, value: ["id": .init(id)])
        thing.bool = random.once(in: 2)
        thing.int = one([.min, .max, -1, 0, 1, 2])
        thing.optInt = random.once(in: 3) ? nil : one([.min, .max, -1, 0, 1])
        thing.int8 = Int8(truncatingIfNeeded: random.next())
        thing.uint64 = one([0, 1, .max, 1 << 63])
        thing.optUInt64 = random.once(in: 3) ? nil : one([0, .max])
        thing.double = one(doubles)
        thing.optDouble = random.once(in: 3) ? nil : one(doubles)
        thing.decimal = one(decimals)
        thing.optDecimal = random.once(in: 3) ? nil : one(decimals)
        thing.date = Date(timeIntervalSinceReferenceDate: one([0, -0.0, -1, 1e9]))
        thing.optDate =
          random.once(in: 3) ? nil : Date(timeIntervalSinceReferenceDate: one([0, 1]))
        thing.string = one(strings)
        thing.optString = random.once(in: 3) ? nil : one(strings)
        thing.uuid = one(QueryWorld.uuids)
        thing.leaf = random.once(in: 3) ? nil : one(leaves)
      }
      for _ in 0..<30 { store.delete(store.objects(AllTypes.self)[random.below(300)]) }
    }
    return store
  }

  /// Returns all objects, some of them, or those of a list.
  private static func source(
    _ store: Store, _ random: inout SeededRandom
  ) throws -> Results<AllTypes> {
    let all = store.objects(AllTypes.self)
    switch random.below(3) {
    case 0: return all
    case 1: return all.where { $0.bool == true }
    default:
      let owner = all[0]
      try store.write {
        owner.objects.removeAll()
        for _ in 0..<100 { owner.objects.append(all[random.below(all.count)]) }
      }
      return owner.objects.where { $0.id >= 0 }
    }
  }

  @Test func `differing sort numbers of strings are ordered like the bytes of the strings`() throws
  {
    let store = try Store()
    try store.write {
      for (id, string) in Self.strings.enumerated() {
        let thing = try store.create(AllTypes.self, value: ["id": .init(id)])
        thing.optString = string
      }
      try store.create(AllTypes.self, value: ["id": -1])
    }
    let table = try store.handle.entry(AllTypes.self).table
    let reader = SortNumberReader(
      try QueryBinding.reader(["optString"], store.handle.catalog, table: table), ascending: true)
    let query = ResultsQuery().queryTable(store.handle, table)
    let objects = Array(store.objects(AllTypes.self))
    var rows = objects.map { RowSorter.Row(slot: $0.slot) }
    rows.withUnsafeMutableBufferPointer { reader.read($0, query, from: 0) }
    let numbers = rows.map(\.number)
    #expect(reader.isNull(try #require(numbers.last)))
    var undecided = 0
    for (a, first) in zip(objects, numbers) {
      for (b, second) in zip(objects, numbers) {
        let order = Self.compare(a.optString.map(Self.bytes), b.optString.map(Self.bytes))
        if first != second {
          #expect(first < second ? order < 0 : order > 0)
        } else if reader.isExact(first) {
          #expect(order == 0)
        } else if a.id != b.id {
          undecided += 1
          #expect(
            [a, b].allSatisfy { ($0.optString?.utf8.count ?? 0) > SortNumberReader.byteCount })
        }
      }
    }
    #expect(undecided > 0 && undecided < numbers.count * numbers.count / 4)
  }
}
