import Foundation
@testable import ObjectStore

/// A run of a workload on a failing disk, and the problems found in its result.
final class FaultyRun {
  private let disk: FaultyDisk
  private let folder: URL
  private let durability: StoreConfiguration.Durability
  private var problems: [String] = []
  /// The content of the store after each commit that returned.
  private var states = [""]
  /// The index of the last state that is certainly on disk.
  private var flushed = 0
  /// The content after a commit that was written but failed to sync.
  private var uncertain: String?
  /// The steps that failed, with their errors.
  private var failures: [(step: String, error: StoreError)] = []

  init(_ disk: FaultyDisk, _ path: String, _ durability: StoreConfiguration.Durability) {
    self.disk = disk
    folder = URL(filePath: path)
    self.durability = durability
  }

  private var configuration: StoreConfiguration {
    .file(folder.appending(path: "ledger.store"), durability: durability)
  }

  /// The problems found. After a single failure the store either continues, or throws the same error each time.
  func problems(isLasting: Bool) -> [String] {
    let errors = Set(failures.map(\.error))
    return isLasting || errors.count < 2 ? problems : problems + ["failed again: \(failures)"]
  }

  /// Runs the workload with a fault. Returns the number of calls that could have failed.
  func run(_ fault: FaultyDisk.Fault, at call: Int, isLasting: Bool) async throws -> Int {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    disk.arm(fault, at: call, isLasting: isLasting)
    await open(Self.boat, "first", Self.firstSteps)
    await open(Self.boat + [Property("weight", .double)], "second", Self.secondSteps)
    // The last handle may write on another thread.
    FileLock.waitForClosing(folder.resolvingSymlinksInPath().path + "/ledger.store.lock")
    let callCount = disk.heal()
    do {
      try await check()
    } catch {
      problems.append("without a fault: \(error)")
    }
    return callCount
  }

  // MARK: - Steps

  private enum Step: Sendable {
    case write(String, @Sendable (Store) throws -> Void)
    case flush, compact, check
  }

  private static let boat = [
    Property("id", .int, isPrimaryKey: true), Property("name", .string, isIndexed: true),
    Property("mate", .object("Boat")), Property("tags", .list(.string)),
  ]

  private static let firstSteps: [Step] = [
    .write("ledger") { store in for number in 1...3 { try Ledger.commit(number, in: store) } },
    .write("boats") { store in
      for id in 1...20 {
        let boat = try store.create(
          dynamic: "Boat",
          value: ["id": .init(id), "name": .init("boat \(id)"), "tags": ["a", "b"]])
        boat["mate"] = try store.object(dynamic: "Boat", forPrimaryKey: id / 2)
      }
    },
    .flush,
    .write("long texts") { store in
      for entry in store.objects(Entry.self) {
        entry.text = String(repeating: "long ", count: 3000)
      }
    },
    .write("deletes") { store in
      for id in 5...9 {
        if let boat = try store.object(dynamic: "Boat", forPrimaryKey: id) { store.delete(boat) }
      }
      store.delete(store.objects(Entry.self))
      store.delete(store.objects(Ledger.self))
    },
    .compact,
    .write("list") { store in
      try store.create(
        dynamic: "Boat", value: ["id": 2, "tags": ["c", "d", "e"]], update: .modified)
    },
    .check,
  ]

  private static let secondSteps: [Step] = [
    .write("new attribute") { store in
      try store.create(
        dynamic: "Boat", value: ["id": 2, "weight": 1.5], update: .modified)
    },
    .write("rekey") { store in
      if let boat = try store.object(dynamic: "Boat", forPrimaryKey: 1) {
        try store.rekey(boat, to: 100)
      }
    },
    .flush,
    .write("last") { store in
      try store.create(dynamic: "Boat", value: ["id": 200, "mate": ["id": 2]], update: .modified)
    },
  ]

  // MARK: - Running

