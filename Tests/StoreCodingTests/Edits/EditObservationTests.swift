import Foundation
import ObjectStore
import Observation
import StoreCoding
import Synchronization
import TestSupport
import Testing

@Suite struct `Observed edits` {
  private let bed: EditBed
  private var store: Store { bed.store }

  init() throws { bed = try EditBed() }

  /// Collects the changes that an observer receives.
  private final class Log {
    var lines: [String] = []
  }

  private func observed(
    _ order: EditOrder, _ keyPaths: [PartialKeyPath<EditOrder>]? = nil
  ) -> (Log, ObservationToken) {
    let log = Log()
    let body: (ObjectChange) -> Void = { change in
      if case .change(let names) = change { log.lines.append(names.joined(separator: " ")) }
    }
    let token = keyPaths.map { order.observe(keyPaths: $0, body) } ?? order.observe(body)
    return (log, token)
  }

  @Test func `an observer is notified of the edit state and the rejection`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    let (log, token) = observed(order)
    defer { token.cancel() }
    try store.write { order.note = "b" }
    store.refresh()
    let edit = try #require(try store.takeEdit(of: order))
    store.refresh()
    try store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
    store.refresh()
    try store.revertEdits(of: order)
    store.refresh()
    #expect(
      log.lines == [
        "note editState", "editState rejection", "note editState rejection",
      ])
  }

  @Test func `an observer of the store is notified of the edit state and the rejection`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let log = Log()
    let token = store.observe { changes in
      for order in changes[EditOrder.self]?.modified ?? [] {
        log.lines.append(order.attributes.joined(separator: " "))
      }
    }
    defer { token.cancel() }
    store.refresh()
    let edit = try #require(try store.takeEdit(of: order))
    store.refresh()
    try store.settle(edit, .rejected(Edit.Rejection(general: ["no"])))
    store.refresh()
    try store.write { order.note = "c" }
    store.refresh()
    #expect(log.lines == ["editState rejection", "note editState rejection"])
  }

  @Test func `a base value that changes makes a version and no notification`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    store.refresh()
    let (log, token) = observed(order)
    let results = Log()
    let resultsToken = store.objects(EditOrder.self).observe { change in
      if case .update = change { results.lines.append("update") }
    }
    let storeLog = Log()
    let storeToken = store.observe { changes in storeLog.lines.append("\(changes.classes.count)") }
    defer { for token in [token, resultsToken, storeToken] { token.cancel() } }
    store.refresh()
    let version = store.version
    try bed.order(#"{"id":7,"note":"c"}"#)
    store.refresh()
    #expect(store.version == version + 1)
    #expect(log.lines.isEmpty)
    #expect(results.lines.isEmpty)
    #expect(storeLog.lines.isEmpty)
  }

  @Test func `an observer of the edit state alone hears nothing of other attributes`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    let (log, token) = observed(order, [\.editState])
    defer { token.cancel() }
    try bed.order(#"{"id":7,"note":"b"}"#)
    store.refresh()
    #expect(log.lines.isEmpty)
    try store.write { order.count = 3 }
    store.refresh()
    #expect(log.lines == ["editState"])
  }

  @Test func `live results of edited objects follow each edit`() throws {
    try bed.orders(#"[{"id":1},{"id":2},{"id":3}]"#)
    let edited = store.objects(EditOrder.self).edited
    let log = Log()
    let token = edited.observe { change in
      if case .update(let results, let deletions, let insertions, _) = change {
        log.lines.append("\(results.map(\.id)) -\(deletions.count) +\(insertions.count)")
      }
    }
    defer { token.cancel() }
    store.refresh()
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 2))
    try store.write {
      order.note = "x"
      #expect(edited.map(\.id) == [2])
    }
    store.refresh()
    try store.settle(try #require(try store.takeEdit(of: order)), .confirmed)
    store.refresh()
    #expect(log.lines == ["[2] -0 +1", "[] -1 +0"])
  }

  @Test(arguments: [
    ("@edited", [1, 2]), ("@rejected", [2]), ("@edited AND NOT @rejected", [1]),
    ("NOT @edited", [3]), ("customer.id == 5 OR @rejected", [2]),
  ])
  func `a format can test for edits`(_ format: String, _ keys: [Int]) throws {
    try bed.orders(#"[{"id":1},{"id":2},{"id":3}]"#)
    for key in [1, 2] {
      let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: key))
      try store.write { order.note = "x" }
    }
    let order = try #require(store.object(ofType: EditOrder.self, forPrimaryKey: 2))
    try store.settle(
      try #require(try store.takeEdit(of: order)), .rejected(Edit.Rejection(general: ["no"])))
    let predicate = try StorePredicate(format)
    #expect(try store.objects(EditOrder.self).filter(predicate).map(\.id) == keys)
    #expect(try StorePredicate(predicate.description) == predicate)
  }

  @Test func `a condition on edits of a class that does not track them is refused`() throws {
    let error = #expect(throws: StoreError.self) {
      try store.objects(PlainOrder.self).filter("@edited")
    }
    #expect(
      error?.description
        == "@edited: PlainOrder: the class does not track edits; add 'override class var tracksEdits: Bool { true }'"
    )
  }

  @MainActor @Test func `observation tracking notifies of the edit state`() throws {
    let store = try Store(configuration: .inMemory())
    let coder = StoreCoder(store: store)
    let order = try coder.decode(EditOrder.self, from: Data(#"{"id":7,"note":"a"}"#.utf8))
    let isChanged = Mutex(false)
    withObservationTracking {
      _ = order.editState
    } onChange: {
      isChanged.withLock { $0 = true }
    }
    try coder.decode(EditOrder.self, from: Data(#"{"id":7,"count":3}"#.utf8))
    #expect(!isChanged.withLock { $0 })
    try store.write { order.note = "b" }
    #expect(isChanged.withLock { $0 })
  }

  @Test func `the changes of a store name the edit state and no base table`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    let before = store.holdVersion()
    try store.write { order.note = "b" }
    let changes = try store.changes(since: before)
    #expect(changes.classes.map(\.className) == ["EditOrder"])
    #expect(changes[EditOrder.self]?.modified.map(\.attributes) == [["note", "editState"]])
    #expect(!store.schemas.contains { $0.className.hasSuffix(".base") })
  }

  @Test func `a plan shows edits and applies them`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    let plan = try store.plan { order.note = "b" }
    #expect("\(plan)" == #"~ EditOrder 7: note "a" → "b", editState "clean" → "edited""#)
    #expect(order.editState == .clean)
    try plan.apply()
    #expect(order.editState == .edited)
  }

  @Test func `a frozen object keeps its edit state`() throws {
    let order = try bed.order(#"{"id":7,"note":"a"}"#)
    try store.write { order.note = "b" }
    let frozen = order.frozen()
    try store.revertEdits(of: order)
    #expect(frozen.editState == .edited)
    #expect(order.editState == .clean)
  }

  @Test func `observed results notice a confirmation under the server's key`() throws {
    let edited = store.objects(EditOrder.self).edited
    let others = try store.objects(EditOrder.self).filter("NOT @edited")
    let counts = Log()
    let tokens = [
      edited.observe { _ in counts.lines.append("\(edited.count)") },
      others.observe { _ in counts.lines.append("other \(others.count)") },
    ]
    store.refresh()
    let order = try store.write { try store.create(EditOrder.self, value: ["id": -1]) }
    let (log, token) = observed(order)
    store.refresh()
    let edit = try #require(try store.takeEdit())
    try bed.coder.settle(edit, .confirmed(Data(#"{"id":44}"#.utf8)))
    store.refresh()
    #expect(edited.isEmpty && others.count == 1)
    #expect(counts.lines.suffix(2).sorted() == ["0", "other 1"])
    #expect(log.lines == ["id editState"])
    withExtendedLifetime((tokens, token)) {}
  }
}
