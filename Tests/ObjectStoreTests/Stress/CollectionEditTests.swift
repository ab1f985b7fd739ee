import Foundation
import TestSupport
import Testing

@testable import ObjectStore

/// Random edits of collections with elements of every kind, compared with an array, a set or a dictionary after each
/// edit. Frozen views taken in between must never change.
///
/// The number of writes per seed is a fifth of `STORE_RANDOM_STEPS`.
@Suite struct `Collections under random edits` {
  private static var writes: Int {
    SeededRandom.steps(30, per: 5)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `randomly edited collections equal arrays, sets and dictionaries in every version`(
    seed: UInt64
  ) throws {
    let run = try EditRun(seed: seed, Store())
    for step in 0..<Self.writes {
      try run.write()
      if let difference = run.difference() {
        Issue.record("seed \(seed), write \(step): \(difference)")
        return
      }
      if step % 5 == 4 { run.store.checkInvariants("seed \(seed), write \(step)") }
    }
  }

  // R16
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `randomly edited collections are in the file after each write`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let run = try EditRun(
      seed: seed, ObjectStore.Store(configuration: .file(folder.file("barn.store"))))
    for step in 0..<Self.writes {
      try run.write()
      let copy = try TemporaryFolder()
      for name in ["barn.store", "barn.store-wal"] {
        try FileManager.default.copyItem(at: folder.file(name), to: copy.file(name))
      }
      let store = try ObjectStore.Store(configuration: .file(copy.file("barn.store")))
      if let difference = try run.difference(in: store) {
        Issue.record("seed \(seed), write \(step): \(difference)")
        return
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `observed changes of collections equal the difference of all elements`(seed: UInt64) throws {
    let run = try EditRun(seed: seed, Store())
    run.observe()
    for step in 0..<Self.writes {
      try run.write()
      if let difference = run.observedDifference() {
        Issue.record("seed \(seed), write \(step): \(difference)")
        return
      }
    }
  }
}
