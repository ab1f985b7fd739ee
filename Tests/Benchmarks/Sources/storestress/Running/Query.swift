import Foundation
import ObjectStore

/// A query of the store, and the same on the model.
@MainActor
struct Query {
  let name: String
  /// True if the states of edits are a part of the condition.
  var readsEdits: Bool { name == "edited" || name == "@rejected" }
  /// The keys of the results, or numbers.
  let store: (Store) throws -> [Double]
  let world: (World) -> [Double]

  /// Returns the first difference of a query.
  /// - Parameter step: The number of the step, after which four of the queries run; nil for all of them.
  /// - Parameter isInWrite: True in an open write, whose edits are not recorded yet.
  static func difference(
    _ store: Store, _ world: World, step: Int?, isInWrite: Bool = false
  ) -> String? {
    let queries = step.map { step in (0..<4).map { all[(step * 4 + $0) % all.count] } } ?? all
    for query in queries where !isInWrite || !query.readsEdits {
      do {
        let (found, expected) = (try query.store(store), query.world(world))
        if found != expected { return "\(query.name): \(found), not \(expected)" }
      } catch {
        return "\(query.name): \(error)"
      }
    }
    return nil
  }

  private static func ids<T: Object>(_ kind: Kind, _ results: Results<T>) -> [Double] {
    results.map { Double(kind.id(of: $0)) }
  }

  private static func sorted<T: Object>(_ kind: Kind, _ results: Results<T>) -> [Double] {
    ids(kind, results).sorted()
  }

  /// The objects of a class that meet a condition.
  private static func filter(
    _ kind: Kind, _ world: World, _ condition: (Reader) -> Bool
  ) -> [Double] {
    world.ids(kind).filter { condition(Reader(world, kind, $0)) }.map(Double.init)
  }

  /// Reads an object of the model by the names of its attributes.
  struct Reader {
    let world: World
    let kind: Kind
    let id: Int
    private let record: Record?

    init(_ world: World, _ kind: Kind, _ id: Int) {
      (self.world, self.kind, self.id) = (world, kind, id)
      record = world[kind, id]
    }

    private func value(_ name: String) -> Value? { record?.values[Attribute.index(kind, name)] }

    /// The number of a value.
    func plain(_ name: String) -> Int {
      if case .plain(let number)? = value(name) { number } else { -1 }
    }

    func link(_ name: String) -> Reader? {
      guard case .link(let id?)? = value(name), let target = target(name) else { return nil }
      return Reader(world, target, id)
    }

    func links(_ name: String) -> [Reader] {
      guard let target = target(name) else { return [] }
      return (value(name)?.targets ?? []).map { Reader(world, target, $0) }
    }

    private func target(_ name: String) -> Kind? {
      Attribute.of(kind)[Attribute.index(kind, name)].target
    }

    func isKnown(_ name: String) -> Bool { record?.known[Attribute.index(kind, name)] ?? false }
    var isEdited: Bool { record?.loose?.isEdited ?? (record?.edits.bases.isEmpty == false) }
    var isRejected: Bool { record?.loose?.isRejected ?? record?.edits.isRejected ?? false }
    var count: Int { [0, 1, -7][plain("count")] }
    var total: Double { [0, 12.5, 13][plain("total")] }
    var rating: Double { [0, 1.5, -2.25, 3][plain("rating")] }
    var rank: Int? { [nil, 1, 2, 0][plain("rank")] }
  }

