import Foundation
import ObjectStore
import Synchronization

extension Benchmark {
  /// P34: readers beside a writer, as on a server.
  static var readers: [Benchmark] {
    [
      Benchmark(
        id: "P34.request", what: "request beside a writer: refresh, book by key, its title",
        targets: [.timesTheCost(2)], ours: { try ReaderRows.requests($0, besideWriter: true) },
        baselineName: "without a writer",
        baseline: { try ReaderRows.requests($0, besideWriter: false) }, clock: .thread),
      Benchmark(
        id: "P34.changes", what: "books: commit of one, and the changes since the last",
        targets: [.timesTheCost(3)], ours: { try ReaderRows.commits($0, readsChanges: true) },
        baselineName: "the commit alone",
        baseline: { try ReaderRows.commits($0, readsChanges: false) }),
      Benchmark(
        id: "P34.process", what: "file: commit of another process, shown by refresh",
        targets: [.timesFaster(1.5)], ours: ReaderRows.refreshes,
        baselineName: "SQLite, all rows read again", baseline: SQLiteFileBaseline.readsAgain,
        sidesMayDiffer: true),
    ]
  }
}

enum ReaderRows {
  /// Answers requests on one thread, while another one commits changes without a pause.
  static func requests(_ workload: Workload, besideWriter: Bool) throws -> Side {
    let configuration = StoreConfiguration.inMemory()
    let store = try Store(configuration: configuration)
    try StoreRows.createAll(StoreRows.bookUpdates(workload), in: store)
    let keys = Array(workload.shuffledBookKeys.prefix(1_000))
    return Side(operationCount: keys.count) { watch in
      let writer = besideWriter ? try WriterThread(configuration, keys) : nil
      defer { writer?.end() }
      let reader = try Store(configuration: configuration, isolation: nil)
      var sum = 0
      watch.time {
        for key in keys {
          reader.refresh()
          sum &+= reader.object(StoredBook.self, key: key)?.title.utf8.count ?? 0
        }
      }
      watch.check(sum)
      withExtendedLifetime(store) {}
    }
  }

  /// Changes the price of one book per commit, and reads the changes since the commit before.
  static func commits(_ workload: Workload, readsChanges: Bool) throws -> Side {
    let store = try Store()
    try StoreRows.createAll(StoreRows.bookUpdates(workload), in: store)
    let keys = Array(workload.shuffledBookKeys.prefix(200))
    var price = 0.0
    return Side(operationCount: keys.count) { watch in
      price -= 1
      var count = 0
      var version = store.holdVersion()
      try watch.time {
        for key in keys {
          try store.update(id: key, \StoredBook.price, price)
          guard readsChanges else {
            count += 1
            continue
          }
          count += try store.changes(since: version).classes.reduce(0) { $0 + $1.modified.count }
          version = store.holdVersion()
        }
      }
      watch.check(count)
    }
  }

  // MARK: - Another process

  /// Refreshes a reader, which has an observer of all books, after each commit of another process.
  static func refreshes(_ workload: Workload) throws -> Side {
    let folder = try ScratchFolder()
    let url = folder.url.appending(path: "books.store")
    let updates = StoreRows.bookUpdates(workload)
    try waiting {
      let store = try Store(configuration: .file(url))
      try StoreRows.createAll(updates, in: store)
      try await store.flush()
    }
    let writer = try WriterProcess(url)
    let reader = try Store(configuration: .file(url, readOnly: true))
    var modified = 0
    let token = reader.objects(StoredBook.self).observe { change in
      if case .update(_, _, _, let modifications) = change { modified += modifications.count }
    }
    reader.refresh()
    let keys = Array(workload.shuffledBookKeys.prefix(20))
    var price = 0.0
    return Side(operationCount: keys.count) { watch in
      price -= 1
      modified = 0
      for key in keys {
        try writer.commit(key, price)
        watch.time { reader.refresh() }
      }
      watch.check(modified, expected: keys.count)
      withExtendedLifetime((folder, token, writer)) {}
    }
  }

  /// Commits a change for each line `key price`, and then prints a line.
  static func write(to file: URL) throws -> ChildTask.Outcome {
    let store = try Store(configuration: .file(file))
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 2, let key = Int(words[0]), let price = Double(words[1]) else {
        throw ChildFailure(text: "'\(line)' is not a key and a price")
      }
      try store.update(id: key, \StoredBook.price, price)
      FileHandle.standardOutput.write(Data("done\n".utf8))
    }
    return ChildTask.Outcome(cost: 0, checksum: 0)
  }
}

/// A thread that changes the prices of books until it is ended.
private final class WriterThread: Sendable {
  private let isEnded = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ configuration: StoreConfiguration, _ keys: [Int]) throws {
    let started = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      let store = try? Store(configuration: configuration, isolation: nil)
      started.signal()
      var price = 0.0
      while let store, !isEnded.load(ordering: .relaxed) {
        price -= 1
        for key in keys.prefix(20) { _ = try? store.update(id: key, \StoredBook.price, price) }
      }
      hasEnded.signal()
    }
    started.wait()
  }

  func end() {
    isEnded.store(true, ordering: .relaxed)
    hasEnded.wait()
  }
}

/// A process that commits changes of books on request, until it is released.
private final class WriterProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ file: URL) throws {
    guard let program = Bundle.main.executableURL else {
      throw ChildFailure(text: "the path of this executable is unknown")
    }
    process.executableURL = program
    process.arguments = [
      "--child", ChildTask.writeBooks.rawValue, file.path(percentEncoded: false),
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Changes the price of a book, and waits for the commit.
  func commit(_ key: Int, _ price: Double) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(key) \(price)\n".utf8))
    guard output.fileHandleForReading.availableData.count == 5 else {
      throw ChildFailure(text: "the writing process has ended")
    }
  }
}
