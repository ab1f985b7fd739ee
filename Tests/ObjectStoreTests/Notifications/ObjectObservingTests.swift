import TestSupport
import Testing

@testable import ObjectStore

@Suite struct `An observed object` {
  typealias Animal = Observed.Animal
  let store: Store
  let animal: Animal
  let received = Received()

  init() throws {
    store = try Observed.store(1...3)
    animal = try #require(store.object(ofType: Animal.self, forPrimaryKey: 2))
  }

  private func observe(_ object: some ObjectBase) -> ObservationToken {
    object.observe { [received] in received.note("\($0)") }
  }

  @Test func `each changed attribute of a write is reported once, in declaration order`() throws {
    let token = observe(animal)
    store.refresh()
    #expect(received.take() == [])
    try store.write {
      animal.legs = 3
      animal.name = "Bella"
    }
    try store.write { animal.legs = 5 }
    #expect(received.take() == [#"change(["name", "legs"])"#])
    store.refresh()
    #expect(received.take() == [#"change(["legs"])"#])
    store.refresh()
    #expect(received.take() == [])
    token.cancel()
  }

  @Test func `an observation reports only changes made after it began`() throws {
    try store.write { animal.legs = 3 }
    let token = observe(animal)
    try store.write { animal.name = "Bella" }
    store.refresh()
    #expect(received.take() == [#"change(["name"])"#])
    withExtendedLifetime(token) {}
  }

  @Test func `reverted changes, rollbacks and changes of other objects are not reported`() throws {
    let token = observe(animal)
    let other = try Store(configuration: store.configuration)
    let same = try #require(other.object(ofType: Animal.self, forPrimaryKey: 2))
    for legs in [3, 4] { try other.write { same.legs = legs } }
    other.undone { same.name = "lost" }
    try other.write { other.object(ofType: Animal.self, forPrimaryKey: 1)?.legs = 7 }
    store.refresh()
    #expect(received.take() == [])
    try other.write { same.legs = 9 }
    store.refresh()
    #expect(received.take() == [#"change(["legs"])"#])
    withExtendedLifetime(token) {}
  }

  @Test func `an observed object reports its deletion and nothing afterwards`() throws {
    let token = observe(animal)
    try store.write {
      animal.legs = 3
      store.delete(animal)
    }
    store.refresh()
    #expect(received.take() == ["deleted"])
    try store.write { try store.create(Animal.self, value: ["id": 2]) }
    store.refresh()
    #expect(received.take() == [])
    withExtendedLifetime(token) {}
  }

  @Test func `a change of an embedded object is reported as a change of its owner's attribute`()
    throws
  {
    try store.write {
      animal.collar = Observed.Collar()
      animal.collar?.bell = Observed.Bell()
    }
    let token = observe(animal)
    try store.write { animal.collar?.colour = "red" }
    store.refresh()
    #expect(received.take() == [#"change(["collar"])"#])
    try store.write { animal.collar?.bell?.tone = "ding" }
    store.refresh()
    #expect(received.take() == [#"change(["collar"])"#])
    let bell = try #require(animal.collar?.bell)
    let second = observe(bell)
    try store.write { animal.collar = nil }
    store.refresh()
    #expect(received.take() == [#"change(["collar"])"#, "deleted"])
    withExtendedLifetime((token, second)) {}
  }

  @Test func `an observed object reports changes of its collections but not of linked objects`()
    throws
  {
    let farm = try store.write { try store.create(Observed.Farm.self, value: ["id": 1]) }
    let token = observe(farm)
    try store.write {
      farm.animals.append(animal)
      farm.prices["hay"] = 3
    }
    store.refresh()
    #expect(received.take() == [#"change(["animals", "prices"])"#])
    try store.write { animal.legs = 3 }
    store.refresh()
    #expect(received.take() == [])
    try store.write { store.delete(animal) }
    store.refresh()
    #expect(received.take() == [#"change(["animals"])"#])
    withExtendedLifetime(token) {}
  }

  @Test func `an object observed with key paths reports only changes of these attributes`() throws {
    let owner = try store.write {
      let owner = try store.create(Observed.Owner.self, value: ["id": 7])
      animal.owner = owner
      return owner
    }
    let token = animal.observe(keyPaths: [\.legs, \.owner?.name]) { [received] in
      received.note("\($0)")
    }
    try store.write {
      animal.name = "Bella"
      owner.age = 50
    }
    store.refresh()
    #expect(received.take() == [])
    try store.write { owner.name = "Jo" }
    store.refresh()
    #expect(received.take() == [#"change(["owner"])"#])
    try store.write {
      animal.owner = nil
      animal.legs = 3
    }
    store.refresh()
    #expect(received.take() == [#"change(["legs", "owner"])"#])
    let inverse = owner.observe(keyPaths: [\.animals]) { [received] in received.note("owner \($0)")
    }
    try store.write { animal.owner = owner }
    store.refresh()
    #expect(received.take() == [#"change(["owner"])"#, #"owner change(["animals"])"#])
    withExtendedLifetime((token, inverse)) {}
  }

  @Test func `a change of a dynamic object is reported with attribute names`() throws {
    let dynamic = try #require(try store.object(dynamic: "Animal", forPrimaryKey: 2))
    let token = observe(dynamic)
    try store.write { dynamic["legs"] = 3 }
    store.refresh()
    #expect(received.take() == [#"change(["legs"])"#])
    withExtendedLifetime(token) {}
  }

  @Test func `an object observed in the write that creates it reports later changes`() throws {
    var token: ObservationToken?
    try store.write {
      let made = try store.create(Animal.self, value: ["id": 9])
      token = observe(made)
      made.legs = 3
    }
    store.refresh()
    #expect(received.take() == [])
    try store.write { store.object(ofType: Animal.self, forPrimaryKey: 9)?.legs = 2 }
    store.refresh()
    #expect(received.take() == [#"change(["legs"])"#])
    store.undone { token = try? observe(store.create(Animal.self, value: ["id": 10])) }
    try store.write { animal.legs = 8 }
    store.refresh()
    #expect(received.take() == ["deleted"])
    withExtendedLifetime(token) {}
  }

  @Test func `observing a deleted object reports the deletion at the next delivery`() throws {
    try store.write { store.delete(animal) }
    let token = observe(animal)
    store.refresh()
    #expect(received.take() == ["deleted"])
    withExtendedLifetime(token) {}
  }

  @Test func `observing an unmanaged object is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      _ = Observed.Animal().observe { _ in }
    }
    result.says("Animal: only a managed object can be observed")
  }

  @Test func `observing a key path that is not an attribute is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Observed.store(1...1)
      let animal = try #require(store.objects(Observed.Animal.self).first)
      _ = animal.observe(keyPaths: [\.name.count]) { _ in }
    }
    result.says(
      "Animal: the key path's value is derived from 'name', not the attribute itself")
  }
}
