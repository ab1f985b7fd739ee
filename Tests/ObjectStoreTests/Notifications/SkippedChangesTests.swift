import TestSupport
import Testing

@testable import ObjectStore

/// Writes that do not notify some observers.
@Suite struct `Writes without notifying` {
  typealias Animal = Observed.Animal
  let store: Store
  let animals: Results<Animal>
  let received = Received()

  init() throws {
    store = try Observed.store(0..<4)
    animals = store.objects(Animal.self).sorted(by: \.name)
  }

  private func observe(_ name: String) -> ObservationToken {
    let token = animals.observe { [received] in received.note("\(name) \($0.text)") }
    store.refresh()
    _ = received.take()
    return token
  }

  private func take() -> [String] {
    store.refresh()
    return received.take()
  }

  @Test func `the observers of the tokens are not notified, and others are`() throws {
    let (silent, other) = (observe("silent"), observe("other"))
    try store.write(withoutNotifying: [silent]) { store.delete(animals[1]) }
    #expect(take() == ["other -[1] +[] ~[]"])
    // The next change begins after the write.
    try store.write { animals[1].legs = 3 }
    #expect(take() == ["silent -[] +[] ~[1]", "other -[] +[] ~[1]"])
    withExtendedLifetime((silent, other)) {}
  }

  @Test func `observers of objects, collections, sections and the store can be left out`() throws {
    let farm = try store.write { try store.create(Observed.Farm.self, value: ["id": 1]) }
    let note: (String) -> Void = { [received] in received.note($0) }
    let tokens = [
      farm.observe { note("object \($0)") },
      farm.scores.observe { note("list \($0.text)") },
      animals.sectioned(by: \.legs).observe { _ in note("sections") },
      store.observe { _ in note("store") },
    ]
    #expect(take() == ["list initial", "sections"])
    func change() throws {
      farm.scores.append(7)
      animals[0].legs += 1
    }
    try store.write(withoutNotifying: tokens, change)
    #expect(take() == [])
    try store.write(change)
    #expect(take() == [#"object change(["scores"])"#, "list -[] +[1] ~[]", "sections", "store"])
    try store.write(withoutNotifying: tokens) { store.delete(farm) }
    #expect(take() == [])
  }

  @Test func `an earlier change that is not delivered yet is delivered before the write`() throws {
    let token = observe("a")
    try store.write { animals[0].legs = 3 }
    try store.write(withoutNotifying: [token]) { animals[1].legs = 3 }
    #expect(take() == ["a -[] +[] ~[0]"])
    withExtendedLifetime(token) {}
  }

  @Test func `a write inside a notification leaves out only what was notified`() throws {
    var tokens: [ObservationToken] = []
    let first = animals.observe { [store, received] change in
      received.note("first \(change.text)")
      if change.text == "-[] +[] ~[0]" {
        try? store.write(withoutNotifying: tokens) { store.objects(Animal.self)[1].legs = 5 }
      }
    }
    tokens = [first, observe("second")]
    try store.write { animals[0].legs = 3 }
    // The second observer was not notified of the first change yet.
    #expect(take() == ["first -[] +[] ~[0]", "second -[] +[] ~[0, 1]"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `inside another write, and if the block throws, nothing is left out`() throws {
    let token = observe("a")
    try store.write {
      try store.write(withoutNotifying: [token]) { animals[0].legs = 3 }
    }
    #expect(take() == ["a -[] +[] ~[0]"])
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try store.write(withoutNotifying: [token]) {
        animals[0].legs = 9
        throw Failure()
      }
    }
    try store.write { animals[2].legs = 3 }
    #expect(take() == ["a -[] +[] ~[2]"])
    withExtendedLifetime(token) {}
  }

  @Test func `the write returns the value of its block, and a token of another store is ignored`()
    throws
  {
    let other = try Observed.store(0..<1)
    let token = other.objects(Animal.self).observe { [received] in received.note($0.text) }
    other.refresh()
    _ = received.take()
    #expect(try store.write(withoutNotifying: [token]) { animals.count } == 4)
    try other.write { other.objects(Animal.self)[0].legs = 1 }
    other.refresh()
    #expect(received.take() == ["-[] +[] ~[0]"])
    withExtendedLifetime(token) {}
  }
}
