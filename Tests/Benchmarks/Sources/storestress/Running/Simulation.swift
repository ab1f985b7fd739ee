import Foundation
import ObjectStore
import StoreCoding

/// The location of a simulated store.
enum Place: String, Hashable, Sendable, CaseIterable, Codable {
  case memory, normal, full, background

  /// The durability of the store's file; nil for a store in memory.
  var durability: StoreConfiguration.Durability? {
    switch self {
    case .memory: nil
    case .normal: .normal
    case .full: .full
    case .background: .background
    }
  }
}

/// A difference between the store and the model.
struct Difference: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Runs a program on a store and on the model, and compares both after each step.
@MainActor
final class Simulation {
  /// A handle of the store, and its observers.
  final class Handle {
    let store: Store
    let coder: StoreCoder
    var watches: [Int: any Watch] = [:]

    init(_ store: Store) {
      self.store = store
      coder = StoreCoder(store: store)
    }
  }

  /// The objects of the newest version.
  var world = World()
  /// The objects of the newest version that was committed.
  private var committed = World()
  /// The objects of the versions that handles show, by their numbers.
  private var versions: [UInt64: World] = [:]
  var handles: [Handle] = []
  /// A handle that shows the newest version after each step.
  private(set) var auditor: Store?
  var views: [FrozenView] = []
  var network = Network()
  var files: Files?
  var reader: ReaderProcess?
  let place: Place
  var stepNumber = 0
  /// True to run all queries after each step.
  var checksAll = false

  init(_ place: Place, folder: String, disk: Disk?) throws {
    self.place = place
    if let durability = place.durability {
      files = Files(folder: folder, durability: durability, disk: disk)
    }
    try open(.inMemory())
  }

  /// Opens two handles.
  func open(_ memory: StoreConfiguration) throws {
    let configuration = files?.configuration ?? memory
    handles = try (0..<2).map { _ in
      Handle(try Store(configuration: configuration, isolation: nil))
    }
    auditor = try Store(configuration: configuration, isolation: nil)
    // A handle shows the classes that it has used when it is opened.
    for handle in handles {
      for kind in Kind.allCases { _ = kind.object(0, in: handle.store) }
      handle.store.refresh()
    }
    for kind in Kind.allCases { _ = auditor.flatMap { kind.object(0, in: $0) } }
    resetVersions()
  }

  func closeAuditor() { auditor = nil }

  func resetVersions() { versions = [handles[0].store.version: world] }

  /// The objects that a handle shows.
  func shown(_ handle: Handle) throws -> World {
    guard let world = versions[handle.store.version] else {
      throw Difference("shows the unknown version \(handle.store.version)")
    }
    return world
  }

  func handle(_ index: Int) -> Handle { handles[index % handles.count] }

  /// Runs a program. Throws the first difference.
  func run(_ steps: [Step]) async throws {
    for (index, step) in steps.enumerated() {
      stepNumber = index
      try await run(step)
    }
    stepNumber = steps.count
    try await finish()
  }

  func run(_ step: Step) async throws {
    files?.beginStep()
    if world.isLoose { world.supplyHeard() }
    committed = world
    do {
      try await perform(step)
    } catch let error as Difference {
      throw error
    } catch {
      world = committed
      guard let files, files.mayFail(error) else { throw Difference("threw \(error)") }
      files.noteFailure(error)
    }
    try await afterStep()
    try adopt()
    try compare(step)
  }

  /// Continues with what the store shows where several things are possible.
  func adopt() throws {
    guard let auditor, world.isLoose else { return world.endStep() }
    auditor.refresh()
    let former = world
    if let text = world.adopt(auditor) { throw Difference(text) }
    if versions[auditor.version] != nil { versions[auditor.version] = world }
    files?.replace(former, by: world)
  }

  private func perform(_ step: Step) async throws {
    switch step {
    case .write(let index, let writer, let changes, let end):
      try write(handle(index), writer, changes, end)
    case .decode(let payload, let index, let way):
      try await decode(payload, handle(index), way)
    case .refresh(let index): try refresh(handle(index))
    case .freeze(let index):
      views.append(FrozenView(handle(index).store, try shown(handle(index))))
      if views.count > 3 { views.removeFirst() }
    case .dropView(let index): if !views.isEmpty { views.remove(at: index % views.count) }
    case .observe(let number, let index): observe(number, handle(index))
    case .evict(let index): try evict(handle(index))
    case .deleteAll(let index):
      let handle = handle(index)
      try commit(handle, { $0.deleteAll() }) { handle.store.deleteAll() }
    case .reopen: try await reopen()
    case .flush: if files != nil { try await flush() }
    case .compact:
      // It would wait for a reader.
      endReader()
      if files != nil { try await handles[0].store.compact() }
    case .copy: try await compareCopy()
    case .migrate(let kind): try await migrate(kind)
    case .read: try compareReader()
    case .fail(let fault, let call, let isLasting):
      files?.arm(fault, at: call, isLasting: isLasting)
    case .crash(let crash, let call): files?.arm(crash, at: call)
    default: try networkStep(step)
    }
  }

