import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// R8: 64-bit keys preserve the order of values.
@Suite struct `Index keys` {
  /// Checks every pair of values: the preceding one has no greater key, and equal values have the same key.
  private func check<T>(
    _ values: [T], _ precedes: (T, T) -> Bool, sourceLocation: SourceLocation = #_sourceLocation,
    _ key: (T) -> UInt64
  ) {
    for a in values {
      #expect(key(a) != IndexKey.null, "\(a)", sourceLocation: sourceLocation)
      for b in values {
        if precedes(a, b) {
          #expect(key(a) <= key(b), "\(a), \(b)", sourceLocation: sourceLocation)
        } else if !precedes(b, a) {
          #expect(key(a) == key(b), "\(a), \(b)", sourceLocation: sourceLocation)
        }
      }
    }
  }

  @Test func `index keys preserve the order of signed integers`() {
    var values: [Int64] = [.min, .min + 1, .max - 1, .max] + (-3...3)
    for bit in 0..<63 { values += [1 << bit, -1 << bit, (1 << bit) - 1, ~(1 << bit)] }
    check(values, <) { IndexKey.signed.key(word: UInt64(bitPattern: $0)) }
    // All but the two largest have distinct keys.
    let keys = Set(values.map { IndexKey.signed.key(word: UInt64(bitPattern: $0)) })
    #expect(keys.count == Set(values).count - 1)
  }

  @Test func `index keys preserve the order of unsigned integers`() {
    var values: [UInt64] = [0, 1, 2, .max - 1, .max]
    for bit in 0..<64 { values += [1 << bit, (1 << bit) - 1, ~(1 << bit)] }
    check(values, <) { IndexKey.unsigned.key(word: $0) }
  }

  @Test func `index keys preserve the order of Doubles, with -0 equal to 0 and NaN last`() {
    var values = [0.0, .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, 1, 1.5, 3, 0x1p63]
    values += [1e300, .greatestFiniteMagnitude, .infinity]
    values += values.map { -$0 }
    check(values, <) { IndexKey.double.key(word: $0.bitPattern) }
    let nans: [Double] = [.nan, -.nan, .signalingNaN, Double(bitPattern: .max)]
    for nan in nans {
      #expect(IndexKey.double.key(word: nan.bitPattern) == .max)
    }
    #expect(IndexKey.key(.infinity) < .max)
  }

  @Test func `index keys preserve the order of Booleans and strings`() {
    check([0, 1] as [UInt64], <) { IndexKey.byte.key(word: $0) }
    var texts: [[UInt8]] = [[]]
    // Every string of up to three of these bytes, and longer ones.
    for _ in 0..<3 { texts += texts.flatMap { text in [0, 1, 97, 254, 255].map { text + [$0] } } }
    texts = Array(Set(texts))
    for length in 6...10 {
      texts += [[UInt8](repeating: 97, count: length), [UInt8](repeating: 255, count: length)]
    }
    func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }
    for a in texts {
      let key = a.withUnsafeBytes { IndexKey.key($0) }
      let last = a.withUnsafeBytes { IndexKey.key($0, filler: 255) }
      #expect(key != IndexKey.null && key <= last)
      for b in texts {
        let other = b.withUnsafeBytes { IndexKey.key($0) }
        if precedes(a, b) { #expect(key <= other, "\(a), \(b)") }
        if b.starts(with: a) { #expect((key...last).contains(other), "\(a), \(b)") }
      }
    }
  }

  @Test func `every type except decimal, data, URL and JSON has index keys`() {
    let without = ScalarKind.allCases.filter { IndexKey($0) == nil }
    #expect(without == [.decimal, .data, .url, .json])
  }
}

/// R8: indexes are updated at the commit.
@Suite struct `Indexes` {
  @Test func `indexes are built by the first commit that leaves rows`() throws {
    let store = try Store()
    try store.write {
      let animal = try store.create(EngineAnimal.self, value: ["id": 1])
      store.delete(animal)
    }
    #expect(
      try store.tableVersion(EngineAnimal.self).indexes.columns.values.allSatisfy { $0.count == 0 })
    try store.write { try store.create(EngineAnimal.self, value: ["id": 2]) }
    let indexes = try store.tableVersion(EngineAnimal.self).indexes.columns
    #expect(indexes.count == 3)
    #expect(indexes.values.allSatisfy { $0.count == 1 })
    store.checkInvariants()
  }

  @Test(arguments: [1, 30, 600])
  func `indexes are correct after insertions, changes, deletions and rollbacks`(count: Int) throws {
    let store = try Store()
    try store.write {
      for id in 0..<1_000 {
        try store.create(EngineAnimal.self, value: ["id": .init(id), "legs": .init(id % 7)])
      }
    }
    store.checkInvariants()
    let before = store.objects(EngineAnimal.self).frozen()
    let old = before.handle.tableVersion(try store.handle.entry(EngineAnimal.self).table)
    let oldPairs = old.indexes.columns.mapValues { $0.pairs.map { [$0.key, UInt64($0.slot)] } }
    try store.write {
      for id in 0..<count {
        try store.create(
          EngineAnimal.self, value: ["id": .init(2_000 + id), "name": .init("n\(id)")])
        try store.animal(id).legs = -id
        if id % 3 == 0 { store.delete(try store.animal(999 - id / 3)) }
      }
      try store.write { try store.animal(0).name = "in a savepoint" }
      store.undone { try store.animal(0).legs = 77 }
    }
    store.checkInvariants()
    #expect(
      old.indexes.columns.mapValues { $0.pairs.map { [$0.key, UInt64($0.slot)] } } == oldPairs)
    store.undone {
      for animal in store.objects(EngineAnimal.self) { animal.legs = 5 }
    }
    store.checkInvariants()
    try store.write { store.delete(store.objects(EngineAnimal.self)) }
    store.checkInvariants()
    try store.write { try store.create(EngineAnimal.self, value: ["id": 3]) }
    store.checkInvariants()
  }

  @Test func `a frozen view taken inside a write has outdated indexes after a change`() throws {
    let store = try Store()
    try store.write { try store.create(EngineAnimal.self, value: ["id": 1]) }
    try store.write {
      try store.animal(1).legs = 9
      let frozen = store.objects(EngineAnimal.self).frozen()
      let table = try store.handle.entry(EngineAnimal.self).table
      #expect(!frozen.handle.tableVersion(table).areIndexesCurrent)
    }
    #expect(try store.tableVersion(EngineAnimal.self).areIndexesCurrent)
  }

  @Test func `changes to the 64th and later attributes update their indexes`() throws {
    let wide = ObjectSchema(
      "Wide",
      [Property("id", .int, isPrimaryKey: true)]
        + (0..<80).map { Property("a\($0)", .int, isIndexed: $0 == 5 || $0 >= 70) })
    let store = try Store(configuration: .inMemory(), schemas: [wide])
    try store.write {
      for id in 0..<100 { try store.create(dynamic: "Wide", value: ["id": .init(id)]) }
    }
    try store.write {
      let object = try #require(try store.object(dynamic: "Wide", forPrimaryKey: 3))
      object["a71"] = 4
      object["a79"] = 5
      object["a5"] = 6
    }
    store.checkInvariants()
  }
}
