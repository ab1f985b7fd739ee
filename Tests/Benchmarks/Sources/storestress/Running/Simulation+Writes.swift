import ObjectStore

/// Thrown to undo a write.
private struct RollBack: Error {}

extension Simulation {
  func write(
    _ handle: Handle, _ writer: Step.Writer, _ changes: [Change], _ end: Step.Ending
  ) throws {
    let before = world
    beforeWrite = world
    do {
      try handle.store.write(as: writer == .user ? .user : .server) {
        for (index, change) in changes.enumerated() {
          try apply(change, handle, writer)
          try compareInWrite(handle, writer, index)
        }
        world.recordEdits()
        files?.attempt(world)
        if end == .rollBack { throw RollBack() }
      }
      didCommit(handle)
    } catch is RollBack {
      world = before
    }
  }

  /// Compares queries in an open write, where the model has the values, too.
  private func compareInWrite(_ handle: Handle, _ writer: Step.Writer, _ index: Int) throws {
    // The model records the values that the server assigns at the end.
    if writer == .server || world.isLoose || files?.isFaulty == true { return }
    let step = checksAll ? nil : stepNumber + index
    if let text = Query.difference(handle.store, world, step: step, isInWrite: true) {
      throw Difference("change \(index): \(text)")
    }
  }

  private func find(_ handle: Handle) -> Attribute.Find { { $0.object($1, in: handle.store) } }

  private func apply(_ change: Change, _ handle: Handle, _ writer: Step.Writer) throws {
    let store = handle.store
    switch change {
    case .set(let kind, let id, let name, let value):
      guard let object = kind.object(id, in: store), world[kind, id] != nil else { return }
      let index = Attribute.index(kind, name)
      let attribute = Attribute.of(kind)[index]
      let existing = world.existing(value, attribute)
      if attribute.isChangedInPlace, attribute.read(object) == existing { return }
      attribute.assign(object, value, find(handle))
      world.assign(kind, id, index, existing, as: writer)
    case .create(let kind, let id, let members):
      try create(kind, id, members, handle, writer)
    case .update(let kind, let id, let members):
      if world[kind, id] != nil { try create(kind, id, members, handle, writer) }
    case .delete(let kind, let id):
      guard let object = kind.object(id, in: store) else { return }
      store.delete(object)
      if writer == .user {
        if kind.tracksEdits {
          world.userDelete(kind, id, before: beforeWrite)
        } else {
          world.delete(kind, id)
        }
      } else {
        world.recordEdits()
        world.serverDelete(kind, id)
      }
    case .append(let kind, let id, let target):
      try edit(kind, id, handle, writer) { list, objects, find in
        guard let object = find(target) else { return }
        list.append(target)
        objects.append(object)
      }
    case .insert(let kind, let id, let target, let position):
      try edit(kind, id, handle, writer) { list, objects, find in
        guard let object = find(target) else { return }
        let position = position % (list.count + 1)
        list.insert(target, at: position)
        objects.insert(object, at: position)
      }
    case .remove(let kind, let id, let position):
      try edit(kind, id, handle, writer) { list, objects, _ in
        if list.isEmpty { return }
        let position = position % list.count
        list.remove(at: position)
        objects.remove(at: position)
      }
    case .move(let kind, let id, let from, let to):
      try edit(kind, id, handle, writer) { list, objects, _ in
        if list.isEmpty { return }
        let (from, to) = (from % list.count, to % list.count)
        list.insert(list.remove(at: from), at: to)
        objects.move(from: from, to: to)
      }
    case .rekey(let kind, let id, let new):
      guard kind == .shop, let shop = kind.object(id, in: store) as? Shop else { return }
      guard id != new, world[kind, new] == nil else { return }
      // Observers see the link to the same object, and not its other key.
      let next = Attribute.index(.shop, "next")
      if world.ids(.shop).contains(where: { world[.shop, $0]?.values[next] == .link(id) }) {
        return
      }
      try store.rekey(shop, to: "s\(new)")
      world.rekey(kind, id, to: new)
    case .receive(let payload):
      network.receive(payload)
      world.receive(payload)
      try decodeNow(payload, handle)
    case .savepoint(let changes, let end):
      let before = world
      do {
        try store.write {
          for change in changes { try apply(change, handle, writer) }
          if end == .rollBack { throw RollBack() }
        }
      } catch is RollBack {
        world = before
      }
    }
  }

