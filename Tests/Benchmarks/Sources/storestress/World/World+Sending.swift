import ObjectStore

// The outcomes of requests.

extension World {
  /// The process has ended: edits are not under way any more.
  mutating func restart() {
    sentValues = [:]
    for kind in Kind.allCases {
      for id in ids(kind) { self[kind, id]?.edits.isInFlight = false }
    }
    supplyHeard()
  }

  /// The user's changes that are not confirmed.
  var wishes: [Id: [Int: Value]] {
    var wishes: [Id: [Int: Value]] = [:]
    for kind in [Kind.customer, .order] {
      for id in ids(kind) {
        guard let record = self[kind, id] else { continue }
        let indices = record.loose?.pending.indices ?? Array(record.edits.bases.keys)
        for index in indices {
          wishes[Id(kind: kind, number: id), default: [:]][index] = record.values[index]
        }
      }
    }
    return wishes
  }

  /// Lets values take effect that payloads have sent while a request was under way.
  mutating func supplyHeard() {
    for kind in Kind.allCases {
      for id in ids(kind) {
        guard let record = self[kind, id], let heard = record.loose?.heard else { continue }
        if sentValues[record.identity] != nil { continue }
        self[kind, id]?.loose?.supplied.merge(heard) { $0.union($1) }
      }
    }
  }

  /// A link to an object that the server lacks is sent later, or its edit waits.
  mutating func loosenWaiting(_ kind: Kind) {
    for id in ids(kind) {
      guard let record = self[kind, id], record.loose == nil else { continue }
      let waits = record.edits.bases.keys.contains { index in
        guard let target = Attribute.of(kind)[index].target else { return false }
        return record.values[index].targets.contains { self[target, $0]?.loose?.life == .created }
      }
      if waits { loosen(kind, id) }
    }
  }

  /// An object that is another one than at the time of a request, or was loose, may get the values of the response or not.
  mutating func loosenIfChanged(_ kind: Kind, _ id: Int, since old: World) {
    guard kind.tracksEdits, let record = self[kind, id] else { return }
    if old[kind, id]?.identity != record.identity || old[kind, id]?.loose != nil {
      loosen(kind, id)
    }
  }

  /// Gives an edit of a loose object its outcome.
  mutating func settle(_ id: Id, _ request: Network.Request, _ outcome: Edit.Outcome) {
    guard var part = self[id.kind, id.number]?.loose else { return }
    part.supplied.merge(part.heard) { $0.union($1) }
    if request.editKind == .deleted {
      // The object was created again. Its other attributes may be those of the server.
      if case .reverted = outcome { part.free = .all(Attribute.of(id.kind).count) }
      self[id.kind, id.number]?.loose = part
      return
    }
    switch outcome {
    case .confirmed:
      if part.life == .created { part.life = .normal }
      // The server has what the user has set again.
      for (index, value) in request.sent.values {
        part.supplied[index, default: []].insert(value)
        if self[id.kind, id.number]?.values[index] != value { continue }
        part.pending[index] = false
        part.sendable[index] = true
      }
    case .reverted:
      for index in request.sent.values.keys where !part.pending[index] { part.free[index] = true }
      // An attribute that was not sent, such as a link to a new object, does not keep a created object.
      part.mayChangeLife = request.editKind == .created
    case .unapplied, .rejected:
      // An attribute that was set back while it was under way needs no edit.
      for index in request.sent.values.keys
      where part.bases[index] == self[id.kind, id.number]?.values[index] {
        part.pending[index] = false
        part.sendable[index] = true
      }
    case .later, .gone: break
    }
    self[id.kind, id.number]?.loose = part
  }

  /// Gives a deletion its outcome.
  mutating func settleDeletion(_ id: Id, _ request: Network.Request, _ outcome: Edit.Outcome) {
    guard tombstones[id]?.identity == request.identity else { return }
    switch outcome {
    case .confirmed, .gone:
      tombstones[id] = nil
      confirmedDeletionCount += 1
    case .reverted: tombstones[id]?.loose?.mayChangeLife = true
    case .later, .unapplied, .rejected: break
    }
  }
}
