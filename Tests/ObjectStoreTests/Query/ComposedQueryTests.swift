import ObjectStore
import TestSupport
import Testing

@Suite struct `Programmatically composed queries` {
  private typealias Animal = Planned.Animal

  private static func makeStore() throws -> Store {
    let store = try Store()
    try store.write {
      for id in 0..<100 {
        let animal = try store.create(Animal.self, value: ["id": .init(id)])
        (animal.legs, animal.name) = (id % 10, "\(id)")
        if id % 2 == 0 { animal.note = "note \(id)" }
      }
    }
    return store
  }

  @Test func `50,000 conditions joined by || or && do not overflow a small stack`() {
    let text = onSmallStack {
      do {
        let animals = try Self.makeStore().objects(Animal.self)
        let some = animals.where { animal in
          (1..<50_000).reduce(animal.note == "note 0") { $0 || animal.note == "note \($1)" }
        }
        let turned = animals.where { animal in
          (1..<50_000).reduce(animal.note == "note 0") { animal.note == "note \($1)" || $0 }
        }
        let others = animals.where { animal in
          (1..<50_000).reduce(animal.note != nil) { $0 && animal.note != "note \($1)" }
        }
        return "\(some.count) \(turned.count) \(others.map(\.id))"
      } catch {
        return "\(error)"
      }
    }
    #expect(text == "50 50 [0]")
  }

  @Test func `composing a condition takes time linear in the number of its parts`() throws {
    let animals = try Self.makeStore().objects(Animal.self)
    func seconds(_ count: Int) -> Double {
      threadSeconds {
        _ = animals.where { animal in
          (0..<count).reduce(animal.legs > 100) { $0 || animal.legs > $1 && animal.legs < $1 }
        }
      }
    }
    // Linear time takes ten times as long, quadratic time a hundred times.
    #expect(seconds(5_000) < 40 * seconds(500))
  }

  @Test func `composed conditions keep the order of their parts, even if merged into a lookup`()
    throws
  {
    let animals = try Self.makeStore().objects(Animal.self)
    let predicate = StorePredicate(Animal.self) { animal in
      animal.note == nil && (animal.id == 1 || (animal.id == 2 || animal.id == 3))
        && animal.legs > 1
    }
    #expect(
      predicate.description
        == "note == nil AND (id == 1 OR id == 2 OR id == 3) AND legs > 1")
    #expect(try animals.filter(predicate).map(\.id) == [3])
    let nulls = animals.where { animal in
      (0..<20).reduce(animal.note == nil || animal.legs == 7) { $0 || animal.note == "note \($1)" }
    }
    #expect(nulls.map(\.id) == (0..<100).filter { $0 % 2 == 1 || $0 < 20 })
    let ids = animals.where { animal in
      (0..<12).reduce(animal.id == 50) { $0 || animal.id == $1 }
    }
    #expect(ids.explainQuery().hasPrefix("Animal: key id, id == 50 OR id == 0 OR id == 1 OR"))
    #expect(ids.map(\.id) == Array(0..<12) + [50])
  }

  @Test func `a condition with 200 nesting levels round-trips through its text`() throws {
    let predicate = StorePredicate(Animal.self) { animal in
      (0..<199).reduce(animal.id == 1) {
        $1 % 2 == 0 ? $0 || animal.legs == $1 : $0 && animal.legs != $1
      }
    }
    #expect(try StorePredicate(predicate.description) == predicate)
    #expect(try Self.makeStore().objects(Animal.self).filter(predicate).isEmpty == false)
    let within = StorePredicate(Planned.Owner.self) { owner in
      (0..<99).reduce(owner.name == "x") { term, _ in !(term || owner.name == "y") }
    }
    #expect(try StorePredicate(within.description) == within)
  }

  @Test func `nesting beyond 200 levels is misuse instead of a stack overflow`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let store = try Store()
      _ = store.objects(Planned.Animal.self).where { animal in
        (0..<50_000).reduce(animal.id == 1) { !($0 && animal.legs != $1) || animal.legs == 0 }
      }
    }
    result.says(
      "a query: nested conditions may have at most 200 levels; combine them with only && or only ||, "
        + "use 'in', or call 'where' several times")
  }

  final class Nest: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var kids: List<Nest>
  }

  @Test(arguments: [1, 17, 18, 40, 150])
  func `nested collections can be queried at any allowed depth`(_ depth: Int) throws {
    let store = try Store()
    try store.write {
      var nest = try store.create(Nest.self, value: ["id": 0])
      for id in 1...depth {
        let outer = try store.create(Nest.self, value: ["id": .init(id)])
        outer.kids.append(nest)
        nest = outer
      }
    }
    let nests = store.objects(Nest.self)
    let path = Array(repeating: "kids", count: depth).joined(separator: ".")
    #expect(try nests.filter("ANY \(path).id == 0").map(\.id) == [depth])
    #expect(try nests.filter("NONE \(path).id == 0 AND id > 0").count == depth - 1)
    // Each `any` is written as a subquery, which takes two levels.
    let inner = min(depth, 90)
    func term(_ nest: QueryPath<Nest>, _ rest: Int) -> QueryTerm {
      rest == 0 ? nest.id == 0 : nest.kids.any { term($0, rest - 1) }
    }
    #expect(nests.where { term($0, inner) }.map(\.id) == [inner])
  }
}
