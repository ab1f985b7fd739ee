import Foundation

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
  struct Outcome {
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

  // MARK: - In the parent

  /// A side each of whose samples is a process of its own that reads `file`.
  func side(operationCount: Int = 1, reading file: ScratchPayload) -> Side {
    Side(operationCount: operationCount) { watch in
      let result = try start(file.path)
      watch.charge(result.cost)
      watch.check(result.checksum)
    }
  }

  private func start(_ path: String) throws -> Outcome {
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
      let result = Outcome(text: String(decoding: printed, as: UTF8.self))
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

struct ChildFailure: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
