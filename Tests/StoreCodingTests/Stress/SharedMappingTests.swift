import Foundation
import ObjectStore
import Synchronization
import TestSupport
import Testing

@testable import StoreCoding

private enum Shared {
  final class Zoo: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var openSince: Date?
    @Persisted var head: Keeper?
    @Persisted var keepers: List<Keeper>
  }

  final class Keeper: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var fullName: String?
    @Persisted var deputy: Keeper?
  }

  final class Sign: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var keeper: Keeper?
    @Persisted var text = ""
  }

  /// A class whose declarations can change while a program runs.
  final class Variable: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var value: String?
    @Persisted var note: String? = Variable.note.withLock { $0 }

    static let key = Mutex("value")
    static let note = Mutex<String?>(nil)

    override class var codableKeys: [String: String] { ["value": key.withLock { $0 }] }
  }

  /// A class whose default can encode an object of the class.
  final class Reentrant: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String? = Reentrant.evaluate()

    // Unsafe: used by a single thread of a separate process.
    nonisolated(unsafe) static var note: String?
    nonisolated(unsafe) static var hook: (() -> Void)?

    static func evaluate() -> String? {
      let hook = hook
      Self.hook = nil
      hook?()
      return note
    }
  }

  final class Stamped: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var seenAt: Date?
  }

  final class Counted: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var other = ""
  }
}

@Suite struct `Mappings of earlier coders` {
  private static let zoo = """
    {"id":1,"openSince":"2020-02-03T04:05:06Z","head":{"id":2,"fullName":"Ada"},
     "keepers":[{"id":3,"deputy":{"id":2}},{"id":4}]}
    """

