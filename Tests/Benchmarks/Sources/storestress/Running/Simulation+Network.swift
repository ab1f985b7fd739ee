import Foundation
import ObjectStore
import StoreCoding

extension Simulation {
  func networkStep(_ step: Step) throws {
    switch step {
    case .serverSets(let kind, let id, let name, let value):
      network.set(kind, id, Attribute.index(kind, name), value)
    case .serverDeletes(let kind, let id):
      network.delete(kind, id)
    case .request(let kind, let bits):
      handles[0].store.refresh()
      network.responses.append(
        Network.Response(
          kind: kind, payload: network.payload(kind, Record.Mask(bits: bits)),
          version: handles[0].store.holdVersion(), world: world))
      if network.responses.count > 4 { network.responses.removeFirst() }
    case .respond(let number, let index, let isComplete, let isLate, let isRepeated):
      guard !network.responses.isEmpty else { return }
      let number = number % network.responses.count
      let response =
        isRepeated ? network.responses[number] : network.responses.remove(at: number)
      try respond(response, handle(index), isComplete: isComplete, isLate: isLate)
    case .take(let kind, let index): try take(kind, handle(index))
    case .apply(let number):
      guard !network.requests.isEmpty else { return }
      try apply(number % network.requests.count)
    case .settle(let number, let index, let outcome):
      guard !network.requests.isEmpty else { return }
      let request = network.requests.remove(at: number % network.requests.count)
      try settle(request, handle(index), outcome)
    case .revert(let kind, let id, let index): try revert(kind, id, handle(index))
    case .revertDeletion(let kind, let id, let index): try revertDeletion(kind, id, handle(index))
    default: break
    }
  }

  // MARK: - Responses

  private func respond(
    _ response: Network.Response, _ handle: Handle, isComplete: Bool, isLate: Bool
  ) throws {
    let version = isLate ? response.version : nil
    // Which links to an object remain that was deleted since the request is not predicted.
    if version != nil, response.world.confirmedDeletionCount != world.confirmedDeletionCount {
      return
    }
    var payload = response.payload
    if version != nil {
      payload = world.current(payload, asOf: response.world)
      for node in response.payload.objects {
        world.loosenIfChanged(node.kind, node.id, since: response.world)
      }
    }
    world.receive(payload)
    if isComplete {
      world.complete(response.payload, asOf: version == nil ? nil : response.world)
    }
    files?.attempt(world)
    let data = response.payload.json
    switch response.kind {
    case .shop: try read(Shop.self, data, handle, isComplete, version)
    case .order: try read(Order.self, data, handle, isComplete, version)
    case .customer: try read(Customer.self, data, handle, isComplete, version)
    }
    didCommit(handle)
  }

  private func read<T: Object>(
    _ type: T.Type, _ data: Data, _ handle: Handle, _ isComplete: Bool, _ version: StoreVersion?
  ) throws {
    if isComplete {
      _ = try handle.coder.read(
        [T].self, from: data, complete: .all,
        guard: ListGuard(allowsEmpty: true, count: 100, share: 1), asOf: version)
    } else {
      _ = try handle.coder.read([T].self, from: data, asOf: version)
    }
  }

  // MARK: - Edits

  private func take(_ kind: Kind?, _ handle: Handle) throws {
    if kind == .shop || network.requests.count >= 3 { return }
    let edit =
      switch kind {
      case .order: try handle.store.takeEdit(of: Order.self)
      case .customer: try handle.store.takeEdit(of: Customer.self)
      default: try handle.store.takeEdit()
      }
    let kinds = kind.map { [$0] } ?? [.order, .customer]
    // A request of an earlier process ends now, and with it what held back the values of payloads.
    world.supplyHeard()
    didCommit(handle)
    try adopt()
    for kind in kinds { world.loosenWaiting(kind) }
    let offered = kinds.flatMap { kind in
      world.ids(kind).filter { id in
        guard var record = world[kind, id], record.loose == nil else { return false }
        return record.take() != nil
      }.map { World.Id(kind: kind, number: $0) }
    }
    guard let edit else {
      if !offered.isEmpty { throw Difference("offers no edit of \(offered)") }
      return
    }
    let id = edit.id
    if edit.kind == .deleted, !offered.isEmpty {
      throw Difference("offers \(edit) before the edits of \(offered)")
    }
    if world[id.kind, id.number] != nil, world[id.kind, id.number]?.loose == nil {
      guard offered.contains(id), let sent = world[id.kind, id.number]?.take() else {
        throw Difference("offers \(edit), but \(offered) have edits")
      }
      didCommit(handle)
      let names = Set(sent.values.keys.map { Attribute.of(id.kind)[$0].name })
      if Set(edit.attributes) != names { throw Difference("\(edit) has not \(names)") }
      try checkBody(handle.coder.encode(edit), id.kind, id.number, sent)
      add(edit, sent)
    } else {
      try takeLoose(edit, handle)
    }
  }

