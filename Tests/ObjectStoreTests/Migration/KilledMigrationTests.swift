import Foundation
import JSONText
import TestSupport
import Testing

@testable import ObjectStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process that is killed during a migration leaves the file either unchanged or migrated.
///
/// `STORE_KILLS` is the number of kills at random moments. Two more kills guarantee both outcomes.
@Suite(.serialized) struct `Killed migrations` {
  private static let kills =
    ProcessInfo.processInfo.environment["STORE_KILLS"].flatMap(Int.init) ?? 10

  @Test func `a killed migration is either complete or without effect`() async throws {
    let file = try MigratedFile()
    let folder = file.folder.url.path(percentEncoded: false)
    var random = SeededRandom(seed: 3)
    var before: [String] = []
    for round in 0..<2 + Self.kills {
      if before.isEmpty {
        try file.write(KilledMigration.before) { try KilledMigration.fill($0) }
        before = try file.dump()
      }
      let moment: KilledMigration.Moment
      switch round {
      case 0: moment = .atRow(random.below(KilledMigration.count))
      case 1: moment = .afterOpening
      default:
        // At any time after a row, after the end of the block, or at that end.
        let row = round % 3 == 0 ? random.below(KilledMigration.count) : KilledMigration.count
        let delay = round % 3 == 1 ? 0 : random.below(60_000)
        moment = .afterRow(row, microseconds: delay)
      }
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [folder = folder as String, moment = moment as KilledMigration.Moment] in
        try KilledMigration.run(folder, moment)
      }
      let isDone: Bool
      do {
        let store = try file.open(KilledMigration.before, 1)
        #expect(try store.objects(dynamic: "Thing").count == KilledMigration.count)
        try await file.check(store)
        isDone = false
      } catch let error as StoreError {
        guard case .schemaTooNew = error.kind else { throw error }
        isDone = true
      }
      if round < 2 { #expect(isDone == (moment == .afterOpening)) }
      if isDone {
        let store = try file.open(KilledMigration.after, 2)
        #expect(
          try store.texts("Thing", "text") == (0..<KilledMigration.count).map { "\($0 * 3)" })
        try await file.check(store)
      } else {
        #expect(try file.dump() == before)
        continue
      }
      try Store.deleteFiles(file.configuration(2))
      before = []
    }
  }
}

/// The code that runs in the killed process.
enum KilledMigration {
  /// The moment of the kill.
  enum Moment: Codable, Equatable, Sendable {
    /// In the block, when it reaches a row.
    case atRow(Int)
    /// Some time after the block has reached a row, or its end.
    case afterRow(Int, microseconds: Int)
    /// After the store was opened.
    case afterOpening
  }

  static let count = 2000
  static let before = [
    ObjectSchema(
      "Thing",
      [
        Property("id", .int, isPrimaryKey: true), Property("n", .int),
        Property("tags", .list(.int)),
      ])
  ]
  static let after = [
    ObjectSchema(
      "Thing",
      [
        Property("id", .int, isPrimaryKey: true), Property("text", .string, isIndexed: true),
        Property("tags", .list(.int)),
      ])
  ]

  static func fill(_ store: Store) throws {
    for id in 0..<count {
      try store.create(
        dynamic: "Thing",
        value: ["id": .init(id), "n": .init(id * 3), "tags": [.init(id), .init(id + 1)]])
    }
  }

  /// Migrates the store and kills the process.
  static func run(_ folder: String, _ moment: Moment) throws {
    let url = URL(filePath: folder).appending(path: "things.store")
    @Sendable func reach(_ position: Int) {
      switch moment {
      case .atRow(position): kill(getpid(), SIGKILL)
      case .afterRow(let row, let delay) where row == position:
        killProcess(afterMicroseconds: delay)
      default: break
      }
    }
    let store = try Store(
      configuration: .file(url, schemaVersion: 2) { migration in
        var position = 0
        try migration.enumerate("Thing") { old, new in
          reach(position)
          position += 1
          new["text"] = "\(old["n"] as? Int ?? 0)"
        }
        reach(position)
      }, schemas: after)
    if moment == .afterOpening { kill(getpid(), SIGKILL) }
    withExtendedLifetime(store) { waitUntilKilled() }
  }
}

/// The code that runs in a process with a file size limit.
enum FullDisk {
  struct NoError: Error {}

  static func migrate(_ folder: String) throws {
    let url = URL(filePath: folder).appending(path: "things.store")
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    getrlimit(resource, &limit)
    limit.rlim_cur = 100_000
    setrlimit(resource, &limit)
    do {
      _ = try Store(
        configuration: .file(url, schemaVersion: 2) { migration in
          try migration.enumerate("Thing") { old, new in
            new["n"] = String(repeating: "long ", count: 100)
          }
        },
        schemas: [
          ObjectSchema(
            "Thing", [Property("id", .int, isPrimaryKey: true), Property("n", .string)])
        ])
    } catch let error as StoreError {
      guard case .fileFailed = error.kind else { throw error }
      return
    }
    throw NoError()
  }
}
