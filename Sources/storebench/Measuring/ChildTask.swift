import Foundation
import ObjectStore
import StoreCoding

/// Work that shows its cost only in a process that has done nothing yet: `storebench --child TASK …`.
enum ChildTask: String {
  /// CPU time of decoding the file named for the first time.
  case firstDecode = "first-decode"
  case firstPlainDecode = "first-plain-decode"
  /// The same for a list.
  case firstListDecode = "first-list-decode"
  case firstPlainListDecode = "first-plain-list-decode"
  /// Most bytes that decoding the list in the file took beyond what its rows hold.
  case peakMemory = "peak-memory"

  /// What a child prints.
  struct Result {
    var cost: Double
    /// Proof of the work; see ``Stopwatch/check(_:)``.
    var checksum: Int

    var text: String { "\(cost) \(checksum)\n" }

    init(cost: Double, checksum: Int) {
      self.cost = cost
      self.checksum = checksum
    }

    init?(text: String) {
      let parts = text.split { $0.isWhitespace }
      guard parts.count == 2, let cost = Double(parts[0]), let checksum = Int(parts[1])
      else { return nil }
      self.init(cost: cost, checksum: checksum)
    }
  }

  /// In the child.
  func run(_ path: String) throws -> Result {
    let data = try Data(contentsOf: URL(filePath: path))
    switch self {
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

  private static func timed(_ body: () throws -> Int) rethrows -> Result {
    var watch = Stopwatch(clock: .processor)
    let checksum = try watch.time(body)
    return Result(cost: watch.cost, checksum: checksum)
  }

  private static func peakMemory(of data: Data) throws -> Result {
    let store = try Store()
    guard let residentBefore = residentBytes(), let heapBefore = heapBytesInUse() else {
      throw ChildFailure(text: "this system does not tell how much memory is used")
    }
    let count = try StoreCoder(store: store).decodeArray(StoredUser.self, from: data).count
    guard let peak = peakResidentBytes(), let heapAfter = heapBytesInUse() else {
      throw ChildFailure(text: "this system does not tell how much memory is used")
    }
    // The store lives until here: its rows are what was asked for.
    withExtendedLifetime((store, data)) {}
    let beyond = (peak - residentBefore) - (heapAfter - heapBefore)
    return Result(cost: Double(max(beyond, 0)), checksum: count)
  }

  // MARK: - In the parent

  /// A side each of whose samples is a process of its own that reads `file`.
  func side(operationCount: Int = 1, reading file: ScratchPayload) -> Side {
    Side(operationCount: operationCount) { watch in
      let result = try start(file.path)
      watch.charge(result.cost)
      watch.check(result.checksum)
    }
  }

  private func start(_ path: String) throws -> Result {
    let process = Process()
    guard let program = Bundle.main.executableURL else {
      throw ChildFailure(text: "this program does not know its own path")
    }
    process.executableURL = program
    process.arguments = ["--child", rawValue, path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let result = Result(text: String(decoding: printed, as: UTF8.self))
    else {
      throw ChildFailure(text: "\(rawValue) ended with status \(process.terminationStatus)")
    }
    return result
  }
}

/// A payload in the temporary folder, for child processes; it goes when the last reference does.
final class ScratchPayload {
  private let file: URL
  let byteCount: Int

  var path: String { file.path(percentEncoded: false) }

  init(_ data: Data) throws {
    file = FileManager.default.temporaryDirectory
      .appending(path: "storebench-" + UUID().uuidString + ".json")
    byteCount = data.count
    try data.write(to: file)
  }

  deinit {
    try? FileManager.default.removeItem(at: file)
  }
}

private struct ChildFailure: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
