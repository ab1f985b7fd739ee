import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// A store that is only read shows the commits of the process that writes its file.
@MainActor
@Suite struct `Refreshing a reader` {
  final class Note: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text = ""
    @Persisted var next: Note?
  }

  /// A class that the reader uses late.
  final class Tag: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var note: Note?
  }

  /// A later declaration of the notes.
  final class LaterNote: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text = ""
    @Persisted var next: LaterNote?
    @Persisted var stars = 3
    override class var tableName: String { "Note" }
  }

  private let folder: TemporaryFolder
  private let url: URL
  private var path: String { url.resolvingSymlinksInPath().path }

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("notes.store")
    let store = try ObjectStore.Store(configuration: .file(url))
    try store.write {
      for id in 1...3 { try store.create(Note.self, value: ["id": .int(Int64(id)), "text": "a"]) }
    }
  }

  private func open() throws -> ObjectStore.Store {
    try ObjectStore.Store(configuration: .file(url))
  }

  private func texts(_ store: ObjectStore.Store) -> [String] {
    store.objects(Note.self).map { "\($0.id) \($0.text)" }
  }

  @Test func `readers that refresh after each commit let the writer begin its log again`() throws {
    // Opening a reader waits for the stores of this process.
    let readers = try (1...3).map { _ in try openReader(url, logLimit: 1 << 20) }
    let store = try open()
    var largest = 0
    for number in 1...60 {
      // The whole text differs, so that all of its pages are written.
      let text = String(repeating: "\(number) ", count: 40_000)
      try store.write { store.object(Note.self, key: 1)?.text = text }
      for reader in readers {
        reader.refresh()
        #expect(reader.object(Note.self, key: 1)?.text.hasPrefix("\(number) ") ?? false)
      }
      largest = max(largest, StoreFile.size(path + "-wal") ?? 0)
    }
    // Sixty commits of 120 kB.
    #expect(largest < 5 << 20)
    #expect(readers.allSatisfy { $0.damage.isEmpty })
  }

  @Test func `refresh shows the newest commit and notifies observers of its differences`() throws {
    let reader = try openReader(url)
    var changes: [String] = []
    let token = reader.objects(Note.self).observe { change in
      guard case .update(_, let deletions, let insertions, let modifications) = change else {
        return
      }
      changes.append("-\(deletions) +\(insertions) ~\(modifications)")
    }
    let second = try #require(reader.object(Note.self, key: 2))
    reader.refresh()
    let writer = try open()
    try writer.write {
      writer.object(Note.self, key: 2)?.text = "b"
      if let first = writer.object(Note.self, key: 1) { writer.delete(first) }
    }
    try writer.write { try writer.create(Note.self, value: ["id": 4]) }
    #expect(texts(reader) == ["1 a", "2 a", "3 a"])
    reader.refresh()
    #expect(texts(reader) == ["2 b", "3 a", "4 "])
    #expect(second.text == "b")
    #expect(changes == ["-[0] +[2] ~[1]"])
    let version = reader.version
    reader.refresh()
    #expect(reader.version == version)
    #expect(reader.damage == [])
    withExtendedLifetime(token) {}
  }

  @Test func `a reader follows the writer on its actor if it looks for commits`() async throws {
    let reader = try openReader(url, refreshInterval: .milliseconds(2))
    reader.follow()
    var texts: [String] = []
    let token = reader.object(Note.self, key: 1)?.observe { _ in
      texts.append(reader.object(Note.self, key: 1)?.text ?? "deleted")
    }
    let writer = try open()
    for text in ["b", "c"] {
      try writer.write { writer.object(Note.self, key: 1)?.text = text }
      await waitUntil { texts.last == text }
    }
    try writer.write { writer.deleteAll() }
    await waitUntil { reader.objects(Note.self).isEmpty }
    withExtendedLifetime(token) {}
  }

  @Test func `a class that is first used after a refresh has the newest state`() throws {
    let reader = try openReader(url)
    #expect(reader.objects(Note.self).count == 3)
    let behind = ObjectStore.Store(core: reader.handle.core)
    let writer = try open()
    try writer.write {
      let note = try writer.create(Note.self, value: ["id": 4])
      try writer.create(Tag.self, value: ["name": "new"]).note = note
    }
    reader.refresh()
    // The other handle shows no objects with links that it cannot follow.
    #expect(behind.objects(Tag.self).isEmpty)
    #expect(behind.objects(Note.self).count == 3)
    #expect(reader.objects(Tag.self).map { $0.note?.id } == [4])
    behind.refresh()
    #expect(behind.objects(Tag.self).map { $0.note?.id } == [4])
  }

  @Test func `attributes that the writer's class has not are kept, and new ones are shown`() throws
  {
    let reader = try openReader(url)
    let stars = reader.objects(LaterNote.self).map(\.stars)
    #expect(stars == [3, 3, 3])
    do {
      let writer = try open()
      try writer.write {
        writer.object(Note.self, key: 1)?.text = "b"
        try writer.create(Note.self, value: ["id": 4])
      }
    }
    reader.refresh()
    #expect(
      reader.objects(LaterNote.self).map { "\($0.text) \($0.stars)" } == [
        "b 3", "a 3", "a 3", " 3",
      ])
    let writer = try open()
    try writer.write { writer.object(LaterNote.self, key: 2)?.stars = 5 }
    reader.refresh()
    #expect(reader.objects(LaterNote.self).map(\.stars) == [3, 5, 3, 3])
    #expect(reader.damage == [])
  }

  @Test func `a reader keeps what it shows if the new classes do not fit`() throws {
    let reader = try openReader(url)
    #expect(texts(reader) == ["1 a", "2 a", "3 a"])
    do {
      let writer = try ObjectStore.Store(
        configuration: .file(url, schemaVersion: 1) { _ in })
      try writer.write { try writer.create(Note.self, value: ["id": 9]) }
    }
    reader.refresh()
    reader.refresh()
    #expect(texts(reader) == ["1 a", "2 a", "3 a"])
    #expect(reader.damage == [StoreError(.schemaTooNew(path: path, version: 1, known: 0))])
  }

  @Test(arguments: [0, 1, 2])
  func `a reader keeps what it shows if the file was replaced`(refreshCount: Int) throws {
    let reader = try openReader(url)
    #expect(texts(reader) == ["1 a", "2 a", "3 a"])
    for _ in 0..<refreshCount { reader.refresh() }
    try ObjectStore.Store.deleteFiles(.file(url))
    let writer = try open()
    try writer.write { try writer.create(Note.self, value: ["id": 9]) }
    reader.refresh()
    #expect(texts(reader) == ["1 a", "2 a", "3 a"])
    #expect(
      reader.damage == [
        StoreError(
          .fileFailed(
            path: path, reason: "the file was removed, renamed or replaced; open the store again"))
      ])
  }

  @Test(arguments: [false, true])
  func `objects of a class that was removed and added are new ones`(refreshesBetween: Bool) throws {
    let reader = try openReader(url)
    let first = try #require(reader.object(Note.self, key: 1))
    do {
      // The class is not used, so that its table is removed.
      let writer = try open()
      try writer.write { writer.deleteAll() }
      if refreshesBetween { reader.refresh() }
      try writer.write {
        for id in 11...13 { try writer.create(Note.self, value: ["id": .int(Int64(id))]) }
      }
    }
    reader.refresh()
    #expect(first.isInvalidated)
    #expect(texts(reader) == ["11 ", "12 ", "13 "])
    #expect(reader.damage == [])
    #expect(try open().objects(Note.self).map(\.id) == [11, 12, 13])
  }

  /// As a tool or an earlier version of the package does.
  @Test func `a reader keeps what it shows if a table was made anew with the same row numbers`()
    throws
  {
    let reader = try openReader(url)
    #expect(texts(reader) == ["1 a", "2 a", "3 a"])
    do {
      let writer = try open()
      try writer.write { writer.deleteAll() }
    }
    try EditedFile.execute("DELETE FROM store_info WHERE key LIKE 'first_row%'", in: url)
    do {
      let writer = try open()
      try writer.write { try writer.create(Note.self, value: ["id": 9]) }
    }
    reader.refresh()
    #expect(texts(reader) == ["1 a", "2 a", "3 a"])
    #expect(
      reader.damage == [
        StoreError(
          .fileFailed(
            path: path, reason: "Note: all rows were replaced; open the store again"))
      ])
  }

  @Test func `a changed first row number is damage`() throws {
    do {
      let writer = try open()
      try writer.write { writer.deleteAll() }
    }
    #expect(
      try EditedFile.texts("SELECT value FROM store_info WHERE key = 'first_row'", in: url) == ["4"]
    )
    try EditedFile.execute("UPDATE store_info SET value = 5 WHERE key = 'first_row'", in: url)
    let error = #expect(throws: StoreError.self) { try open() }
    #expect(
      error?.kind
        == .fileDamaged(
          path: path, details: "the first row number does not match its digest",
          setAside: path + ".damaged"))
  }

  @Test func `links to deleted objects are cleared that the writer has not loaded`() throws {
    do {
      let writer = try open()
      try writer.write {
        for note in writer.objects(Note.self) {
          try writer.create(Tag.self, value: ["name": .string("\(note.id)")]).note = note
        }
      }
    }
    let reader = try openReader(url)
    #expect(reader.objects(Tag.self).where { $0.note != nil }.count == 3)
    let writer = try open()
    for id in 1...2 {
      try writer.write { writer.delete(try #require(writer.object(Note.self, key: id))) }
      reader.refresh()
      #expect(reader.objects(Tag.self).where { $0.note != nil }.count == 3 - id)
      #expect(reader.objects(Tag.self).compactMap(\.note?.id) == Array(id + 1...3))
    }
    #expect(reader.damage == [])
  }

  @Test func `a reader notices that whole chunks of a mapped class were deleted`() throws {
    let mapped = try MappedStore()
    try mapped.fillNotes(2000)
    let reader = try openReader(mapped.url, columnFileRows: 1)
    #expect(reader.objects(Mapped.Note.self).count == 2000)
    try mapped.withStore { store in
      try store.write { store.delete(store.objects(Mapped.Note.self).where { $0.id < 900 }) }
      store.handle.core.file?.updateColumnFiles()
    }
    reader.refresh()
    #expect(reader.objects(Mapped.Note.self).map(\.id) == Array(900..<2000))
    #expect(reader.damage == [])
  }

  @Test func `refresh inside a write of the reader does nothing`() throws {
    let reader = try openReader(url)
    let other = ObjectStore.Store(core: reader.handle.core)
    let writer = try open()
    try reader.write {
      try writer.write { try writer.create(Note.self, value: ["id": 4]) }
      reader.refresh()
      other.refresh()
      #expect(texts(reader).count == 3)
    }
    reader.refresh()
    other.refresh()
    #expect(texts(reader).count == 4)
    #expect(texts(other).count == 4)
  }

  @Test func `edits and their states are those of the writer`() throws {
    final class Task: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var title = ""
      override class var tracksEdits: Bool { true }
    }
    do {
      let writer = try open()
      try writer.write(as: .server) {
        try writer.create(Task.self, value: ["id": 1, "title": "a"])
      }
    }
    let reader = try openReader(url)
    #expect(reader.object(Task.self, key: 1)?.editState == .clean)
    let writer = try open()
    try writer.write { writer.object(Task.self, key: 1)?.title = "b" }
    reader.refresh()
    #expect(reader.object(Task.self, key: 1)?.editState == .edited)
    #expect(try reader.pendingEdits().map(\.attributes) == [["title"]])
    let edit = try #require(try writer.takeEdit())
    try writer.settle(edit, .confirmed)
    reader.refresh()
    #expect(reader.object(Task.self, key: 1)?.editState == .clean)
  }
}
