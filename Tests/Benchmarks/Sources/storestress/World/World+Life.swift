import ObjectStore

// MARK: - The user

extension World {
  /// The user creates an object whose key no object has.
  mutating func create(_ kind: Kind, _ id: Int) {
    let former = tombstones.removeValue(forKey: Id(kind: kind, number: id))
    insert(kind, id, isWhole: true)
    var part = Loose()
    part.attributes = .all(Attribute.of(kind).count)
    part.pending = part.attributes
    part.life = .created
    if let former {
      // The requests under way concern the new object, too.
      self[kind, id]?.identity = former.identity
      restored.insert(Id(kind: kind, number: id))
      part.wasSent = true
      if former.loose?.wasSent == false { part.life = .normal }
      // The server may have the former object with other values, which the user has not changed yet.
      part.pending = Record.Mask()
      part.sendable = part.attributes
      part.heard = former.loose?.heard ?? [:]
    }
    self[kind, id]?.loose = part
  }

  /// The user deletes an object.
  /// - Parameter before: The objects before the write under way. Links that it has removed may return, too.
  mutating func userDelete(_ kind: Kind, _ id: Int, before: World? = nil) {
    if let before { loosenFormerLinks(to: kind, id, before) }
    guard var record = self[kind, id] else { return }
    let part = record.loose ?? Loose()
    let isForgotten = part.life == .created && !part.wasSent
    delete(kind, id, mayReturn: !isForgotten)
    if isForgotten { return }
    record.loose = part
    record.loose?.attributes = .all(record.values.count)
    record.loose?.life = .deleted
    record.loose?.wasSent = part.life == .created
    record.loose?.pending = Record.Mask()
    record.edits = Record.Edits()
    tombstones[Id(kind: kind, number: id)] = record
    deletedInWrite.insert(Id(kind: kind, number: id))
  }

  /// Loosens attributes that linked to an object before the write and do not any more.
  private mutating func loosenFormerLinks(to kind: Kind, _ id: Int, _ before: World) {
    for other in Kind.allCases {
      for (index, attribute) in Attribute.of(other).enumerated() where attribute.target == kind {
        for owner in before.ids(other)
        where before[other, owner]?.values[index].targets.contains(id) == true {
          if self[other, owner]?.values[index].targets.contains(id) == false {
            loosen(other, owner, index)
          }
        }
      }
    }
  }

  /// The server deletes an object.
  mutating func serverDelete(_ kind: Kind, _ id: Int) {
    tombstones[Id(kind: kind, number: id)] = nil
    delete(kind, id)
    if kind.tracksEdits { deletedInWrite.insert(Id(kind: kind, number: id)) }
  }
}

// MARK: - Possibilities

extension World {
  /// Gives up the exact prediction of an object, or of one of its attributes if its class tracks no edits.
  mutating func loosen(_ kind: Kind, _ id: Int, _ index: Int? = nil) {
    guard var record = self[kind, id] else { return }
    var mask = Record.Mask.all(record.values.count)
    if !kind.tracksEdits, let index {
      mask = Record.Mask()
      mask[index] = true
    }
    let values = record.values
    let sent = sentValues[record.identity]
    record.loosen(mask) { index in sent.map { $0[index] != values[index] } ?? false }
    self[kind, id] = record
  }

  /// Gives up the exact prediction of objects whose edits differ from those of a state that shows the same.
  mutating func loosenDifferences(from other: World) {
    for kind in Kind.allCases where kind.tracksEdits {
      for id in ids(kind) where self[kind, id]?.edits != other[kind, id]?.edits { loosen(kind, id) }
    }
  }

  /// True if something is not predicted exactly.
  var isLoose: Bool {
    !tombstones.isEmpty
      || Kind.allCases.contains { kind in ids(kind).contains { self[kind, $0]?.loose != nil } }
  }

  mutating func endStep() {
    restored = []
    deletedInWrite = []
    for id in tombstones.keys { tombstones[id]?.loose?.endStep() }
    for kind in Kind.allCases {
      for id in ids(kind) where self[kind, id]?.loose != nil { self[kind, id]?.loose?.endStep() }
    }
  }

  /// Continues with what a store shows where several things are possible. Returns what is not possible.
  mutating func adopt(_ store: Store) -> String? {
    if !isLoose { return nil }
    loosenLinks()
    forgetEnded(store)
    for (id, record) in tombstones {
      guard let object = id.kind.object(id.number, in: store) else { continue }
      if record.loose?.mayChangeLife != true {
        return "\(id.kind) \(id.number) was deleted, and exists"
      }
      show(id, record, object)
    }
    for kind in Kind.allCases {
      for id in ids(kind) {
        guard let part = self[kind, id]?.loose else { continue }
        if kind.object(id, in: store) == nil {
          if !part.mayChangeLife { return "\(kind) \(id) is missing" }
          // The deletion of what was sent is sent, too.
          if part.wasSent, part.life == .created {
            userDelete(kind, id)
          } else {
            delete(kind, id)
          }
        }
      }
    }
    forgetEnded(store)
    for kind in Kind.allCases {
      for id in ids(kind) where self[kind, id]?.loose != nil {
        guard let object = kind.object(id, in: store) else { return "\(kind) \(id) is missing" }
        if let text = adopt(kind, id, object) { return text }
      }
    }
    endStep()
    return nil
  }

