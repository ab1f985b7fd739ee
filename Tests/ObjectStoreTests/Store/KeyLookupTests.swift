import Foundation
import ObjectStore
import TestSupport
import Testing

private final class Wide: Object {
  @Persisted(primaryKey: true) var id: UInt64
}

private final class Keyless: Object {
  @Persisted var name = ""
}

private struct TicketNumber: CustomPersistable {
  let number: Int
  init(persistedValue: Int) { number = persistedValue }
  var persistableValue: Int { number }
}

private final class Numbered: Object {
  @Persisted(primaryKey: true) var number: TicketNumber
}

@Suite struct `Looking up keys` {
  @Test func `a custom key type is looked up by its stored form`() throws {
    let store = try Store()
    let ticket = try store.write { try store.create(Numbered.self, value: ["number": 7]) }
    #expect(ticket.number.number == 7)
    #expect(store.object(ofType: Numbered.self, forPrimaryKey: 7) == ticket)
  }

  @Test func `a lookup does not find a different key with the same bits`() throws {
    let store = try Store()
    try store.write {
      try store.create(Wide.self, value: ["id": .init(UInt64.max)])
      try store.create(Animal.self, value: ["id": -1])
    }
    #expect(store.object(ofType: Wide.self, forPrimaryKey: UInt64.max) != nil)
    #expect(store.object(ofType: Wide.self, forPrimaryKey: -1) == nil)
    #expect(store.object(ofType: Wide.self, forPrimaryKey: Int8(-1)) == nil)
    #expect(store.object(ofType: Animal.self, forPrimaryKey: Int8(-1)) != nil)
    #expect(store.object(ofType: Animal.self, forPrimaryKey: UInt64.max) == nil)
    #expect(try store.update(Animal.self, key: UInt64.max, \.legs <- 1) == .notFound)
  }

  @Test func `after a rekey is rolled back, only the previous key finds the object`() throws {
    let store = try Store()
    let animal = try store.write { try store.create(Animal.self, value: ["id": 1]) }
    func undone(_ body: () throws -> Void) throws {
      do {
        try store.write {
          try body()
          throw Undo()
        }
      } catch is Undo {}
    }
    func found() -> [Int?] {
      [1, 2, 3].map { store.object(ofType: Animal.self, forPrimaryKey: $0)?.id }
    }
    try undone { try store.rekey(animal, to: 2) }
    #expect(found() == [1, nil, nil] && animal.id == 1)
    try store.write {
      try undone { try store.rekey(animal, to: 2) }
      #expect(found() == [1, nil, nil])
      try store.rekey(animal, to: 3)
      try undone { try store.rekey(animal, to: 2) }
      #expect(found() == [nil, nil, 3])
    }
    #expect(found() == [nil, nil, 3] && animal.id == 3)
    try undone {
      let new = try store.create(Animal.self, value: ["id": 1])
      try store.rekey(new, to: 2)
      #expect(found() == [nil, 2, 3])
    }
    #expect(found() == [nil, nil, 3])
    store.checkInvariants()
  }

  // The key may come from a request, which must not stop a server.
  #if DEBUG
    @Test func `looking up a key of another type is misuse in a debug build`() async {
      let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
        _ = try Store().object(ofType: Animal.self, forPrimaryKey: "7")
      }
      result.says("Animal.id: expected Int, found a key of type String")
      let number = await #expect(processExitsWith: .failure, observing: .misuseText) {
        _ = try Store().object(ofType: Farm.self, forPrimaryKey: 7)
      }
      number.says("Farm.name: expected String, found a key of type Int")
      let keyless = await #expect(processExitsWith: .failure, observing: .misuseText) {
        _ = try Store().object(ofType: Keyless.self, forPrimaryKey: 7)
      }
      keyless.says(
        "Keyless: the class has no primary key, which is needed to find and update objects")
      let value = await #expect(processExitsWith: .failure, observing: .misuseText) {
        _ = try Store().object(ofType: Animal.self, forPrimaryKey: UpdateValue.double(7))
      }
      value.says("Animal.id: expected Int, found Double 7.0")
    }
  #else
    @Test func `looking up a key of another type finds nothing in a release build`() throws {
      let store = try Store()
      try store.write { try store.add(Animal(id: 7)) }
      #expect(store.object(ofType: Animal.self, forPrimaryKey: "7") == nil)
      #expect(store.object(ofType: Animal.self, forPrimaryKey: CompoundKey(7, 7)) == nil)
      #expect(store.object(ofType: Animal.self, forPrimaryKey: UpdateValue.double(7)) == nil)
      #expect(store.object(ofType: Farm.self, forPrimaryKey: 7) == nil)
      #expect(store.object(ofType: Keyless.self, forPrimaryKey: 7) == nil)
    }
  #endif

  @Test func `updating by a key of another type throws`() throws {
    let store = try Store()
    func message(_ key: some ObjectKey) -> String? {
      #expect(throws: StoreError.self) { try store.update(Animal.self, key: key, \.legs <- 1) }?
        .description
    }
    #expect(message("7") == "Animal.id: expected Int, found a key of type String")
    #expect(message(UpdateValue.string("7")) == #"Animal.id: expected Int, found String "7""#)
    #expect(message(UpdateValue.bool(true)) == "Animal.id: expected Int, found Bool true")
    #expect(message(UpdateValue.null) == "Animal.id: expected Int, found null")
    #expect(message(UpdateValue.array([7])) == "Animal.id: expected Int, found an array of 1")
  }
}
