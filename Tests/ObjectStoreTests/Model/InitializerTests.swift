import ObjectStore
import Synchronization
import Testing

/// Initializers run for each object, property observers only for assignments.
@Suite(.serialized) struct `User code in model classes` {
  final class Guest: Object {
    static let made = Mutex(0)
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = "nobody" {
      willSet { log.append("will \(newValue)") }
      didSet { log.append("did \(oldValue)") }
    }
    var log: [String] = []

    required init() {
      super.init()
      Self.made.withLock { $0 += 1 }
      name = "from init"
      log = []
    }
  }

  @Test func `reading an object runs init() without changing any row`() throws {
    let store = try Store()
    try store.write {
      try store.create(Guest.self, value: ["id": 1, "name": "Ann"])
      try store.create(Guest.self, value: ["id": 2])
    }
    let version = store.version
    let made = Guest.made.withLock { $0 }
    #expect(store.objects(Guest.self).map(\.name) == ["Ann", "from init"])
    #expect(store.object(ofType: Guest.self, forPrimaryKey: 1)?.name == "Ann")
    #expect(Guest.made.withLock { $0 } == made + 3)
    #expect(store.version == version)
  }

  @Test func `property observers run only for assignments to the object`() throws {
    let store = try Store()
    let guest = try store.write { try store.create(Guest.self, value: ["id": 1, "name": "Ann"]) }
    try store.write { guest.name = "Bea" }
    #expect(guest.log == ["will Bea", "did Ann"])

    try store.update(id: 1, \Guest.name, "Cleo")
    try store.write {
      try store.create(Guest.self, value: ["id": 1, "name": "Dora"], update: .modified)
    }
    let other = try Store(configuration: store.configuration, isolation: nil)
    try other.update(id: 1, \Guest.name, "Eve")
    store.refresh()
    #expect(guest.name == "Eve")
    #expect(guest.log == ["will Bea", "did Ann"])
  }
}
