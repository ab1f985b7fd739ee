import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Elements are inserted several at a time, those of several objects together.
@Suite struct `Elements inserted into a file` {
  /// Around the number of elements of one statement, and more than are collected.
  private static let counts = [0, 1, 15, 16, 17, 31, 32, 33, 4_095, 4_097]

  private static func fill(_ object: AllTypes, _ count: Int, _ seed: Int) {
    let numbers = (0..<count).map { $0 &* 31 &+ seed }
    object.ints = List(numbers)
    object.doubles = List(
      numbers.map { $0 % 7 == 0 ? .nan : $0 % 5 == 0 ? -0.0 : Double($0) / 3 })
    object.decimals = List(numbers.map { Decimal($0) / 4 })
    object.datas = List(
      numbers.map { Data(repeating: UInt8(truncatingIfNeeded: $0), count: $0 % 3) })
    object.jsons = List(numbers.map { ["n": .int(Int64($0)), "t": .string("t\($0)")] })
    object.uuids = List(numbers.map { Self.uuid($0) })
    object.optStrings = List(numbers.map { $0 % 3 == 0 ? nil : "text \($0)" })
    object.intSet = MutableSet(numbers)
    object.optStringMap = Map(
      Dictionary(
        uniqueKeysWithValues: numbers.map { ("key \($0)", $0 % 4 == 0 ? nil : "\($0)") }))
  }

  private static func uuid(_ number: Int) -> UUID {
    UUID(uuidString: "00000000-0000-0000-0000-" + String(format: "%012d", number)) ?? UUID()
  }

  private static func text(_ object: AllTypes) -> [String] {
    [
      "\(Array(object.ints))", "\(object.doubles.map(\.bitPattern))", "\(Array(object.decimals))",
      "\(object.datas.map { Array($0) })", "\(Array(object.jsons))", "\(Array(object.uuids))",
      "\(Array(object.optStrings))", "\(object.intSet.sorted())",
      "\(object.optStringMap.map { "\($0.key) \($0.value ?? "nil")" })",
    ]
  }

  @Test func `collections of any length are read back from the file`() throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(folder.file("elements.store"))
    var expected: [[String]] = []
    do {
      let store = try ObjectStore.Store(configuration: configuration)
      try store.write {
        for (id, count) in Self.counts.enumerated() {
          Self.fill(try store.create(AllTypes.self, value: ["id": .init(id)]), count, id)
        }
      }
      // Longer, shorter and equal collections, a deleted object and one in its row, in one commit.
      try store.write {
        let objects = Array(store.objects(AllTypes.self))
        for (index, object) in objects.enumerated() where index % 2 == 0 {
          Self.fill(object, Self.counts[(index + 3) % Self.counts.count], index)
        }
        store.delete(objects[1])
        Self.fill(try store.create(AllTypes.self, value: ["id": 100]), 40, 7)
      }
      expected = store.objects(AllTypes.self).sorted(by: \.id).map { Self.text($0) }
    }
    let store = try ObjectStore.Store(configuration: configuration)
    #expect(store.objects(AllTypes.self).sorted(by: \.id).map { Self.text($0) } == expected)
    #expect(store.damage.isEmpty && expected.count == Self.counts.count)
  }
}
