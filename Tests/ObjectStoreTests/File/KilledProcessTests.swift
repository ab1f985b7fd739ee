import Foundation
import ObjectStore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process that is killed while it commits leaves only whole commits. Without background durability, the file has all
/// commits that have returned. R16, R17
///
/// `STORE_KILLS` is the number of kills for each durability.
@Suite(.serialized) struct `A process that is killed` {
  private static let kills =
    ProcessInfo.processInfo.environment["STORE_KILLS"].flatMap(Int.init) ?? 10

  @Test(arguments: StoreConfiguration.Durability.allCases)
  func `a killed process leaves no partial commit and loses only background commits`(
    _ durability: StoreConfiguration.Durability
  ) async throws {
    let folder = try TemporaryFolder()
    var random = SeededRandom(seed: 7)
    let name = "\(durability)"
    let path = folder.url.path(percentEncoded: false)
    var last = 0
    for _ in 0..<Self.kills {
      let pause = random.below(30_000)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, name = name as String, pause = pause as Int] in
        try KilledProcess.run(path, name, pause: pause)
      }
      let acknowledged = try KilledProcess.acknowledged(path)
      let store = try Store(
        configuration: KilledProcess.configuration(path, name))
      let found = try Ledger.lastCommit(in: store)
      try await store.integrityCheck()
      #expect(store.damage == [])
      #expect(found >= last)
      #expect(found <= acknowledged + 1)
      if durability != .background { #expect(found >= acknowledged) }
      last = found
    }
    #expect(last > 0)
  }
}

/// The code that runs in the killed process.
enum KilledProcess {
  static func configuration(_ path: String, _ durability: String) throws -> StoreConfiguration {
    let kind = try #require(StoreConfiguration.Durability.allCases.first { "\($0)" == durability })
    return .file(URL(filePath: path).appending(path: "ledger.store"), durability: kind)
  }

  /// The number of the last commit that returned.
  static func acknowledged(_ path: String) throws -> Int {
    let data = try Data(contentsOf: URL(filePath: path).appending(path: "acknowledged"))
    return data.withUnsafeBytes { $0.count < 8 ? 0 : $0.loadUnaligned(as: Int.self) }
  }

  /// Opens the store, which the previous process may still be closing.
  private static func openWhenFree(_ configuration: StoreConfiguration) throws -> Store {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      do {
        return try Store(configuration: configuration)
      } catch let error as StoreError {
        guard case .fileInUse = error.kind, ContinuousClock.now < deadline else { throw error }
        usleep(1_000)
      }
    }
  }

  /// Commits until the process kills itself after `pause` microseconds.
  static func run(_ path: String, _ durability: String, pause: Int) throws {
    let log = open(path + "/acknowledged", O_RDWR | O_CREAT, 0o644)
    let store = try openWhenFree(configuration(path, durability))
    var number = try Ledger.lastCommit(in: store)
    _ = pwrite(log, &number, 8, 0)
    killProcess(afterMicroseconds: pause)
    while true {
      number += 1
      try Ledger.commit(number, in: store)
      _ = pwrite(log, &number, 8, 0)
    }
  }
}
