import Foundation
import TestSupport
import Testing

@testable import ObjectStore

private enum Hooked {
  /// Called at each evaluation of a default.
  @TaskLocal static var action: (@Sendable () -> Void)?

  static func stamp() -> Int {
    action?()
    return 7
  }

  final class Node: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = "new"
    @Persisted var leaf: Leaf?
    @Persisted var leaves: List<Leaf>
    @Persisted var last = 5
  }

  /// Has no key.
  final class Leaf: Object {
    @Persisted var n = 0
    @Persisted var stamp = Hooked.stamp()
  }

  /// Its key is generated before the update is applied.
  final class Draft: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var stamp = Hooked.stamp()
  }

  final class Folder: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var node: Node?
    @Persisted var nodes: List<Node>
    @Persisted var draft: Draft?
  }
}

private let refusal =
  "a default value, an initializer, a conversion for encoding, or a resolver of conflicts cannot write to the store that evaluates it"

/// Results of code that ran inside a default.
private final class Notes: @unchecked Sendable {
  // Sendable: only the single task of one test uses it.
  var error: String?
  var seen: [Int] = []
  var frozen: Frozen<Hooked.Node>?
}

@Suite struct `A default that writes` {
  private let store: Store
  private let notes = Notes()

  init() throws {
    store = try Store()
    try store.write {
      try store.create(Hooked.Node.self, value: ["id": 1, "leaf": ["n": 1, "stamp": 1]])
      try store.create(Hooked.Node.self, value: ["id": 2])
    }
  }

  /// Creates an object whose leaf lacks a value with a default, and runs `action` when the default is evaluated.
  private func create(_ action: @escaping (Store) throws -> Void) throws {
    let notes = self.notes
    nonisolated(unsafe) let (store, action) = (self.store, action)
    try Hooked.$action.withValue({
      do { try action(store) } catch { notes.error = "\(error)" }
    }) {
      try store.write {
        let value: UpdateDictionary = [
          "id": 3, "name": "three", "leaf": ["n": 3], "leaves": [["n": 4], ["n": 5]], "last": 99,
        ]
        try store.create(Hooked.Node.self, value: value)
      }
    }
  }

  private static let ways: [String: @Sendable (Store) throws -> Void] = [
    "write": { store in try store.write {} },
    "beginWrite": { try $0.beginWrite() },
    "commitWrite": { try $0.commitWrite() },
    "create": { try $0.create(Hooked.Node.self, value: ["id": 9]) },
    "add": { try $0.add(Hooked.Node()) },
    "update": { try $0.update(Hooked.Node.self, key: 2, \.last <- 1) },
    "rekey": { try $0.rekey($0.objects(Hooked.Node.self)[0], to: 9) },
  ]

