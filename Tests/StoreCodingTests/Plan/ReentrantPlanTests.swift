import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import StoreCoding

/// Classes, one of which decodes an object while declaring its keys.
private enum Reentrant {
  final class Author: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var book: Book?
    @Persisted var books: List<Book>

    // Unsafe: used by a single thread of a separate process.
    nonisolated(unsafe) static var hook: (() throws -> Void)?

    override class var codableKeys: [String: String] {
      let hook = hook
      Self.hook = nil
      do { try hook?() } catch { Issue.record(error) }
      return [:]
    }
  }

  final class Book: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var next: Book?
  }
}

@Suite struct `Declarations that use their own coder` {
  @Test func `a declaration that decodes a linked class does not duplicate its mapping`() async {
    await #expect(processExitsWith: .success) {
      let coder = try makeCoder()
      // Registers the class with the store, so that only the coder reads its declarations again.
      #expect(coder.store.objects(Reentrant.Author.self).isEmpty)
      Reentrant.Author.hook = { try coder.decode(Reentrant.Book.self, #"{"id":7}"#) }
      let author = try coder.decode(
        Reentrant.Author.self,
        #"{"id":1,"book":{"id":2,"next":{"id":3}},"books":[{"id":4}]}"#)
      #expect(author.book?.next?.id == 3 && author.books.map(\.id) == [4])
      let kept = try coder.codingPlan(Reentrant.Book.self)
      let targets = try coder.codingPlan(Reentrant.Author.self).fields.compactMap(\.linkedPlan)
      #expect(targets.count == 2)
      #expect(targets.allSatisfy { $0.toOpaque() == Unmanaged.passUnretained(kept).toOpaque() })
    }
  }

  @Test func `a declaration may decode objects of its own class`() async {
    await #expect(processExitsWith: .success) {
      let coder = try makeCoder()
      #expect(coder.store.objects(Reentrant.Author.self).isEmpty)
      Reentrant.Author.hook = {
        try coder.decode(Reentrant.Author.self, #"{"id":7,"book":{"id":1}}"#)
      }
      try coder.decode(Reentrant.Author.self, #"{"id":1,"book":{"id":2}}"#)
      #expect(try coder.encode(coder.store.objects(Reentrant.Author.self)[0]).isEmpty == false)
      let kept = try coder.codingPlan(Reentrant.Book.self)
      let target = try coder.codingPlan(Reentrant.Author.self).fields[1].linkedPlan
      #expect(target?.toOpaque() == Unmanaged.passUnretained(kept).toOpaque())
    }
  }
}
