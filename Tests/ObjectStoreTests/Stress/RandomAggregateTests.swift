import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Aggregates of random values, compared with those computed from the values themselves.
///
/// The number of rounds per seed is a tenth of `STORE_RANDOM_STEPS`. `STORE_RANDOM_SEED` adds a seed.
@Suite struct `Random aggregates` {
  private static let steps = SeededRandom.steps(100)
  private static let seeds = SeededRandom.seeds(1...3)

  private static let doubles: [Double] = [
    0, -0.0, 0.1, -2.5, 1e300, -1e300, .infinity, -.infinity, .nan, 9_007_199_254_740_992,
  ]
  private static let decimals: [Decimal] = [
    0, 1, -1, Decimal(string: "0.1"), Decimal(string: "-99999999999999999999999999999999999999"),
    Decimal(string: "1e100"), Decimal(string: "12345678901234567890.123456789"),
  ].compactMap(\.self)

  @Test(arguments: Self.seeds)
  func `aggregates of results equal those of an array of the values`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let store = try Store()
    try store.write {
      for id in 0..<300 { try store.create(AllTypes.self, value: ["id": .init(id)]) }
    }
    for _ in 0..<max(1, Self.steps / 10) {
      try store.write {
        for thing in store.objects(AllTypes.self) { Self.fill(thing, &random) }
      }
      let all = store.objects(AllTypes.self)
      expectWhole(all, \.int, \.optInt)
      expectWhole(all, \.int8, \.optInt8)
      expectWhole(all, \.int64, \.optInt64)
      expectWhole(all, \.uint8, \.optUInt8)
      expectWhole(all, \.uint64, \.optUInt64)
      expectWhole(all.where { $0.id < 3 }, \.int, \.optInt)
      expectWhole(all.where { $0.id < 3 }, \.uint64, \.optUInt64)
      expectWhole(all.where { $0.id < 0 }, \.int, \.optInt)
      for some in [all, all.where { $0.id < 3 }, all.where { $0.id < 0 }] {
        expectDoubles(some)
        expectDecimals(some)
      }
    }
  }

  private static func fill(_ thing: AllTypes, _ random: inout SeededRandom) {
    func whole<T: FixedWidthInteger>() -> T {
      switch random.below(4) {
      case 0: .min
      case 1: .max
      default: T(truncatingIfNeeded: random.next())
      }
    }
    thing.int = whole()
    thing.int8 = whole()
    thing.int64 = whole()
    thing.uint8 = whole()
    thing.uint64 = whole()
    thing.optInt = random.once(in: 3) ? nil : whole()
    thing.optInt8 = random.once(in: 3) ? nil : whole()
    thing.optInt64 = random.once(in: 3) ? nil : whole()
    thing.optUInt8 = random.once(in: 3) ? nil : whole()
    thing.optUInt64 = random.once(in: 3) ? nil : whole()
    // Extreme values are rare, because one infinity would hide all other values in a sum.
    let doubles = random.once(in: 100) ? Self.doubles : Array(Self.doubles.prefix(4))
    thing.double = doubles[random.below(doubles.count)]
    thing.optDouble = random.once(in: 3) ? nil : doubles[random.below(doubles.count)]
    thing.decimal = decimals[random.below(decimals.count)]
    thing.optDecimal = random.once(in: 3) ? nil : decimals[random.below(decimals.count)]
  }

  private func expectWhole<T: FixedWidthInteger & ScalarValue>(
    _ results: Results<AllTypes>, _ attribute: KeyPath<AllTypes, T>,
    _ optional: KeyPath<AllTypes, T?>
  ) {
    let values = results.map { $0[keyPath: attribute] }
    let some = results.compactMap { $0[keyPath: optional] }
    func sum(_ values: [T]) -> Int128 { values.reduce(0) { $0 + Int128($1) } }
    #expect(results.sum(of: attribute) == T(clamping: sum(values)))
    #expect(results.sum(of: optional) == T(clamping: sum(some)))
    #expect(
      results.min(of: attribute) == values.min() && results.max(of: attribute) == values.max())
    #expect(results.min(of: optional) == some.min() && results.max(of: optional) == some.max())
    func average(_ values: [T]) -> Double? {
      values.isEmpty ? nil : Double(sum(values)) / Double(values.count)
    }
    #expect(results.average(of: attribute) == average(values))
    #expect(results.average(of: optional) == average(some))
  }

  private func expectDoubles(_ results: Results<AllTypes>) {
    let values = results.map(\.double)
    let some = results.compactMap(\.optDouble)
    func isSame(_ a: Double?, _ b: Double?) -> Bool {
      a == b || (a?.isNaN ?? false) && (b?.isNaN ?? false)
    }
    #expect(isSame(results.sum(of: \.double), values.reduce(0, +)))
    #expect(isSame(results.sum(of: \.optDouble), some.reduce(0, +)))
    #expect(
      isSame(
        results.average(of: \.optDouble),
        some.isEmpty ? nil : some.reduce(0, +) / Double(some.count)))
    let numbers = some.filter { !$0.isNaN }
    #expect(isSame(results.min(of: \.optDouble), numbers.min() ?? some.first))
    #expect(
      isSame(results.max(of: \.optDouble), numbers.count < some.count ? .nan : numbers.max()))
  }

  private func expectDecimals(_ results: Results<AllTypes>) {
    let values = results.map(\.decimal)
    let some = results.compactMap(\.optDecimal)
    #expect(results.sum(of: \.decimal) == values.reduce(0, +))
    #expect(results.sum(of: \.optDecimal) == some.reduce(0, +))
    #expect(
      results.min(of: \.decimal) == values.min() && results.max(of: \.decimal) == values.max())
    #expect(
      results.min(of: \.optDecimal) == some.min() && results.max(of: \.optDecimal) == some.max())
    let average = some.isEmpty ? nil : some.reduce(0, +) / Decimal(some.count)
    #expect(results.average(of: \.optDecimal) == average.flatMap { Double($0.description) })
  }

  @Test(arguments: Self.seeds)
  func `sums and averages in conditions equal those computed from the elements`(_ seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    let store = try Store()
    let largest = [Int.max, .min, 0, 1, -1, 1 << 53]
    try store.write {
      for id in 0..<60 {
        let thing = try store.create(AllTypes.self, value: ["id": .init(id)])
        for _ in 0..<random.below(5) { thing.ints.append(largest[random.below(6)]) }
        for _ in 0..<random.below(4) { thing.optInts.append(random.once(in: 3) ? nil : 7) }
      }
    }
    let all = store.objects(AllTypes.self)
    let things = Array(all)
    func sum(_ thing: AllTypes) -> Int128 { thing.ints.reduce(0) { $0 + Int128($1) } }
    for bound in [Int.max, .min, 0, 1, 1 << 53 + 1] {
      #expect(
        try all.filter("ints.@sum > %@", bound).map(\.id)
          == things.filter { sum($0) > bound }.map(\.id))
    }
    #expect(
      try all.filter("optInts.@avg == 7").map(\.id)
        == things.filter { $0.optInts.contains(7) }.map(\.id))
    #expect(try all.filter("ints.@sum == 0").map(\.id) == things.filter { sum($0) == 0 }.map(\.id))
  }
}