  @Test(arguments: ways.keys.sorted())
  func `a write in a default throws, and the update continues`(_ name: String) throws {
    try create(#require(Self.ways[name]))
    #expect(notes.error == refusal)
    #expect(!store.isInWriteTransaction)
    let nodes = store.objects(Hooked.Node.self)
    #expect(nodes.map(\.id) == [1, 2, 3])
    #expect(nodes.map(\.last) == [5, 5, 99])
    #expect(nodes.last?.leaves.map(\.n) == [4, 5])
    #expect(store.objects(Hooked.Leaf.self).map(\.stamp) == [1, 7, 7, 7])
  }

  @Test func `cancelling the write in a default makes the update throw and undoes it`() throws {
    let before = store.version
    let error = #expect(throws: StoreError.self) { try create { $0.cancelWrite() } }
    #expect(error?.description == refusal)
    #expect(store.version == before)
    #expect(store.objects(Hooked.Node.self).count == 2)
  }

  @Test func `a default that reads the store does not see the unfinished object`() throws {
    let notes = self.notes
    try create { store in
      notes.seen = store.objects(Hooked.Node.self).map(\.last)
      notes.frozen = store.objects(Hooked.Node.self).last?.frozen()
    }
    #expect(notes.error == nil)
    #expect(notes.seen == [5, 5])
    #expect(notes.frozen?.id == 2 && notes.frozen?.last == 5)
    #expect(store.objects(Hooked.Node.self).last?.last == 99)
  }

  @Test func `assigning or deleting in a default is misuse`() async {
    let assigning = await #expect(processExitsWith: .failure, observing: .misuseText) {
      try `A default that writes`().create { $0.objects(Hooked.Node.self)[0].last = 1 }
    }
    assigning.says("Node: \(refusal)")
    let deleting = await #expect(processExitsWith: .failure, observing: .misuseText) {
      try `A default that writes`().create { $0.delete($0.objects(Hooked.Node.self)[0]) }
    }
    deleting.says("Store.delete: \(refusal)")
  }

  // MARK: - Defaults of a class with a generated key

  /// Creates an object with links to existing and new objects, and runs `action` when a key is generated.
  private func createFolder(_ action: @escaping (Store) throws -> Void) throws {
    let notes = self.notes
    nonisolated(unsafe) let (store, action) = (self.store, action)
    try Hooked.$action.withValue({
      do { try action(store) } catch { notes.error = "\(error)" }
    }) {
      try store.write {
        let node = UpdateValue(object: store.objects(Hooked.Node.self)[0])
        try store.create(
          Hooked.Folder.self, value: ["id": 1, "node": node, "nodes": [node], "draft": [:]])
      }
    }
  }

  @Test(arguments: ways.keys.sorted())
  func `a write while a key is generated throws`(_ name: String) throws {
    try createFolder(#require(Self.ways[name]))
    #expect(notes.error == refusal)
    #expect(!store.isInWriteTransaction)
    let folder = try #require(store.objects(Hooked.Folder.self).first)
    #expect(folder.node?.id == 1 && folder.nodes.map(\.id) == [1] && folder.draft?.stamp == 7)
    #expect(store.objects(Hooked.Node.self).map(\.id) == [1, 2])
    #expect(store.objects(Hooked.Draft.self).count == 1)
  }

  @Test func `creating an object of a class while a key of that class is generated throws`() throws
  {
    try createFolder { try $0.create(Hooked.Draft.self) }
    #expect(notes.error == refusal)
    #expect(store.objects(Hooked.Draft.self).count == 1)
  }

  @Test func `cancelling the write while a key is generated makes the update throw and undoes it`()
    throws
  {
    let error = #expect(throws: StoreError.self) { try createFolder { $0.cancelWrite() } }
    #expect(error?.description == refusal)
    #expect(store.objects(Hooked.Folder.self).isEmpty && store.objects(Hooked.Draft.self).isEmpty)
  }

  @Test func `deleting while a key is generated is misuse`() async {
    let deleting = await #expect(processExitsWith: .failure, observing: .misuseText) {
      try `A default that writes`().createFolder { $0.delete($0.objects(Hooked.Node.self)[0]) }
    }
    deleting.says("Store.delete: \(refusal)")
  }

  // MARK: - Other user code in an update

  @Test func `add throws if its sequence deletes an object that an earlier element links to`()
    throws
  {
    let first = Hooked.Folder()
    let node = try #require(store.objects(Hooked.Node.self).first)
    let store = self.store
    try store.write {
      first.id = 1
      first.node = node
      let error = #expect(throws: StoreError.self) {
        try store.add(
          (0..<2).lazy.map { index -> Hooked.Folder in
            if index == 0 { return first }
            store.delete(node)
            let second = Hooked.Folder()
            second.id = 2
            return second
          })
      }
      #expect(error?.description == "Node: the object was deleted or rolled back")
    }
    #expect(store.objects(Hooked.Folder.self).isEmpty)
    #expect(!first.isManaged)
    store.checkInvariants()
  }
}
