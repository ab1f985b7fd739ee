import Testing
import TestSupport

@testable import ObjectStore

enum ContentSets {
  final class Board: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var notes: MutableSet<Note>
    @Persisted var byName: Map<String, Note?>
    @Persisted var words: Map<String, Int>
  }

  final class Note: Object {
    @Persisted var text: String
    @Persisted var stars: Int?
    @Persisted var made = Made.next()
    @Persisted var tone = "plain"
    @Persisted var marks: List<Int>
    @Persisted var bag: MutableSet<Int>
    @Persisted var words: Map<String, Int>
    @Persisted var friends: List<Friend>
    @Persisted var pile: MutableSet<Note>
    @Persisted var answer: Note?
    @Persisted var answers: List<Note>
  }

  final class Friend: Object {
    @Persisted(primaryKey: true) var id: Int
  }

  /// A default that differs each time.
  enum Made {
    @TaskLocal static var counter = Counter()
    final class Counter: @unchecked Sendable {
      // Sendable: each test has its own counter and is a single task.
      var value = 0
    }
    static func next() -> Int {
      counter.value += 1
      return counter.value
    }
  }
}

@Suite struct `Sets of content` {
  typealias Board = ContentSets.Board
  typealias Note = ContentSets.Note

  let store: Store

  init() throws { store = try Store() }

  private func write(_ notes: [UpdateValue], id: Int64 = 1) throws -> (steps: Int, didChange: Bool)
  {
    let before = store.version
    var steps = 0
    try ContentSets.Made.$counter.withValue(.init()) {
      try store.write(as: .server) {
        let transaction = try #require(store.handle.transaction)
        try store.create(
          Board.self, value: ["id": .int(id), "notes": .array(notes)], update: .modified)
        steps = transaction.contentComparisons
      }
    }
    store.checkInvariants()
    return (steps, store.version != before)
  }

  private func note(_ index: Int, _ more: UpdateDictionary = [:]) -> UpdateValue {
    var note: UpdateDictionary = ["text": .string("note \(index)")]
    for (name, value) in more { note[name] = value }
    return .object(note)
  }

  private var texts: [String] {
    store.objects(Board.self).first.map { $0.notes.map(\.text).sorted() } ?? []
  }

  @Test func `an update of a set matches equal elements in any order, at linear cost`() throws {
    let notes = (0..<1000).map { note($0) }
    #expect(try write(notes).didChange)
    let again = try write(notes)
    #expect(!again.didChange)
    #expect(again.steps <= 2000)

    let turned = try write(notes.reversed())
    #expect(!turned.didChange)
    #expect(turned.steps <= 5000)

    let half = try write((500..<1500).reversed().map { note($0) })
    #expect(half.didChange)
    #expect(half.steps <= 6000)
    #expect(store.objects(Note.self).count == 1000)
    #expect(texts == (500..<1500).map { "note \($0)" }.sorted())
  }

  @Test func `an updated set has as many equal elements as the update`() throws {
    let notes = [UpdateValue](repeating: note(1), count: 600) + [note(2)]
    #expect(try write(notes).didChange)
    #expect(texts.count == 601)
    let turned = try write(notes.reversed())
    #expect(!turned.didChange)
    #expect(turned.steps <= 3000)
    #expect(try write(Array(notes.dropFirst())).didChange)
    #expect(texts.count == 600)
    #expect(store.objects(Note.self).count == 600)
  }

  @Test(
    arguments: [
      ["stars": 1], ["stars": .null], ["tone": "plain"], ["tone": "loud"], ["marks": [1, 2]],
      ["answer": ["text": "b", "marks": [3]]],
      ["answers": [["text": "b"], ["text": "c", "stars": 2]]],
      [
        "answer": [
          "text": "b", "answer": ["text": "c", "answer": ["text": "d", "answer": ["text": "e"]]],
        ]
      ],
      ["made": 7], ["made": 7, "tone": "plain", "stars": 3],
    ] as [UpdateDictionary])
  func `an update of a set compares elements by all attributes`(_ more: UpdateDictionary) throws {
    let notes = (0..<20).map { note($0, more) } + (0..<20).map { note($0) }
    #expect(try write(notes).didChange)
    #expect(try !write(notes).didChange)
    #expect(try !write(notes.reversed()).didChange)
    #expect(try write(Array(notes.dropLast())).didChange)
    #expect(store.objects(Board.self).first?.notes.count == 39)
  }

