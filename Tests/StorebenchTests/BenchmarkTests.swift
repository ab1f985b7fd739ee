import Testing

@testable import storebench

/// That the benchmarks run, not how fast.
@Suite struct `Benchmarks` {
  /// Rows that start this program anew, which in a test is another program.
  private static let startsProcesses = ["P19", "P22", "P23", "P24", "P27.first"]

  private static var benchmarks: [Benchmark] {
    Benchmark.all(sizes: .tiny).filter { benchmark in
      !startsProcesses.contains { benchmark.id.hasPrefix($0) }
    }
  }

  @Test(arguments: benchmarks.map(\.id))
  func `both sides of a row come to the same result`(id: String) throws {
    let benchmark = try #require(Self.benchmarks.first { $0.id == id })
    let row = try benchmark.measured(
      on: Workload(sizes: .tiny), rounds: .tiny, oursAlone: false)
    #expect(row.measurement.sidesAgree)
  }

  @Test func `no two rows have one id`() {
    let ids = Benchmark.all(sizes: .tiny).map(\.id)
    #expect(Set(ids).count == ids.count)
  }
}
