import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The class of the files, in its states before and after changes of its declaration.
private enum First {
  final class Note: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String?
    @Persisted var stars: Int32 = 0
    @Persisted var old = ""
    override class var tracksEdits: Bool { true }
  }
}

private enum Renamed {
  final class Memo: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title: String?
    @Persisted var stars: Int32 = 0
    override class var tracksEdits: Bool { true }
  }
}

private enum Widened {
  final class Note: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String?
    @Persisted var stars = 0.0
    @Persisted var added = "new"
    override class var tracksEdits: Bool { true }
  }
}

private enum Keyed {
  /// The key has another type, `stars`, too, and `old` is no longer sent.
  final class Note: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var text: String?
    @Persisted var stars = ""
    @Persisted var old = ""
    override class var tracksEdits: Bool { true }
    override class var codableIgnoredAttributes: [String] { ["old"] }
  }
}

private enum Untracked {
  final class Note: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String?
    @Persisted var stars: Int32 = 0
    @Persisted var old = ""
  }
}

@Suite struct `Edits in files` {
  private let folder: TemporaryFolder
  private var url: URL { folder.file("notes.store") }

  init() throws { folder = try TemporaryFolder() }

  /// Stores three notes: 1 is edited, 2 is deleted, 3 is rejected.
  private func fill() throws {
    let store = try Store(configuration: .file(url))
    let coder = StoreCoder(store: store)
    let notes = try coder.decodeArray(
      First.Note.self,
      from: Data(
        #"[{"id":1,"text":"a","stars":1,"old":"x"},{"id":2,"text":"b"},{"id":3,"text":"c"}]"#.utf8))
    try store.write {
      notes[0].text = "A"
      notes[0].stars = 5
      notes[0].old = "y"
      store.delete(notes[1])
      notes[2].text = "C"
    }
    try store.settle(
      try #require(try store.takeEdit(of: notes[2])),
      .rejected(Edit.Rejection(attributes: ["text": ["is \"bad\"\n"]])))
  }

  @Test func `edits, deletions and rejections survive a restart`() throws {
    try fill()
    let store = try Store(configuration: .file(url, classes: [First.Note.self]))
    #expect(
      try store.pendingEdits().map(\.description) == [
        #"edited Note 1: text "a" → "A", stars 1 → 5, old "x" → "y""#,
        #"edited Note 3: text "c" → "C""#, "deleted Note 2",
      ])
    let rejected = try #require(store.objects(First.Note.self).rejected.first)
    #expect(rejected.rejection?[\First.Note.text] == ["is \"bad\"\n"])
    let coder = StoreCoder(store: store)
    try coder.decodeArray(First.Note.self, from: Data(#"[{"id":1,"text":"z"},{"id":2}]"#.utf8))
    #expect(store.objects(First.Note.self).map(\.id) == [1, 3])
    #expect(store.objects(First.Note.self)[0].text == "A")
  }

  @Test(arguments: [true, false])
  func `a creation that a payload has shown is no edit after a restart`(isTaken: Bool) throws {
    do {
      let store = try Store(configuration: .file(url))
      let coder = StoreCoder(store: store)
      try store.write { _ = try store.create(First.Note.self, value: ["id": 9, "text": "a"]) }
      _ = try store.takeEdit()
      try coder.decodeArray(First.Note.self, from: Data(#"[{"id":9,"text":"a"}]"#.utf8))
    }
    let store = try Store(configuration: .file(url, classes: [First.Note.self]))
    if isTaken {
      #expect(try store.takeEdit() == nil)
    } else {
      let list = Data(#"[{"id":9,"text":"another client's"}]"#.utf8)
      try StoreCoder(store: store).decodeArray(First.Note.self, from: list)
    }
    let note = try #require(store.object(First.Note.self, key: 9))
    #expect(note.text == (isTaken ? "a" : "another client's") && note.editState == .clean)
  }

  @Test func `an edit that was taken is offered again after a restart`() throws {
    try fill()
    var serial = 0
    do {
      let store = try Store(configuration: .file(url, classes: [First.Note.self]))
      let edits = try store.takeEdits()
      #expect(edits.count == 2)
      serial = edits[0].serialNumber
    }
    let store = try Store(configuration: .file(url, classes: [First.Note.self]))
    let edits = try store.takeEdits()
    #expect(edits.count == 2)
    #expect(edits[0].serialNumber > serial)
    for edit in edits { try store.settle(edit, .confirmed) }
    #expect(try store.pendingEdits().map(\.className) == ["Note"])
  }

  @Test func `renamed and removed attributes take their base values along`() throws {
    try fill()
    let store = try Store(
      configuration: .file(
        url, classes: [Renamed.Memo.self], schemaVersion: 1,
        migration: { migration in
          try migration.renameAttribute("Note", from: "text", to: "title")
          try migration.renameClass(from: "Note", to: "Memo")
        }))
    #expect(
      try store.pendingEdits().map(\.description) == [
        #"edited Memo 1: title "a" → "A", stars 1 → 5"#, #"edited Memo 3: title "c" → "C""#,
        "deleted Memo 2",
      ])
    let memo = try #require(store.object(ofType: Renamed.Memo.self, forPrimaryKey: 1))
    try store.revertEdits(of: memo)
    #expect(memo.title == "a")
    #expect(try #require(try store.revertDeletion(of: Renamed.Memo.self, key: 2)).title == "b")
  }

  /// Opens the file with a migration that changes each note.
  private func migrated(
    to type: Object.Type,
    _ change: @escaping @Sendable (_ old: DynamicObject, _ new: DynamicObject) -> Void
  ) throws -> Store {
    try Store(
      configuration: .file(
        url, classes: [type], schemaVersion: 1,
        migration: { migration in try migration.enumerate("Note") { change($0, $1) } }))
  }

  @Test func `base rows follow keys that a migration changes`() throws {
    try fill()
    let store = try migrated(to: First.Note.self) { old, new in
      new["id"] = (old["id"] as? Int ?? 0) + 1000
    }
    #expect(
      try store.pendingEdits().map(\.description) == [
        #"edited Note 1001: text "a" → "A", stars 1 → 5, old "x" → "y""#,
        #"edited Note 1003: text "c" → "C""#, "deleted Note 2",
      ])
    #expect(
      store.objects(First.Note.self).sorted(by: \.id).map(\.editState) == [.edited, .rejected])
  }

  @Test func `a deletion ends if a migration gives its key to another object`() throws {
    try fill()
    let store = try migrated(to: First.Note.self) { old, new in
      if old["id"] as? Int == 1 { new["id"] = 2 }
    }
    #expect(
      try store.pendingEdits().map { "\($0.kind) \($0.keyText)" } == ["edited 2", "edited 3"])
    #expect(try store.revertDeletion(of: First.Note.self, key: 2) == nil)
  }

  @Test func `base rows follow keys of another type, and their deletions end`() throws {
    try fill()
    let store = try migrated(to: Keyed.Note.self) { old, new in
      new["id"] = "n\(old["id"] as? Int ?? 0)"
      new["stars"] = "\(old["stars"] ?? 0)"
    }
    #expect(
      try store.pendingEdits().map(\.description) == [
        #"edited Note "n1": text "a" → "A", stars "5""#, #"edited Note "n3": text "c" → "C""#,
      ])
    // The server's stars are unknown.
    let note = try #require(store.object(ofType: Keyed.Note.self, forPrimaryKey: "n1"))
    try store.revertEdits(of: note)
    #expect(note.text == "a")
    #expect(note.stars == "5")
    #expect(note.editState == .clean)
  }

  @Test(arguments: [false, true])
  func `deletions end if other attributes form the key`(isCompound: Bool) throws {
    let names = ["key", "part", "text"]
    func open(_ key: String, _ parts: [String], version: UInt64) throws -> Store {
      let attributes = names.map { Property($0, .string, isPrimaryKey: $0 == key) }
      return try Store(
        configuration: .file(url, schemaVersion: version, migration: { _ in }),
        schemas: [
          ObjectSchema("Note", attributes, compoundKey: parts, tracksEdits: true)
        ])
    }
    do {
      let store = try open("key", [], version: 0)
      try store.write(as: .server) {
        for key in ["a", "b", "c"] {
          try store.create(
            dynamic: "Note", value: key == "c" ? ["key": "c", "part": "p"] : ["key": .string(key)])
        }
      }
      try store.write {
        store.delete(try store.objects(dynamic: "Note").filter("key != 'c'"))
        try store.objects(dynamic: "Note")[0]["text"] = "edited"
      }
    }
    let store =
      isCompound
      ? try open("key", ["part", "text"], version: 1) : try open("part", [], version: 1)
    #expect(try store.pendingEdits().map(\.kind) == (isCompound ? [] : [.edited]))
    #expect(try store.objects(dynamic: "Note").count == 1)
  }

  @Test func `an edit ends if a migration gives its attribute another type and no value`() throws {
    try fill()
    let store = try migrated(to: Keyed.Note.self) { old, new in
      new["id"] = "n\(old["id"] as? Int ?? 0)"
    }
    #expect(
      try store.pendingEdits().map(\.description) == [
        #"edited Note "n1": text "a" → "A""#, #"edited Note "n3": text "c" → "C""#,
      ])
  }