  private func create(
    _ kind: Kind, _ id: Int, _ members: [Member], _ handle: Handle, _ writer: Step.Writer
  ) throws {
    let attributes = Attribute.of(kind)
    let isNew = world[kind, id] == nil
    let isTombstone = world.tombstones[World.Id(kind: kind, number: id)] != nil
    // The server does not create what the user has deleted. Of links that a write removes before it deletes their object and
    // creates it again, the store keeps some (see the limits of edits).
    if isTombstone, writer == .server { return }
    if world.deletedInWrite.contains(World.Id(kind: kind, number: id)) { return }
    if isNew {
      if writer == .user, kind.tracksEdits {
        world.create(kind, id)
      } else {
        world.insert(kind, id, isWhole: writer == .user)
      }
    }
    var update: UpdateDictionary = [:]
    switch kind {
    case .shop: update["id"] = .string("s\(id)")
    default: update["id"] = .int(Int64(id))
    }
    for member in members {
      let index = Attribute.index(kind, member.name)
      var value = member.value
      if isNew, attributes[index].target == kind {
        // An object of the store cannot refer to one that is being created.
        value = value.without(id, isMap: attributes[index].isMap)
      }
      value = world.existing(value, attributes[index])
      update[member.name] = self.update(value, attributes[index], handle)
      if isNew {
        world[kind, id]?.values[index] = value
        world[kind, id]?.known[index] = true
        // A value that the server may have needs no edit.
        let isServers = world[kind, id]?.loose?.heard[index]?.contains(value) ?? false
        if !isServers { world[kind, id]?.loose?.pending[index] = true }
      } else {
        world.assign(kind, id, index, value, as: writer)
      }
    }
    switch kind {
    case .shop: try handle.store.create(Shop.self, value: update, update: .modified)
    case .order: try handle.store.create(Order.self, value: update, update: .modified)
    case .customer: try handle.store.create(Customer.self, value: update, update: .modified)
    }
  }

  private func update(_ value: Value, _ attribute: Attribute, _ handle: Handle) -> UpdateValue {
    func link(_ id: Int?) -> UpdateValue {
      guard let id, let object = attribute.target?.object(id, in: handle.store) else {
        return .null
      }
      return UpdateValue(object)
    }
    return switch value {
    case .plain(let number): attribute.updates[number]
    case .link(let id): link(id)
    case .links(let ids) where attribute.isMap:
      .object(UpdateDictionary(ids.enumerated().map { ("k\($0)", link($1)) }))
    case .links(let ids): .array(ids.map(link))
    }
  }

  /// Changes a list of links in place.
  private func edit(
    _ kind: Kind, _ id: Int, _ handle: Handle, _ writer: Step.Writer,
    _ change: (inout [Int], inout List<Customer>, (Int) -> Customer?) -> Void
  ) throws {
    let index = Attribute.index(kind, kind == .shop ? "staff" : "guests")
    guard let record = world[kind, id], let object = kind.object(id, in: handle.store) else {
      return
    }
    // Reading all elements of a list before it is changed would be an advantage.
    let isPredicted = record.loose == nil && !(writer == .server && kind.tracksEdits)
    let value = isPredicted ? record.values[index] : Attribute.of(kind)[index].read(object)
    guard case .links(let targets) = value else { return }
    var list: List<Customer>
    switch object {
    case let shop as Shop: list = shop.staff
    case let order as Order: list = order.guests
    default: return
    }
    var ids = targets.compactMap(\.self)
    let former = ids
    change(&ids, &list) { handle.store.object(ofType: Customer.self, forPrimaryKey: $0) }
    if ids != former { world.assign(kind, id, index, .links(ids), as: writer) }
  }
}
