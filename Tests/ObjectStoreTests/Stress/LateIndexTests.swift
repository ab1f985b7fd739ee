import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

/// The rows of a file have no index until a query uses it. R8
///
/// `STORE_RANDOM_STEPS` sets ten times the number of steps per seed.
@Suite struct `Indexes of loaded rows` {
  final class Topic: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var rank = 0
    @Persisted(indexed: true) var kind: String?
    @Persisted(searchable: true) var text = ""
    @Persisted var note = ""

    override class var indexes: [[String]] { [["kind", "rank"]] }

    var values: String { "\(id) \(rank) \(kind ?? "nil") \(text) \(note)" }
  }

  /// The class before it had a compound index.
  final class Earlier: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var rank = 0
    @Persisted(indexed: true) var kind: String?
    @Persisted(searchable: true) var text = ""
    @Persisted var note = ""

    override class var tableName: String { "Topic" }
  }

  private let mapped: MappedStore

  init() throws { mapped = try MappedStore() }

  private static let kinds: [String?] = [nil, "", "a", "b", "a long kind", "a long kind too"]
  private static let words = ["red", "green", "blue", "reddish", "gray"]

  /// The values of a topic.
  private static func values(_ id: Int, _ random: inout SeededRandom) -> UpdateDictionary {
    let kind = kinds[random.below(kinds.count)]
    return [
      "id": .int(Int64(id)), "rank": .int(Int64(random.below(50))),
      "kind": kind.map { .string($0) } ?? .null,
      "text": .string(
        "\(words[random.below(words.count)]) \(words[random.below(words.count)])"),
    ]
  }

  private func fill(_ count: Int, _ type: (some Object).Type = Topic.self) throws {
    var random = SeededRandom(seed: 1)
    try mapped.withStore { store in
      try store.write {
        for id in 0..<count {
          try store.create(type, value: Self.values(id, &random))
        }
      }
      store.handle.core.file?.updateColumnFiles()
    }
  }

  /// Configurations that load the class from its column file and from the database.
  private func configuration(isMapped: Bool) -> StoreConfiguration {
    var configuration = Mapped.configuration(mapped.url)
    if !isMapped { configuration.file.columnFileRows = 1_000_000 }
    return configuration
  }

  @Test(arguments: [true, false])
  func `loading and small commits build no index, a query builds the one that it uses`(
    isMapped: Bool
  ) throws {
    try fill(2000)
    try mapped.withStore(configuration(isMapped: isMapped)) { store in
      let topic = try #require(store.object(ofType: Topic.self, forPrimaryKey: 1))
      #expect(Mapped.mappedClasses(store).contains("Topic") == isMapped)
      /// Compares the numbers of indexes of the version, and of those with the ones that queries built.
      func expect(_ counts: [Int], _ place: SourceLocation = #_sourceLocation) throws {
        let table = try store.tableVersion(Topic.self)
        #expect([table.indexes.count, table.builtIndexes.count] == counts, sourceLocation: place)
      }
      try expect([0, 0])
      try store.write {
        topic.rank = 60
        try store.create(Topic.self, value: ["id": 5000, "rank": 60])
      }
      try expect([0, 0])
      if isMapped {
        let chunks = try #require(try store.tableVersion(Topic.self).lazyChunks)
        #expect(!chunks.takeUnretainedValue().areMade)
      }

      #expect(store.objects(Topic.self).where { $0.rank == 60 }.map(\.id) == [1, 5000])
      try expect([0, 1])
      try store.write { topic.note = "x" }
      try expect([1, 1])
      #expect(
        store.objects(Topic.self).where { $0.kind == nil && $0.rank == 60 }.map(\.id) == [5000])
      // The compound index is not built for the two candidates of the index of ranks.
      try expect([1, 2])
      #expect(try store.objects(Topic.self).filter("text TEXT %@", "green").count > 100)
      #expect(store.objects(Topic.self).where { $0.kind == "b" }.count > 100)
      try expect([1, 3])
      try store.write { topic.note = "y" }
      try expect([3, 3])
    }
  }

  @Test(arguments: [false, true])
  func `an index is built from the column file without reading rows, unless it is damaged`(
    isDamaged: Bool
  ) throws {
    try fill(2000)
    if isDamaged { try mapped.damageIndexes(of: "Topic") }
    try mapped.withStore { store in
      #expect(store.object(ofType: Topic.self, forPrimaryKey: 1) != nil)
      let chunks = try #require(try store.tableVersion(Topic.self).lazyChunks)
      #expect(store.objects(Topic.self).where { $0.rank == 60 }.isEmpty)
      #expect(store.objects(Topic.self).where { $0.kind == "c" && $0.rank == 60 }.isEmpty)
      #expect(chunks.takeUnretainedValue().areMade == isDamaged)
      let ranks = Array(store.objects(Topic.self)).map(\.rank)
      #expect(
        store.objects(Topic.self).where { $0.rank == 7 }.count == ranks.count { $0 == 7 })
      store.checkInvariants()
      #expect(store.damage == [])
    }
  }

  @Test(arguments: [false, true])
  func `an index that the column file lacks is in the next one`(isDamaged: Bool) throws {
    if isDamaged {
      try fill(2000)
      try mapped.damageIndexes(of: "Topic")
    } else {
      try fill(2000, Earlier.self)
    }
    for isComplete in [false, true] {
      try mapped.withStore { store in
        #expect(store.objects(Topic.self).where { $0.rank == 60 }.isEmpty)
        #expect(Mapped.mappedClasses(store) == ["Topic"])
        let file = try #require(try store.tableVersion(Topic.self).lazyChunks)
          .takeUnretainedValue().file
        let table = store.handle.engine.allTables().first { $0.layout.name == "Topic" }
        let layout = try #require(table).layout
        let indexes = layout.indexedColumns.map { [$0] } + layout.compoundIndexes.map(\.columns)
        #expect(indexes.count == 3)
        #expect(
          indexes.allSatisfy { file.withPairs($0) { _ in true } ?? false } == isComplete)
        store.handle.core.file?.updateColumnFiles()
      }
    }
  }

  @Test func `a compound index is built for conditions that another index finds too many rows for`()
    throws
  {
    try fill(2000)
    try mapped.withStore { store in
      let topics = store.objects(Topic.self)
      let found = topics.where { $0.rank >= 10 && $0.rank <= 20 && $0.kind == "a" }
      #expect(found.explainQuery().contains("index on (kind, rank)"))
      #expect(found.count == Array(topics).count { 10...20 ~= $0.rank && $0.kind == "a" })
    }
  }

  @Test func `a key and an order build no index that does not help`() throws {
    try fill(2000)
    try mapped.withStore { store in
      let topics = store.objects(Topic.self)
      #expect(topics.where { $0.id == 7 && $0.kind == "z" && $0.rank > 3 }.isEmpty)
      #expect(topics.where { $0.id == 7 }.sorted(by: \.rank).first?.id == 7)
      #expect(topics.sorted(by: \.rank).limit(1_500).count == 1_500)
      let table = try store.tableVersion(Topic.self)
      #expect(table.builtIndexes.count == 0)
      let least = topics.sorted(by: \.kind).first?.kind
      #expect(least == nil)
      // The compound index begins with the same attribute.
      #expect(table.builtIndexes.count == 1)
    }
  }

  @Test func `a commit that inserts many rows builds all indexes`() throws {
    try fill(2000)
    try mapped.withStore { store in
      let topics = store.objects(Topic.self)
      #expect(topics.count == 2000)
      try store.write {
        for id in 2000..<3000 { try store.create(Topic.self, value: ["id": .init(id)]) }
      }
      let table = try store.tableVersion(Topic.self)
      #expect(table.indexes.count == 4)
      #expect(table.late == nil)
    }
  }

  @Test func `a commit builds an index that a query has used on an older version`() throws {
    try fill(2000)
    try mapped.withStore { store in
      let topic = try #require(store.object(ofType: Topic.self, forPrimaryKey: 1))
      let old = try mapped.open().objects(Topic.self)
      try store.write { topic.rank = 60 }
      #expect(old.where { $0.rank == 60 }.isEmpty)
      #expect(try store.tableVersion(Topic.self).builtIndexes.count == 0)
      try store.write { topic.rank = 61 }
      #expect(try store.tableVersion(Topic.self).indexes.columns.count == 1)
      #expect(store.objects(Topic.self).where { $0.rank >= 60 }.map(\.id) == [1])
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `queries find the same objects as a loop`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    try fill(2000)
    for _ in 0..<SeededRandom.steps(4, per: 10) {
      let configuration = configuration(isMapped: random.below(3) > 0)
      try mapped.withStore(configuration) { store in
        // A handle that stays at its version until it is refreshed.
        let reader = try ObjectStore.Store(configuration: configuration)
        for _ in 0..<12 {
          switch random.below(8) {
          case 0: try change(store, 1 + random.below(20), &random)
          case 1: try change(store, 300, &random)
          case 2:
            do {
              try store.write {
                try change(store, 5, &random)
                try check(store.objects(Topic.self), &random)
                throw CancellationError()
              }
            } catch is CancellationError {}
          case 3:
            try store.write {
              try change(store, 5, &random)
              try check(store.objects(Topic.self), &random)
            }
          case 4: reader.refresh()
          case 5: try check(reader.objects(Topic.self), &random)
          default: try check(store.objects(Topic.self), &random)
          }
        }
        store.checkInvariants()
      }
    }
  }

  /// Changes topics whose keys are close, so that most groups of rows stay as they are in the column file.
  private func change(_ store: ObjectStore.Store, _ count: Int, _ random: inout SeededRandom) throws
  {
    let first = random.below(2000)
    try store.write {
      for _ in 0..<count {
        let id = first + random.below(300)
        if random.below(4) == 0, let topic = store.object(ofType: Topic.self, forPrimaryKey: id) {
          store.delete(topic)
        } else {
          try store.create(Topic.self, value: Self.values(id, &random), update: .modified)
        }
      }
    }
  }

  /// Compares a random query with a loop over all topics.
  private func check(_ topics: Results<Topic>, _ random: inout SeededRandom) throws {
    let rank = random.below(50)
    let kind = Self.kinds[random.below(Self.kinds.count)]
    let word = Self.words[random.below(Self.words.count)]
    let (found, expected): (Results<Topic>, (Topic) -> Bool) =
      switch random.below(5) {
      case 0: (topics.where { $0.rank == rank }, { $0.rank == rank })
      case 1: (topics.where { $0.kind == kind }, { $0.kind == kind })
      case 2:
        (
          topics.where { $0.kind == kind && $0.rank >= rank },
          { $0.kind == kind && $0.rank >= rank }
        )
      case 3:
        (
          try topics.filter("text TEXT %@", word),
          { $0.text.split(separator: " ").contains { $0 == word } }
        )
      default: (topics.where { $0.rank < rank }, { $0.rank < rank })
      }
    #expect(found.map(\.values).sorted() == Array(topics).filter(expected).map(\.values).sorted())
    let sorted = topics.sorted(by: \.rank).prefix(10)
    #expect(sorted.map(\.rank) == Array(topics.map(\.rank).sorted().prefix(10)))
  }

  @Test func `threads use an index while commits change its attribute`() throws {
    for _ in 0..<4 {
      try? FileManager.default.removeItem(at: mapped.url)
      try fill(3000)
      try mapped.withStore { store in
        let configuration = Mapped.configuration(mapped.url)
        let group = DispatchGroup()
        let found = Mutex<[[Int]]>([])
        for _ in 0..<3 {
          DispatchQueue.global().async(group: group) {
            let topics = try? ObjectStore.Store(configuration: configuration).objects(Topic.self)
            let ids = topics?.where { $0.rank == 7 }.map(\.id)
            found.withLock { $0.append(ids ?? []) }
          }
        }
        let others = Array(store.objects(Topic.self)).filter { $0.rank != 7 }.prefix(20)
        for topic in others { try store.write { topic.rank = 70 } }
        group.wait()
        let expected = Array(store.objects(Topic.self)).filter { $0.rank == 7 }.map(\.id)
        #expect(found.withLock { $0 } == Array(repeating: expected, count: 3))
        #expect(
          store.objects(Topic.self).where { $0.rank == 70 }.map(\.id) == others.map(\.id))
        store.checkInvariants()
      }
    }
  }
}
