import StoreDatabase
import TestSupport
import Testing

@testable import ObjectStore

private final class Shelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var names: List<String?>
  @Persisted var members: MutableSet<Int>
  @Persisted var prices: Map<String, Int?>
}

/// Counts the rows of SQLite that a commit inserts, updates and deletes, instead of measuring time. R16
@Suite struct `The rows that a commit writes for a collection` {
  private static let count = 1_000
  /// Each commit updates the row of its class in the catalog.
  private static let catalogRows = 1
  private let folder: TemporaryFolder
  private let store: ObjectStore.Store
  private let shelf = Shelf()

  init() throws {
    folder = try TemporaryFolder()
    store = try ObjectStore.Store(configuration: .file(folder.file("shelf.store")))
    shelf.numbers = List(0..<Self.count)
    shelf.names = List((0..<Self.count).map { "name \($0)" })
    shelf.members = MutableSet((0..<Self.count).map { $0 * 2 })
    shelf.prices = Map(
      Dictionary(uniqueKeysWithValues: (1_000..<1_000 + Self.count).map { ("\($0)", $0) }))
    try store.write { try store.add(shelf) }
  }

  /// The rows that a commit writes to the tables of the collections.
  private func rows(_ edit: () throws -> Void) throws -> Int {
    let file = try #require(store.handle.engine.commitLog as? StoreFile)
    let before = file.database.changedRowCount
    try store.write(edit)
    return file.database.changedRowCount - before - Self.catalogRows
  }

  @Test func `a commit writes only the rows of list elements that differ`() throws {
    #expect(try rows { shelf.numbers[5] = -1 } == 1)
    #expect(try rows { shelf.numbers.swapAt(0, 990) } == 2)
    #expect(try rows { shelf.numbers.move(from: 10, to: 12) } == 3)
    #expect(try rows { shelf.numbers.append(7) } == 1)
    #expect(try rows { shelf.numbers.removeLast() } == 1)
    #expect(try rows { for index in 400..<500 { shelf.numbers[index] = 0 } } == 100)
    #expect(try rows { shelf.names[3] = nil } == 1)
    #expect(try rows { shelf.names.append("last") } == 1)
    #expect(
      try rows {
        shelf.names[0] = "first"
        shelf.names.removeLast(5)
      } == 6)
  }

  @Test func `a commit writes only the rows of map entries that differ`() throws {
    #expect(try rows { shelf.prices["1003"] = 5 } == 1)
    #expect(try rows { shelf.prices["1004"] = .some(nil) } == 1)
    #expect(
      try rows {
        shelf.prices["1003"] = nil
        shelf.prices["1003x"] = 6
      } == 1)
    #expect(try rows { shelf.prices["9"] = 1 } == 1)
  }

  @Test func `a commit writes only the rows of set positions whose elements differ`() throws {
    #expect(try rows { shelf.members.insert(5_000) } == 1)
    #expect(
      try rows {
        shelf.members.remove(10)
        shelf.members.insert(11)
      } == 1)
    #expect(
      try rows {
        shelf.members.remove(20)
        shelf.members.insert(31)
      } == 6)
  }

  @Test func `a commit rewrites all rows after the position where elements move`() throws {
    #expect(try rows { shelf.numbers.remove(at: 900) } == 100 + 99)
    #expect(try rows { shelf.members.remove(1_800) } == 100 + 99)
    #expect(try rows { shelf.numbers.reverse() } == 2 * 999)
  }
}
