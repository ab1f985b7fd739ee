import Foundation
import ObjectStore
import StoreCoding
import Testing

private enum Hooked {
  /// The action that runs whenever a default is evaluated.
  @TaskLocal static var action: (@Sendable () -> Void)?

  static func stamp() -> Int {
    action?()
    return 7
  }

  final class Ticket: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var stamp = Hooked.stamp()
  }

  final class Visit: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.null(.default)) var stamp = Hooked.stamp()
    @Persisted var ticket: Ticket?
  }

  final class Plain: Object {
    @Persisted(primaryKey: true) var id: Int
  }
}

private final class Notes: @unchecked Sendable {
  // @unchecked Sendable: used by one test in a single task.
  var errors: Set<String> = []
}

/// Defaults are also evaluated while a payload is read: for a missing key, and for a null or a value of another
/// type.
@Suite struct `Defaults that write during decoding` {
  private static let ways: [String: @Sendable (Store) throws -> Void] = [
    "write": { store in try store.write {} },
    "beginWrite": { try $0.beginWrite() },
    "commitWrite": { try $0.commitWrite() },
    "create": { try $0.create(Hooked.Visit.self, value: ["id": 9, "stamp": 1]) },
    "add": { try $0.add(Hooked.Plain()) },
    "update": { try $0.update(Hooked.Visit.self, key: 1, \.stamp <- 1) },
    "decode": {
      try StoreCoder(store: $0).decode(
        Hooked.Visit.self, from: Data(#"{"id": 9, "stamp": null}"#.utf8))
    },
  ]

  @Test(
    arguments: ways.keys.sorted(),
    [#"{"id": 2, "stamp": 3, "ticket": {"stamp": 4}}"#, #"{"id": 2, "stamp": null}"#])
  func `a default that writes to the store gets an error without ending the decoding`(
    _ name: String, _ payload: String
  ) throws {
    let store = try Store()
    let way = try #require(Self.ways[name])
    try store.write { try store.create(Hooked.Visit.self, value: ["id": 1, "stamp": 5]) }
    for isInWrite in [false, true] {
      let notes = Notes()
      nonisolated(unsafe) let writing = store
      try Hooked.$action.withValue({
        do { try way(writing) } catch { notes.errors.insert("\(error)") }
      }) {
        let coder = StoreCoder(store: store)
        if isInWrite { try store.beginWrite() }
        _ = try coder.decode(Hooked.Visit.self, from: Data(payload.utf8))
        if isInWrite { try store.commitWrite() }
      }
      #expect(
        notes.errors == [
          "a default value, an initializer, a conversion for encoding, or a resolver of conflicts cannot write to the store that evaluates it"
        ])
      #expect(!store.isInWriteTransaction)
      #expect(store.objects(Hooked.Visit.self).map(\.id) == [1, 2])
      #expect(store.objects(Hooked.Visit.self).first?.stamp == 5)
    }
  }
}
