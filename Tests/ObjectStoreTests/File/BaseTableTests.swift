import Foundation
import ObjectStore
import TestSupport
import Testing

private enum Notes {
  final class Note: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String?
    override class var tracksEdits: Bool { true }
  }
}

@Suite struct `Base tables in files` {
  /// R30, R31, R32
  @Test func `SQLite reads the server's values and the marks of edits`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("notes.store")
    do {
      let store = try Store(configuration: .file(url))
      try store.write(as: .server) {
        for id in 1...3 {
          try store.create(Notes.Note.self, value: ["id": .int(Int64(id)), "text": "a"])
        }
      }
      let notes = store.objects(Notes.Note.self)
      try store.write {
        notes[0].text = "b"
        store.delete(notes[1])
      }
    }
    let rows = try EditedFile.texts(
      """
      SELECT id || ' ' || text || ' ' || "text.edit" || ' ' || ".state" FROM "Note.base" ORDER BY id
      """, in: url)
    #expect(rows == ["1 a 9 1", "2 a 8 3"])
  }

  @Test func `a file tells that a class tracks edits before the first edit`() throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration.file(folder.file("notes.store"))
    do {
      let store = try Store(configuration: configuration)
      try store.write(as: .server) { try store.create(Notes.Note.self, value: ["id": 1]) }
      #expect(try Store.schemas(of: configuration).map(\.tracksEdits) == [true])
    }
    // A tool that knows no classes.
    let schemas = try Store.schemas(of: configuration)
    #expect(schemas.map(\.tracksEdits) == [true])
    let store = try Store(configuration: configuration, schemas: schemas, isolation: nil)
    let note = try #require(try store.objects(dynamic: "Note").first)
    try store.write { note["text"] = "b" }
    #expect(try store.pendingEdits().map(\.attributes) == [["text"]])
  }

  @Test func `a flipped bit in a base table is damage`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("notes.store")
    do {
      let store = try Store(configuration: .file(url))
      try store.write(as: .server) { try store.create(Notes.Note.self, value: ["id": 1]) }
      try store.write { store.objects(Notes.Note.self)[0].text = "b" }
    }
    try EditedFile.execute(#"UPDATE "Note.base" SET "text.edit" = 1"#, in: url)
    let store = try Store(configuration: .file(url))
    #expect(store.objects(Notes.Note.self).edited.isEmpty)
    #expect(store.damage.count == 1)
    #expect("\(store.damage)".contains("Note.base"))
  }
}
