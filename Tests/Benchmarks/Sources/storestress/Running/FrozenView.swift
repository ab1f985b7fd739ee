import ObjectStore

/// All objects at one time, which later writes do not change.
struct FrozenView {
  private let shops: FrozenResults<Shop>
  private let orders: FrozenResults<Order>
  private let customers: FrozenResults<Customer>
  private let world: World

  init(_ store: Store, _ world: World) {
    shops = store.objects(Shop.self).frozen()
    orders = store.objects(Order.self).frozen()
    customers = store.objects(Customer.self).frozen()
    self.world = world
  }

  func difference() -> String? {
    difference(shops, .shop) ?? difference(orders, .order) ?? difference(customers, .customer)
  }

  private func difference<T: Object>(_ objects: FrozenResults<T>, _ kind: Kind) -> String? {
    if objects.count != world.ids(kind).count {
      return "\(kind): \(objects.count) objects, not \(world.ids(kind).count)"
    }
    for frozen in objects {
      let text: String? = frozen.withObject { object in
        world.difference(kind, kind.id(of: object), object)
      }
      if let text { return text }
    }
    return nil
  }
}