  private func add(_ edit: Edit, _ sent: Sent) {
    let id = edit.id
    let identity = world[id.kind, id.number]?.identity ?? world.tombstones[id]?.identity ?? 0
    world.sentValues[identity] = sent.values
    network.requests.append(
      Network.Request(
        edit: edit, kind: id.kind, id: id.number, sent: sent, identity: identity,
        editKind: edit.kind))
  }

  private func takeLoose(_ edit: Edit, _ handle: Handle) throws {
    let id = edit.id
    didCommit(handle)
    let body = try handle.coder.encode(edit)
    if edit.kind == .deleted {
      guard world.tombstones[id] != nil else { throw Difference("offers \(edit), which exists") }
      world.tombstones[id]?.loose?.wasSent = true
      add(edit, Sent(serial: 0, values: [:]))
      return didCommit(handle)
    }
    guard let record = world[id.kind, id.number], let part = record.loose else {
      throw Difference("offers \(edit), which does not exist")
    }
    let values = try Payload.values(of: body, id.kind, id.number)
    for (index, value) in values {
      let name = Attribute.of(id.kind)[index].name
      if value != record.values[index] {
        throw Difference("\(edit) says that \(name) is \(value), not \(record.values[index])")
      }
      if edit.kind == .edited, !part.pending[index], !part.sendable[index], part.life == .normal {
        throw Difference("\(edit) says \(name), which the user has not changed")
      }
    }
    var sent = values
    for name in edit.attributes {
      let index = Attribute.index(id.kind, name)
      if values[index] != nil { continue }
      // A creation does not contain what is nil.
      guard edit.kind == .created, record.values[index] == Attribute.of(id.kind)[index].initial
      else {
        throw Difference("the body of \(edit) lacks \(name)")
      }
      sent[index] = record.values[index]
    }
    for (index, value) in sent {
      world[id.kind, id.number]?.loose?.heard[index, default: []].insert(value)
      world[id.kind, id.number]?.loose?.pending[index] = false
      world[id.kind, id.number]?.loose?.sendable[index] = true
    }
    world[id.kind, id.number]?.loose?.wasSent = true
    add(edit, Sent(serial: 0, values: sent))
    didCommit(handle)
  }

  /// Checks that a body says what the user did, and nothing else.
  private func checkBody(_ data: Data, _ kind: Kind, _ id: Int, _ sent: Sent) throws {
    var members = ["\"id\":\(kind.keyText(id))"]
    for (index, value) in sent.values {
      let attribute = Attribute.of(kind)[index]
      members.append("\"\(attribute.name)\":\(Payload.text(value, attribute))")
    }
    let text = "{\(members.joined(separator: ","))}"
    let body = try JSONSerialization.jsonObject(with: data) as? NSDictionary
    let expected = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
    if body != expected {
      throw Difference("the body is \(String(decoding: data, as: UTF8.self)), not \(text)")
    }
  }

  private func apply(_ number: Int) throws {
    guard !network.requests[number].isApplied else { return }
    network.requests[number].isApplied = true
    let request = network.requests[number]
    if request.editKind == .deleted { return network.delete(request.kind, request.id) }
    network.ensure(request.kind, request.id)
    for (index, value) in request.sent.values {
      if let target = Attribute.of(request.kind)[index].target, target.tracksEdits {
        for id in value.targets where network[target, id] == nil {
          if world[target, id]?.loose?.life == .created, (target, id) != (request.kind, request.id)
          {
            throw Difference("\(request.edit) links to \(target) \(id), which the server lacks")
          }
        }
      }
      network.set(request.kind, request.id, index, value)
    }
  }

  private func settle(_ request: Network.Request, _ handle: Handle, _ outcome: Step.Outcome) throws
  {
    let sent = request.sent
    let isGone = network[request.kind, request.id] == nil
    switch (request.isApplied, outcome) {
    case (_, .later), (true, .unapplied), (true, .rejected), (true, .reverted), (true, .gone):
      try settle(request, handle, .later) { $0.release(sent) }
    case (true, _):
      try settle(request, handle, .confirmed) { $0.confirm(sent) }
      if outcome == .confirmedTwice {
        try settle(request, handle, .confirmed) { $0.confirm(sent) }
      }
    case (false, .rejected) where request.editKind != .deleted:
      try settle(request, handle, .rejected(Edit.Rejection(general: ["no"]))) { $0.reject(sent) }
    case (false, .reverted): try settle(request, handle, .reverted) { $0.revert(sent) }
    case (false, .gone) where isGone:
      if world[request.kind, request.id]?.identity == request.identity {
        world.loosen(request.kind, request.id)
      }
      try settle(request, handle, .gone) { $0.release(sent) }
    case (false, _): try settle(request, handle, .unapplied) { $0.releaseUnapplied(sent) }
    }
  }

