import Foundation
import ObjectStore
import TestSupport
import Testing

/// A damaged file of any format is never read as if it were intact. R19
///
/// `STORE_FLIPS` is the number of flipped bits, each in a copy of its own, and of lengths to which a file is truncated; all
/// lengths, if a file has fewer.
@Suite struct `Damaged files of each format` {
  private static let count =
    ProcessInfo.processInfo.environment["STORE_FLIPS"].flatMap(Int.init) ?? 100

  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("copy.store")
  }

  private static func bytes(_ format: Int) throws -> Data {
    try Data(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Fixtures/stores/format-\(format).store").standardizedFileURL)
  }

  /// Writes the file, opens it, and returns all of its objects as text.
  private func contents(of bytes: Data) throws -> String {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      try FileManager.default.removeItem(at: folder.file(name))
    }
    try bytes.write(to: url)
    let configuration = StoreConfiguration.file(url)
    let store = try Store(
      configuration: configuration, schemas: Store.schemas(of: configuration))
    var lines: [String] = []
    for schema in store.schemas where !schema.isEmbedded {
      for object in try store.objects(dynamic: schema.className) {
        let values = schema.properties.map { "\(object[$0.name] ?? "nil")" }
        lines.append("\(schema.className): \(values.joined(separator: " | "))")
      }
    }
    if let damage = store.damage.first { throw damage }
    return lines.joined(separator: "\n")
  }

  @Test(arguments: [1, 2])
  func `a file with a flipped bit is reported or reads as it was written`(_ format: Int) throws {
    let bytes = try Self.bytes(format)
    let goal = try contents(of: bytes)
    #expect(goal.contains("1234567890123.45") && goal.contains("three street"))
    var random = SeededRandom(seed: UInt64(format))
    var reported = 0
    for _ in 0..<Self.count {
      var damaged = bytes
      let (offset, bit) = (random.below(bytes.count), random.below(8))
      damaged[offset] ^= 1 << UInt8(bit)
      switch Result(catching: { try contents(of: damaged) }) {
      case .success(let found): #expect(found == goal, "bit \(bit) of byte \(offset)")
      case .failure(let error):
        #expect(error is StoreError, "bit \(bit) of byte \(offset): \(error)")
        reported += 1
      }
    }
    #expect(reported > Self.count / 50)
  }

  @Test(arguments: [1, 2])
  func `a truncated file is reported or reads as it was written`(_ format: Int) throws {
    let bytes = try Self.bytes(format)
    let goal = try contents(of: bytes)
    for length in stride(from: 1, to: bytes.count, by: 1 + bytes.count / Self.count) {
      switch Result(catching: { try contents(of: bytes.prefix(length)) }) {
      case .success(let found): #expect(found == goal, "\(length) bytes")
      case .failure(let error): #expect(error is StoreError, "\(length) bytes: \(error)")
      }
    }
  }
}
