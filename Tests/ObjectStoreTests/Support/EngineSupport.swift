import Testing
import TestSupport

@testable import ObjectStore

#if !DEBUG && !STORE_INVARIANTS
  #error("Optimized tests check the invariants of the engine: add -Xswiftc -DSTORE_INVARIANTS")
#endif

typealias EngineFarm = EngineDomain.Farm
typealias EngineAnimal = EngineDomain.Animal
typealias EngineOwner = EngineDomain.Owner
typealias EngineNote = EngineDomain.Note
typealias EngineCollar = EngineDomain.Collar
typealias EngineBell = EngineDomain.Bell

/// Thrown to roll back a write.
struct Undo: Error {}

extension Transaction {
  /// The number of edits that changed something, in all tables.
  var changeTicks: Int {
    state.ticks
  }
}

extension Store {
  /// Runs `body` as a write that is rolled back.
  func undone(_ body: () throws -> Void) {
    do {
      try write {
        try body()
        throw Undo()
      }
    } catch is Undo {
    } catch {
      Issue.record("\(error)")
    }
  }

  /// Checks the invariants of the newest version.
  func checkInvariants(_ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation) {
    let broken = handle.engine.newest.brokenInvariants(handle.engine)
    #expect(broken == [], "\(comment)", sourceLocation: sourceLocation)
  }

  func tableVersion<T: ObjectBase>(_ type: T.Type) throws -> TableVersion {
    handle.tableVersion(try handle.entry(type).table)
  }

  func animal(_ id: Int) throws -> EngineAnimal {
    try #require(object(ofType: EngineAnimal.self, forPrimaryKey: id))
  }

  func owner(_ id: String) throws -> EngineOwner {
    try #require(object(ofType: EngineOwner.self, forPrimaryKey: id))
  }
}

extension IndexTrees {
  /// The number of indexes.
  var count: Int { columns.count + compounds.count + words.count }
}
