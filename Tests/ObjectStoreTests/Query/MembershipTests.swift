import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Membership queries` {
  final class Coin: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name = ""
    @Persisted(indexed: true) var mint: UUID?
    @Persisted(indexed: true) var weight = 0.0
    @Persisted var mark = ""
    @Persisted var struck: Date?
  }

  private static let numbers: [(any Sendable)?] = [
    nil, 0, 1, -1, 2, Int.max, UInt64.max, UInt64(1) << 63, 9_007_199_254_740_993,
    -0.0, 0.1, 0.5, Double(Float(0.1)), 9_007_199_254_740_992.0, 0x1p63, 0x1p64, 1e22, 1e200,
    -1e200,
    Double.infinity, Double.nan, 1e-300, Decimal(string: "0.1"), Decimal(string: "0.5"), Decimal(2),
    Decimal(string: "9223372036854775808"), Decimal(string: "9223372036854776000"),
    Decimal(string: "0.1000000000000000055"), Decimal(string: "10000000000000000000000"),
    Decimal(string: "1e100"),
  ]

  @Test func `IN matches numbers of any type exactly as == does`() throws {
    let store = try Store()
    try store.write {
      for (id, value) in Self.numbers.enumerated() {
        let thing = try store.create(AllTypes.self, value: ["id": .init(id)])
        switch value {
        case let value as Int:
          (thing.int, thing.optInt, thing.int8) = (value, value, Int8(clamping: value))
        case let value as UInt64: thing.uint64 = value
        case let value as Double:
          (thing.double, thing.optDouble, thing.float) = (value, value, Float(value))
        case let value as Decimal: (thing.decimal, thing.optDecimal) = (value, value)
        default: break
        }
        thing.doubleSet = [thing.double, 1]
      }
    }
    let things = store.objects(AllTypes.self)
    for name in [
      "int8", "int", "optInt", "uint64", "float", "double", "optDouble", "decimal",
      "optDecimal", "doubleSet.@count", "doubleSet.@max", "doubleSet.@sum", "doubleSet.@avg",
    ] {
      var several: Set<Int> = []
      for value in Self.numbers {
        let alike = try things.filter("\(name) == %@", value).map(\.id)
        #expect(try things.filter("\(name) IN %@", [value]).map(\.id) == alike, "\(name) \(value)")
        several.formUnion(alike)
      }
      #expect(
        try things.filter("\(name) IN %@", Self.numbers).map(\.id) == several.sorted(), "\(name)")
    }
  }

  @Test func `IN matches strings, data, dates, UUIDs, Booleans and objects`() throws {
    let store = try Store()
    let uuids = (0..<6).map { _ in UUID() }
    try store.write {
      let jo = try store.create(Leaf.self, value: ["id": "jo", "name": "Jö"])
      for id in 0..<6 {
        let thing = try store.create(AllTypes.self, value: ["id": .init(id)])
        thing.string = ["ant", "Bée", "", "ANT", "a\u{301}", "\u{e1}"][id]
        thing.optString = id == 2 ? nil : thing.string
        (thing.uuid, thing.data) = (uuids[id], Data([UInt8(id)]))
        thing.date = Date(timeIntervalSinceReferenceDate: id == 0 ? -0.0 : Double(id))
        thing.bool = id > 3
        thing.leaf = id == 4 ? jo : nil
        thing.strings.append(thing.string)
      }
    }
    let things = store.objects(AllTypes.self)
    func ids(_ format: String, _ values: [Any?]) throws -> [Int] {
      try things.filter(StorePredicate(format, arguments: [values])).map(\.id)
    }
    #expect(try ids("string IN %@", ["ant", "\u{e1}", "x"]) == [0, 5])
    #expect(try ids("string IN[c] %@", ["Ant"]) == [0, 3])
    #expect(try ids("string IN[cd] %@", ["BEE", "A"]) == [1, 4, 5])
    #expect(try ids("string IN[d] %@", ["Bee"]) == [1])
    #expect(try ids("optString IN %@", ["Bée", nil]) == [1, 2])
    #expect(try ids("NOT optString IN %@", ["Bée", nil]) == [0, 3, 4, 5])
    #expect(try ids("uuid IN %@", [uuids[2], uuids[5].uuidString, UUID()]) == [2, 5])
    #expect(try ids("data IN %@", [Data([1]), Data()]) == [1])
    #expect(
      try ids("date IN %@", [0.0, 3, .nan].map { Date(timeIntervalSinceReferenceDate: $0) })
        == [0, 3])
    #expect(try ids("bool IN %@", [true, nil]) == [4, 5])
    #expect(try ids("leaf.name IN %@", ["Jö"]) == [4])
    #expect(try ids("leaf.name IN[d] %@", ["Jo", nil]) == [0, 1, 2, 3, 4, 5])
    #expect(try ids("leaf IN %@", [store.objects(Leaf.self).first]) == [4])
    #expect(try ids("leaf IN %@", [nil]) == [0, 1, 2, 3, 5])
    #expect(try ids("ANY strings IN[c] %@", ["ANT"]) == [0, 3])
    #expect(try ids("string IN %@", []) == [])
    let error = #expect(throws: StoreError.self) { try ids("string IN %@", ["a", 3]) }
    #expect(error?.description == "AllTypes.string: expected a string, found Int 3")
  }

  private func makeCoins(_ count: Int) throws -> Store {
    let store = try Store()
    try store.write {
      for id in 0..<count {
        let coin = try store.create(Coin.self, value: ["id": .init(id)])
        (coin.name, coin.mark, coin.weight) = ("coin \(id)", "mark \(id)", Double(id) / 2)
        if id % 2 == 0 { coin.mint = UUID() }
      }
    }
    return store
  }

  @Test func `IN uses an index unless a scan is faster`() throws {
    let coins = try makeCoins(1_000).objects(Coin.self)
    func line(_ results: Results<Coin>) -> String {
      let line = results.explainQuery().prefix { $0 != "\n" }
      let ends = line.split(separator: ",", maxSplits: 1)[0]
      return "\(ends) … \(line.split(separator: ":").last ?? "")"
    }
    let names = (0..<600).map { "\($0) coin" }
    #expect(
      line(coins.where { $0.name.in(names.prefix(100)) }) == "Coin: index on name …  0 candidates")
    #expect(line(coins.where { $0.name.in(names) }).hasPrefix("Coin: every row"))
    #expect(line(coins.where { $0.weight.in([1, 1.5, 1e9]) }).hasPrefix("Coin: index on weight"))
    #expect(
      line(coins.where { $0.weight.in((2_000..<2_600).map(Double.init)) }).hasPrefix(
        "Coin: every row"))
    #expect(line(coins.where { $0.id.in(2_000..<2_100) }).hasPrefix("Coin: key id"))
    #expect(line(coins.where { $0.id.in(2_000..<2_600) }).hasPrefix("Coin: every row"))
    let mints = coins.compactMap(\.mint)
    #expect(coins.where { $0.mint.in(mints.prefix(7)) }.map(\.id) == [0, 2, 4, 6, 8, 10, 12])
    #expect(line(coins.where { $0.mint.in(mints.prefix(7)) }).hasPrefix("Coin: index on mint"))
    #expect(try coins.filter("mint IN %@", [mints[0], nil]).count == 501)
  }

  @Test func `IN with 4,000 values is not proportionally slower than with 40`() throws {
    let coins = try makeCoins(4_000).objects(Coin.self)
    let texts = (0..<4_000).map { "mark \($0 * 2)" }
    let dates = texts.indices.map { Date(timeIntervalSince1970: Double($0)) }
    #expect(coins.where { $0.mark.in(texts) }.count == 2_000)
    let few = (
      threadSeconds { _ = coins.where { $0.mark.in(texts.prefix(40)) }.count },
      threadSeconds { _ = coins.where { $0.struck.in(dates.prefix(40)) }.count }
    )
    // Comparing with each value would take a hundred times as long.
    #expect(threadSeconds { _ = coins.where { $0.mark.in(texts) }.count } < 20 * few.0)
    #expect(threadSeconds { _ = coins.where { $0.struck.in(dates) }.count } < 20 * few.1)
  }
}
