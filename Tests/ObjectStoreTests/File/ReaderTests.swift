import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// A store that is opened only for reading while another process writes its file.
@Suite struct `A reader in another process` {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("ledger.store")
  }

  private func exists(_ end: String) -> Bool {
    FileManager.default.fileExists(atPath: url.path + end)
  }

  private func logSize() -> Int {
    (try? FileManager.default.attributesOfItem(atPath: url.path + "-wal"))?[.size] as? Int ?? 0
  }

  @Test func `a closed reader leaves no log, and a log that is in use stays`() async throws {
    func read() async {
      let path = url.resolvingSymlinksInPath().path
      _ = await #expect(processExitsWith: .success) { [path = path as String] in
        let configuration = StoreConfiguration.file(URL(filePath: path), readOnly: true)
        do {
          let reader = try Store(configuration: configuration, isolation: nil)
          #expect(reader.objects(Entry.self).count == 1)
        }
        #expect(try Store.schemas(of: configuration).count == 2)
      }
    }
    do {
      let store = try Store(configuration: .file(url), isolation: nil)
      try Ledger.commit(1, in: store)
      await read()
      #expect(exists("-wal") && exists("-shm"))
      try store.write { store.object(Ledger.self, key: 1)?.count = 1 }
    }
    await read()
    #expect(!exists("-wal") && !exists("-shm"))
    // A log with commits is left to the process that writes.
    let copy = folder.file("copy.store")
    do {
      let store = try Store(configuration: .file(url), isolation: nil)
      try store.write { store.object(Ledger.self, key: 1)?.count = 7 }
      for end in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: url.path + end, toPath: copy.path + end)
      }
    }
    do {
      let reader = try Store(configuration: .file(copy, readOnly: true), isolation: nil)
      #expect(reader.object(Ledger.self, key: 1)?.count == 7)
    }
    #expect(FileManager.default.fileExists(atPath: copy.path + "-wal"))
  }

  @Test func `a reader bounds the log and keeps the state of its opening for classes loaded late`()
    async throws
  {
    let store = try Store(configuration: .file(url), isolation: nil)
    for number in 1...3 { try Ledger.commit(number, in: store) }
    let path = url.resolvingSymlinksInPath().path
    let reader = Task {
      _ = await #expect(processExitsWith: .success) { [path = path as String] in
        var configuration = StoreConfiguration.file(URL(filePath: path), readOnly: true)
        configuration.file.readerLogLimit = 1 << 20
        let reader = try Store(configuration: configuration, isolation: nil)
        #expect(reader.objects(Entry.self).count == 3)
        try Data().write(to: URL(filePath: path + ".opened"))
        while !FileManager.default.fileExists(atPath: path + ".bounded") { usleep(5000) }
        // Only now loads the class Ledger.
        #expect(try Ledger.lastCommit(in: reader) == 3)
        #expect(reader.damage == [])
        try await reader.integrityCheck()
        try await reader.copy(to: URL(filePath: path + ".copy"))
      }
    }
    await waitUntil { exists(".opened") }
    for number in 4...2000 {
      try store.write {
        try store.create(
          Entry.self,
          value: [
            "id": "large", "number": .init(number),
            "text": .init(String(repeating: "large ", count: 2000)),
          ], update: .modified)
      }
    }
    for number in 4...6 { try Ledger.commit(number, in: store) }
    let end = ContinuousClock.now + .seconds(60)
    // The next commit after the reader has ended its transaction truncates the log.
    await waitUntil {
      _ = try? store.write { store.object(ofType: Ledger.self, forPrimaryKey: 1)?.count += 1 }
      return logSize() <= 8 << 20 || ContinuousClock.now > end
    }
    #expect(logSize() <= 8 << 20)
    try Data().write(to: URL(filePath: path + ".bounded"))
    await reader.value
    let copy = try Store(configuration: .file(URL(filePath: path + ".copy")), isolation: nil)
    #expect(try Ledger.lastCommit(in: copy) == 3)
  }
}
