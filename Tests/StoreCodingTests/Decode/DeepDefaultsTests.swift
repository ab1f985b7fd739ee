import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Payloads and updates nested too deeply for the caller's stack. User code still runs in the caller's
/// isolation and task.
@Suite struct `Deeply nested values` {
  enum Place {
    @TaskLocal static var name = "none"

    /// A default that requires the main actor.
    static func mainActorName() -> String {
      MainActor.assumeIsolated { name }
    }
  }

  final class Comment: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var place = Place.mainActorName()
    @Persisted var replies: List<Comment>
  }

  /// A class whose `init()` assigns a value that requires the main actor.
  final class Task: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var place = ""
    @Persisted var next: Task?

    required init() {
      super.init()
      place = Place.mainActorName()
    }
  }

  /// A custom type whose conversion requires the main actor.
  struct Label: CustomPersistable {
    var text: String
    init(_ text: String) { self.text = text }
    init(persistedValue: String) { text = persistedValue }
    var persistableValue: String { "\(text) \(Place.mainActorName())" }
  }

  final class Labelled: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var label = Label("")
    @Persisted var next: Labelled?
  }

  private static let depth = 60

  private static var comments: Data {
    Data(
      ((0..<depth).map { #"{"id":\#($0),"replies":["# }.joined()
        + String(repeating: "]}", count: depth)).utf8)
  }

  private static var tasks: UpdateDictionary {
    (0..<depth).reversed().reduce(into: UpdateDictionary([("id", .int(-1))])) { update, id in
      update = UpdateDictionary([("id", .int(Int64(id))), ("next", .object(update))])
    }
  }

  @MainActor @Test
  func `the defaults of deeply nested objects are evaluated in the caller's actor and task`() throws
  {
    let store = try Store()
    let coder = StoreCoder(store: store)
    try Place.$name.withValue("decode") {
      _ = try coder.decode(Comment.self, from: Self.comments)
    }
    let any = try JSONSerialization.jsonObject(with: Self.comments)
    let other = try Store()
    try Place.$name.withValue("dictionary") {
      _ = try StoreCoder(store: other).decode(
        Comment.self, from: try #require(any as? [String: Any]))
    }
    #expect(store.objects(Comment.self).count == Self.depth)
    #expect(Set(store.objects(Comment.self).map(\.place)) == ["decode"])
    #expect(Set(other.objects(Comment.self).map(\.place)) == ["dictionary"])
  }

  @MainActor @Test
  func `init of deeply nested objects runs in the caller's actor and task`()
    throws
  {
    let store = try Store()
    try Place.$name.withValue("create") {
      _ = try store.write { try store.create(Task.self, value: Self.tasks) }
    }
    #expect(Set(store.objects(Task.self).map(\.place)) == ["create"])
  }

  @MainActor @Test func `deeply nested custom values are converted in the caller's actor`() throws {
    var any: [String: Any?] = ["id": -1, "label": Label("any")]
    for id in 0..<Self.depth { any = ["id": id, "label": Label("any"), "next": any] }
    let store = try Store()
    try Place.$name.withValue("here") {
      _ = try store.write { try store.create(Labelled.self, value: any) }
    }
    #expect(store.objects(Labelled.self).count == Self.depth + 1)
    #expect(Set(store.objects(Labelled.self).map(\.label.text)) == ["any here"])

    var chain: Labelled?
    for id in 0..<Self.depth {
      let object = Labelled()
      (object.id, object.label, object.next) = (id, Label("unmanaged"), chain)
      chain = object
    }
    let top = try #require(chain)
    let body = try Place.$name.withValue("encode") { try StoreCoder(store: store).encode(top) }
    #expect(
      String(decoding: body, as: UTF8.self).components(separatedBy: "unmanaged encode").count
        == Self.depth + 1)
  }

  @MainActor @Test func `the default of a deeply nested object can decode into another store`()
    throws
  {
    final class Counted: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var rank = Counting.rank()
      @Persisted var replies: List<Counted>
    }
    let store = try Store()
    Counting.store = store
    defer { Counting.store = nil }
    let coder = StoreCoder(store: store)
    _ = try coder.decode(Counted.self, from: Self.comments)
    #expect(Set(store.objects(Counted.self).map(\.rank)) == [Self.depth])
  }

  /// A default that decodes another deep payload.
  @MainActor enum Counting {
    static var store: Store?

    nonisolated static func rank() -> Int {
      MainActor.assumeIsolated {
        guard store != nil, let other = try? Store() else { return -1 }
        _ = try? StoreCoder(store: other).decode(Comment.self, from: comments)
        return other.objects(Comment.self).count
      }
    }
  }

  @MainActor @Test func `an invalid default of a deeply nested object is reported`() throws {
    final class Wrong: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var at = Date(timeIntervalSince1970: .nan)
      @Persisted var replies: List<Wrong>
    }
    let store = try Store()
    let error = #expect(throws: (any Error).self) {
      try StoreCoder(store: store).decode(Wrong.self, from: Self.comments)
    }
    #expect(
      error.map { "\($0)" }
        == "Wrong.at: its default cannot be stored: Wrong.at: expected a finite Date, found NaN or infinity"
    )
    #expect(store.version == 0)
  }
}
