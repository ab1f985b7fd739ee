import Foundation
import ObjectStore
import StoreCoding

extension Benchmark {
  /// P18 and P29: lists in files that are read in pieces.
  static var streams: [Benchmark] {
    [
      Benchmark(
        id: "P18.lines", what: "1 GB of users as JSON Lines: memory above the rows", unit: .bytes,
        targets: [.atMost(64 * 1_048_576)],
        ours: { workload in
          try memory(StreamFile(lines: bulkUsers(workload), byteCount: workload.sizes.streamBytes))
        },
        onlyWhenNamed: true),
      Benchmark(
        id: "P18.array", what: "1 GB of users in an envelope: memory above the rows", unit: .bytes,
        targets: [.atMost(64 * 1_048_576)],
        ours: { workload in
          try memory(
            StreamFile(enveloped: bulkUsers(workload), byteCount: workload.sizes.streamBytes))
        },
        onlyWhenNamed: true),
      Benchmark(
        id: "P29.batches", what: "users: array in an envelope, in batches",
        targets: [.timesTheCost(1.2)],
        ours: { try batches($0, StreamFile(enveloped: $0.userList()), at: "data.users") },
        baselineName: "the same bytes at once",
        baseline: { try atOnce($0, StreamFile(enveloped: $0.userList()), at: "data.users") }),
      Benchmark(
        id: "P29.counts", what: "users: the same, counts only", targets: [.timesTheCost(1.2)],
        ours: { try counts($0, StreamFile(enveloped: $0.userList()), at: "data.users") },
        baselineName: "the same bytes at once",
        baseline: { try atOnce($0, StreamFile(enveloped: $0.userList()), at: "data.users") },
        sidesMayDiffer: true),
      Benchmark(
        id: "P29.lines", what: "users: JSON Lines, in batches", targets: [.timesTheCost(1.2)],
        ours: { try batches($0, StreamFile(lines: $0.userList()), at: "") },
        baselineName: "the array at once",
        baseline: { try atOnce($0, StreamFile($0.userList()), at: "") }),
    ]
  }

  private static func bulkUsers(_ workload: Workload) -> Data {
    Workload(sizes: .uniform(workload.sizes.bulkUsers)).userList()
  }

  private static func memory(_ file: StreamFile) -> Side {
    Side(operationCount: 1) { watch in
      let outcome = try ChildTask.streamMemory.start(file.url.path(percentEncoded: false))
      watch.charge(outcome.cost)
      watch.check(outcome.checksum)
    }
  }

  private static func batches(_ workload: Workload, _ file: StreamFile, at path: String) -> Side {
    Side(operationCount: workload.sizes.users) { watch in
      let url = file.url
      watch.check(
        try watch.time {
          try waiting {
            let coder = StoreCoder(store: try Store())
            var sum = 0
            for try await batch in coder.batches(of: StoredUser.self, contentsOf: url, at: path) {
              sum &+= sumOfIDs(batch.objects)
            }
            return sum
          }
        })
    }
  }

  private static func counts(_ workload: Workload, _ file: StreamFile, at path: String) -> Side {
    Side(operationCount: workload.sizes.users) { watch in
      let url = file.url
      let inserted = try watch.time {
        try waiting {
          let coder = StoreCoder(store: try Store())
          return try await coder.readAll([StoredUser].self, contentsOf: url, at: path).inserted
        }
      }
      watch.check(inserted, expected: workload.sizes.users)
    }
  }

  private static func atOnce(_ workload: Workload, _ file: StreamFile, at path: String) -> Side {
    Side(operationCount: workload.sizes.users) { watch in
      watch.check(
        try watch.time {
          let coder = StoreCoder(store: try Store())
          let data = try Data(contentsOf: file.url)
          return sumOfIDs(try coder.decodeArray(StoredUser.self, from: data, at: path))
        })
    }
  }
}

extension ChildTask {
  /// Measures the peak memory, without the rows, while the list in a file is read.
  static func streamMemory(of file: URL) throws -> Outcome {
    try waiting {
      let store = try Store()
      guard let residentBefore = residentBytes(), let heapBefore = heapBytesInUse() else {
        throw ChildFailure(text: "this system does not report memory usage")
      }
      let summary = try await StoreCoder(store: store).readAll(
        [StoredUser].self, contentsOf: file, at: file.pathExtension == "json" ? "data.users" : "")
      guard let peak = peakResidentBytes(), let heapAfter = heapBytesInUse() else {
        throw ChildFailure(text: "this system does not report memory usage")
      }
      withExtendedLifetime(store) {}
      let beyond = (peak - residentBefore) - (heapAfter - heapBefore)
      return Outcome(cost: Double(max(beyond, 0)), checksum: summary.elementCount)
    }
  }
}

/// A list in a temporary file, deleted with the last reference.
private final class StreamFile {
  private let folder: ScratchFolder
  let url: URL

  /// Creates a file with the bytes.
  init(_ list: Data) throws {
    folder = try ScratchFolder()
    url = folder.url.appending(path: "list.json")
    try list.write(to: url)
  }

  /// Creates a file with the list in an envelope.
  ///
  /// - Parameter byteCount: The size that the file reaches by repeating the users.
  convenience init(enveloped list: Data, byteCount: Int = 0) throws {
    try self.init(Data(#"{"total":1,"data":{"users":"#.utf8) + list.dropLast())
    try append(Data(",".utf8) + list.dropFirst().dropLast(), upTo: byteCount - list.count)
    try append(Data(#"]},"next":null}"#.utf8))
  }

  /// Creates a file with one line per user.
  ///
  /// - Parameter byteCount: The size that the file reaches by repeating the users.
  init(lines list: Data, byteCount: Int = 0) throws {
    let separator = Data(#"},{"id":"#.utf8)
    var lines = Data()
    var rest = list.dropFirst().dropLast()
    while let end = rest.firstRange(of: separator) {
      lines += rest[...end.lowerBound]
      lines.append(0x0A)
      rest = rest[(end.lowerBound + 2)...]
    }
    lines += rest
    lines.append(0x0A)
    folder = try ScratchFolder()
    url = folder.url.appending(path: "list.ndjson")
    try lines.write(to: url)
    try append(lines, upTo: byteCount - lines.count)
  }

  /// Appends the bytes as often as necessary to reach a size; once without one.
  private func append(_ bytes: Data, upTo byteCount: Int? = nil) throws {
    let file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
    for _ in stride(from: 0, to: byteCount ?? bytes.count, by: bytes.count) {
      try file.write(contentsOf: bytes)
    }
    try file.close()
  }
}