  @Test func `an element with a value replaces an equal one from which it is missing`() throws {
    let notes = (0..<50).map { note($0, ["made": 1]) }
    #expect(try write(notes).didChange)
    let said = (0..<50).reversed().map { note($0, ["made": 1, "tone": "plain"]) }
    #expect(try write(said).didChange)
    let again = try write(said.reversed())
    #expect(!again.didChange)
    #expect(again.steps <= 300)
    // A body leaves out nil and empty values, so an element that lacks them keeps its row.
    #expect(try !write(notes.reversed()).didChange)
  }

  @Test func `an update of a set matches an explicit former default if another default changes`()
    throws
  {
    let said: [UpdateValue] = (0..<3).map { .object(["text": "t", "stars": .int($0)]) }
    #expect(
      try write(
        [["text": "t", "tone": "plain", "stars": 0], ["text": "t", "stars": 1]] + said[2...]
      ).didChange)
    #expect(try !write(said).didChange)
    #expect(try !write(said.reversed()).didChange)
  }

  /// Random elements with and without defaults, in random orders.
  @Test(arguments: 0..<40)
  func `applying the same update of a set twice creates no version`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<30 {
      let notes: [UpdateValue] = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        var note: UpdateDictionary = [:]
        if Bool.random(using: &random) { note["text"] = Bool.random(using: &random) ? "" : "x" }
        if Bool.random(using: &random) { note["stars"] = Bool.random(using: &random) ? .null : 1 }
        if Bool.random(using: &random) {
          note["tone"] = Bool.random(using: &random) ? "plain" : "x"
        }
        return .object(note)
      }
      _ = try write(notes)
      #expect(try !write(notes).didChange, "\(notes)")
      let turned = notes.shuffled(using: &random)
      #expect(try !write(turned).didChange, "\(notes), then \(turned)")
    }
  }

  @Test(arguments: ["marks", "words", "friends", "answers", "answer"])
  func `matching deeply nested differences has linear cost`(_ kind: String) throws {
    func deep(_ value: UpdateValue) -> UpdateValue {
      switch kind {
      case "marks": ["text": "a", "bag": .array([value])]
      case "words": ["text": "a", "words": ["w": value]]
      case "friends":
        ["text": "a", "friends": .array((0..<4).map { ["id": .int($0)] } + [["id": value]])]
      case "answers": ["text": "a", "pile": [["text": "a", "stars": value], ["text": "b"]]]
      default: ["text": "a", "answer": ["answer": ["answer": ["answer": ["stars": value]]]]]
      }
    }
    let notes = (10..<310).map { deep(.int($0)) }
    #expect(try write(notes).didChange)
    let turned = try write(notes.reversed())
    #expect(!turned.didChange)
    #expect(turned.steps <= 300 * 12)
    let others = try write((1000..<1300).map { deep(.int($0)) })
    #expect(others.didChange)
    #expect(others.steps <= 300 * 12)
  }

  /// Large contents must not count as equal because of their size.
  @Test(arguments: [19, 20, 60])
  func `matching sets of content has linear cost`(count: Int) throws {
    func piles(_ first: Int) -> [UpdateValue] {
      (0..<60).map { pile in
        let notes = (0..<count).map { note(first + pile * count + $0) }
        return ["text": "a", "pile": .array(notes)]
      }
    }
    #expect(try write(piles(0)).didChange)
    for again in [piles(0), piles(0).reversed()] {
      let again = try write(again)
      #expect(!again.didChange)
      #expect(again.steps <= 60 * (count + 1) * 4)
    }
    let others = try write(piles(100_000))
    #expect(others.didChange)
    #expect(others.steps <= 60 * (count + 1) * 4)
  }

  @Test func `matching sets of sets has linear cost`() throws {
    func notes(_ depth: Int, _ next: inout Int) -> [UpdateValue] {
      (0..<8).map { _ in
        next += 1
        let (text, pile) = (next, depth == 0 ? [] : notes(depth - 1, &next))
        return depth == 0
          ? note(text) : ["text": "a", "pile": .array(pile)]
      }
    }
    var (next, other) = (0, 10_000)
    let first = notes(2, &next)
    #expect(try write(first).didChange)
    let turned = try write(first.reversed())
    #expect(!turned.didChange)
    #expect(turned.steps <= 8 * 8 * 8 * 20)
    let others = try write(notes(2, &other))
    #expect(others.didChange)
    #expect(others.steps <= 8 * 8 * 8 * 20)
  }

  @Test func `matching rows has linear cost if few of them have a changing default`() throws {
    func notes(_ first: Int) -> [UpdateValue] {
      (0..<400).map { index in
        let answer: UpdateValue =
          index >= 398 ? ["text": "b"] : ["text": "b", "made": .int(Int64(first + index))]
        return ["text": "a", "answer": answer]
      }
    }
    #expect(try write(notes(1_000)).didChange)
    let turned = try write(notes(1_000).reversed())
    #expect(!turned.didChange)
    #expect(turned.steps <= 400 * 12)
    let others = try write(notes(10_000).reversed())
    #expect(others.didChange)
    #expect(others.steps <= 400 * 12)
    // The default now evaluates to a different value.
    #expect(try !write(notes(10_000)).didChange)
  }

  @Test func `nested objects match if they leave out values that equal defaults`() throws {
    let said = (0..<50).map { UpdateValue.object(["answer": ["stars": .int($0), "made": 1]]) }
    let left = (0..<50).map {
      UpdateValue.object(["answer": ["stars": .int($0), "tone": "plain"]])
    }
    #expect(try write(left).didChange)
    let same = try write((0..<50).map { ["answer": ["stars": .int($0)]] })
    #expect(!same.didChange)
    #expect(same.steps <= 50 * 12)
    #expect(try write(said).didChange)
    let made = (0..<50).reversed().map {
      UpdateValue.object(["answer": ["stars": .int($0), "made": 1, "tone": "plain"]])
    }
    #expect(try write(made).didChange)
    #expect(try !write(made.reversed()).didChange)
  }

  @Test func `elements of an updated set may refer to rows in cycles and in long chains`() throws {
    var last: Note?
    try store.write(as: .server) {
      for index in 0..<20_000 {
        let note = try store.create(Note.self, value: ["text": .string("chain \(index)")])
        note.answer = last
        last = note
      }
      let board = try store.create(
        Board.self, value: ["id": 1, "notes": .array([note(1), note(2)])])
      let friends = Array(board.notes)
      for friend in friends { friend.pile.insert(contentsOf: friends) }
      board.notes.insert(try #require(last))
    }
    let board = try #require(store.objects(Board.self).first)
    let ring = try #require(board.notes.first { $0.text == "note 1" })
    let chain = try #require(last)
    let notes: [UpdateValue] = [
      ["text": "a", "answer": .init(object: chain)], .init(object: ring),
      ["text": "a", "pile": [.init(object: ring), ["text": "b"]]], ["text": "a"],
    ]
    #expect(try write(notes).didChange)
    #expect(try !write(notes).didChange)
    #expect(try !write(notes.reversed()).didChange)
    #expect(board.notes.count == 4)
    // The chain was created as separate notes, so it is kept, as is the other note of the cycle.
    #expect(store.objects(Note.self).count == 20_000 + 2 + 4)
  }

  @Test func `a row referenced by identity is not matched by other content`() throws {
    try store.write(as: .server) {
      let note = try store.create(Note.self, value: ["text": "a", "made": 1])
      let board = try store.create(
        Board.self, value: ["id": 1, "notes": [["text": "a", "made": 1]]])
      board.notes.insert(note)
    }
    let notes = Array(try #require(store.objects(Board.self).first).notes)
    #expect(notes.count == 2)
    for first in notes {
      let before = store.version
      try store.write(as: .server) {
        try store.create(
          Board.self,
          value: ["id": 1, "notes": [["text": "a", "made": 1], .init(object: first)]],
          update: .modified)
      }
      #expect(store.version == before)
    }
  }

  @Test func `matching maps of content has linear cost`() throws {
    let value: UpdateDictionary = [
      "id": 1,
      "byName": .object(
        UpdateDictionary((0..<500).map { ("n\($0)", note($0)) })),
      "words": .object(
        UpdateDictionary((0..<500).map { ("w\($0)", .int(Int64($0))) })),
    ]
    try store.write(as: .server) { try store.create(Board.self, value: ["id": 0]) }
    for round in 0..<2 {
      let before = store.version
      try store.write(as: .server) {
        let transaction = try #require(store.handle.transaction)
        try store.create(Board.self, value: value, update: .modified)
        #expect(transaction.contentComparisons <= 500)
      }
      #expect((store.version != before) == (round == 0))
    }
    store.checkInvariants()
  }
}
