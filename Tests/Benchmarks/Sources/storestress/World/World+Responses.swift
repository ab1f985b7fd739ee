// Late responses and complete lists.

extension World {
  /// Returns the values of a response without those that are older than the store's.
  func current(_ payload: Payload, asOf old: World) -> Payload {
    var payload = payload
    for index in payload.objects.indices {
      let id = payload.objects[index].id
      guard let now = self[payload.kind, id], let before = old[payload.kind, id] else { continue }
      let confirmed = now.edits.confirmed.dropFirst(before.edits.confirmed.count)
      if confirmed.isEmpty { continue }
      payload.objects[index].members.removeAll { member in
        let attribute = Attribute.index(payload.kind, member.name)
        return confirmed.contains { $0[attribute] }
          || now.serverValues[attribute] != before.serverValues[attribute]
      }
    }
    return payload
  }

  /// Deletes the objects that a complete list lacks.
  mutating func complete(_ payload: Payload, asOf old: World?) {
    let named = Set(payload.objects.map(\.id))
    let missing = ids(payload.kind).filter { id in
      if named.contains(id) || payload.names(payload.kind, id) { return false }
      // An object that was inserted or changed since the request is not missing.
      return old.map { self[payload.kind, id]?.hasSameValues(as: $0[payload.kind, id]) ?? false }
        ?? true
    }
    for id in ids(payload.kind) where payload.kind.tracksEdits {
      // An object that was deleted and is shown again may count as unchanged.
      guard let old, let record = self[payload.kind, id], let former = old[payload.kind, id],
        record.birth != former.birth, !named.contains(id)
      else { continue }
      loosen(payload.kind, id)
      if self[payload.kind, id]?.loose?.pending.isEmpty == true {
        self[payload.kind, id]?.loose?.mayChangeLife = true
      }
    }
    for id in missing {
      guard let record = self[payload.kind, id], record.edits.bases.isEmpty else { continue }
      if payload.kind.tracksEdits, let part = record.loose {
        if part.pending.isEmpty { self[payload.kind, id]?.loose?.mayChangeLife = true }
        continue
      }
      delete(payload.kind, id)
    }
  }
}

extension Payload {
  /// True if an object of the payload links to an object.
  func names(_ kind: Kind, _ id: Int) -> Bool {
    func names(_ node: Node) -> Bool {
      node.members.contains { member in
        Attribute.of(node.kind)[Attribute.index(node.kind, member.name)].target == kind
          && member.value.targets.contains(id)
      }
    }
    return objects.contains(where: names)
  }
}
