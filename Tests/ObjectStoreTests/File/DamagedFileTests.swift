import Foundation
import ObjectStore
import TestSupport
import Testing

/// A file whose content differs from what was written is never read as if it were intact. R19
///
/// `STORE_FLIPS` is the number of flipped bits, each in a copy of its own.
@Suite struct `A damaged file` {
  private static let flips =
    ProcessInfo.processInfo.environment["STORE_FLIPS"].flatMap(Int.init) ?? 400

  private let folder: TemporaryFolder
  private let url: URL
  private let configuration: StoreConfiguration

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("ledger.store")
    configuration = .file(url)
  }

  /// The result of opening and reading: the number of the last commit, or an error.
  private func readLastCommit() -> Result<Int, any Error> {
    Result {
      let store = try Store(configuration: configuration)
      let last = Result { try Ledger.lastCommit(in: store) }
      // A class that cannot be read is empty, and `damage` reports it.
      if let damage = store.damage.first { throw damage }
      return try last.get()
    }
  }

  private func clear() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      try FileManager.default.removeItem(at: folder.file(name))
    }
  }

  /// The bytes of a closed store after twenty commits.
  private func closedStore() throws -> Data {
    do {
      let store = try Store(configuration: configuration)
      for number in 1...20 { try Ledger.commit(number, in: store) }
    }
    return try Data(contentsOf: url)
  }

  @Test func `a file with a flipped bit is reported or reads as it was written`() throws {
    let bytes = try closedStore()
    var random = SeededRandom(seed: 3)
    var reported = 0
    for _ in 0..<Self.flips {
      try clear()
      var damaged = bytes
      let (offset, bit) = (random.below(bytes.count), random.below(8))
      damaged[offset] ^= 1 << UInt8(bit)
      try damaged.write(to: url)
      switch readLastCommit() {
      case .success(let last): #expect(last == 20, "bit \(bit) of byte \(offset)")
      case .failure(let error):
        #expect(error is StoreError, "bit \(bit) of byte \(offset): \(error)")
        reported += 1
      }
    }
    #expect(reported > Self.flips / 20)
  }

  @Test func `a truncated file is reported or reads as it was written`() throws {
    let bytes = try closedStore()
    for count in stride(from: 0, to: bytes.count, by: 1 + bytes.count * 2 / Self.flips) {
      try clear()
      try bytes.prefix(count).write(to: url)
      switch readLastCommit() {
      case .success(let last): #expect(last == (count == 0 ? 0 : 20), "\(count) bytes")
      case .failure(let error): #expect(error is StoreError, "\(count) bytes: \(error)")
      }
    }
  }

  @Test func `a flipped bit in the log causes no error other than a StoreError`() throws {
    let store = try Store(configuration: configuration)
    for number in 1...20 { try Ledger.commit(number, in: store) }
    let log = folder.file("ledger.store-wal")
    let (bytes, logBytes) = (try Data(contentsOf: url), try Data(contentsOf: log))
    let copy = try TemporaryFolder()
    var random = SeededRandom(seed: 4)
    for _ in 0..<Self.flips / 4 {
      var damaged = logBytes
      let offset = random.below(logBytes.count)
      damaged[offset] ^= 1 << UInt8(random.below(8))
      try bytes.write(to: copy.file("ledger.store"))
      try damaged.write(to: copy.file("ledger.store-wal"))
      let found = Result {
        let other = try Store(configuration: .file(copy.file("ledger.store")))
        let last = Result { try Ledger.lastCommit(in: other) }
        if let damage = other.damage.first { throw damage }
        return try last.get()
      }
      if case .failure(let error) = found { #expect(error is StoreError, "byte \(offset)") }
      for name in try FileManager.default.contentsOfDirectory(atPath: copy.url.path) {
        try FileManager.default.removeItem(at: copy.file(name))
      }
    }
  }

  private var path: String { url.resolvingSymlinksInPath().path }

  private func damage(setAside: String? = nil) -> StoreError {
    StoreError(
      .fileDamaged(path: path, details: "Entry.text: the checksum is wrong", setAside: setAside))
  }

  /// Changes a byte of a text in a copy of a file.
  private func damaged(_ bytes: Data) throws -> Data {
    let offset = try #require(bytes.range(of: Data("an entry of more".utf8))).lowerBound
    var damaged = bytes
    damaged[offset] = UInt8(ascii: "o")
    return damaged
  }

  /// Opens a damaged file and reads it, so that the damage is noticed.
  private func noticeDamage() throws {
    let store = try Store(configuration: configuration)
    #expect(store.objects(Entry.self).isEmpty)
    #expect(store.damage == [damage()])
    #expect(throws: damage()) { try Ledger.commit(21, in: store) }
    #expect(store.objects(Entry.self).isEmpty)
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.file(name).path)
  }

  @Test func `a damaged file is not written to and is renamed when it is next opened`() throws {
    let damaged = try damaged(closedStore())
    try damaged.write(to: url)
    try noticeDamage()
    #expect(
      damage().description == "\(path): the file is damaged: Entry.text: the checksum is wrong")
    #expect(try Data(contentsOf: url) == damaged)
    #expect(throws: damage(setAside: path + ".damaged")) { try Store(configuration: configuration) }
    #expect(try Data(contentsOf: folder.file("ledger.store.damaged")) == damaged)
  }

  @Test func `opening throws and creates no store until the renamed file is moved or deleted`()
    throws
  {
    try damaged(closedStore()).write(to: url)
    try noticeDamage()
    for _ in 0..<3 {
      #expect(throws: damage(setAside: path + ".damaged")) {
        try Store(configuration: configuration)
      }
      #expect(throws: damage(setAside: path + ".damaged")) {
        try Store(configuration: configuration.forTool())
      }
      #expect(!exists("ledger.store"))
    }
    try FileManager.default.moveItem(
      at: folder.file("ledger.store.damaged"), to: folder.file("kept"))
    let store = try Store(configuration: configuration)
    #expect(store.objects(Entry.self).isEmpty)
    try Ledger.commit(1, in: store)
  }

  @Test func `deleting the files of a store permits a new store beside the renamed file`() throws {
    try damaged(closedStore()).write(to: url)
    try noticeDamage()
    #expect(throws: damage(setAside: path + ".damaged")) { try Store(configuration: configuration) }
    try Store.deleteFiles(configuration)
    try Ledger.commit(1, in: Store(configuration: configuration))
    #expect(exists("ledger.store.damaged"))
  }

  @Test(arguments: [false, true])
  func `a backup restored after damage was noticed is verified and opens`(_ isTool: Bool) throws {
    let backup = try closedStore()
    try damaged(backup).write(to: url)
    try noticeDamage()
    try backup.write(to: url)
    let configuration = isTool ? configuration.forTool() : configuration
    for number in 21...22 {
      let store = try Store(configuration: configuration)
      #expect(try Ledger.lastCommit(in: store) == number - 1)
      try Ledger.commit(number, in: store)
      #expect(store.damage == [])
    }
    #expect(!exists("ledger.store.damaged"))
  }

  @Test func `a backup restored after the damaged file was renamed opens`() throws {
    let backup = try closedStore()
    try damaged(backup).write(to: url)
    try noticeDamage()
    #expect(throws: damage(setAside: path + ".damaged")) { try Store(configuration: configuration) }
    // A restored file that is damaged, too, is found before its first use.
    try damaged(backup).write(to: url)
    #expect(throws: damage(setAside: path + ".damaged-2")) {
      try Store(configuration: configuration)
    }
    try backup.write(to: url)
    for number in 21...22 {
      let store = try Store(configuration: configuration)
      #expect(try Ledger.lastCommit(in: store) == number - 1)
      try Ledger.commit(number, in: store)
    }
    #expect(exists("ledger.store.damaged"))
    #expect(exists("ledger.store.damaged-2"))
  }

  @Test func `a file that is edited, noticed and then opened with accepted edits opens`() throws {
    _ = try closedStore()
    try EditedFile.execute("UPDATE Entry SET text = 'edited' WHERE number = 3", in: url)
    try noticeDamage()
    let store = try Store(configuration: .file(url, externalEdits: .accept))
    #expect(store.object(ofType: Entry.self, forPrimaryKey: "entry 3")?.text == "edited")
    #expect(!exists("ledger.store.damaged"))
  }

  @Test func `a rename that was interrupted between the file and its log is completed`() throws {
    try damaged(closedStore()).write(to: url)
    try noticeDamage()
    let error = damage(setAside: path + ".damaged")
    #expect(throws: error) { try Store(configuration: configuration) }
    let log = Data("the log".utf8)
    try log.write(to: folder.file("ledger.store-wal"))
    #expect(throws: error) { try Store(configuration: configuration) }
    #expect(!exists("ledger.store-wal"))
    #expect(try Data(contentsOf: folder.file("ledger.store.damaged-wal")) == log)
  }

  @Test func `an emptied file is reported as damaged`() throws {
    _ = try closedStore()
    try Data().write(to: url)
    let error = StoreError(
      .fileDamaged(
        path: path, details: "it is empty, but a store was created here",
        setAside: path + ".damaged"))
    for _ in 0..<2 { #expect(throws: error) { try Store(configuration: configuration) } }
    // An empty file does not count as a restored one.
    try Data().write(to: url)
    #expect(throws: error) { try Store(configuration: configuration) }
    try FileManager.default.removeItem(at: folder.file("ledger.store.damaged"))
    let store = try Store(configuration: configuration)
    try Ledger.commit(1, in: store)
  }

  // Bytes of the application ID and the user version (sqlite.org/fileformat.html).
  @Test(arguments: [70, 63])
  func `a flipped bit in the header is reported as damage`(_ offset: Int) throws {
    var bytes = try closedStore()
    bytes[offset] ^= 2
    try bytes.write(to: url)
    #expect(
      throws: StoreError(
        .fileDamaged(
          path: path, details: "the header does not match the catalog",
          setAside: path + ".damaged"))
    ) {
      try Store(configuration: configuration)
    }
    #expect(try Data(contentsOf: folder.file("ledger.store.damaged")) == bytes)
  }

  @Test func `a damaged cache is replaced by an empty one`() throws {
    var bytes = try closedStore()
    bytes.replaceSubrange(100..<200, with: repeatElement(0xFF, count: 100))
    try bytes.write(to: url)
    let store = try Store(configuration: .file(url, isCache: true))
    try Ledger.commit(1, in: store)
    #expect(store.damage.count == 1)
    #expect(FileManager.default.fileExists(atPath: url.path + ".damaged"))
  }

  @Test
  func `a cache begins empty although a damaged file was renamed by a store that is no cache`()
    throws
  {
    try damaged(closedStore()).write(to: url)
    try noticeDamage()
    #expect(throws: damage(setAside: path + ".damaged")) { try Store(configuration: configuration) }
    let store = try Store(configuration: .file(url, isCache: true))
    #expect(store.damage == [damage(setAside: path + ".damaged")])
    try Ledger.commit(1, in: store)
  }

  @Test func `a file that was never a store is rejected and left unchanged`() throws {
    let picture = Data("not a store, but something dear to somebody".utf8)
    try picture.write(to: url)
    #expect(throws: StoreError(.notAStore(path: path))) {
      try Store(configuration: configuration)
    }
    #expect(try Data(contentsOf: url) == picture)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["ledger.store"])
  }
}