  /// While a deletion may be undone, the end of an edit of a link is not predicted.
  private mutating func loosenLinks() {
    let targets = Set(tombstones.keys.map(\.kind))
    for kind in Kind.allCases where kind.tracksEdits {
      for id in ids(kind) {
        guard let record = self[kind, id], record.loose == nil else { continue }
        let isLink = record.edits.bases.keys.contains { index in
          Attribute.of(kind)[index].target.map(targets.contains) ?? false
        }
        if isLink { loosen(kind, id) }
      }
    }
  }

  /// Forgets deletions of objects whose creation was sent, and certainly not applied: nothing remains of them.
  private mutating func forgetEnded(_ store: Store) {
    let uncertain = tombstones.filter { $0.value.loose?.wasSent == true }
    if uncertain.isEmpty { return }
    let pending = (try? store.pendingEdits()) ?? []
    let deleted = Set(
      pending.filter { $0.kind == .deleted }.map { edit in
        let kind: ObjectKind = edit.type == Order.self ? .order : .customer
        return Id(kind: kind, number: kind.id(of: edit.key) ?? -1)
      })
    for id in uncertain.keys where !deleted.contains(id) {
      if id.kind.object(id.number, in: store) == nil { tombstones[id] = nil }
    }
  }

  /// Shows an object again whose deletion was undone.
  private mutating func show(_ id: Id, _ former: Record, _ object: Object) {
    var record = former
    tombstones[id] = nil
    restored.insert(id)
    record.loose?.life = object.editState == .created ? .created : .normal
    lastIdentity += 1
    record.birth = lastIdentity
    record.loose?.free = .all(record.values.count)
    record.loose?.sendable = .all(record.values.count)
    self[id.kind, id.number] = record
  }

  private mutating func adopt(_ kind: Kind, _ id: Int, _ object: Object) -> String? {
    guard var record = self[kind, id], var part = record.loose else { return nil }
    let unknown = Set(object.unknownAttributes)
    for (index, attribute) in Attribute.of(kind).enumerated() where part.attributes[index] {
      let (value, expected) = (attribute.read(object), record.values[index])
      let isKnown = !unknown.contains(attribute.name)
      if part.pending[index], !isKnown { return "\(kind) \(id).\(attribute.name) is unknown" }
      record.known[index] = isKnown
      if value == expected { continue }
      let isReturn = isReturn(value, expected, attribute)
      if isReturn { part.sendable[index] = true }
      let isSupplied =
        part.free[index]
        || part.supplied[index]?.contains(where: { visible($0, attribute) == value }) ?? false
      guard isReturn || isSupplied && !part.pending[index] else {
        return "\(kind) \(id).\(attribute.name) is \(value), not \(expected)"
      }
      record.values[index] = value
    }
    if !kind.tracksEdits {
      record.loose = tombstones.isEmpty ? nil : part
      self[kind, id] = record
      return nil
    }
    if kind.tracksEdits {
      part.isEdited = object.editState != .clean
      part.isRejected = object.editState == .rejected
      if !part.isEdited {
        if !part.pending.isEmpty {
          let names = part.pending.indices.map { Attribute.of(kind)[$0].name }
          return "\(kind) \(id) has no edits, but the user has changed \(names)"
        }
        // While a deletion may be undone, links may return.
        if sentValues[record.identity] == nil, tombstones.isEmpty {
          record.loose = nil
          record.edits = Record.Edits()
          lastIdentity += 1
          record.identity = lastIdentity
          self[kind, id] = record
          return nil
        }
      } else if part.life == .created, object.editState == .edited {
        part.life = .normal
      } else if object.editState == .created {
        // The commit of the confirmation was lost.
        part.life = .created
      }
    }
    record.loose = part
    self[kind, id] = record
    return nil
  }

  /// Returns a value without links to deleted objects.
  func visible(_ value: Value, _ attribute: Attribute) -> Value {
    guard let target = attribute.target else { return value }
    return value.targets.reduce(value) { value, id in
      tombstones[Id(kind: target, number: id)] == nil
        ? value : value.without(id, isMap: attribute.isMap)
    }
  }

  /// True if a value is another one with links to objects that are shown again.
  private func isReturn(_ value: Value, _ former: Value, _ attribute: Attribute) -> Bool {
    guard let target = attribute.target, !restored.isEmpty else { return false }
    let rest = value.targets.reduce(value) { value, id in
      restored.contains(Id(kind: target, number: id))
        ? value.without(id, isMap: attribute.isMap) : value
    }
    let formerRest = former.targets.reduce(former) { value, id in
      restored.contains(Id(kind: target, number: id))
        ? value.without(id, isMap: attribute.isMap) : value
    }
    if case .links(var targets) = rest, case .links(var others) = formerRest, attribute.isMap {
      // A key that was removed meanwhile may return, too.
      while targets.last == .some(nil) { targets.removeLast() }
      while others.last == .some(nil) { others.removeLast() }
      return targets == others
    }
    return rest == formerRest
  }
}
