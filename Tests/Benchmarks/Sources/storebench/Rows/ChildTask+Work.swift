import Foundation
import ObjectStore
import StoreCoding

extension ChildTask {
  /// Runs the task in the child process.
  func run(_ path: String) throws -> Outcome {
    let file = URL(filePath: path)
    switch self {
    case .streamMemory: return try Self.streamMemory(of: file)
    case .writeBooks: return try ReaderRows.write(to: file)
    default: return try run(on: Data(contentsOf: file))
    }
  }

  private func run(on data: Data) throws -> Outcome {
    switch self {
    case .streamMemory, .writeBooks: throw ChildFailure(text: "\(rawValue) does not read the file")
    case .firstDecode:
      return try Self.timed {
        try StoreCoder(store: Store()).decode(StoredUser.self, from: data).id
      }
    case .firstPlainDecode:
      return try Self.timed { try FoundationBaseline.idOfUser(in: data) }
    case .firstListDecode:
      return try Self.timed {
        sumOfIDs(try StoreCoder(store: Store()).decodeArray(StoredUser.self, from: data))
      }
    case .firstPlainListDecode:
      return try Self.timed { try FoundationBaseline.sumOfIDs(in: data) }
    case .peakMemory:
      return try Self.peakMemory(of: data)
    }
  }

  private static func timed(_ body: () throws -> Int) rethrows -> Outcome {
    var watch = Stopwatch(clock: .processor)
    let checksum = try watch.time(body)
    return Outcome(cost: watch.cost, checksum: checksum)
  }

  private static func peakMemory(of data: Data) throws -> Outcome {
    let store = try Store()
    guard let residentBefore = residentBytes(), let heapBefore = heapBytesInUse() else {
      throw ChildFailure(text: "this system does not report memory usage")
    }
    let count = try StoreCoder(store: store).decodeArray(StoredUser.self, from: data).count
    guard let peak = peakResidentBytes(), let heapAfter = heapBytesInUse() else {
      throw ChildFailure(text: "this system does not report memory usage")
    }
    // Keeps the store alive until here, because its rows are measured.
    withExtendedLifetime((store, data)) {}
    let beyond = (peak - residentBefore) - (heapAfter - heapBefore)
    return Outcome(cost: Double(max(beyond, 0)), checksum: count)
  }
}
