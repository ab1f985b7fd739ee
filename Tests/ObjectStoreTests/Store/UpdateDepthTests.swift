import ObjectStore
import TestSupport
import Testing

@Suite struct `Nested updates` {
  /// A chain of nested objects. The innermost has the highest id.
  private func chain(_ count: Int) -> UpdateDictionary {
    var update = UpdateDictionary([("id", .int(Int64(count)))])
    for id in (1..<count).reversed() {
      update = UpdateDictionary([("id", .int(Int64(id))), ("next", .object(update))])
    }
    return update
  }

  @Test func `an update of 4,096 levels is stored`() throws {
    let store = try Store()
    try store.write { try store.create(Coding.KeyedLink.self, value: chain(4_096)) }
    #expect(store.objects(Coding.KeyedLink.self).count == 4_096)
  }

  @Test func `an update of 4,097 levels is rejected, and nothing is stored`() throws {
    let store = try Store()
    let error = #expect(throws: StoreError.self) {
      try store.write { try store.create(Coding.KeyedLink.self, value: chain(4_097)) }
    }
    #expect(
      error.map { "\($0)" } == "KeyedLink: expected at most 4096 nested objects, found more")
    #expect(store.objects(Coding.KeyedLink.self).isEmpty)
  }

  @Test func `sibling objects do not add to the depth of an update`() throws {
    let store = try Store()
    let links = (2...5_000).map { UpdateValue.object(["id": .int(Int64($0))]) }
    try store.write {
      try store.create(Coding.KeyedLink.self, value: ["id": 1, "links": .array(links)])
    }
    #expect(store.objects(Coding.KeyedLink.self).count == 5_000)
  }

  @Test func `rejected updates do not add to the depth of later updates`() throws {
    let store = try Store()
    try store.write {
      for _ in 0..<300 {
        let error = #expect(throws: StoreError.self) {
          try store.create(
            Coding.KeyedLink.self, value: ["id": 1, "next": ["id": 2, "next": ["id": "x"]]])
        }
        #expect(error?.description == #"KeyedLink.id: expected Int, found String "x""#)
      }
      try store.create(Coding.KeyedLink.self, value: chain(24))
    }
    #expect(store.objects(Coding.KeyedLink.self).count == 24)
  }

  final class Extra: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var json: JSONValue
  }

  @Test(arguments: [(512, true), (513, false), (4_000, false)])
  func `a JSON value may have at most 512 levels`(_ levels: Int, _ isStored: Bool) throws {
    var value = UpdateValue.array([])
    for _ in 1..<levels { value = .array([value]) }
    let store = try Store()
    let update: UpdateDictionary = ["id": 1, "json": value]
    var refusal: String?
    do {
      try store.write { _ = try store.create(Extra.self, value: update) }
    } catch {
      refusal = "\(error)"
    }
    #expect(
      refusal == (isStored ? nil : "Extra.json: expected JSONValue, found an array of 1"))
    #expect(store.objects(Extra.self).count == (isStored ? 1 : 0))
  }
}
