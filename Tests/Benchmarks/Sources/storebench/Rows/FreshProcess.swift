import Foundation

extension Benchmark {
  /// P23, P24 and the first decode of P27: costs in a new process.
  static var freshProcesses: [Benchmark] {
    [
      Benchmark(
        id: "P23", what: "users: peak memory of a 64 MB decode", unit: .bytes,
        targets: [.timesTheCost(1.5)],
        ours: { workload in
          let list = Workload(sizes: .uniform(workload.sizes.bulkUsers)).userList()
          return ChildTask.peakMemory.side(reading: try ScratchPayload(list))
        },
        baselineName: "bytes of payload",
        baseline: { workload in
          let byteCount = Workload(sizes: .uniform(workload.sizes.bulkUsers)).userList().count
          return Side(operationCount: 1) { watch in watch.charge(Double(byteCount)) }
        },
        isSampledOnce: true),
      Benchmark(
        id: "P24", what: "debug build: 1,000 users decoded first", targets: [.timesTheCost(1)],
        ours: { try debugOnly(.firstListDecode, $0) },
        baselineName: "JSONDecoder", baseline: { try debugOnly(.firstPlainListDecode, $0) }),
      Benchmark(
        id: "P27.first", what: "user of 2 kB: the first decode of a process",
        targets: [.atMost(3e6)],
        ours: { try ChildTask.firstDecode.side(reading: detail($0)) },
        baselineName: "JSONDecoder",
        baseline: { try ChildTask.firstPlainDecode.side(reading: detail($0)) }),
    ]
  }

  private static func detail(_ workload: Workload) throws -> ScratchPayload {
    try ScratchPayload(workload.userDetails[0])
  }

  /// Returns nil, so that the row is not measured, if storebench is optimized: the row is for debug code.
  private static func debugOnly(_ task: ChildTask, _ workload: Workload) throws -> Side? {
    #if DEBUG
      let users = workload.scaled(to: workload.sizes.small)
      return task.side(
        operationCount: users.sizes.users, reading: try ScratchPayload(users.userList()))
    #else
      return nil
    #endif
  }
}
