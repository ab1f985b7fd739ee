import TestSupport
import Testing

@testable import ObjectStore

/// Checks which reads of inverse links collect the linking objects, instead of measuring time.
@Suite struct `The cost of reading inverse links` {
  private let store: Store
  private let owner: Owner
  private let mother: Animal

  init() throws {
    store = try Store()
    (owner, mother) = (Owner(id: 1, name: "Jo"), Animal(id: 0))
    try store.write {
      try store.add(owner)
      try store.add(mother)
      _ = (owner.animals.count, mother.farms.count)
      for id in 1...1_000 {
        let animal = Animal(id: id)
        try store.add(animal)
        animal.owner = owner
        let farm = Farm(name: "farm \(id)")
        try store.add(farm)
        farm.animals = [mother, animal, mother]
      }
    }
  }

  private var isGathered: Bool { store.handle.lastOrigins != nil }

  @Test func `counting and indexing the linking objects of a link does not collect them`() throws {
    func read() throws {
      #expect(!owner.animals.isEmpty && owner.animals.first?.id == 1)
      #expect(owner.animals.count == 1_000 && owner.animals.last?.id == 1_000)
      #expect((0..<1_000).map { owner.animals[$0].id } == Array(1...1_000))
    }
    try read()
    try store.write {
      try #require(owner.animals.first).name = "changed"
      try read()
    }
    try read()
    #expect(!isGathered)
    #expect(owner.animals.map(\.id) == Array(1...1_000) && isGathered)
  }

  @Test func `linking objects of a list are collected once per change, and not for first`()
    throws
  {
    #expect(!mother.farms.isEmpty && mother.farms.first?.name == "farm 1")
    #expect(!isGathered)
    #expect(mother.farms.count == 1_000 && isGathered)
    let gathered = try gatheredAddress()
    #expect((0..<1_000).map { mother.farms[$0].name } == (1...1_000).map { "farm \($0)" })
    #expect(try gatheredAddress() == gathered)
    try store.write {
      #expect(mother.farms.count == 1_000)
      let farm = try #require(mother.farms.first)
      farm.animals.removeAll()
      #expect(mother.farms.count == 999 && mother.farms[0].name == "farm 2")
    }
    #expect(!isGathered)
    #expect(mother.farms.count == 999)
    store.undone {
      mother.farms[0].animals.removeAll()
      #expect(mother.farms.count == 998)
    }
    #expect(mother.farms.count == 999)
  }

  @Test func `linking objects of a frozen object are collected once, not at each access`() throws {
    let frozen = owner.frozen()
    // Kept, so that other rows have another address.
    let kept = frozen.animals
    func address(_ results: FrozenResults<Animal>) -> UnsafePointer<Int>? {
      guard case .sparse(let slots) = results.slots else { return nil }
      return slots.withUnsafeBufferPointer { $0.baseAddress }
    }
    let first = try #require(address(kept))
    #expect((0..<1_000).map { frozen.animals[$0].id } == Array(1...1_000))
    #expect(address(frozen.animals) == first)
    // Another view of the version reads the same rows.
    #expect(address(owner.frozen().animals) == first)
    withExtendedLifetime(kept) {}
    try store.write { store.delete(store.objects(Animal.self)) }
    #expect(owner.frozen().animals.isEmpty && frozen.animals.count == 1_000)
    let farms = mother.frozen().farms
    #expect(farms.isEmpty)
  }

  @Test func `threads that read inverse links of different frozen objects get the right rows`()
    async throws
  {
    let (frozenOwner, frozenMother) = (owner.frozen(), mother.frozen())
    await withTaskGroup(of: Bool.self) { group in
      for thread in 0..<4 {
        group.addTask {
          (0..<50).allSatisfy {
            thread.isMultiple(of: 2)
              ? frozenOwner.animals[$0].id == $0 + 1 && frozenOwner.animals.count == 1_000
              : frozenMother.farms[$0].name == "farm \($0 + 1)" && frozenMother.farms.count == 1_000
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  private func gatheredAddress() throws -> UnsafePointer<Int>? {
    let attribute = try #require(ObjectSchema.of(Animal.self)["farms"])
    let origins = try #require(store.handle.origins(mother, attribute.column))
    return origins.slots.withUnsafeBufferPointer { $0.baseAddress }
  }
}
