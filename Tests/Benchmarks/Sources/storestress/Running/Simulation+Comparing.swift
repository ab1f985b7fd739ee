import ObjectStore

extension Simulation {
  /// Compares everything that a program can read with the model.
  func compare(_ step: Step) throws {
    for (index, handle) in handles.enumerated() {
      // The second handle seldom changes.
      if index > 0, stepNumber % 3 > 0 { continue }
      let shown = try shown(handle)
      if let text = shown.difference(handle.store) { throw Difference("handle \(index): \(text)") }
      if let text = Query.difference(handle.store, shown, step: checksAll ? nil : stepNumber) {
        throw Difference("handle \(index): \(text)")
      }
    }
    for view in views {
      if let text = view.difference() { throw Difference("a frozen view: \(text)") }
    }
    if stepNumber % 4 == 0 {
      let pending = try handles[0].store.pendingEdits()
      var expected: Set<World.Id> = []
      for kind in [Kind.order, .customer] {
        for id in world.ids(kind) where world[kind, id]?.edits.bases.isEmpty == false {
          if world[kind, id]?.loose != nil { continue }
          expected.insert(World.Id(kind: kind, number: id))
        }
      }
      let found = Set(
        pending.filter { edit in
          let kind = edit.type == Order.self ? Kind.order : .customer
          guard let record = world[kind, kind.id(of: edit.key) ?? -1] else { return false }
          return record.loose == nil
        }.map { edit in
          let kind = edit.type == Order.self ? Kind.order : .customer
          return World.Id(kind: kind, number: kind.id(of: edit.key) ?? -1)
        })
      if found != expected { throw Difference("pending edits \(pending)") }
    }
  }
}
