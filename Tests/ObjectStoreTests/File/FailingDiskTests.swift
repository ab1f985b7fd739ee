import Foundation
import ObjectStore
import TestSupport
import Testing

/// Each call by which a workload changes a file fails in turn. After each failure the store throws a `fileFailed` error,
/// memory matches the reopened file, and no commit is partly written. R16, R17
///
/// If `STORE_FAULTS` is 1, every call fails in turn and the number of calls is printed; otherwise every 29th call
/// fails.
@Suite(.serialized) struct `A disk that fails` {
  static let isWhole = ProcessInfo.processInfo.environment["STORE_FAULTS"] == "1"

  @Test(arguments: StoreConfiguration.Durability.allCases, FaultyDisk.Fault.allCases)
  func `a failing disk leaves only whole commits and causes only fileFailed errors`(
    _ durability: StoreConfiguration.Durability, _ fault: FaultyDisk.Fault
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path(percentEncoded: false)
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      [
        path = path as String, durability = "\(durability)" as String,
        fault = fault.rawValue as String
      ] in
      let disk = try #require(FaultyDisk.install())
      let durability = try #require(
        StoreConfiguration.Durability.allCases.first { "\($0)" == durability })
      let fault = try #require(FaultyDisk.Fault(rawValue: fault))
      for isLasting in [false, true] {
        var call = 1
        var runs = 0
        while true {
          let run = FaultyRun(disk, path, durability)
          let callCount = try await run.run(fault, at: call, isLasting: isLasting)
          let problems = run.problems(isLasting: isLasting).joined(separator: "\n")
          #expect(problems == "", "\(fault) of call \(call), lasting: \(isLasting): \(problems)")
          runs += 1
          if callCount < call { break }
          call += `A disk that fails`.isWhole ? 1 : 29
        }
        #expect(call > 100)
        if `A disk that fails`.isWhole {
          print("\(durability), \(fault), lasting: \(isLasting): \(runs) runs of \(call) calls")
        }
      }
    }
    if Self.isWhole, let result {
      print(String(decoding: result.standardOutputContent, as: UTF8.self))
    }
  }
}