  private func open(_ properties: [Property], _ name: String, _ steps: [Step]) async {
    do {
      let store = try Store(
        configuration: configuration, schemas: [ObjectSchema("Boat", properties)])
      let found = try Self.contents(of: store)
      // A class that could not be read is empty and reported.
      if store.damage.isEmpty { note(found, "the \(name) opening") }
      for step in steps { try await run(step, store) }
    } catch let error as StoreError {
      noteFailure("the \(name) opening", error)
    } catch {
      problems.append("the \(name) opening: \(type(of: error)) \(error)")
    }
  }

  private func run(_ step: Step, _ store: Store) async throws {
    let before = try Self.contents(of: store)
    var attempted: String?
    var name = "\(step)"
    do {
      switch step {
      case .write(let title, let body):
        name = title
        try store.write {
          try body(store)
          attempted = try Self.contents(of: store)
        }
      case .flush: try await store.flush()
      case .compact: try await store.compact()
      case .check: try await store.integrityCheck()
      }
    } catch let error as StoreError {
      noteFailure(name, error)
      if "\(error)".hasSuffix("(SQLite 1034)"), uncertain == nil { uncertain = attempted }
      if try Self.contents(of: store) != before {
        problems.append("\(name): failed but changed the store")
      }
      return
    }
    let after = try Self.contents(of: store)
    if let attempted {
      if after != attempted { problems.append("\(name): returned but its changes are missing") }
      // A write without changes is no commit.
      if after != before {
        states.append(after)
        uncertain = nil
      }
    } else if after != before {
      problems.append("\(name): changed the objects")
    }
    if case .flush = step { flushed = states.count - 1 }
  }

  private func noteFailure(_ step: String, _ error: StoreError) {
    failures.append((step, error))
    guard case .fileFailed = error.kind else {
      problems.append("\(step): \(error)")
      return
    }
  }

  // MARK: - Checking

  private func check() async throws {
    do {
      let store = try Store(
        configuration: configuration,
        schemas: [ObjectSchema("Boat", Self.boat + [Property("weight", .double)])])
      note(try Self.contents(of: store), "the file")
      if store.damage != [] { problems.append("damage: \(store.damage)") }
      try await store.integrityCheck()
      try store.write { try store.create(dynamic: "Boat", value: ["id": 1000]) }
      try await store.flush()
      states.append(try Self.contents(of: store))
    }
    let store = try Store(
      configuration: configuration,
      schemas: [ObjectSchema("Boat", Self.boat + [Property("weight", .double)])])
    if try Self.contents(of: store) != states.last { problems.append("the next write is lost") }
  }

  /// Compares the content found in a file with the expected states.
  private func note(_ found: String, _ source: String) {
    if found == states.last { return }
    if found == uncertain {
      states.append(found)
      uncertain = nil
    } else if durability == .background, let index = states[flushed...].lastIndex(of: found) {
      states.removeSubrange((index + 1)...)
    } else {
      problems.append(
        "\(source) shows \(found)\n  after \(states.last ?? "")\n  with the failures \(failures)")
    }
  }

  /// All objects as a string.
  private static func contents(of store: Store) throws -> String {
    let ledgers = store.objects(Ledger.self).map { ledger in
      let names = ledger.names.map { "\($0.key)=\($0.value?.id ?? "-")" }
      return "ledger \(ledger.count) \(ledger.entries.map(\.id)) \(names)"
    }
    let entries = store.objects(Entry.self).map { "\($0.id) \($0.number) \($0.text.count)" }
    let boats = try store.objects(dynamic: "Boat").map { boat in
      let mate = (boat["mate"] as? DynamicObject)?["id"] as? Int ?? 0
      let weight = boat.objectSchema["weight"] == nil ? 0 : boat["weight"] as? Double ?? 0
      let tags = (boat["tags"] as? List<String>).map { Array($0) } ?? []
      return "\(boat["id"] as? Int ?? 0) \(boat["name"] as? String ?? "") \(mate) \(weight) \(tags)"
    }
    return (ledgers + entries + boats).joined(separator: "; ")
  }
}
