import Foundation
import ObjectStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Simulation {
  /// Releases all handles, and everything that retains the store.
  private func close() {
    views = []
    network.restart()
    for handle in handles { handle.watches = [:] }
    handles = []
    closeAuditor()
  }

  /// Closes the store after the program.
  func end() {
    endReader()
    close()
    if let files { try? waitForClosing(files) }
  }

  func endReader() {
    reader?.end()
    reader = nil
  }

  /// Compares what another process reads.
  func compareReader() throws {
    guard let files, !files.hasCrashed else { return }
    let process = try reader ?? ReaderProcess(files.url, schemaVersion: files.schemaVersion)
    reader = process
    let text = try process.read()
    let candidates = files.states
    if candidates.contains(where: { $0.text.joined(separator: "\n") == text }) { return }
    if files.isFaulty { return }
    let expected = world.text
    let lines = text.split(separator: "\n").map(String.init)
    let difference = lines.first { !expected.contains($0) } ?? "\(lines.count) lines"
    throw Difference("another process reads \(difference), not \(expected)")
  }

  /// Opens the file after all handles were released.
  func reopen() async throws {
    guard let files else { return }
    close()
    try waitForClosing(files)
    if files.hasCrashed { return try restart() }
    let isFaulty = files.isFaulty
    let candidates = files.endFaults()
    if isFaulty { try open(oneOf: candidates) } else { try open(oneOf: [world]) }
  }

  /// Continues after a crash.
  private func restart() throws {
    guard let files else { return }
    endReader()
    close()
    try waitForClosing(files)
    try open(oneOf: files.restart())
  }

  /// Waits until the store is closed: the last handle may still write on another thread when it is released.
  private func waitForClosing(_ files: Files) throws {
    let descriptor = systemOpen(files.url.path + ".lock", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { systemClose(descriptor) }
    for _ in 0..<100_000 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        flock(descriptor, LOCK_UN)
        return
      }
      usleep(100)
    }
    throw Difference("the store is still open")
  }

  /// Opens the file, which has one of some states.
  private func open(oneOf candidates: [World]) throws {
    guard let files else { return }
    do {
      try open(.inMemory())
    } catch {
      guard files.mayFail(error), files.hasCrashed else { throw Difference("opening: \(error)") }
      return try restart()
    }
    var texts: [String] = []
    var found: World?
    for candidate in candidates.reversed() {
      var candidate = candidate
      candidate.restart()
      if let text = candidate.adopt(handles[0].store) ?? candidate.difference(handles[0].store) {
        texts.append(text)
      } else if found == nil {
        found = candidate
      } else {
        found?.loosenDifferences(from: candidate)
      }
    }
    guard let found else {
      throw Difference(
        "the file has none of \(candidates.count) states: \(texts.first ?? "")"
          + " damage: \(handles.first?.store.damage ?? [])")
    }
    world = found
    files.didOpen(world, candidates)
    resetVersions()
    if let damage = handles[0].store.damage.first { throw Difference("damage: \(damage)") }
  }

  /// After each step: continues after a crash that has happened.
  func afterStep() async throws {
    guard let files, files.hasCrashed else { return }
    try restart()
  }

  func flush() async throws {
    try await handles[0].store.flush()
    files?.disk?.syncAll()
    files?.didFlush(world)
  }

  func compareCopy() async throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "storestress-\(getpid()).store")
    let copy = files?.copyURL ?? url
    try? FileManager.default.removeItem(at: copy)
    try await handles[0].store.copy(to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    if files?.isFaulty == true || files?.hasCrashed == true { return }
    let store = try Store(configuration: .inMemory(copyOf: copy), isolation: nil)
    var restarted = world
    restarted.restart()
    if let text = restarted.adopt(store) ?? restarted.difference(store) {
      throw Difference("the copy: \(text)")
    }
    if let damage = store.damage.first { throw Difference("the copy: \(damage)") }
  }

  private struct Refused: Error {}

  /// Opens the file with a newer version of the classes.
  func migrate(_ kind: Step.Migrating) async throws {
    guard let files, !files.isFaulty, !files.hasCrashed, !(files.disk?.isCrashArmed ?? false) else {
      return
    }
    endReader()
    close()
    try waitForClosing(files)
    _ = files.endFaults()
    files.raiseSchemaVersion()
    let before = world
    world.restart()
    switch kind {
    case .nothing, .fail: break
    case .change: world.migrate()
    case .delete: world.deleteForMigration()
    }
    let configuration = files.configuration { migration in
      switch kind {
      case .nothing: break
      case .change:
        try migration.enumerate("Shop") { _, new in
          new["city"] = "Oslo"
          if let staff = new["staff"] as? List<DynamicObject>, !staff.isEmpty { new["staff"] = [] }
        }
      case .delete:
        try migration.enumerate("Shop") { _, new in
          if new["city"] as? String == "Rome" { try migration.delete(new) }
        }
      case .fail:
        try migration.enumerate("Shop") { _, new in new["city"] = "Bonn" }
        throw Refused()
      }
    }
    do {
      let store = try Store(configuration: configuration, isolation: nil)
      withExtendedLifetime(store) {}
    } catch is Refused {
      world = before
      files.lowerSchemaVersion()
    }
    try waitForClosing(files)
    files.didFlush(world)
    try open(oneOf: [world])
  }
}

extension World {
  fileprivate mutating func migrate() {
    let (city, staff) = (Attribute.index(.shop, "city"), Attribute.index(.shop, "staff"))
    for id in ids(.shop) {
      self[.shop, id]?.values[city] = .plain(2)
      if self[.shop, id]?.values[staff] != .links([]) { self[.shop, id]?.known[staff] = true }
      self[.shop, id]?.values[staff] = .links([])
      self[.shop, id]?.known[city] = true
    }
  }

  fileprivate mutating func deleteForMigration() {
    let city = Attribute.index(.shop, "city")
    for id in ids(.shop) where self[.shop, id]?.values[city] == .plain(1) { delete(.shop, id) }
  }
}

/// The system's `close`, which the method of the simulation hides.
private func systemClose(_ descriptor: Int32) {
  let close: (Int32) -> Int32 = close
  _ = close(descriptor)
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
