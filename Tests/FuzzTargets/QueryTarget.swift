import Foundation
import ObjectStore

/// Parses bytes as the text of a query, and evaluates it with and without indexes.
enum QueryTarget {
  static func run(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let predicate = try? StorePredicate(text) else { return }
    let printed = predicate.description
    do {
      let again = try StorePredicate(printed)
      law(again.description, equals: printed, "a printed query is printed again")
      law(again == predicate, "a printed query is equal to the query: \(printed)")
    } catch {
      fatalError("broken law: the printed query \(printed) is parsed: \(error)")
    }
    let plain = rows(predicate, in: World.plain)
    law(rows(predicate, in: World.indexed), equals: plain, "indexes do not change \(printed)")
    law(rows(predicate, in: World.plain, limit: 1000), equals: plain, "each row alone: \(printed)")
    guard case .rows(let found) = plain, let negated = try? StorePredicate("NOT (\(printed))")
    else { return }
    let rest = (0..<World.count).filter { !found.contains($0) }
    law(rows(negated, in: World.indexed), equals: .rows(rest), "NOT of \(printed)")
  }

  /// The keys of the rows that a query finds, or its error.
  private enum Answer: Equatable {
    case rows([Int])
    case error(String)
  }

  private static func rows(
    _ predicate: StorePredicate, in world: World, limit: Int? = nil
  ) -> Answer {
    do {
      var things = try world.store.objects(dynamic: "Thing")
      if let limit { things = things.limit(limit) }
      return .rows(try things.filter(predicate).map { $0["id"] as? Int ?? -1 })
    } catch {
      return .error("\(error)")
    }
  }

  /// A store with things that have attributes of each kind.
  // @unchecked: libFuzzer calls from one thread, and FuzzTests has one call at a time.
  private struct World: @unchecked Sendable {
    static let count = 24
    static let plain = World(isIndexed: false)
    static let indexed = World(isIndexed: true)

    let store: Store

    init(isIndexed: Bool) {
      do {
        store = try Store(
          configuration: .inMemory(), schemas: Self.schemas(isIndexed: isIndexed))
        try fill()
      } catch {
        fatalError("\(error)")
      }
    }

    private static func schemas(isIndexed: Bool) -> [ObjectSchema] {
      func property(_ name: String, _ shape: AttributeShape, isOptional: Bool = true) -> Property {
        Property(name, shape, isOptional: isOptional, isIndexed: isIndexed)
      }
      return [
        ObjectSchema(
          "Thing",
          [
            Property("id", .int, isPrimaryKey: true), property("n", .int, isOptional: false),
            property("s", .string), property("b", .bool), property("t", .date),
            property("u", .uuid), property("w", .value(.int8)),
            Property("d", .double, isOptional: true, isIndexed: isIndexed),
            Property("f", .float, isOptional: true), Property("m", .decimal, isOptional: true),
            Property("x", .data, isOptional: true), Property("j", .json, isOptional: true),
            Property("l", .url, isOptional: true),
            Property("q", .string, isOptional: true, isSearchable: true),
            Property("is", .list(.int), isOptional: true), Property("ss", .set(.string)),
            Property("mm", .map(.double), isOptional: true), Property("ts", .list(.date)),
            Property("o", .object("Thing")), Property("os", .list("Thing")),
            Property("p", .object("Part")), Property("ps", .list("Part")),
            Property("by", .linkingObjects("Thing"), originProperty: "o"),
          ], indexes: isIndexed ? [["b", "n"], ["s", "d", "id"]] : []),
        ObjectSchema(
          "Part", [Property("x", .double), Property("s", .string, isOptional: true)],
          isEmbedded: true),
      ]
    }

    private func fill() throws {
      let strings: [UpdateValue] = ["", "a", "bee", "Bee", "bée", "a*b", .null, "b ee"]
      let numbers: [UpdateValue] = [.double(-1.5), .double(0), .null, .double(3), .double(1e300)]
      try store.write {
        for id in 0..<Self.count {
          let number = Int64(id % 7 - 3)
          let date = UpdateValue(Date(timeIntervalSinceReferenceDate: Double(number)))
          var update: UpdateDictionary = ["id": .int(Int64(id)), "n": .int(number)]
          update["s"] = strings[id % 8]
          update["q"] = strings[(id + 3) % 8]
          update["b"] = id % 3 == 0 ? .null : .bool(id % 2 == 0)
          update["t"] = id % 4 == 0 ? .null : date
          update["u"] = .init(
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(id % 3))))
          update["w"] = .int(Int64(id % 5 * 63 - 126))
          update["d"] = numbers[id % 5]
          update["f"] = id % 3 == 1 ? .double(0.5) : .null
          update["m"] = .init(Decimal(number) / 10)
          update["x"] = .init(Data([0, UInt8(id % 4)].prefix(id % 3)))
          update["j"] = .init(JSONValue.object(["a": .array([.int(number), .string("a")])]))
          update["is"] = .array([.int(number), .null, 3])
          update["ss"] = .array(["a", .string("\(number)")])
          update["mm"] = ["k": .double(Double(number)), "n": nil]
          update["ts"] = .array(id % 2 == 0 ? [] : [date])
          update["ps"] = .array(id % 2 == 0 ? [["x": 1, "s": strings[id % 8]], ["x": 2]] : [])
          if id % 3 == 0 { update["p"] = ["x": .double(Double(number))] }
          try store.create(dynamic: "Thing", value: update)
        }
        let things = Array(try store.objects(dynamic: "Thing"))
        for (id, thing) in things.enumerated() where id % 4 != 0 {
          thing["o"] = things[id * 5 % things.count]
          let linked = thing["os"] as? List<DynamicObject>
          linked?.append(things[(id + 1) % things.count])
        }
      }
    }
  }
}
