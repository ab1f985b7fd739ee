import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

private final class Task1: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title = ""
  override class var tracksEdits: Bool { true }
}

private final class Other1: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var values: List<Int>
  override class var tracksEdits: Bool { true }
}

private final class Owner1: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var others: List<Other1>
  override class var tracksEdits: Bool { true }
}

private enum Untracked {
  final class Task1: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
  }
}

@Suite struct `Edits of classes that the store has not used` {
  private let folder: TemporaryFolder
  private var url: URL { folder.file("edits.store") }

  init() throws {
    folder = try TemporaryFolder()
    let store = try Store(configuration: .file(url))
    try store.write {
      try store.create(Task1.self, value: ["id": 1, "title": "a"])
      try store.create(Other1.self, value: ["id": 2, "name": "b", "values": [1, 2]])
    }
  }

  private static let message =
    "the file has unconfirmed edits of classes that the store has not used: Other1, Task1; "
    + "add them to the classes of the configuration"

  @Test func `listing, taking and uploading edits throws and takes nothing`() async throws {
    let store = try Store(configuration: .file(url))
    let coder = StoreCoder(store: store)
    var messages: [String] = []
    func note(_ body: () throws -> Void) {
      do { try body() } catch { messages.append("\(error)") }
    }
    note { _ = try store.pendingEdits() }
    note { _ = try store.takeEdits() }
    note { _ = try store.takeEdit() }
    do {
      try await coder.upload { _ in
        Issue.record("an edit was sent")
        return .confirmed
      }
    } catch { messages.append("\(error)") }
    #expect(messages == Array(repeating: Self.message, count: 4))
    // A class that the call names is registered by it.
    #expect(try store.pendingEdits(of: Task1.self).count == 1)
    let error = #expect(throws: StoreError.self) { try store.pendingEdits() }
    #expect(error?.description == Self.message.replacingOccurrences(of: ", Task1", with: ""))
    #expect(try store.takeEdits(of: Other1.self).count == 1)
    #expect(try store.pendingEdits().map(\.isInFlight) == [false, true])
  }

  @Test func `a class that no longer tracks edits is not missing`() throws {
    let store = try Store(configuration: .file(url, classes: [Untracked.Task1.self, Other1.self]))
    #expect(try store.pendingEdits().map(\.className) == ["Other1"])
  }

  @Test func `a class without edits is not missing`() throws {
    do {
      let store = try Store(configuration: .file(url, classes: [Task1.self, Other1.self]))
      for edit in try store.takeEdits() { try store.settle(edit, .confirmed) }
    }
    #expect(try Store(configuration: .file(url)).pendingEdits().isEmpty)
  }

  // MARK: - Deleting everything

  /// The number of objects and edits in the file.
  private func contents() throws -> String {
    let store = try Store(configuration: .file(url, classes: [Task1.self, Other1.self]))
    let counts = (store.objects(Task1.self).count, store.objects(Other1.self).count)
    return "\(counts.0) \(counts.1) \(try store.pendingEdits().count)"
  }

  @Test(arguments: [true, false])
  func `deleting everything deletes classes that the store has not used`(usesOne: Bool) async throws
  {
    do {
      let store = try Store(configuration: .file(url))
      if usesOne { #expect(store.objects(Task1.self).count == 1) }
      try store.write { store.deleteAll() }
      #expect(try store.pendingEdits().isEmpty)
      // The class can be used again at once.
      try store.write(as: .server) {
        try store.create(Other1.self, value: ["id": 2, "values": [3]])
      }
      #expect(store.objects(Other1.self).map { Array($0.values) } == [[3]])
    }
    try await Store(configuration: .file(url)).integrityCheck()
    #expect(try contents() == "0 1 0")
  }

  @Test(arguments: [true, false])
  func `deleting everything can be rolled back`(isNested: Bool) throws {
    struct Stop: Error {}
    do {
      let store = try Store(configuration: .file(url))
      if isNested {
        try store.write {
          try? store.write {
            store.deleteAll()
            throw Stop()
          }
        }
      } else {
        try? store.write {
          store.deleteAll()
          throw Stop()
        }
      }
    }
    #expect(try contents() == "1 1 2")
  }

  @Test(arguments: StoreConfiguration.Durability.allCases, [true, false])
  func `deleting everything deletes classes that are first used later in the same write`(
    durability: StoreConfiguration.Durability, creates: Bool
  ) async throws {
    do {
      let store = try Store(configuration: .file(url, durability: durability))
      try store.write {
        store.deleteAll()
        if creates {
          try store.create(Task1.self, value: ["id": 1, "title": "new"])
        } else {
          #expect(store.objects(Task1.self).isEmpty)
        }
      }
      #expect(store.objects(Task1.self).map(\.title) == (creates ? ["new"] : []))
      #expect(try store.pendingEdits().count == (creates ? 1 : 0))
      try store.write { try store.create(Task1.self, value: ["id": 7]) }
      try await store.flush()
    }
    #expect(try contents() == (creates ? "2 0 2" : "1 0 1"))
  }

  @Test func `deleting everything spares no class that another handle has used meanwhile`() throws {
    do {
      let store = try Store(configuration: .file(url), isolation: nil)
      let other = try Store(configuration: .file(url), isolation: nil)
      try store.write {
        store.deleteAll()
        #expect(other.objects(Task1.self).count == 1)
      }
      other.refresh()
      #expect(other.objects(Task1.self).isEmpty)
    }
    #expect(try contents() == "0 0 0")
  }

  @Test(arguments: [true, false])
  func `deleting everything deletes nothing on the server`(creates: Bool) throws {
    do {
      let store = try Store(configuration: .file(url))
      try store.write(as: .server) {
        try store.create(Owner1.self, value: ["id": 1, "others": [["id": 3], ["id": 4]]])
      }
    }
    let store = try Store(configuration: .file(url))
    #expect(store.objects(Task1.self).count == 1)
    try store.write {
      store.deleteAll()
      if creates {
        try store.create(Owner1.self, value: ["id": 9])
      } else {
        #expect(store.objects(Owner1.self).isEmpty)
      }
    }
    #expect(
      try store.pendingEdits().map(\.description)
        == (creates ? ["created Owner1 9: others []"] : []))
    #expect(store.objects(Other1.self).isEmpty)
  }

  @Test func `deleting everything ends deletions of the same write`() throws {
    let store = try Store(configuration: .file(url, classes: [Task1.self, Other1.self]))
    for edit in try store.takeEdits() { try store.settle(edit, .confirmed) }
    try store.write {
      store.delete(store.objects(Task1.self))
      store.deleteAll()
    }
    #expect(try store.pendingEdits().isEmpty)
  }
}