  @Test func `an object has no edits if its attributes are no longer tracked`() throws {
    do {
      let store = try Store(configuration: .file(url))
      let note = try StoreCoder(store: store).decode(
        First.Note.self, from: Data(#"{"id":1,"old":"x"}"#.utf8))
      try store.write { note.old = "y" }
      try store.settle(
        try #require(try store.takeEdit(of: note)), .rejected(Edit.Rejection(general: ["no"])))
    }
    let store = try Store(
      configuration: .file(
        url, classes: [Renamed.Memo.self], schemaVersion: 1,
        migration: { migration in
          try migration.renameAttribute("Note", from: "text", to: "title")
          try migration.renameClass(from: "Note", to: "Memo")
        }))
    let memo = try #require(store.objects(Renamed.Memo.self).first)
    #expect(memo.editState == .clean)
    #expect(memo.rejection == nil)
    #expect(store.objects(Renamed.Memo.self).edited.isEmpty)
    #expect(store.objects(Renamed.Memo.self).rejected.isEmpty)
    #expect(try store.pendingEdits().isEmpty)
    let result = try StoreCoder(store: store).read(
      [Renamed.Memo].self, from: Data(#"[{"id":9}]"#.utf8), complete: .all)
    #expect(result.kept.isEmpty)
    #expect(memo.isInvalidated)
  }

  @Test func `a widened attribute takes its base value along, and a new one is not edited`() throws
  {
    try fill()
    let store = try Store(configuration: .file(url, classes: [Widened.Note.self]))
    let note = try #require(store.object(ofType: Widened.Note.self, forPrimaryKey: 1))
    #expect(note.stars == 5)
    #expect(note.editedAttributes == ["text", "stars"])
    try store.revertEdits(of: note)
    #expect(note.stars == 1)
    #expect(try #require(try store.revertDeletion(of: Widened.Note.self, key: 2)).added == "")
  }

  @Test func `a class that stops tracking and resumes has no stale edits`() throws {
    try fill()
    do {
      let store = try Store(configuration: .file(url))
      let coder = StoreCoder(store: store)
      try coder.decodeArray(Untracked.Note.self, from: Data(#"[{"id":2,"text":"again"}]"#.utf8))
      try store.write {
        store.delete(store.object(ofType: Untracked.Note.self, forPrimaryKey: 1)!)
      }
      #expect(try store.pendingEdits().isEmpty)
    }
    let store = try Store(configuration: .file(url, classes: [First.Note.self]))
    let coder = StoreCoder(store: store)
    #expect(try store.pendingEdits().isEmpty)
    try coder.decodeArray(
      First.Note.self, from: Data(#"[{"id":1,"text":"n"},{"id":2,"text":"m"}]"#.utf8))
    let notes = store.objects(First.Note.self).sorted(by: \.id)
    #expect(notes.map(\.text) == ["n", "m", "C"])
    #expect(notes.allSatisfy { $0.editState == .clean })
    try store.write { notes[1].text = "edited" }
    #expect(notes[1].editState == .edited)
  }

  @Test(arguments: ["marked", "deleted by the server"])
  func `a tombstone is ignored if its object was created while the class did not track`(
    change: String
  ) throws {
    try fill()
    do {
      let coder = StoreCoder(store: try Store(configuration: .file(url)))
      try coder.decodeArray(Untracked.Note.self, from: Data(#"[{"id":2,"text":"again"}]"#.utf8))
    }
    let store = try Store(configuration: .file(url, classes: [First.Note.self]))
    let note = try #require(store.object(ofType: First.Note.self, forPrimaryKey: 2))
    #expect(note.editState == .clean)
    #expect(try store.takeEdit(of: note) == nil)
    if change == "deleted by the server" {
      let result = try StoreCoder(store: store).read(
        [First.Note].self, from: Data(#"[{"id":1},{"id":3}]"#.utf8), complete: .all)
      #expect(result.deleted == 1)
      #expect(result.conflicts.isEmpty)
      #expect(result.kept.isEmpty)
      return #expect(note.isInvalidated)
    }
    try store.markEdited(note, \.text)
    #expect(note.editState == .edited)
    #expect(try store.takeEdit(of: note)?.kind == .edited)
  }

  @Test func `a copy of a file has its edits`() async throws {
    try fill()
    let copy = folder.file("copy.store")
    do {
      let store = try Store(configuration: .file(url, classes: [First.Note.self]))
      try await store.copy(to: copy)
    }
    let store = try Store(configuration: .file(copy, classes: [First.Note.self]))
    #expect(try store.pendingEdits().count == 3)
    try await store.integrityCheck()
  }

  @Test func `a class that stops tracking edits forgets them with its first change`() throws {
    try fill()
    do {
      let store = try Store(configuration: .file(url, classes: [Untracked.Note.self]))
      _ = try StoreCoder(store: store).read(
        [Untracked.Note].self, from: Data(#"[{"id":1,"text":"server"}]"#.utf8))
    }
    let store = try Store(configuration: .file(url, classes: [First.Note.self]))
    #expect(try store.pendingEdits().isEmpty)
    _ = try StoreCoder(store: store).read(
      [First.Note].self, from: Data(#"[{"id":1,"text":"newer"},{"id":2,"text":"b"}]"#.utf8))
    #expect(
      store.objects(First.Note.self).map { "\($0.id) \($0.text ?? "")" } == [
        "1 newer", "3 C", "2 b",
      ])
  }

  @Test func `a class that stops tracking edits and does not change keeps them`() throws {
    try fill()
    do {
      let store = try Store(configuration: .file(url, classes: [Untracked.Note.self]))
      #expect(store.objects(Untracked.Note.self).count == 2)
    }
    let store = try Store(configuration: .file(url, classes: [First.Note.self]))
    #expect(try store.pendingEdits().count == 3)
  }

}
