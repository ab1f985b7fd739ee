import Foundation
import ObjectStore
import StoreDatabase
import TestSupport
import Testing

/// The conditions under which a file can be opened. R18
@Suite struct `Opening a file` {
  private let folder: TemporaryFolder
  private let url: URL
  private var path: String { url.resolvingSymlinksInPath().path }

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("ledger.store")
  }

  @Test(arguments: [
    (StoreError.Kind.notAStore(path: "/a"), "/a: the file is not a store; it was left unchanged"),
    (
      .fileTooNew(path: "/a", format: 9, known: 1),
      "/a: the file has format 9, but this version supports formats only up to 1"
    ),
    (.readOnlyStore(path: "/a"), "/a: the store was opened read-only"),
    (.otherConfiguration(path: "/a"), "/a: the store is already open with other options"),
    (.notInFile, "the store is in memory; this requires a store in a file"),
    (
      .fileDamaged(path: "/a", details: "a bit", setAside: "/b"),
      "/a: the file is damaged: a bit; it was set aside as /b"
    ),
  ])
  func `errors about files describe the problem`(_ kind: StoreError.Kind, _ text: String) {
    #expect(StoreError(kind).description == text)
  }

  @Test func `a file with a second hard link can be opened only for reading`() throws {
    let other = folder.file("other.store")
    do {
      let store = try Store(configuration: .file(url))
      try Ledger.commit(1, in: store)
      try FileManager.default.linkItem(at: url, to: other)
      let text =
        ": the file has 2 names (hard links), and only a file with one can be written; "
        + "copy it, or open it with readOnly: true"
      let second = #expect(throws: StoreError.self) {
        _ = try Store(configuration: .file(other))
      }
      #expect(second?.description == other.resolvingSymlinksInPath().path + text)
      #expect(!FileManager.default.fileExists(atPath: other.path + ".lock"))
      try Ledger.commit(2, in: store)
    }
    #expect(throws: StoreError.self) { _ = try Store(configuration: .file(url)) }
    let read = try Store(configuration: .file(other, readOnly: true))
    #expect(try Ledger.lastCommit(in: read) == 2)
    try FileManager.default.removeItem(at: other)
    #expect(try Ledger.lastCommit(in: try Store(configuration: .file(url))) == 2)
  }

  @Test(arguments: ["a", "\n", "\0"])
  func `a file of one byte is rejected and left unchanged`(_ content: String) throws {
    try Data(content.utf8).write(to: url)
    for readOnly in [false, true] {
      let error = #expect(throws: StoreError.self) {
        _ = try Store(configuration: .file(url, readOnly: readOnly))
      }
      #expect(error?.kind == .notAStore(path: path))
    }
    #expect(try Data(contentsOf: url) == Data(content.utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["ledger.store"])
  }

  @Test func `opening a folder throws`() throws {
    let error = #expect(throws: StoreError.self) {
      _ = try Store(configuration: .file(folder.url))
    }
    #expect(
      error?.description == folder.url.resolvingSymlinksInPath().path
        + ": expected a file, found a folder")
  }

  @Test(arguments: ["http://host/tmp/a.store", "data:text/plain,a"])
  func `opening a URL that is not a file URL throws`(_ text: String) throws {
    let url = try #require(URL(string: text))
    for configuration in [
      StoreConfiguration.file(url), .file(url, readOnly: true), .inMemory(copyOf: url),
    ] {
      let error = #expect(throws: StoreError.self) { _ = try Store(configuration: configuration) }
      #expect(error?.description == "\(text): the URL of a store must be a file URL")
    }
  }

  @Test func `two paths to one file open the same store`() throws {
    let one = try Store(configuration: .file(url))
    let other = try Store(configuration: .file(folder.url.appending(path: "./ledger.store")))
    try Ledger.commit(1, in: one)
    other.refresh()
    #expect(try Ledger.lastCommit(in: other) == 1)
  }

  @Test func `a symbolic link opens its target even before the target exists`() throws {
    let manager = FileManager.default
    try manager.createSymbolicLink(at: folder.file("far"), withDestinationURL: folder.url)
    try manager.createSymbolicLink(
      atPath: folder.file("near.store").path, withDestinationPath: "./ledger.store")
    try manager.createSymbolicLink(
      at: folder.file("chain.store"), withDestinationURL: folder.file("far/near.store"))
    for name in ["chain.store", "near.store", "far/ledger.store", "far/chain.store"] {
      let one = try Store(configuration: .file(folder.file(name)))
      let other = try Store(configuration: .file(url))
      let number = try Ledger.lastCommit(in: other) + 1
      try Ledger.commit(number, in: one)
      other.refresh()
      #expect(try Ledger.lastCommit(in: other) == number, "\(name)")
    }
    let names = try manager.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(
      names == ["chain.store", "far", "ledger.store", "ledger.store.lock", "near.store"])
  }

  @Test func `the log of a large commit is truncated to 8 MiB by the next commit`() throws {
    let store = try Store(configuration: .file(url))
    func logSize() throws -> Int {
      try Data(contentsOf: folder.file("ledger.store-wal")).count
    }
    try store.write {
      let text = String(repeating: "large ", count: 30_000)
      for number in 0..<100 {
        try store.create(Entry.self, value: ["id": .init("\(number)"), "text": .init(text)])
      }
    }
    #expect(try logSize() > 16 << 20)
    try Ledger.commit(1, in: store)
    #expect(try logSize() <= 8 << 20)
  }

  @Test func `a commit throws for a class with more attributes than SQLite allows columns`() throws
  {
    func schema(_ name: String, count: Int) -> ObjectSchema {
      ObjectSchema(
        name,
        [Property("id", .int, isPrimaryKey: true), Property("tags", .list(.string))]
          + (1..<count).map { Property("a\($0)", .int) })
    }
    do {
      let store = try Store(
        configuration: .file(url),
        schemas: [schema("Fits", count: 1998), schema("Wide", count: 2000)])
      let error = StoreError(
        .fileFailed(
          path: path,
          reason:
            "Wide: 2000 attributes that are not collections; a class in a file may have at most 1998"
        ))
      #expect(throws: error) {
        try store.write { try store.create(dynamic: "Wide", value: ["id": 1]) }
      }
      #expect(try store.objects(dynamic: "Wide").isEmpty)
      try store.write { try store.create(dynamic: "Fits", value: ["id": 1, "a1997": 5]) }
    }
    let store = try Store(configuration: .file(url), schemas: [schema("Fits", count: 2000)])
    #expect(try store.objects(dynamic: "Fits").map { $0["a1997"] as? Int } == [5])
    #expect(
      throws: StoreError(
        .fileFailed(
          path: path,
          reason:
            "Fits: 2000 attributes that are not collections; a class in a file may have at most 1998"
        ))
    ) {
      try store.write { try store.create(dynamic: "Fits", value: ["id": 2]) }
    }
  }

  @Test func `opening an open store with different options throws`() throws {
    let store = try Store(configuration: .file(url))
    #expect(throws: StoreError(.otherConfiguration(path: path))) {
      try Store(configuration: .file(url, durability: .full))
    }
    withExtendedLifetime(store) {}
  }

  @Test func `a second process can open the file only for reading`() async throws {
    let store = try Store(configuration: .file(url))
    try Ledger.commit(1, in: store)
    let path = path
    await #expect(processExitsWith: .success) { [path = path as String] in
      #expect(throws: StoreError(.fileInUse(path: path))) {
        try Store(configuration: .file(URL(filePath: path)))
      }
      // Read-only access is allowed.
      let reader = try Store(configuration: .file(URL(filePath: path), readOnly: true))
      #expect(try Ledger.lastCommit(in: reader) == 1)
    }
    try Ledger.commit(2, in: store)
  }

  @Test func `writing to a read-only store throws`() throws {
    let store = try Store(configuration: .file(url))
    try Ledger.commit(1, in: store)
    let copy = folder.file("copy.store")
    try FileManager.default.copyItem(at: url, to: copy)
    try FileManager.default.copyItem(
      at: folder.file("ledger.store-wal"), to: folder.file("copy.store-wal"))
    let reader = try Store(configuration: .file(copy, readOnly: true))
    #expect(throws: StoreError(.readOnlyStore(path: copy.resolvingSymlinksInPath().path))) {
      try Ledger.commit(2, in: reader)
    }
    #expect(try Ledger.lastCommit(in: reader) == 1)
  }

  @Test func `opening a missing file for reading throws`() {
    let error = StoreError(.fileFailed(path: path, reason: "there is no such file"))
    #expect(throws: error) { try Store(configuration: .file(url, readOnly: true)) }
    #expect(error.description == "\(path): there is no such file")
  }

  @Test func `opening a file in a missing folder throws`() throws {
    let url = folder.url.appending(path: "nowhere/ledger.store")
    let path = folder.url.resolvingSymlinksInPath().path + "/nowhere"
    let error = #expect(throws: StoreError.self) { try Store(configuration: .file(url)) }
    #expect(error?.description == "\(path)/ledger.store: the folder \(path) does not exist")
  }

  @Test func `opening and deleting name the lock file if it cannot be opened`() throws {
    try FileManager.default.createDirectory(
      at: folder.file("ledger.store.lock"), withIntermediateDirectories: false)
    let text = "\(path): cannot open ledger.store.lock: Is a directory"
    let opening = #expect(throws: StoreError.self) { try Store(configuration: .file(url)) }
    #expect(opening?.description == text)
    let deleting = #expect(throws: StoreError.self) { try Store.deleteFiles(.file(url)) }
    #expect(deleting?.description == text)
  }

  @Test(arguments: [false, true])
  func `opening names the log if it cannot be opened`(readOnly: Bool) throws {
    try Ledger.commit(1, in: Store(configuration: .file(url)))
    try FileManager.default.createDirectory(
      at: folder.file("ledger.store-wal"), withIntermediateDirectories: false)
    let error = #expect(throws: StoreError.self) {
      try Store(configuration: .file(url, readOnly: readOnly))
    }
    #expect(
      error?.description == "\(path): cannot open ledger.store-wal: Is a directory (SQLite 14)")
    try FileManager.default.removeItem(at: folder.file("ledger.store-wal"))
    #expect(try Ledger.lastCommit(in: Store(configuration: .file(url, readOnly: readOnly))) == 1)
  }

  @Test func `a full disk is named where SQLite reports any failure`() {
    // Where SQLite cannot extend the file -shm.
    let error = DatabaseError(code: 4874, message: "disk I/O error", systemCode: ENOSPC)
    #expect(error.description == "the disk is full (SQLite 4874)")
  }

  @Test func `opening a file of a later format throws`() throws {
    do { _ = try Store(configuration: .file(url)) }
    try EditedFile.execute(
      "PRAGMA user_version = 9; UPDATE store_info SET value = 9 WHERE key = 'format'", in: url)
    #expect(throws: StoreError(.fileTooNew(path: path, format: 9, known: 2))) {
      try Store(configuration: .file(url))
    }
  }

  @Test func `the database of another application is rejected and left unchanged`() throws {
    try EditedFile.execute(
      "PRAGMA application_id = 7; PRAGMA user_version = 9; CREATE TABLE dear (x)", in: url)
    let bytes = try Data(contentsOf: url)
    #expect(throws: StoreError(.notAStore(path: path))) { try Store(configuration: .file(url)) }
    #expect(try Data(contentsOf: url) == bytes)
  }

  @Test func `writes throw after the file of an open store was removed`() throws {
    let store = try Store(configuration: .file(url))
    try Ledger.commit(1, in: store)
    try FileManager.default.removeItem(at: url)
    let error = StoreError(
      .fileFailed(path: path, reason: "the file was removed, renamed or replaced"))
    #expect(throws: error) { try Ledger.commit(2, in: store) }
    #expect(try Ledger.lastCommit(in: store) == 1)
    #expect(throws: error) { try Ledger.commit(2, in: store) }
  }

  @Test func `writes throw after the lock file of an open store was removed`() throws {
    let store = try Store(configuration: .file(url))
    try Ledger.commit(1, in: store)
    try FileManager.default.removeItem(at: folder.file("ledger.store.lock"))
    #expect(
      throws: StoreError(
        .fileFailed(path: path, reason: "the lock file was removed"))
    ) {
      try Ledger.commit(2, in: store)
    }
    #expect(try Ledger.lastCommit(in: store) == 1)
  }

  @Test(arguments: StoreConfiguration.Durability.allCases, [false, true])
  func `writes and flushes throw after the log of an open store was removed or replaced`(
    _ durability: StoreConfiguration.Durability, _ isReplaced: Bool
  ) async throws {
    let store = try Store(configuration: .file(url, durability: durability))
    try Ledger.commit(1, in: store)
    try await store.flush()
    let log = folder.file("ledger.store-wal")
    let bytes = try Data(contentsOf: log)
    try FileManager.default.removeItem(at: log)
    if isReplaced { try bytes.write(to: log) }
    let error = StoreError(
      .fileFailed(path: path, reason: "the log file (-wal) was removed, renamed or replaced"))
    await #expect(throws: error) { try await store.flush() }
    await #expect(throws: error) { try await store.compact() }
    await #expect(throws: error) {
      try Ledger.commit(2, in: store)
      try await store.flush()
    }
    #expect(throws: error) { try Ledger.commit(3, in: store) }
  }

  @Test func `the files of a store can be deleted only while it is closed`() throws {
    let configuration = StoreConfiguration.file(url)
    do {
      let store = try Store(configuration: configuration)
      try Ledger.commit(1, in: store)
      let error = StoreError(.fileInUse(path: path))
      #expect(throws: error) { try Store.deleteFiles(configuration) }
      #expect(error.description == "\(path): the store is open elsewhere")
    }
    try Store.deleteFiles(configuration)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    try Store.deleteFiles(configuration)
    #expect(throws: StoreError(.notInFile)) { try Store.deleteFiles(.inMemory()) }
  }

  @Test func `a store in use can be flushed, compacted, copied and checked`() async throws {
    let copy = folder.file("copy.store")
    let store = try Store(configuration: .file(url, durability: .background))
    for number in 1...50 { try Ledger.commit(number, in: store) }
    try await store.flush()
    try store.write { store.delete(store.objects(Entry.self)) }
    try await store.compact()
    try await store.integrityCheck()
    try store.write { store.deleteAll() }
    for number in 1...3 { try Ledger.commit(number, in: store) }
    try await store.copy(to: copy)
    try Ledger.commit(4, in: store)
    let other = try Store(configuration: .file(copy))
    #expect(try Ledger.lastCommit(in: other) == 3)
    #expect(try Ledger.lastCommit(in: store) == 4)
    await #expect(
      throws: StoreError(
        .fileFailed(
          path: copy.path(percentEncoded: false), reason: "the file already exists"))
    ) {
      try await store.copy(to: copy)
    }
  }

  @Test func `a store that only reads can be copied`() async throws {
    do {
      let writer = try Store(configuration: .file(url))
      for number in 1...3 { try Ledger.commit(number, in: writer) }
    }
    let copy = folder.file("copy.store")
    try await Store(configuration: .file(url, readOnly: true)).copy(to: copy)
    let other = try Store(configuration: .file(copy))
    #expect(try Ledger.lastCommit(in: other) == 3)
    try await other.integrityCheck()
  }

  @Test func `an in-memory store can be copied to a file`() async throws {
    let store = try Store(configuration: .inMemory())
    for number in 1...9 { try Ledger.commit(number, in: store) }
    try store.beginWrite()
    store.object(ofType: Ledger.self, forPrimaryKey: 1)?.count = 0
    try await store.copy(to: url)
    store.cancelWrite()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["ledger.store"])
    let copy = try Store(configuration: .file(url))
    #expect(try Ledger.lastCommit(in: copy) == 9)
    try await copy.integrityCheck()
    try Ledger.commit(10, in: copy)
  }

  @Test func `an in-memory store can be flushed but not compacted`() async throws {
    let store = try Store(configuration: .inMemory())
    try await store.flush()
    try await store.integrityCheck()
    #expect(store.damage == [])
    await #expect(throws: StoreError(.notInFile)) { try await store.compact() }
  }
}
