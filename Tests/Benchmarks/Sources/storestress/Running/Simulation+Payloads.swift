import Foundation
import ObjectStore
import StoreCoding

extension Simulation {
  /// Decodes a payload in the open write, or in one of its own.
  func decodeNow(_ payload: Payload, _ handle: Handle) throws {
    let data = payload.json
    switch payload.kind {
    case .shop: _ = try handle.coder.decodeArray(Shop.self, from: data)
    case .order: _ = try handle.coder.decodeArray(Order.self, from: data)
    case .customer: _ = try handle.coder.decodeArray(Customer.self, from: data)
    }
  }

  func decode(_ payload: Payload, _ handle: Handle, _ way: Step.Way) async throws {
    switch payload.kind {
    case .shop: try await decode(payload, Shop.self, handle, way)
    case .order: try await decode(payload, Order.self, handle, way)
    case .customer: try await decode(payload, Customer.self, handle, way)
    }
  }

  private func decode<T: Object>(
    _ payload: Payload, _ type: T.Type, _ handle: Handle, _ way: Step.Way
  ) async throws {
    let (store, coder) = (handle.store, handle.coder)
    // Alone, an object that the user has deleted is an error.
    let isDeleted = payload.objects.contains {
      world.tombstones[World.Id(kind: $0.kind, number: $0.id)] != nil
    }
    // An edit of an attribute that a whole object lacks is not predicted.
    let isList =
      isDeleted && (way == .objects || way == .dictionaries)
      || way == .clearing && payload.kind.tracksEdits
    let way = isList ? .list : way
    network.receive(way == .clearing ? payload.completed : payload)
    /// Receives a part of the payload in the model.
    func receive(_ part: Payload) {
      world.receive(part)
      files?.attempt(world)
    }
    switch way {
    case .objects:
      for node in payload.objects {
        let part = Payload(kind: payload.kind, objects: [node])
        let before = world
        receive(part)
        do {
          _ = try coder.decode(type, from: part.elementJSON)
        } catch {
          world = before
          throw error
        }
        didCommit(handle)
      }
    case .list:
      receive(payload)
      _ = try coder.read([T].self, from: payload.json)
      didCommit(handle)
    case .clearing:
      receive(payload.completed)
      _ = try coder.read([T].self, from: payload.json, absent: .clear)
      didCommit(handle)
    case .document:
      receive(payload)
      let section: [String: DocumentSection] = ["data.list": .list(type)]
      _ = try coder.read(
        section, from: Data(#"{"data":{"n":1,"list":"#.utf8) + payload.json + Data("}}".utf8))
      didCommit(handle)
    case .stream:
      var rest = payload.objects[...]
      let chunks = AsyncStream { continuation in
        for chunk in payload.json.chunked(7 + payload.objects.count) { continuation.yield(chunk) }
        continuation.finish()
      }
      var next = world
      for start in stride(from: 0, to: payload.objects.count, by: 2) {
        next.receive(
          Payload(kind: payload.kind, objects: Array(payload.objects[start...].prefix(2))))
        files?.attempt(next)
      }
      for try await batch in coder.batches(of: type, from: chunks, size: 2) {
        let count = min(2, rest.count)
        if batch.objects.isEmpty, count == 0 { continue }
        receive(Payload(kind: payload.kind, objects: Array(rest.prefix(count))))
        rest = rest.dropFirst(count)
        didCommit(handle)
      }
    case .dictionaries:
      world.receive(payload, isAssigned: true)
      files?.attempt(world)
      let updates = try coder.updateDictionaries(for: type, from: payload.json)
      try store.write(as: .server) {
        for update in updates { try store.create(type, value: update, update: .modified) }
      }
      didCommit(handle)
    case .insideWrite:
      // Inside a write of the user, a payload is still the server's.
      try commit(handle, { $0.receive(payload) }) { try decodeNow(payload, handle) }
    case .plan:
      receive(payload)
      let plan = try coder.plan([T].self, from: payload.json)
      _ = try plan.apply()
      didCommit(handle)
    }
  }
}

extension Payload {
  /// The payload with the initial values of the attributes that its objects lack.
  fileprivate var completed: Payload {
    var payload = self
    for index in objects.indices {
      let names = Set(objects[index].members.map(\.name))
      payload.objects[index].members += Attribute.of(kind)
        .filter { !names.contains($0.name) }.map { Member($0.name, $0.initial) }
    }
    return payload
  }
}

extension Data {
  /// Returns the bytes in pieces.
  func chunked(_ size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { [UInt8](self[$0..<Swift.min($0 + size, count)]) }
  }
}
