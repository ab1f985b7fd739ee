/// Our side of every row. A row whose function returns nil is printed as not measured.
///
/// Each function prepares what it needs from the workload, outside any clock, and returns a side
/// whose samples do the same work as the baseline named beside it in `Benchmark.all`.
enum StoreRows {
  // MARK: - JSON

  /// JSON bytes into an empty store; a new store for each sample.
  static func decodeIntoEmptyStore(_ workload: Workload) throws -> Side? { nil }

  /// `userList(revision: 0)` into a store that holds exactly that.
  static func decodeUnchanged(_ workload: Workload) throws -> Side? { nil }

  /// `userList(revision: 1)` and `userList(revision: 0)` in turns.
  static func decodeChanged(_ workload: Workload) throws -> Side? { nil }

  /// JSON bytes to update dictionaries; no store is written.
  static func updateDictionaries(_ workload: Workload) throws -> Side? { nil }

  /// The stored users to JSON bytes.
  static func encode(_ workload: Workload) throws -> Side? { nil }

  // MARK: - Rows

  /// `create(value:)` of every book into an empty store, in one write.
  static func createBooks(_ workload: Workload) throws -> Side? { nil }

  /// The same with an index on ISBN and a link to the publisher that can be followed back.
  static func createIndexedBooks(_ workload: Workload) throws -> Side? { nil }

  /// `create(value:update: .modified)` of every book, each with a new price.
  static func upsertChangedBooks(_ workload: Workload) throws -> Side? { nil }

  /// `create(value:update: .modified)` of every book, none different.
  static func upsertUnchangedBooks(_ workload: Workload) throws -> Side? { nil }

  /// Price and availability of every book, by key, in the order of `shuffledBookKeys`.
  static func updateTwoAttributes(_ workload: Workload) throws -> Side? { nil }

  /// A write of one attribute of one book, with a reader holding the version before.
  static func commitOneObject(_ workload: Workload) throws -> Side? { nil }

  /// The price of every book by key, in the order of `shuffledBookKeys`.
  static func lookup(_ workload: Workload) throws -> Side? { nil }

  /// The keys of the books with a price of 20 to 30; one operation is the whole scan.
  static func filter(_ workload: Workload) throws -> Side? { nil }

  /// A commit of one row, delivered to an observed query over all books sorted by title.
  static func observedCommit(_ workload: Workload) throws -> Side? { nil }

  /// The same commit and the query run again.
  static func commitAndQueryAgain(_ workload: Workload) throws -> Side? { nil }

  /// Bytes of memory for each book, by `heapBytesInUse`.
  static func memory(_ workload: Workload) throws -> Side? { nil }

  // MARK: - Objects

  /// The loops of `PlainBaseline` over live objects of a class in this module.
  static func readNumber(_ workload: Workload) throws -> Side? { nil }

  static func writeNumber(_ workload: Workload) throws -> Side? { nil }

  static func readShortText(_ workload: Workload) throws -> Side? { nil }

  static func readLongText(_ workload: Workload) throws -> Side? { nil }

  /// Making the live object of a row, ten attributes.
  static func createObject(_ workload: Workload) throws -> Side? { nil }

  // MARK: - Files

  /// A write of one object to a durable store, `durability: .full`.
  static func durableCommit(_ workload: Workload) throws -> Side? { nil }

  /// Opening a durable store of all books and reading one.
  static func openFile(_ workload: Workload) throws -> Side? { nil }

  /// Bytes above the stored rows while 1 GB of NDJSON is streamed in; one operation is the import.
  static func streamImport(_ workload: Workload) throws -> Side? { nil }
}