  private static let all: [Query] = [
    Query(name: "count == 1") {
      sorted(.order, $0.objects(Order.self).where { $0.count == 1 })
    } world: {
      filter(.order, $0) { $0.count == 1 }
    },
    Query(name: "count < 1, sorted") { store in
      ids(
        .order,
        try store.objects(Order.self).filter("count < %@", 1)
          .sorted(by: [StoreSortDescriptor("count"), StoreSortDescriptor("id", ascending: false)]))
    } world: { world in
      filter(.order, world) { $0.count < 1 }.map { Int($0) }
        .sorted { a, b in
          let (x, y) = (Reader(world, .order, a).count, Reader(world, .order, b).count)
          return x != y ? x < y : a > b
        }.map(Double.init)
    },
    Query(name: "customer.name == jo") {
      sorted(.order, $0.objects(Order.self).where { $0.customer.name == "jo" })
    } world: {
      filter(.order, $0) { $0.link("customer")?.plain("name") == 1 }
    },
    Query(name: "ANY guests.rank > 1") {
      sorted(.order, try $0.objects(Order.self).filter("ANY guests.rank > 1"))
    } world: {
      filter(.order, $0) { $0.links("guests").contains { ($0.rank ?? 0) > 1 } }
    },
    Query(name: "edited") {
      sorted(.order, $0.objects(Order.self).edited)
    } world: {
      filter(.order, $0) { $0.isEdited }
    },
    Query(name: "@rejected") {
      sorted(.order, try $0.objects(Order.self).filter("@rejected"))
    } world: {
      filter(.order, $0) { $0.isRejected }
    },
    Query(name: "note is known") {
      sorted(.order, $0.objects(Order.self).where { $0.note.isKnown && !$0.total.isKnown })
    } world: {
      filter(.order, $0) { $0.isKnown("note") && !$0.isKnown("total") }
    },
    Query(name: "sums") { store in
      let orders = store.objects(Order.self)
      return [
        Double(orders.sum(of: \.count)), orders.sum(of: \.total), orders.max(of: \.total) ?? -1,
        orders.where { $0.count > 0 }.average(of: \.total) ?? -1,
        orders.average(of: \.count) ?? -1,
        Double(store.objects(Customer.self).min(of: \.rank) ?? -1),
      ]
    } world: { world in
      let orders = world.ids(.order).map { Reader(world, .order, $0) }
      let some = orders.filter { $0.count > 0 }.map(\.total)
      return [
        Double(orders.map(\.count).reduce(0, +)), orders.map(\.total).reduce(0, +),
        orders.map(\.total).max() ?? -1,
        some.isEmpty ? -1 : some.reduce(0, +) / Double(some.count),
        orders.isEmpty ? -1 : Double(orders.map(\.count).reduce(0, +)) / Double(orders.count),
        Double(world.ids(.customer).compactMap { Reader(world, .customer, $0).rank }.min() ?? -1),
      ]
    },
    Query(name: "tags, extra and stops") {
      sorted(
        .order,
        $0.objects(Order.self).where {
          $0.tags.contains("x") || $0.extra["a"][0] == 1 && $0.stops.count < 2
        })
    } world: {
      filter(.order, $0) {
        $0.plain("tags") > 0 || $0.plain("extra") == 1 && $0.plain("stops") < 2
      }
    },
    Query(name: "not paid, or a price of 2") {
      sorted(
        .order,
        try $0.objects(Order.self).filter(
          "NOT (isPaid == true) AND (address.city == 'Rome' OR ANY prices > 1)"))
    } world: {
      filter(.order, $0) {
        $0.plain("isPaid") != 1 && ($0.plain("address") == 2 || $0.plain("prices") == 2)
      }
    },
    Query(name: "orders of customers") {
      sorted(.customer, $0.objects(Customer.self).where { $0.orders.count > 1 })
    } world: { world in
      filter(.customer, world) { customer in
        world.ids(.order).count { Reader(world, .order, $0).link("customer")?.id == customer.id }
          > 1
      }
    },
    Query(name: "names, sorted") {
      ids(
        .customer,
        try $0.objects(Customer.self).filter("name IN {'jo', ''}")
          .sorted(by: [StoreSortDescriptor("rank", ascending: false), StoreSortDescriptor("id")]))
    } world: { world in
      filter(.customer, world) { $0.plain("name") < 2 }.map { Int($0) }
        .sorted { a, b in
          let (x, y) = (
            Reader(world, .customer, a).rank ?? Int.min, Reader(world, .customer, b).rank ?? Int.min
          )
          return x != y ? x > y : a < b
        }.map(Double.init)
    },
    Query(name: "words") {
      sorted(.shop, $0.objects(Shop.self).where { $0.name.matches("old barn*") })
    } world: {
      filter(.shop, $0) { $0.plain("name") == 1 }
    },
    Query(name: "prefix of a word") {
      sorted(.shop, try $0.objects(Shop.self).filter("name TEXT 'cafe tow*'"))
    } world: {
      filter(.shop, $0) { $0.plain("name") == 3 }
    },
    Query(name: "city") {
      sorted(.shop, $0.objects(Shop.self).where { $0.city.in(["Rome", "Oslo"]) && $0.rating >= 0 })
    } world: {
      filter(.shop, $0) { $0.plain("city") > 0 && $0.rating >= 0 }
    },
    Query(name: "shop of a shop") {
      sorted(
        .shop, $0.objects(Shop.self).where { $0.next.next.city == "Rome" || $0.lead.best.rank == 2 }
      )
    } world: {
      filter(.shop, $0) {
        $0.link("next")?.link("next")?.plain("city") == 1
          || $0.link("lead")?.link("best")?.rank == 2
      }
    },
    Query(name: "collections of links") {
      sorted(
        .shop,
        try $0.objects(Shop.self).filter(
          "byDay.@count > 1 OR ANY orders.count == 1 OR SUBQUERY(staff, $x, $x.rank == 1).@count > 1"
        ))
    } world: {
      filter(.shop, $0) { shop in
        guard
          case .links(let days)? = shop.world[.shop, shop.id]?.values[
            Attribute.index(.shop, "byDay")]
        else { return false }
        return days.count > 1 || shop.links("orders").contains { $0.count == 1 }
          || shop.links("staff").count { $0.rank == 1 } > 1
      }
    },
    Query(name: "the first of an order") { store in
      ids(
        .shop,
        store.objects(Shop.self).sorted(by: \.id, ascending: false).sorted(by: \.rating).limit(3))
    } world: { world in
      world.ids(.shop).sorted { a, b in
        let (x, y) = (Reader(world, .shop, a).rating, Reader(world, .shop, b).rating)
        return x != y ? x < y : a > b
      }.prefix(3).map(Double.init)
    },
    Query(name: "the ends of indexes") { store in
      let (orders, customers) = (store.objects(Order.self), store.objects(Customer.self))
      return [
        Double(orders.max(of: \.count) ?? -9), Double(orders.min(of: \.count) ?? -9),
        Double(orders.sorted(by: \.count, ascending: false).first?.count ?? -9),
        Double(customers.sorted(by: \.name).first?.name.utf8.count ?? -9),
      ]
    } world: { world in
      let counts = world.ids(.order).map { Double(Reader(world, .order, $0).count) }
      let names = world.ids(.customer).map { Reader(world, .customer, $0).plain("name") }
      return [
        counts.max() ?? -9, counts.min() ?? -9, counts.max() ?? -9,
        names.min().map { [0, 2, 20][$0] } ?? -9,
      ]
    },
    Query(name: "distinct") { store in
      [Double(store.objects(Order.self).distinct(by: \.count).count)]
    } world: { world in
      [Double(Set(world.ids(.order).map { Reader(world, .order, $0).count }).count)]
    },
    Query(name: "lines") { store in
      [Double(store.objects(Shop.self).reduce(0) { $0 + $1.lines.count })]
    } world: { world in
      [Double(world.ids(.shop).reduce(0) { $0 + Reader(world, .shop, $1).plain("lines") })]
    },
  ]
}
