import Foundation
import Testing

@testable import storebench

/// Runs the benchmarks on small data and checks their results, not their speed.
@Suite(.serialized) struct `Benchmarks` {
  /// Rows that start their own executable, which is a different program in a test.
  private static let startsProcesses = [
    "P18", "P19", "P22", "P23", "P24", "P27.first", "P34.process",
  ]

  private static var benchmarks: [Benchmark] {
    Benchmark.all(sizes: .tiny).filter { benchmark in
      !startsProcesses.contains { benchmark.id.hasPrefix($0) }
    }
  }

  @Test(arguments: benchmarks.map(\.id))
  func `both sides of a benchmark row have the same result`(id: String) async throws {
    // A row may block its thread until asynchronous work ends. On a thread of the concurrency pool, it would block that
    // work: the pool has as many threads as cores.
    let sidesAgree = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let benchmark = try #require(Self.benchmarks.first { $0.id == id })
            let row = try benchmark.measured(
              on: Workload(sizes: .tiny), rounds: .tiny, oursAlone: false)
            return row.measurement.sidesAgree
          })
      }
    }
    #expect(sidesAgree)
  }

  @Test func `benchmark rows have unique ids`() {
    let ids = Benchmark.all(sizes: .tiny).map(\.id)
    #expect(Set(ids).count == ids.count)
  }
}
