import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// A plan of a random payload has the changes that decoding it makes, and applying it stores the same objects, for
/// generated classes with every kind of attribute.
///
/// `STORE_RANDOM_STEPS` sets five times the number of mappings per seed, `STORE_RANDOM_SEED` adds a seed.
@Suite struct `Plans of generated classes` {
  static let steps = SeededRandom.steps(10, per: 5)

  @Test(arguments: SeededRandom.seeds(1...3))
  func `a plan has the changes that decoding makes`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var (accepted, mappings, planned, changed) = (0, 0, 0, 0)
    while accepted < Self.steps, mappings < 100 * Self.steps {
      mappings += 1
      var maker = PayloadMaker(seed: random.next(), dates: [.iso8601])
      try GeneratedMapping.$current.withValue(maker.mapping) {
        let coders = try (0..<2).map { _ in try StoreCoder(store: Store()) }
        guard (try? coders[0].check(Coding.Generated.self)) != nil else { return }
        accepted += 1
        for _ in 0..<8 {
          let payload = Data(maker.object("Generated").utf8)
          let version = coders[0].store.version
          let before = contents(coders[0])
          let decoded = Result { try coders[1].read(Coding.Generated.self, from: payload, at: "") }
          let plan = Result { try coders[0].plan(Coding.Generated.self, from: payload, at: "") }
          #expect(coders[0].store.version == version)
          #expect(contents(coders[0]) == before)
          guard let plan = try? plan.get() else {
            #expect(throws: (any Error).self) { try decoded.get() }
            continue
          }
          _ = try decoded.get()
          planned += 1
          if plan.isEmpty { continue }
          changed += 1
          let start = coders[0].store.holdVersion()
          try plan.apply()
          try check(plan.changes, try coders[0].store.changes(since: start), payload)
          #expect(contents(coders[0]) == contents(coders[1]), "\(payload.text)")
        }
      }
    }
    #expect(accepted == Self.steps)
    #expect(4 * planned > Self.steps && 4 * changed > Self.steps)
  }

  private func contents(_ coder: StoreCoder) -> [String] {
    let store = coder.store
    return store.objects(Coding.Generated.self).map { "\($0)" }
      + store.objects(Coding.GeneratedChild.self).map { "\($0)" }
      + store.objects(Coding.GeneratedNote.self).map { "\($0)" }
  }

  /// Compares the plan with the changes that the store reports, and its values with those of the store.
  private func check(_ plan: PlannedChanges, _ changes: Store.Changes, _ payload: Data) throws {
    var found: [String] = []
    for change in plan { found.append(line(change)) }
    var expected: [String] = []
    for part in changes.classes {
      expected += part.modified.map {
        "updated \(part.className) \($0.key) \($0.attributes)"
      }
      expected += part.inserted.map { "inserted \(part.className) \($0)" }
      expected += part.deleted.map { "deleted \(part.className) \($0)" }
    }
    #expect(found == expected, "\(payload.text)")
    for change in plan where change.kind == .updated {
      for name in change.attributes {
        let (old, new) = (change.oldValue(of: name), change.newValue(of: name))
        // 0 and -0 are equal.
        #expect(old != new || "\(old ?? .null)" != "\(new ?? .null)", "\(change)")
      }
    }
  }

  private func line(_ change: PlannedChanges.Change) -> String {
    let line = "\(change.kind) \(change.className) \(change.key)"
    return change.kind == .updated ? "\(line) \(change.attributes)" : line
  }
}
