import ObjectStore

extension Benchmark {
  /// P11: searches for words, and the cost of maintaining the word index.
  static var textSearch: [Benchmark] {
    [
      Benchmark(
        id: "P11.search", what: "notes of 8 words: search \"cof* bean\"", targets: [],
        ours: StoreRows.search,
        baselineName: "SQLite FTS5", baseline: SQLiteBaseline.search),
      Benchmark(
        id: "P11.search.commit", what: "notes: commit of one, a searchable text", targets: [],
        ours: { try StoreRows.commitText($0, of: SearchableNote.self, \.text) },
        baselineName: "the same, not searchable",
        baseline: { try StoreRows.commitText($0, of: PlainNote.self, \.text) }),
      Benchmark(
        id: "P11.search.insert", what: "notes: insert into an empty store, searchable", targets: [],
        ours: { try StoreRows.insertTexts($0, of: SearchableNote.self, \.text) },
        baselineName: "SQLite FTS5", baseline: SQLiteBaseline.insertSearchable),
    ]
  }
}

/// A note with a word index.
final class SearchableNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(searchable: true) var text = ""
}

/// A note without a word index.
final class PlainNote: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
}

extension StoreRows {
  private static func notes<Note: Object>(
    _ texts: [String], of type: Note.Type, _ text: ReferenceWritableKeyPath<Note, String>,
    in store: Store
  ) throws {
    try store.write {
      for (id, value) in texts.enumerated() {
        try store.create(type, value: ["id": .init(id), "text": .string(value)])
      }
    }
  }

  /// Finds the keys of the notes that contain words, with one query per search.
  static func search(_ workload: Workload) throws -> Side? {
    let store = try Store()
    try notes(workload.wordyTexts.texts, of: SearchableNote.self, \.text, in: store)
    let searches = workload.wordyTexts.searches
    return Side(operationCount: searches.count) { watch in
      let sum = watch.time {
        var sum = 0
        for search in searches {
          for note in store.objects(SearchableNote.self).where({ $0.text.matches(search) }) {
            sum &+= note.id
          }
        }
        return sum
      }
      watch.check(sum)
    }
  }

  /// Writes the text of one note per commit.
  static func commitText<Note: Object>(
    _ workload: Workload, of type: Note.Type, _ text: ReferenceWritableKeyPath<Note, String>
  ) throws -> Side? {
    let store = try Store()
    let texts = workload.wordyTexts.texts
    try notes(texts, of: type, text, in: store)
    let keys = (0..<min(1_000, texts.count)).map { $0 * 7_919 % texts.count }
    var turn = 0
    return Side(operationCount: keys.count) { watch in
      turn += 1
      try watch.time {
        for key in keys { try store.update(id: key, text, texts[(key + turn) % texts.count]) }
      }
      watch.check(store.objects(type).reduce(0) { $0 &+ $1[keyPath: text].utf8.count })
    }
  }

  /// Inserts every note into an empty store, in one transaction.
  static func insertTexts<Note: Object>(
    _ workload: Workload, of type: Note.Type, _ text: ReferenceWritableKeyPath<Note, String>
  ) throws -> Side? {
    let texts = workload.wordyTexts.texts
    return Side(operationCount: texts.count) { watch in
      try watch.time {
        let store = try Store()
        try notes(texts, of: type, text, in: store)
        return store
      } checking: {
        $0.objects(type).count
      }
    }
  }
}
