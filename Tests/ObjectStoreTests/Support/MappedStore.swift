import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// A store in a file whose classes have column files, and the files themselves.
struct MappedStore {
  let folder: TemporaryFolder
  let url: URL
  var columns: URL { folder.file("mapped.store.columns") }

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("mapped.store")
  }

  /// The content of the file, read from the database only.
  func expected() throws -> [String: [String]] {
    // Copies of files have no column files for so few rows.
    let store = try ObjectStore.Store(configuration: .inMemory(copyOf: url))
    defer { #expect(store.damage == []) }
    return Mapped.content(of: store)
  }

  /// Opens a store, and closes it after `body`.
  func withStore(
    _ configuration: StoreConfiguration? = nil, _ body: (ObjectStore.Store) throws -> Void
  ) throws {
    var file: StoreFile?
    do {
      let store = try ObjectStore.Store(
        configuration: configuration ?? Mapped.configuration(url))
      file = store.handle.core.file
      try body(store)
    }
    // Closing writes column files in the background.
    file?.columnQueue.sync {}
  }

  func open() throws -> ObjectStore.Store {
    try ObjectStore.Store(configuration: Mapped.configuration(url))
  }

  /// Creates a store with 1,200 items, shelves and 700 notes, and writes the column files.
  func fill(seed: UInt64 = 1) throws {
    var random = SeededRandom(seed: seed)
    try withStore { store in
      for _ in 0..<5 { try Mapped.change(store, &random, count: 600) }
      try store.write {
        for id in 0..<700 {
          let value: UpdateDictionary = ["id": .int(Int64(id)), "text": .string("note \(id)")]
          try store.create(Mapped.Note.self, value: value, update: .modified)
        }
      }
      store.handle.core.file?.updateColumnFiles()
    }
  }

  /// Opens the store and compares it with the database. Returns the mapped classes.
  @discardableResult
  func check(_ comment: Comment? = nil) throws -> [String] {
    let store = try open()
    #expect(try Mapped.content(of: store) == expected(), comment)
    for id in stride(from: 0, to: 2200, by: 37) {
      let found = store.object(ofType: Mapped.Item.self, forPrimaryKey: id)
      #expect(found?.id == store.objects(Mapped.Item.self).where { $0.id == id }.first?.id, comment)
    }
    #expect(store.damage == [], comment)
    let broken = store.handle.engine.newest.brokenInvariants(store.handle.engine)
    #expect(broken == [], comment)
    return Mapped.mappedClasses(store)
  }

  /// The column files; empty if there are none.
  func files() throws -> [URL] {
    guard FileManager.default.fileExists(atPath: columns.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: columns.path).sorted()
      .map { columns.appending(path: $0) }
  }

  /// The column file of a class.
  func file(of name: String) throws -> URL {
    try #require(try files().first { $0.lastPathComponent.hasPrefix(name + "-") })
  }

  /// Flips a bit of a file.
  func flipBit(_ file: URL, _ random: inout SeededRandom) throws {
    var bytes = try Data(contentsOf: file)
    // A file that is being written may still be empty.
    if bytes.isEmpty { return }
    bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
    try bytes.write(to: file)
  }

  /// Flips a bit in the block of each chunk of a class.
  func damageAllChunks(of name: String) throws {
    try damage(name) { header in
      let indexSize = 8 * ColumnFile.Index.wordCount * header(.indexCount)
      let entrySize = (header(.directoryByteCount) - indexSize) / header(.chunkCount)
      return (0..<header(.chunkCount)).map { header(.directoryOffset) + $0 * entrySize + 8 }
    }
  }

  /// Flips a bit in each index of a class.
  func damageIndexes(of name: String) throws {
    try damage(name) { header in
      let size = 8 * ColumnFile.Index.wordCount
      let end = header(.directoryOffset) + header(.directoryByteCount)
      return (1...header(.indexCount)).map { end - $0 * size + 8 * CompoundIndex.size.upperBound }
    }
  }

  /// Flips a bit in parts of the column file of a class.
  ///
  /// - Parameter places: Returns the offsets of the words for the offset and size of each part.
  private func damage(
    _ name: String, places: (_ header: (ColumnFile.Header) -> Int) -> [Int]
  ) throws {
    let file = try file(of: name)
    var bytes = try Data(contentsOf: file)
    func word(_ offset: Int) -> Int {
      bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    }
    for place in places({ word(8 * $0.rawValue) }) {
      bytes[word(place) + word(place + 8) / 2] ^= 4
    }
    try bytes.write(to: file)
  }

  /// The notes of the database, as text, and the last one, which is never in the column file.
  func notes() throws -> (all: [String], lastID: Int) {
    let all = try #require(try expected()["notes"])
    let last = try #require(all.last)
    return (all, try #require(Int(last.prefix { $0 != " " })))
  }

  /// Creates a store with notes only, and writes their column file.
  func fillNotes(_ count: Int) throws {
    try withStore { store in
      try store.write {
        for id in 0..<count {
          try store.create(Mapped.Note.self, value: ["id": .int(Int64(id)), "text": "a"])
        }
      }
      store.handle.core.file?.updateColumnFiles()
    }
  }
}
