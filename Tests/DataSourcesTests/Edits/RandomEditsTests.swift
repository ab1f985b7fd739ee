import DataSources
import Foundation
import LoopbackServer
import ObjectStore
import TestSupport
import Testing

@Suite struct `Repositories with edits after random actions` {
  /// One user writes through one repository, while requests and responses are lost, refused and delayed. In the end, the
  /// store, the server and the user's model are equal, and no edit is pending.
  @Test(arguments: SeededRandom.seeds(1...20))
  func `a store with edits agrees with the server after an upload`(seed: UInt64) async throws {
    let bed = try EditBed(pruning: ListGuard(allowsEmpty: true), sendsChanges: seed % 2 == 0)
    var random = SeededRandom(seed: seed)
    var model: [Int: String] = [:]
    bed.server.script(random: SeededRandom(seed: seed &+ 7)) { request, random in
      switch random.below(8) {
      case 0: .lostRequest
      case 1: .lostResponse
      // A refused creation is never one that an earlier request has created.
      case 2: .status(request.method == .patch ? 422 : [409, 429, 500, 503][random.below(4)])
      case 3: request.method == .get ? .none : .delayed(milliseconds: 1)
      default: .none
      }
    }
    let operations: [RepositoryOperation] = [.cacheSync, .cacheSync, .cache]
    for step in 1...SeededRandom.steps(40) {
      let id = 1 + random.below(6)
      let operation = operations[random.below(operations.count)]
      switch random.below(10) {
      case 0...3:
        let pet = Pet(id: id, name: "\(step)")
        _ = try? await bed.repository.put(pet, forId: id, operation: operation)
        model[id] = pet.name
      case 4:
        let other = 1 + (id % 6)
        let pets = [Pet(id: id, name: "\(step)"), Pet(id: other, name: "\(step)")]
        _ = try? await bed.repository.putAll(pets, forIds: [id, other], operation: .cache)
        for pet in pets { model[pet.id] = pet.name }
      case 5:
        _ = try? await bed.repository.delete(id, operation: operation)
        model[id] = nil
      case 6: _ = try? await bed.repository.get(id, operation: .mainSync)
      case 7: _ = try? await bed.repository.getAll(AllObjectsQuery(), operation: .mainSync)
      case 8: try await bed.repository.upload(retry: .never)
      default:
        // A write that the server executes first, if it executes it.
        let pet = Pet(id: id, name: "\(step)")
        if (try? await bed.repository.put(pet, forId: id)) == nil {
          _ = try? await bed.repository.put(pet, forId: id, operation: .cacheSync)
        }
        model[id] = pet.name
      }
      bed.store.refresh()
      let names = bed.store.objects(PetObject.self).map { ($0.id, $0.name) }
      #expect(Dictionary(uniqueKeysWithValues: names) == model, "step \(step)")
    }
    bed.server.clearScript()
    // A refused value is sent again once it changes.
    for edit in try bed.store.pendingEdits() where edit.rejection != nil {
      guard case .int(let id) = edit.key else { continue }
      if model[Int(id)] == nil {
        _ = try? await bed.repository.delete(Int(id), operation: .cacheSync)
      } else {
        model[Int(id)] = "last"
        try await bed.cache.put(Pet(id: Int(id), name: "last"))
      }
    }
    try await bed.repository.upload()
    try await bed.refresh()
    #expect(bed.pending.isEmpty)
    #expect(bed.stored == bed.served)
    #expect(bed.stored == model.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value) 4" })
  }
}
