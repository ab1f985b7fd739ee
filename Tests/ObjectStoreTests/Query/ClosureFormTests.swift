import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `The closure form of queries` {
  enum Level: Int, PersistableEnum, Comparable {
    case none, low, high
    static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  enum Shape: String, PersistableEnum { case round, flat }

  final class Box: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var size = 0
    @Persisted var maybeSize: Int?
    @Persisted var maybeWeight: Double?
    @Persisted var maybePrice: Decimal?
    @Persisted var level = Level.low
    @Persisted var maybeShape: Shape?
    @Persisted var shape = Shape.flat
    @Persisted var note: String?
    @Persisted var inner: Box?
    @Persisted var parts: List<Box>
    @Persisted var counts: List<Int?>
    @Persisted(originProperty: "parts") var wholes: LinkingObjects<Box>
    @Persisted var `first name`: String
  }

  /// Four boxes, each nested in the next. In those with odd ids, optional attributes are nil.
  private func makeStore() throws -> Store {
    let store = try Store()
    try store.write {
      for id in 0..<4 {
        let box = try store.create(Box.self, value: ["id": .init(id)])
        box.size = 10 * id
        (box.level, box.shape) = ([.none, .low, .high, .low][id], id < 2 ? .round : .flat)
        box.`first name` = ["Al", "Bo", "Cy", "Di"][id]
        if id % 2 == 0 {
          (box.maybeSize, box.maybeWeight, box.maybePrice) = (10 * id, Double(id), Decimal(id))
          (box.maybeShape, box.note) = (box.shape, "box \(id)")
        }
        box.counts = List([id, id % 2 == 0 ? nil : 7])
        box.inner = store.object(ofType: Box.self, forPrimaryKey: id - 1)
        for part in store.objects(Box.self) where part.id < id { box.parts.append(part) }
      }
    }
    return store
  }

  private func ids(_ condition: (QueryPath<Box>) -> some _QueryCondition) throws -> [Int] {
    try makeStore().objects(Box.self).where(condition).map(\.id)
  }

  @Test func `an attribute behind a null link equals nil`() throws {
    #expect(try ids { $0.inner.size == nil } == [0])
    #expect(try ids { $0.inner.size != nil } == [1, 2, 3])
    #expect(try ids { $0.inner.shape == nil || $0.inner.shape == .flat } == [0, 3])
    #expect(try ids { $0.inner.size.in([nil, 20]) } == [0, 3])
    #expect(try ids { $0.size == nil } == [])
  }

  @Test func `comparisons accept optional values on the right`() throws {
    let (five, nothing): (Int?, Int?) = (5, nil)
    #expect(try ids { $0.maybeSize < five } == [0])
    #expect(try ids { $0.maybeSize < 5 } == [0])
    #expect(try ids { $0.size > five } == [1, 2, 3])
    #expect(try ids { $0.size >= nothing || $0.maybeSize <= nothing } == [])
    #expect(try ids { $0.size == nothing } == [])
    #expect(try ids { $0.maybeSize == nothing } == [1, 3])
    #expect(try ids { $0.maybeSize <= $0.size && $0.size >= $0.maybeSize } == [0, 2])
    #expect(try ids { $0.inner.size < $0.size } == [1, 2, 3])
    #expect(try ids { $0.maybeSize == $0.size } == [0, 2])
  }

  @Test func `an enum case named none is not nil`() throws {
    #expect(try ids { $0.level == .none } == [0])
    #expect(try ids { $0.level != .none } == [1, 2, 3])
    #expect(try ids { $0.level > .none } == [1, 2, 3])
    #expect(try ids { $0.level.in([.none, .high]) } == [0, 2])
    #expect(try ids { $0.level.between(.none ... .low) } == [0, 1, 3])
  }

  @Test func `in and contains accept nil among the values`() throws {
    #expect(try ids { $0.maybeShape.in([.round, nil]) } == [0, 1, 3])
    #expect(try ids { $0.maybeShape.in([.round]) } == [0])
    #expect(try ids { $0.maybeSize.in([nil]) } == [1, 3])
    #expect(try ids { $0.note.in(["box 2", nil] as Set) } == [1, 2, 3])
    #expect(try ids { $0.counts.contains(nil) } == [0, 2])
    #expect(try ids { $0.counts.contains(7) } == [1, 3])
    #expect(try ids { $0.counts.max >= 3 } == [1, 3])
    #expect(try ids { $0.counts.any { $0 == nil } } == [0, 2])
  }

  @Test func `aggregates of optional attributes ignore nil`() throws {
    #expect(try ids { $0.parts.max(\.maybeSize) == 20 } == [3])
    #expect(try ids { $0.parts.min(\.maybeSize) == nil } == [0])
    #expect(try ids { $0.parts.sum(\.maybeSize) > 0 } == [3])
    #expect(try ids { $0.parts.average(\.maybeWeight) == 1 } == [3])
    let store = try makeStore()
    let boxes = store.objects(Box.self)
    let last = try #require(boxes.last)
    #expect(boxes.sum(of: \.maybeSize) == 20 && last.parts.sum(of: \.maybeSize) == 20)
    #expect(boxes.sum(of: \.maybeWeight) == 2 && last.parts.sum(of: \.maybeWeight) == 2)
    #expect(boxes.sum(of: \.maybePrice) == 2 && last.parts.sum(of: \.maybePrice) == 2)
    #expect(boxes.max(of: \.maybeSize) == 20 && last.parts.max(of: \.maybeSize) == 20)
    #expect(boxes.average(of: \.maybeSize) == 10 && last.parts.average(of: \.maybeSize) == 10)
  }

  @Test func `the rawValue of an enum attribute compares with stored values`() throws {
    #expect(try ids { $0.shape.rawValue == "flat" } == [2, 3])
    #expect(try ids { $0.maybeShape.rawValue == nil } == [1, 3])
    #expect(try ids { $0.level.rawValue > 1 } == [2])
  }

  @Test func `attribute names with special characters round-trip through the query text`() throws {
    let predicate = StorePredicate(Box.self) {
      $0.`first name` == "Bo" || $0.parts.any { $0.`first name` == "Cy" }
    }
    #expect(
      predicate.description == #"#"first name" == "Bo" OR ANY parts.#"first name" == "Cy""#)
    #expect(try StorePredicate(predicate.description) == predicate)
    #expect(try makeStore().objects(Box.self).filter("#'first name' == 'Bo'").map(\.id) == [1])
    let data = try JSONEncoder().encode(predicate)
    #expect(try JSONDecoder().decode(StorePredicate.self, from: data) == predicate)
  }

  final class Dotted: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var `a.b` = 0
    @Persisted var b = 7
    @Persisted var a: Dotted?
  }

  @Test func `a dot in an attribute name does not follow a link`() throws {
    let store = try Store()
    try store.write {
      for id in 0..<3 {
        let dotted = try store.create(Dotted.self, value: ["id": .init(id)])
        dotted.`a.b` = 3 - id
        dotted.a = dotted
      }
    }
    let all = store.objects(Dotted.self)
    #expect(all.sorted(by: \.`a.b`).map(\.id) == [2, 1, 0])
    #expect(all.distinct(by: \.`a.b`).map(\.id) == [0, 1, 2])
    #expect(all.sectioned(by: \.`a.b`).map(\.key) == [1, 2, 3])
    #expect(all.where { $0.`a.b` == 2 }.map(\.id) == [1])
    var changes: [String] = []
    let token = all.sorted(by: \.`a.b`).observe { changes.append($0.text) }
    store.refresh()
    try store.write { all[0].`a.b` = 0 }
    store.refresh()
    #expect(changes == ["initial", "-[2] +[0] ~[]"])
    withExtendedLifetime(token) {}
  }

  /// A custom type stored as a string.
  struct Code: CustomPersistable, Hashable {
    let text: String
    init(persistedValue: String) { text = persistedValue }
    var persistableValue: String { text }
  }

  final class Place: EmbeddedObject {
    @Persisted var street = ""
  }

  final class Parcel: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var code = Code(persistedValue: "")
    @Persisted var maybeCode: Code?
    @Persisted var kind = Shape.flat
    @Persisted var place: Place?
    @Persisted var boxes: Map<String, Box?>
  }

  /// Two parcels, of which only the second has values.
  private func parcels() throws -> Results<Parcel> {
    let store = try Store()
    try store.write {
      try store.create(Parcel.self, value: ["id": 1])
      let parcel = try store.create(Parcel.self, value: ["id": 2])
      (parcel.code, parcel.maybeCode) = (Code(persistedValue: "AB-1"), Code(persistedValue: "cd"))
      (parcel.kind, parcel.place) = (.round, Place())
      parcel.boxes["a"] = try store.create(Box.self, value: ["id": 7])
    }
    return store.objects(Parcel.self)
  }

  @Test func `types stored as strings support string operations`() throws {
    let parcels = try parcels()
    #expect(parcels.where { $0.code.contains("B-") }.map(\.id) == [2])
    #expect(parcels.where { $0.code.starts(with: "ab", options: .caseInsensitive) }.count == 1)
    #expect(parcels.where { $0.maybeCode.ends(with: "d") || $0.code.like("x*") }.count == 1)
    #expect(parcels.where { $0.maybeCode.equals("CD", options: .caseInsensitive) }.count == 1)
    #expect(parcels.where { $0.kind.starts(with: "fl") }.map(\.id) == [1])
  }

  @Test func `an embedded object compares with nil and with another object`() throws {
    let parcels = try parcels()
    #expect(parcels.where { $0.place == nil }.map(\.id) == [1])
    #expect(parcels.where { $0.place != nil }.map(\.id) == [2])
    let place = try #require(parcels[1].place)
    #expect(parcels.where { $0.place == place }.map(\.id) == [2])
  }

  @Test func `contains finds an object in a map of links`() throws {
    let parcels = try parcels()
    let box = try #require(parcels[1].boxes["a"] ?? nil)
    #expect(parcels.where { $0.boxes.contains(box) }.map(\.id) == [2])
  }
}
