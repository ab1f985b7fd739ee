import Foundation
import ObjectStore
import StoreCoding
import Testing

private enum Depot {
  final class Box: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note = ""
    @Persisted var parts: List<Box>
  }
}

@Suite struct `Complete lists in streams` {
  private typealias Box = Depot.Box
  private let coder: StoreCoder
  private var store: Store { coder.store }

  init() throws {
    coder = try makeCoder()
    try coder.decodeArray(Box.self, #"[{"id":1},{"id":2},{"id":3,"parts":[{"id":4}]},{"id":5}]"#)
  }

  private var ids: [Int] { store.objects(Box.self).map(\.id).sorted() }

  @Test(arguments: cuts)
  func `objects that a stream lacks are removed at the end`(chunk: Int, batch: Int) async throws {
    let text = #"{"next":null,"items":[{"id":2},{"id":7},{"id":3,"note":"c"},{"id":7,"note":"x"}]}"#
    let pages = try coder.pages(
      of: Box.self, at: "items", complete: .all, guard: ListGuard(morePaths: ["next"]))
    let summary = try await pages.readAll(from: CutBytes(text.utf8, every: chunk), size: batch)
    #expect((summary.elementCount, summary.inserted) == (4, 1))
    #expect(ids == [1, 2, 3, 4, 5, 7])
    #expect(try pages.finish() == 3)
    #expect(ids == [2, 3, 7])
  }

  @Test func `a stream that is cut at any byte removes nothing`() async throws {
    let text = #"{"items":[{"id":2},{"id":3}],"next":1}"#
    for count in 0..<text.utf8.count {
      let pages = try coder.pages(of: Box.self, at: "items", complete: .all)
      let bytes = CutBytes(text.utf8.prefix(count), every: 5)
      await #expect(throws: StoreCodingError.self) { try await pages.readAll(from: bytes, size: 1) }
      #expect(
        message { _ = try pages.finish() }
          == "the list may be incomplete: one of its pages was refused")
      #expect(ids == [1, 2, 3, 4, 5])
    }
  }

  @Test func `a value after the list that indicates more refuses the end`() async throws {
    let pages = try coder.pages(
      of: Box.self, at: "items", complete: .all, guard: ListGuard(morePaths: ["next"]))
    let text = #"{"items":[{"id":2},{"id":3}],"next":"p2"}"#
    try await pages.readAll(from: CutBytes(text.utf8, every: 4))
    #expect(
      message { _ = try pages.finish() }.hasPrefix(
        #"(Box): the list may be incomplete: 'next' is "p2"; it would remove Box 1, Box 4, Box 5"#))
    #expect(
      message { _ = try pages.finish() }
        == "the list may be incomplete: its end was refused before")
    #expect(ids == [1, 2, 3, 4, 5])
  }

  @Test(arguments: ["", "[]", "\n"])
  func `an empty stream is refused like an empty list`(text: String) async throws {
    let pages = try coder.pages(of: Box.self, complete: .all)
    do {
      try await pages.readAll(from: CutBytes(text.utf8, every: 4))
    } catch {
      #expect(text != "[]")
    }
    #expect(throws: StoreCodingError.self) { try pages.finish() }
    #expect(ids == [1, 2, 3, 4, 5])
  }

  @Test func `the elements of a stream become the list of an owner`() async throws {
    let owner = try #require(store.object(ofType: Box.self, forPrimaryKey: 3))
    let pages = try coder.pages(of: Box.self, complete: .of(owner, \.parts))
    try await pages.readAll(from: CutBytes("{\"id\":9}\n{\"id\":1}\n".utf8, every: 3), size: 1)
    #expect(try pages.finish() == 1)
    #expect(owner.parts.map(\.id) == [9, 1])
    #expect(ids == [1, 2, 3, 5, 9])
  }

  @Test func `a stream can be one of several pages of a class given by its name`() async throws {
    let pages = try coder.pages(
      of: DynamicObject.self, dynamic: "Box", complete: .filter("id < %@", 4))
    try pages.read(Data(#"[{"id":1}]"#.utf8))
    try await pages.readAll(from: CutBytes(#"[{"id":3}]"#.utf8, every: 2))
    #expect(try pages.finish() == 1)
    #expect(ids == [1, 3, 4, 5])
  }

  @Test func `an element outside the scope ends the stream and its batch is not applied`()
    async throws
  {
    let pages = try coder.pages(of: Box.self, complete: .where { $0.id < 4 })
    let text = #"[{"id":1,"note":"n"},{"id":8},{"id":2}]"#
    let error = await #expect(throws: StoreCodingError.self) {
      try await pages.readAll(from: CutBytes(text.utf8, every: 9), size: 1)
    }
    #expect(
      error?.description.hasPrefix("(Box): the list may be incomplete: Box 8 is outside") == true)
    #expect(store.object(ofType: Box.self, forPrimaryKey: 1)?.note == "n")
    #expect(ids == [1, 2, 3, 4, 5])
  }

  /// Calls a closure before each chunk.
  private struct Interrupted: AsyncSequence {
    let body: () -> Void

    func makeAsyncIterator() -> Iterator { Iterator(body: body) }

    struct Iterator: AsyncIteratorProtocol {
      let body: () -> Void
      var rest = [#"[{"id":2},"#, #"{"id":3}]"#].map { Array($0.utf8) }[...]

      mutating func next() async -> [UInt8]? {
        body()
        return rest.popFirst()
      }
    }
  }

  @Test func `a stream whose batches are rolled back while it is read removes nothing`()
    async throws
  {
    let pages = try coder.pages(of: Box.self, complete: .all)
    var count = 0
    try store.beginWrite()
    try await pages.readAll(
      from: Interrupted {
        count += 1
        if count == 2 { store.cancelWrite() }
      }, size: 1)
    #expect(
      message { _ = try pages.finish() }
        == "the list may be incomplete: the write with one of its pages was rolled back")
    #expect(ids == [1, 2, 3, 4, 5])
  }

  @Test func `a list cannot be finished while a stream is read`() async throws {
    let pages = try coder.pages(of: Box.self, complete: .all)
    var messages: Set<String> = []
    try await pages.readAll(
      from: Interrupted { messages.insert(message { _ = try pages.finish() }) }, size: 1)
    #expect(messages == ["the list may be incomplete: one of its pages is still being read"])
    #expect(try pages.finish() == 3)
  }
}