  private func settle(
    _ request: Network.Request, _ handle: Handle, _ outcome: Edit.Outcome,
    _ change: (inout Record) -> Void
  ) throws {
    let id = World.Id(kind: request.kind, number: request.id)
    world.sentValues[request.identity] = nil
    if world[id.kind, id.number]?.identity == request.identity {
      if world[id.kind, id.number]?.loose != nil {
        world.settle(id, request, outcome)
      } else if var record = world[id.kind, id.number] {
        change(&record)
        for (index, base) in record.edits.bases {
          // A base value cannot link to an object that was evicted since it was sent.
          record.edits.bases[index] = world.existing(base, Attribute.of(id.kind)[index])
        }
        world[id.kind, id.number] = record
      }
    } else if request.editKind == .deleted {
      world.settleDeletion(id, request, outcome)
    }
    files?.attempt(world)
    _ = try handle.coder.settle(request.edit, outcome)
    didCommit(handle)
  }

  private func revertDeletion(_ kind: Kind, _ id: Int, _ handle: Handle) throws {
    guard kind.tracksEdits else { return }
    world.tombstones[World.Id(kind: kind, number: id)]?.loose?.mayChangeLife = true
    files?.attempt(world)
    switch kind {
    case .order: _ = try handle.store.revertDeletion(of: Order.self, key: id)
    default: _ = try handle.store.revertDeletion(of: Customer.self, key: id)
    }
    didCommit(handle)
  }

  private func revert(_ kind: Kind, _ id: Int, _ handle: Handle) throws {
    handle.store.refresh()
    guard kind.tracksEdits, let object = kind.object(id, in: handle.store) else { return }
    world[kind, id]?.revertAll()
    files?.attempt(world)
    switch object {
    case let order as Order: try handle.store.revertEdits(of: order)
    case let customer as Customer: try handle.store.revertEdits(of: customer)
    default: break
    }
    didCommit(handle)
  }

  // MARK: - The end

  /// Delivers what is under way, sends everything and refreshes, and expects the store and the server to be equal.
  func finish() async throws {
    if let files {
      if files.isFaulty || files.disk?.isCrashArmed == true { try await reopen() }
      files.endFailures()
    }
    let handle = handles[0]
    while let request = network.requests.first {
      try apply(0)
      network.requests.removeFirst()
      try settle(request.applied, handle, .confirmed)
      try adopt()
    }
    for kind in [Kind.customer, .order] {
      for id in world.ids(kind) {
        guard let record = world[kind, id], record.loose?.isRejected ?? record.edits.isRejected
        else { continue }
        try revert(kind, id, handle)
        try adopt()
      }
    }
    let wishes = world.wishes
    let deleted = world.tombstones.filter { $0.value.loose?.wasSent == false }.keys
    for _ in 0..<100 {
      try take(nil, handle)
      guard let request = network.requests.last else { break }
      try apply(network.requests.count - 1)
      network.requests.removeLast()
      try settle(request.applied, handle, .confirmed)
      try adopt()
    }
    let pending = try handle.store.pendingEdits()
    if !pending.isEmpty { throw Difference("there are edits: \(pending)") }
    for (id, values) in wishes {
      for (index, value) in values where network[id.kind, id.number]?[index] != value {
        throw Difference(
          "the server has \(id.kind) \(id.number).\(Attribute.of(id.kind)[index].name)"
            + " \(network[id.kind, id.number]?[index] as Value?), not \(value)")
      }
    }
    for id in deleted where network[id.kind, id.number] != nil {
      throw Difference("the server has \(id.kind) \(id.number), which the user has deleted")
    }
    for kind in Kind.allCases {
      // Objects that the server has lost meanwhile stay in the store.
      let payload = network.payload(kind, .all(Attribute.of(kind).count))
      world.receive(payload)
      try decodeNow(payload, handle)
      didCommit(handle)
      try adopt()
    }
    checksAll = true
    try compare(.refresh(on: 0))
    for kind in Kind.allCases {
      for id in network.ids(kind) where world[kind, id]?.values != network[kind, id] {
        throw Difference("\(kind) \(id) differs from the server's")
      }
    }
  }
}

extension Edit {
  /// The object, in the model.
  fileprivate var id: World.Id {
    let tracked: ObjectKind = type == Order.self ? .order : .customer
    return World.Id(kind: tracked, number: tracked.id(of: key) ?? -1)
  }
}

extension Network.Request {
  fileprivate var applied: Network.Request {
    var request = self
    request.isApplied = true
    return request
  }
}
