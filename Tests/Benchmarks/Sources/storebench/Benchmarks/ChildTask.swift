import Foundation

/// Work that must be measured in a new process: `storebench --child TASK …`.
enum ChildTask: String {
  /// CPU time of the first decoding of the named file.
  case firstDecode = "first-decode"
  case firstPlainDecode = "first-plain-decode"
  /// CPU time of the first decoding of a list.
  case firstListDecode = "first-list-decode"
  case firstPlainListDecode = "first-plain-list-decode"
  /// Peak memory in bytes while the list in the file is decoded, without the memory of its rows.
  case peakMemory = "peak-memory"
  /// Peak memory in bytes while the list in the file is read in batches, without the memory of its rows.
  case streamMemory = "stream-memory"
  /// Commits changes of the books in the named file, one for each line of the standard input.
  case writeBooks = "write-books"

  /// The output of a child process.
  struct Outcome {
    var cost: Double
    /// A checksum that proves the work; see ``Stopwatch/check(_:)``.
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

  /// Returns a side that starts a new process for each sample. The process reads `file`.
  func side(operationCount: Int = 1, reading file: ScratchPayload) -> Side {
    Side(operationCount: operationCount) { watch in
      let result = try start(file.path)
      watch.charge(result.cost)
      watch.check(result.checksum)
    }
  }

  /// Runs the task on a file in a new process.
  func start(_ path: String) throws -> Outcome {
    let process = Process()
    guard let program = Bundle.main.executableURL else {
      throw ChildFailure(text: "the path of this executable is unknown")
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

/// A payload for child processes in the temporary folder, deleted with the last reference.
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
