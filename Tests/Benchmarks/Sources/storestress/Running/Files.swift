import Foundation
import ObjectStore

/// The file of a simulated store, and the states that it may have when it is opened again.
@MainActor
final class Files {
  let durability: StoreConfiguration.Durability
  let disk: Disk?
  private let folder: String
  private var crashCount = 0
  private var path: String { "\(folder)/\(crashCount)" }
  private(set) var schemaVersion: UInt64 = 0
  /// The states of which the file has one after the process was killed.
  private(set) var states = [World()]
  /// The states of which the file has one after a power failure.
  private(set) var powerStates = [World()]
  /// The states that the writes of the current step would have committed.
  private var attempts: [World] = []
  private var crash: Crash?
  /// True from a failure of the disk until the store is opened again.
  private(set) var isFaulty = false

  init(folder: String, durability: StoreConfiguration.Durability, disk: Disk?) {
    self.folder = folder
    self.durability = durability
    self.disk = disk
    disk?.heal(tracksSyncs: true)
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  var url: URL { URL(filePath: "\(path)/app.store") }

  var configuration: StoreConfiguration { configuration(migration: nil) }

  func configuration(migration: (@Sendable (Migration) throws -> Void)?) -> StoreConfiguration {
    .file(
      url, durability: durability, classes: [Shop.self, Order.self, Customer.self, Line.self],
      schemaVersion: schemaVersion, migration: migration)
  }

  func raiseSchemaVersion() { schemaVersion += 1 }
  func lowerSchemaVersion() { schemaVersion -= 1 }

  var copyURL: URL { URL(filePath: "\(folder)/copy.store") }

  // MARK: - Commits

  func beginStep() { attempts = [] }

  /// Notes a state before it is committed.
  func attempt(_ world: World) { if attempts.last != world { attempts.append(world) } }

  func didCommit(_ world: World) {
    if durability == .background { states.append(world) } else { states = [world] }
    if durability == .full { powerStates = [world] } else { powerStates.append(world) }
  }

  /// Replaces the last state by one that describes the same commit better.
  func replace(_ former: World, by world: World) {
    if states.last == former { states[states.count - 1] = world }
    if powerStates.last == former { powerStates[powerStates.count - 1] = world }
  }

  func didFlush(_ world: World) {
    states = [world]
    powerStates = [world]
  }

  /// The file has this state after it was opened.
  func didOpen(_ world: World, _ candidates: [World]) {
    isFaulty = false
    states = [world]
    // Opening the file syncs nothing, not even a commit whose sync has failed.
    let isSynced = durability == .full && candidates.count == 1
    powerStates = isSynced ? [world] : powerStates + candidates + [world]
  }

  // MARK: - Failures

  func arm(_ fault: Fault, at call: Int, isLasting: Bool) {
    guard let disk, crash == nil else { return }
    disk.arm(fault, at: call, isLasting: isLasting)
    isFaulty = true
  }

  func arm(_ crash: Crash, at call: Int) {
    guard let disk, self.crash == nil else { return }
    self.crash = crash
    disk.arm(crash, at: call, from: path, to: "\(folder)/\(crashCount + 1)")
  }

  /// True if the error is one that a failing disk causes, and the disk may fail.
  func mayFail(_ error: any Error) -> Bool {
    guard isFaulty || disk?.hasCrashed == true, let error = error as? StoreError,
      case .fileFailed = error.kind
    else { return false }
    return true
  }

  /// A commit that could not be synced may be in the file.
  func noteFailure(_ error: any Error) {
    if "\(error)".hasSuffix("(SQLite 1034)") { addAttempts() }
  }

  private func addAttempts() {
    for attempt in attempts where !states.contains(attempt) { states.append(attempt) }
    for attempt in attempts where !powerStates.contains(attempt) { powerStates.append(attempt) }
  }

  var hasCrashed: Bool { disk?.hasCrashed == true }

  /// Continues with the files that the crash has left. Returns the states of which they have one.
  func restart() -> [World] {
    addAttempts()
    let candidates = if case .power? = crash { powerStates } else { states }
    try? FileManager.default.removeItem(atPath: path)
    crashCount += 1
    crash = nil
    disk?.heal(tracksSyncs: true)
    return candidates
  }

  /// Ends failures of the disk. A crash that is armed stays armed. Returns the states of which the file has one.
  func endFaults() -> [World] {
    disk?.endFaults()
    return isFaulty ? states : [states.last ?? World()]
  }

  /// Ends failures and crashes.
  func endFailures() {
    disk?.heal(tracksSyncs: true)
    crash = nil
  }

  func removeAll() { try? FileManager.default.removeItem(atPath: folder) }
}
