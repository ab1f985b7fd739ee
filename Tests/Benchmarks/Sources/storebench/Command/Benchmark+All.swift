import ObjectStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Benchmark {
  /// - Parameter dataFolder: The folder with the benchmark files of JSON libraries, if any.
  static func all(sizes: Workload.Sizes, dataFolder: String? = nil) -> [Benchmark] {
    json + keptMembers + nested
      + rows(sizes) + queries + orders(sizes) + sorting + textSearch + objects
      + growth(sizes)
      + filesAndBuilds
      + typedLists + shapedLists + dataFiles(in: dataFolder)
      + freshProcesses + collections + frozenReads + singleObjects + updateDictionaries
      + streams + uploads + edits + knownAttributes + readers
  }

  private static var json: [Benchmark] {
    [
      Benchmark(
        id: "P1", what: "users: JSON into an empty store", targets: [.timesFaster(20)],
        ours: StoreRows.decodeIntoEmptyStore,
        baselineName: "JSONDecoder, dates as text", baseline: FoundationBaseline.decode),
      Benchmark(
        id: "P1.dates", what: "users: JSON into an empty store", targets: [.timesFaster(20)],
        ours: StoreRows.decodeIntoEmptyStore,
        baselineName: "JSONDecoder, .iso8601", baseline: FoundationBaseline.decodeWithDates),
      Benchmark(
        id: "P1.fresh", what: "user: JSON into a new store, each with a new coder",
        targets: [.timesFaster(1)],
        ours: StoreRows.decodeIntoNewStores,
        baselineName: "JSONDecoder, a new one each", baseline: FoundationBaseline.decodeEach),
      Benchmark(
        id: "P1.any", what: "users: dictionaries into an empty store", targets: [.timesTheCost(2)],
        ours: StoreRows.decodeDictionaries,
        baselineName: "their JSON", baseline: StoreRows.decodeIntoEmptyStore),
      Benchmark(
        id: "P2", what: "users: the same JSON again, unchanged", targets: [.timesFaster(25)],
        ours: StoreRows.decodeUnchanged,
        baselineName: "JSONDecoder, dates as text", baseline: FoundationBaseline.decode),
      Benchmark(
        id: "P3", what: "users: the same JSON, 1 attribute changed", targets: [.timesFaster(20)],
        ours: { try StoreRows.decodeChanged($0) },
        baselineName: "JSONDecoder, dates as text", baseline: FoundationBaseline.decode),
      Benchmark(
        id: "P3.text", what: "users: the same JSON, 1 text changed", targets: [.timesFaster(20)],
        ours: { try StoreRows.decodeChanged($0, of: .username) },
        baselineName: "JSONDecoder, dates as text", baseline: FoundationBaseline.decode),
      Benchmark(
        id: "P4", what: "users: JSON to update dictionaries", targets: [.timesFaster(25)],
        ours: StoreRows.updateDictionaries,
        baselineName: "JSONDecoder, dates as text", baseline: FoundationBaseline.decode),
      Benchmark(
        id: "P4.read", what: "users: the same, each value read", targets: [.timesFaster(5)],
        ours: StoreRows.readUpdateDictionaries,
        baselineName: "JSONDecoder, dates as text", baseline: FoundationBaseline.decode),
      Benchmark(
        id: "P5", what: "users: objects to JSON", targets: [.timesFaster(15)],
        ours: StoreRows.encode,
        baselineName: "JSONEncoder", baseline: FoundationBaseline.encode),
    ]
  }

  private static func rows(_ sizes: Workload.Sizes) -> [Benchmark] {
    [
      Benchmark(
        id: "P6.create", what: "books: create into an empty store", targets: [.timesFaster(5)],
        ours: StoreRows.createBooks,
        baselineName: "SQLite INSERT", baseline: { SQLiteBaseline.insert($0) }),
      Benchmark(
        id: "P6.indexed", what: "books: the same, ISBN and publisher indexed",
        targets: [.timesFaster(5)],
        ours: StoreRows.createIndexedBooks,
        baselineName: "SQLite INSERT, two indexes",
        baseline: { SQLiteBaseline.insert($0, indexed: true) }),
      Benchmark(
        id: "P6.changed", what: "books: upsert, 1 attribute changed", targets: [.timesFaster(5)],
        ours: StoreRows.upsertChangedBooks,
        baselineName: "SQLite ON CONFLICT DO UPDATE",
        baseline: { try SQLiteBaseline.upsert($0, changing: true) }),
      Benchmark(
        id: "P6.same", what: "books: upsert, nothing changed", targets: [.timesFaster(5)],
        ours: StoreRows.upsertUnchangedBooks,
        baselineName: "SQLite ON CONFLICT DO UPDATE",
        baseline: { try SQLiteBaseline.upsert($0, changing: false) }),
      Benchmark(
        id: "P7", what: "books: 2 attributes by key", targets: [.timesFaster(10)],
        ours: StoreRows.updateTwoAttributes,
        baselineName: "SQLite UPDATE by key", baseline: SQLiteBaseline.updateTwoAttributes),
      Benchmark(
        id: "P8", what: "books: commit of one, a reader alive",
        targets: [.timesTheCost(2), .atMost(15_000)],
        ours: StoreRows.commitOneObject,
        baselineName: "itself with \(sizes.small) books",
        baseline: { try StoreRows.commitOneObject($0.scaled(to: sizes.small)) },
        sidesMayDiffer: true),
      Benchmark(
        id: "P8.evict", what: "books: half of them evicted", targets: [.timesTheCost(2)],
        ours: StoreRows.evictHalf,
        baselineName: "deleting them", baseline: StoreRows.deleteHalf),
      Benchmark(
        id: "P12", what: "books: lookup by key", targets: [.atMost(100)],
        ours: StoreRows.lookup,
        baselineName: "Dictionary<Int, Int>", baseline: PlainBaseline.dictionaryLookup),
      Benchmark(
        id: "P12.sqlite", what: "books: lookup by key, a number read", targets: [.atMost(100)],
        ours: StoreRows.lookup,
        baselineName: "SQLite SELECT by key", baseline: SQLiteBaseline.lookup),
      Benchmark(
        id: "P13", what: "books: commit of one, seen by a sorted query",
        targets: [.atMost(50_000)],
        ours: StoreRows.observedCommit,
        baselineName: "the query run again", baseline: StoreRows.commitAndQueryAgain),
      Benchmark(
        id: "P13.list", what: "list: commit that removes near the front, observed",
        targets: [.timesFaster(10)],
        ours: StoreRows.observedRemoval,
        baselineName: "the list read and compared again", baseline: StoreRows.removalAndCompare),
      Benchmark(
        id: "P13.held", what: "books: memory of an old version, each row changed", unit: .bytes,
        ours: StoreRows.heldVersion, sidesMayDiffer: true),
      Benchmark(
        id: "P14", what: "books: memory for each", unit: .bytes, targets: [.atMost(450)],
        ours: StoreRows.memory, baselineName: "bytes of payload", baseline: payload),
      Benchmark(
        id: "P14.sqlite", what: "books: memory for each", unit: .bytes, targets: [.atMost(450)],
        ours: StoreRows.memory,
        baselineName: "SQLite in memory", baseline: SQLiteBaseline.memory),
    ]
  }

  private static var objects: [Benchmark] {
    [
      Benchmark(
        id: "P9.read", what: "object: a number read", targets: [.timesTheCost(4)],
        ours: StoreRows.readNumber,
        baselineName: "stored property", baseline: { _ in PlainBaseline.readNumber() }),
      Benchmark(
        id: "P9.tracked", what: "object: a number read, tracked for Observation",
        targets: [.atMost(30)], ours: StoreRows.readTrackedNumber,
        baselineName: "stored property", baseline: { _ in PlainBaseline.readNumber() }),
      Benchmark(
        id: "P9.write", what: "object: a number written", targets: [],
        ours: StoreRows.writeNumber,
        baselineName: "stored property", baseline: { _ in PlainBaseline.writeNumber() }),
      Benchmark(
        id: "P9.short", what: "object: text of 7 bytes read", targets: [.atMost(40)],
        ours: StoreRows.readShortText,
        baselineName: "stored property", baseline: { _ in PlainBaseline.readShortText() }),
      Benchmark(
        id: "P9.long", what: "object: text of 41 bytes read", targets: [.atMost(120)],
        ours: StoreRows.readLongText,
        baselineName: "stored property", baseline: { _ in PlainBaseline.readLongText() }),
      Benchmark(
        id: "P10", what: "object: made for a row, 10 attributes", targets: [.atMost(150)],
        ours: StoreRows.createObject,
        baselineName: "plain class", baseline: { _ in PlainBaseline.create() }),
    ]
  }

  /// The cost per element at two sizes. Sorting or a search tree may add a logarithmic factor, so the cost may double
  /// from 1,000 to 1,000,000 elements.
  private static func growth(_ sizes: Workload.Sizes) -> [Benchmark] {
    func row(
      _ id: String, _ what: String, unit: CostUnit = .nanoseconds, divisor: Int = 1,
      _ ours: @escaping (Workload) throws -> Side?
    ) -> Benchmark {
      let large = max(sizes.large / divisor, sizes.small)
      let factor = log(Double(max(large, 2))) / log(Double(max(sizes.small, 2)))
      return Benchmark(
        id: "P17.\(id)", what: "\(what), at \(large)", unit: unit, targets: [.timesTheCost(factor)],
        ours: { try ours($0.scaled(to: large)) },
        baselineName: "itself at \(sizes.small)",
        baseline: { try ours($0.scaled(to: sizes.small)) },
        sidesMayDiffer: true)
    }
    // A million users are 680 MB of JSON; a tenth of that is sufficient.
    return [
      row("P1", "users: JSON into an empty store", divisor: 10, StoreRows.decodeIntoEmptyStore),
      row("P2", "users: the same JSON again", divisor: 10, StoreRows.decodeUnchanged),
      row("P2.books", "books: the same JSON again", StoreRows.decodeUnchangedBooks),
      row("P5", "users: objects to JSON", divisor: 10, StoreRows.encode),
      row("P6", "books: create", StoreRows.createBooks),
      row("P7", "books: 2 attributes by key", StoreRows.updateTwoAttributes),
      row("P8", "books: commit of one", StoreRows.commitOneObject),
      row("P12", "books: lookup by key", StoreRows.lookup),
      row("P14", "books: memory for each", unit: .bytes, StoreRows.memory),
    ]
  }

  private static var filesAndBuilds: [Benchmark] {
    [
      Benchmark(
        id: "P15", what: "file: durable commit of one", targets: [.timesTheCost(1.2)],
        ours: { try FileRows.commit($0, .full) },
        baselineName: "write and fsync of 4 KiB",
        baseline: { _ in try FileBaseline.appendAndSync(byteCount: 4_096) },
        clock: .wall),
      Benchmark(
        id: "P15.full", what: "file: the same", targets: [.timesTheCost(1.2)],
        ours: { try FileRows.commit($0, .full) },
        baselineName: "SQLite UPDATE, synchronous FULL",
        baseline: { try SQLiteFileBaseline.commit($0, synchronous: "FULL") }, clock: .wall),
      Benchmark(
        id: "P15.normal", what: "file: commit of one that survives the process",
        targets: [.timesTheCost(1.5)],
        ours: { try FileRows.commit($0, .normal) },
        baselineName: "SQLite UPDATE, synchronous NORMAL",
        baseline: { try SQLiteFileBaseline.commit($0, synchronous: "NORMAL") }, clock: .wall),
      Benchmark(
        id: "P15.background", what: "file: commit of one, written behind", targets: [],
        ours: { try FileRows.commit($0, .background) },
        baselineName: "SQLite UPDATE, synchronous NORMAL",
        baseline: { try SQLiteFileBaseline.commit($0, synchronous: "NORMAL") }, clock: .wall),
      Benchmark(
        id: "P15.list", what: "file: commit of one element of a large list",
        targets: [.atMost(2e6)],
        ours: { try FileRows.commitElement($0) { $0.numbers[$1] = $2 } },
        baselineName: "SQLite UPDATE, synchronous NORMAL",
        baseline: { try SQLiteFileBaseline.commit($0, synchronous: "NORMAL") }, clock: .wall,
        sidesMayDiffer: true),
      Benchmark(
        id: "P15.map", what: "file: commit of one value of a large map",
        targets: [.atMost(2e6)],
        ours: { try FileRows.commitElement($0) { $0.prices["key \($1)"] = $2 } },
        baselineName: "SQLite UPDATE, synchronous NORMAL",
        baseline: { try SQLiteFileBaseline.commit($0, synchronous: "NORMAL") }, clock: .wall,
        sidesMayDiffer: true),
      Benchmark(
        id: "P16", what: "file: open and read one book", targets: [.atMost(5e6)],
        ours: { try FileRows.open($0, isMapped: true) }, baselineName: "SQLite, one SELECT by key",
        baseline: SQLiteFileBaseline.open, clock: .wall),
      Benchmark(
        id: "P16.rows", what: "file: the same, reading all rows", targets: [.atMost(120e6)],
        ours: { try FileRows.open($0, isMapped: false) }, baselineName: "SQLite, one SELECT by key",
        baseline: SQLiteFileBaseline.open, clock: .wall),
      Benchmark(
        id: "P16.index", what: "file: open and read one book by an indexed string",
        ours: FileRows.openIndexed, baselineName: "SQLite, one SELECT by the index",
        baseline: SQLiteFileBaseline.openIndexed, clock: .wall),
      Benchmark(
        id: "P16.import", what: "users: JSON into an empty file", targets: [.timesFaster(5)],
        ours: FileRows.decode, baselineName: "JSONDecoder → structs → SQLite upsert",
        baseline: SQLiteFileBaseline.decode, clock: .wall),
      Benchmark(
        id: "P16.size", what: "file: bytes of a book", unit: .bytes, targets: [.timesTheCost(1.2)],
        ours: FileRows.size, baselineName: "SQLite, the same columns",
        baseline: SQLiteFileBaseline.size, sidesMayDiffer: true),
      Benchmark(
        id: "P19.clean", what: "package: clean debug build", targets: [.atMost(60e9)],
        ours: { _ in BuildTime.clean() }, clock: .wall, onlyWhenNamed: true),
      Benchmark(
        id: "P19.change", what: "package: debug build after 1 change", targets: [.atMost(10e9)],
        ours: { _ in BuildTime.afterOneChange() }, clock: .wall, onlyWhenNamed: true),
      Benchmark(
        id: "P22", what: "60 public classes of 16 attributes, -O -wmo",
        targets: [.timesTheCost(1.2)],
        ours: { _ in try ModelBuildTime.classes() },
        baselineName: "the same as Codable structs",
        baseline: { _ in try ModelBuildTime.structs() },
        clock: .children, onlyWhenNamed: true),
    ]
  }

  private static func payload(_ workload: Workload) -> Side {
    let books = workload.books
    return Side(operationCount: books.count) { watch in
      watch.charge(Double(books.reduce(0) { $0 + $1.payloadByteCount }))
    }
  }
}
