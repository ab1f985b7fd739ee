import Foundation
import ObjectStore
import StoreCoding

extension Benchmark {
  /// P27: decoding the details of one object per call.
  static var singleObjects: [Benchmark] {
    [
      Benchmark(
        id: "P27.new", what: "user of 2 kB: one decode each, empty store",
        targets: [.timesFaster(8)], ours: decodeEach,
        baselineName: "JSONDecoder, dates as text", baseline: FoundationBaseline.decodeEach),
      Benchmark(
        id: "P27.same", what: "user of 2 kB: one decode each, unchanged",
        targets: [.timesFaster(8)], ours: decodeEachAgain,
        baselineName: "JSONDecoder, dates as text", baseline: FoundationBaseline.decodeEach),
    ]
  }

  private static func decodeEach(_ workload: Workload) -> Side {
    let details = workload.userDetails
    return Side(operationCount: details.count) { watch in
      try watch.time {
        let coder = StoreCoder(store: try Store())
        return (coder, try details.map { try coder.decode(StoredUser.self, from: $0) })
      } checking: {
        sumOfIDs($1)
      }
    }
  }

  private static func decodeEachAgain(_ workload: Workload) throws -> Side {
    let details = workload.userDetails
    let store = try Store()
    let coder = StoreCoder(store: store)
    for detail in details { try coder.decode(StoredUser.self, from: detail) }
    let version = store.version
    return Side(operationCount: details.count) { watch in
      try watch.time {
        try details.map { try coder.decode(StoredUser.self, from: $0) }
      } checking: {
        store.version == version ? sumOfIDs($0) : -1
      }
    }
  }
}
