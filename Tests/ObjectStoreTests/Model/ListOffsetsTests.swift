import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Removing list elements at offsets` {
  final class Shelf: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var books: List<String>
  }

  @Test func `removing elements at offsets keeps the order of the others`() throws {
    let store = try Store()
    let shelf = Shelf()
    shelf.books = ["a", "b", "c", "d", "e"]
    shelf.books.remove(atOffsets: [0])
    #expect(Array(shelf.books) == ["b", "c", "d", "e"])
    try store.write { try store.add(shelf) }
    try store.write { shelf.books.remove(atOffsets: IndexSet([0, 2, 3])) }
    #expect(Array(shelf.books) == ["c"])
    try store.write { shelf.books.remove(atOffsets: []) }
    #expect(Array(shelf.books) == ["c"])
  }

  @Test func `removing an element at an offset out of range is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      List(["a"]).remove(atOffsets: [1])
    }
    result.says("List index must be in 0..<1 (was 1)")
  }
}
