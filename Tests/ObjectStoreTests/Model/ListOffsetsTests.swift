import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Removing elements of a list by their offsets` {
  final class Shelf: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var books: List<String>
  }

  @Test func `the elements at the offsets are removed and the others keep their order`() throws {
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

  @Test func `an offset that the list does not have is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      List(["a"]).remove(atOffsets: [1])
    }
    result.says("List index must be < 1 (was 1)")
  }
}