  @Test func `the objects of a new coder are in its own store`() throws {
    let first = try makeCoder()
    try first.decode(Shared.Zoo.self, Self.zoo)
    let text = try first.text(first.store.objects(Shared.Zoo.self)[0])
    for _ in 0..<3 {
      // Declared first, so the tables have other numbers than in the first store.
      let store = try Store()
      #expect(store.objects(Shared.Sign.self).isEmpty)
      let coder = StoreCoder(store: store)
      let zoo = try coder.decode(Shared.Zoo.self, Self.zoo)
      #expect(zoo.head?.fullName == "Ada" && zoo.keepers.map(\.id) == [3, 4])
      #expect(zoo.keepers[0].deputy?.id == 2)
      let sign = try coder.decode(
        Shared.Sign.self, #"{"id":1,"keeper":{"id":3,"fullName":"Bo"},"text":"!"}"#)
      #expect(sign.keeper == zoo.keepers[0] && zoo.keepers[0].fullName == "Bo")
      #expect(store.objects(Shared.Keeper.self).count == 3)
      #expect(first.store.objects(Shared.Keeper.self).count == 3)
      #expect(try first.text(first.store.objects(Shared.Zoo.self)[0]) == text)
    }
  }

  @Test func `a rule for keys is not called again for the next coder`() throws {
    let calls = Mutex(0)
    var configuration = StoreCoder.Configuration()
    configuration.keys = .custom { name in
      calls.withLock { $0 += 1 }
      return name.uppercased()
    }
    for _ in 0..<5 {
      let coder = StoreCoder(store: try Store(), configuration: configuration)
      let counted = try coder.decode(Shared.Counted.self, #"{"ID":1,"NAME":"a","OTHER":""}"#)
      #expect(counted.name == "a")
      #expect(try coder.text(counted) == #"{"ID":1,"NAME":"a","OTHER":""}"#)
    }
    #expect(calls.withLock { $0 } == 3)
  }

  @Test func `a rule with the address of a released one has a mapping of its own`() throws {
    for round in 0..<200 {
      var configuration = StoreCoder.Configuration()
      configuration.keys = .custom { "\($0)\(round)" }
      let coder = StoreCoder(store: try Store(), configuration: configuration)
      let counted = try coder.decode(
        Shared.Counted.self, #"{"id\#(round)":1,"name\#(round)":"a"}"#)
      #expect(counted.name == "a")
    }
  }

  @Test func `date patterns that differ only in their normal form have different mappings`() throws
  {
    for accent in ["\u{e9}", "e\u{301}", "\u{e9}"] {
      var configuration = StoreCoder.Configuration()
      configuration.dates = [.format("yyyy'\(accent)'MM'\(accent)'dd")]
      let coder = StoreCoder(store: try Store(), configuration: configuration)
      let stamped = try coder.decode(
        Shared.Stamped.self, #"{"id":1,"seenAt":"2020\#(accent)02\#(accent)03"}"#)
      #expect(try coder.text(stamped).contains("2020\(accent)02"))
    }
  }

  @Test func `coders with different configurations have different mappings`() throws {
    let text = #"{"id":1,"seenAt":3,"seen_at":4}"#
    var seconds = StoreCoder.Configuration()
    seconds.dates = [.unixSeconds]
    var words = seconds
    words.keys = .snakeCase
    for _ in 0..<2 {
      for (configuration, time) in [(seconds, 3.0), (words, 4), (seconds, 3)] {
        let coder = StoreCoder(store: try Store(), configuration: configuration)
        let stamped = try coder.decode(Shared.Stamped.self, text)
        #expect(stamped.seenAt == Date(timeIntervalSince1970: time))
      }
      let plain = StoreCoder(store: try Store())
      #expect(throws: StoreCodingError.self) { try plain.decode(Shared.Stamped.self, text) }
    }
  }

  @Test func `two coders at the same time have mappings of their own`() throws {
    let coders = try (0..<3).map { _ in try makeCoder() }
    let plans = try coders.map { ObjectIdentifier(try $0.codingPlan(Shared.Zoo.self)) }
    #expect(Set(plans).count == 3)
    for coder in coders { #expect(try coder.decode(Shared.Zoo.self, Self.zoo).keepers.count == 2) }
  }

  @Test func `declarations that have changed since are followed`() throws {
    // The last two are equal as strings, but differ in JSON.
    for key in ["value", "v", "w", "value", "\u{e9}", "e\u{301}"] {
      Shared.Variable.key.withLock { $0 = key }
      let coder = try makeCoder()
      let object = try coder.decode(Shared.Variable.self, #"{"id":1,"\#(key)":"x"}"#)
      #expect(object.value == "x")
      #expect(try coder.text(object) == #"{"id":1,"\#(key)":"x"}"#)
    }
    Shared.Variable.key.withLock { $0 = "value" }
    // A nil that would be read back as the default is written as null.
    for note in [nil, "new", nil] {
      Shared.Variable.note.withLock { $0 = note }
      let coder = try makeCoder()
      let object = try coder.decode(Shared.Variable.self, #"{"id":1,"value":"x","note":null}"#)
      let null = note == nil ? "" : #","note":null"#
      #expect(try coder.text(object) == #"{"id":1,"value":"x"\#(null)}"#)
    }
  }

  @Test func `a default that encodes an object of its class does not keep outdated members`() async
  {
    await #expect(processExitsWith: .success) {
      for note in [nil, "new"] {
        Shared.Reentrant.note = note
        let coder = try makeCoder()
        let object = try coder.decode(Shared.Reentrant.self, #"{"id":1,"note":null}"#)
        if note != nil { Shared.Reentrant.hook = { _ = try? coder.encode(object) } }
        let null = note == nil ? "" : #","note":null"#
        #expect(try coder.text(object) == #"{"id":1\#(null)}"#)
      }
    }
  }

  @Test func `coders that come and go on many threads do not share a mapping at a time`()
    async throws
  {
    let texts = try await withThrowingTaskGroup(of: [String].self) { group in
      for task in 0..<8 {
        group.addTask {
          var texts: [String] = []
          for _ in 0..<40 {
            let store = try Store()
            if task % 2 == 0 { _ = store.objects(Shared.Sign.self).count }
            let coder = StoreCoder(store: store)
            let zoo = try coder.decode(Shared.Zoo.self, Self.zoo)
            try store.write { zoo.head?.fullName = "Ada \(zoo.keepers.count)" }
            texts.append(try coder.text(zoo))
          }
          return texts
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(texts.count == 320)
    #expect(
      Set(texts) == [
        #"{"id":1,"openSince":"2020-02-03T04:05:06Z","head":{"id":2,"fullName":"Ada 2"},"#
          + #""keepers":[{"id":3,"deputy":{"id":2,"fullName":"Ada 2"}},{"id":4}]}"#
      ])
  }

  @Test func `a released coder does not retain its store`() throws {
    weak var store: Store?
    do {
      let coder = try makeCoder()
      store = coder.store
      try coder.decode(Shared.Zoo.self, Self.zoo)
    }
    #expect(store == nil)
  }

  private static let changes: [@Sendable (inout StoreCoder.Configuration) -> Void] = [
    { $0.dates = [.date] }, { $0.keys = .snakeCase }, { $0.nulls = .skip },
    { $0.mismatches = .skipAttribute }, { $0.outputFormatting = [.sortedKeys] },
    { $0.isFlexible = true }, { $0.emptyAsNil = true }, { $0 = .realmCoder },
  ]

  @Test func `configurations that differ in one part of the mapping do not share mappings`() {
    let settings = Self.changes.map { change in
      var configuration = StoreCoder.Configuration.default
      change(&configuration)
      return MappingSettings(configuration)
    }
    for (index, one) in settings.enumerated() {
      #expect(!one.isSame(as: MappingSettings(.default)))
      for (other, two) in settings.enumerated() { #expect(one.isSame(as: two) == (index == other)) }
    }
    #expect(MappingSettings(.default).isSame(as: MappingSettings(.strict)))
  }

  @Test func `the pool keeps the newest mappings only`() throws {
    let pool = PlanPool()
    let settings = MappingSettings(.default)
    let plan = try makeCoder().codingPlan(Shared.Sign.self)
    let sets = (0..<3).map { set in
      PlanPool.Plans(
        uniqueKeysWithValues: (0..<400).map { (Self.identifier(set * 1_000 + $0), plan) })
    }
    for plans in sets { pool.add(plans, settings) }
    #expect(pool.take(settings, containing: Self.identifier(0)) == nil)
    #expect(pool.take(settings, containing: Self.identifier(1_007)) == nil)
    #expect(pool.take(MappingSettings(.realmCoder), containing: Self.identifier(2_007)) == nil)
    #expect(pool.take(settings, containing: Self.identifier(2_007))?.count == 400)
    #expect(pool.take(settings, containing: Self.identifier(2_007)) == nil)
  }

  private static let tokens = (0..<3_000).map { _ in Token() }
  private final class Token: Sendable {}
  private static func identifier(_ number: Int) -> ObjectIdentifier {
    ObjectIdentifier(tokens[number])
  }
}
