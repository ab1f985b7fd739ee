import Foundation
import ObjectStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's `read`, which a method hides.
private func systemRead(_ file: Int32, _ buffer: inout [UInt8], _ count: Int) -> Int {
  read(file, &buffer, count)
}

/// A process that reads the file while the simulation writes it.
///
/// It answers each line of its input with the objects that it shows after a refresh. Both processes therefore run in turn,
/// and a program has the same effects in every run.
@MainActor
final class ReaderProcess {
  static let argument = "--reader"

  /// The program that is running.
  static var executable: URL {
    URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ url: URL, schemaVersion: UInt64) throws {
    process.executableURL = Self.executable
    process.arguments = [Self.argument, url.path, "\(schemaVersion)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Returns the objects that the process shows after a refresh, as text.
  func read() throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while text.suffix(2) != [10, 10] {
      // The method of FileHandle waits for as many bytes.
      let count = systemRead(output.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
      guard count > 0 else {
        throw Difference("the reading process ended: \(String(decoding: text, as: UTF8.self))")
      }
      text += buffer.prefix(count)
    }
    return String(decoding: text.dropLast(2), as: UTF8.self)
  }

  func end() {
    // Another child process may have inherited the pipe, so closing it might not end the input.
    try? input.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
    process.waitUntilExit()
  }

  /// The main function of the process.
  static func run(_ path: String, schemaVersion: UInt64) {
    var store: Store?
    while let line = readLine(), line.isEmpty {
      do {
        if let store {
          store.refresh()
        } else {
          store = try Store(
            configuration: .file(
              URL(filePath: path), readOnly: true,
              classes: [Shop.self, Order.self, Customer.self, Line.self],
              schemaVersion: schemaVersion), isolation: nil)
        }
        guard let store else { return }
        let damage = store.damage.map { "damage: \($0)" }
        answer((damage + World.text(of: store)).joined(separator: "\n"))
      } catch {
        answer("error: \(error)")
      }
    }
  }

  private static func answer(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n\n".utf8))
  }
}

extension World {
  /// All objects as text, one per line.
  var text: [String] {
    Kind.allCases.flatMap { kind in
      ids(kind).map { id in
        Self.line(kind, id, self[kind, id]?.values ?? [])
      }
    }
  }

  /// All objects of a store as text.
  static func text(of store: Store) -> [String] {
    Kind.allCases.flatMap { kind in
      (0..<idCount).compactMap { id in
        kind.object(id, in: store).map { object in
          line(kind, id, Attribute.of(kind).map { $0.read(object) })
        }
      }
    }
  }

  private static func line(_ kind: Kind, _ id: Int, _ values: [Value]) -> String {
    "\(kind) \(id): \(values.map(literal).joined(separator: " "))"
  }
}