  // MARK: - Writes

  private struct RollBack: Error {}

  /// Runs a write that changes the model as `change` does.
  func commit(_ handle: Handle, _ change: (inout World) -> Void, _ body: () throws -> Void) throws {
    try handle.store.write {
      try body()
      change(&world)
      files?.attempt(world)
    }
    didCommit(handle)
  }

  func didCommit(_ handle: Handle) {
    committed = world
    // A write without changes commits nothing.
    if versions[handle.store.version] == nil || world != versions[handle.store.version] {
      files?.didCommit(world)
    }
    let shown = Set(handles.map(\.store.version))
    versions = versions.filter { shown.contains($0.key) }
    versions[handle.store.version] = world
  }

  private func write(
    _ handle: Handle, _ writer: Step.Writer, _ changes: [Change], _ end: Step.Ending
  ) throws {
    let before = world
    do {
      try handle.store.write(as: writer == .user ? .user : .server) {
        for change in changes { try apply(change, handle, writer) }
        world.recordEdits()
        files?.attempt(world)
        if end == .rollBack { throw RollBack() }
      }
      didCommit(handle)
    } catch is RollBack {
      world = before
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
    case .delete(let kind, let id):
      guard let object = kind.object(id, in: store) else { return }
      store.delete(object)
      if writer == .user {
        if kind.tracksEdits { world.userDelete(kind, id) } else { world.delete(kind, id) }
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
        list.remove(at: position % list.count)
        objects.remove(at: position % list.count.advanced(by: 1))
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
    if isTombstone {
      if writer == .server || world.deletedInWrite.contains(World.Id(kind: kind, number: id)) {
        return
      }
    }
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
    guard world[kind, id] != nil, let object = kind.object(id, in: handle.store),
      case .links(let targets) = Attribute.of(kind)[index].read(object)
    else { return }
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

  // MARK: - Payloads

  /// Decodes a payload in the open write, or in one of its own.
  func decodeNow(_ payload: Payload, _ handle: Handle) throws {
    let data = payload.json
    switch payload.kind {
    case .shop: _ = try handle.coder.decodeArray(Shop.self, from: data)
    case .order: _ = try handle.coder.decodeArray(Order.self, from: data)
    case .customer: _ = try handle.coder.decodeArray(Customer.self, from: data)
    }
  }

  private func decode(_ payload: Payload, _ handle: Handle, _ way: Step.Way) async throws {
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
    let way = isDeleted && (way == .objects || way == .dictionaries) ? .list : way
    network.receive(payload)
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

  private func refresh(_ handle: Handle) throws {
    handle.store.refresh()
    for (number, watch) in handle.watches {
      if let text = watch.difference() { throw Difference("observer \(number): \(text)") }
    }
  }

  // MARK: - Eviction

  private func evict(_ handle: Handle) throws {
    // An observed object is kept.
    guard handles.allSatisfy({ $0.watches[3] == nil }) else { return }
    let kept = world.reachableCustomers
    let missing = world.ids(.customer).filter { !kept.contains($0) }
    let isLoose = world.isLoose
    let rule = CachePolicy.Rule.policy(.whileLinked, of: Customer.self)
    func ids(_ report: CachePolicy.Report) -> [Int] {
      report[Customer.self]?.evicted.compactMap { Kind.customer.id(of: $0) } ?? []
    }
    handle.store.refresh()
    // Base values that the model does not know may link to others.
    world.evict(isLoose ? ids(try handle.store.evict(by: [rule], dryRun: true)) : missing)
    files?.attempt(world)
    let evicted = ids(try handle.store.evict(by: [rule]))
    didCommit(handle)
    if isLoose ? !Set(evicted).isSubset(of: missing) : Set(evicted) != Set(missing) {
      throw Difference("evicted \(evicted.sorted()), not \(missing)")
    }
  }
}

extension Data {
  /// Returns the bytes in pieces.
  func chunked(_ size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { [UInt8](self[$0..<Swift.min($0 + size, count)]) }
  }
}
