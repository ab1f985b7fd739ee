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
  /// The objects before the last write.
  var beforeWrite = World()
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

  // MARK: - Commits

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
    if let former = versions[handle.store.version] {
      // A write without changes commits nothing.
      files?.replace(former, by: world)
    } else {
      files?.didCommit(world)
    }
    let shown = Set(handles.map(\.store.version))
    versions = versions.filter { shown.contains($0.key) }
    versions[handle.store.version] = world
  }

  // MARK: - Observers and eviction

  private func refresh(_ handle: Handle) throws {
    handle.store.refresh()
    for (number, watch) in handle.watches {
      if let text = watch.difference() { throw Difference("observer \(number): \(text)") }
    }
  }

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
