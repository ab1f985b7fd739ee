import Foundation
import JSONText

/// `storecoder check FILE`: whether a file is JSON, and if not, where it stops being it.
struct Check {
  private let path: String
  private let isStrict: Bool

  static let command = Command(
    name: "check", summary: "Tell whether a file is JSON, and if not, where it stops being it.",
    arguments: [Command.Argument(name: "FILE", help: "any file")],
    options: [Command.Option(name: "strict", help: "RFC 8259 alone: no trailing comma")],
    example: "storecoder check users.json --strict"
  ) { try Check($0).run() }

  private init(_ arguments: Arguments) throws {
    path = arguments[0] ?? ""
    isStrict = arguments.has("strict")
  }

  private func run() throws {
    let data = try Data(contentsOf: URL(filePath: path))
    let input: JSONInput
    do {
      input = try data.withUnsafeBytes { try JSONInput(copying: $0) }
    } catch let error as JSONError {
      throw CommandError(text: "\(path): \(error.message) at byte \(error.byteOffset)")
    }
    var reader = JSONReader(input, dialect: isStrict ? .strict : .default)
    do {
      let what = try Self.describe(&reader)
      try reader.finish()
      Terminal.print("\(path): JSON, \(what), \(data.count) bytes")
    } catch let error as JSONError {
      let place = input.lineAndColumn(at: error.byteOffset)
      throw CommandError(
        text: "\(path): line \(place.line), column \(place.column): \(error.message)")
    }
  }

  private static func describe(_ reader: inout JSONReader) throws -> String {
    switch reader.kind() {
    case .array:
      var count = 0
      if try reader.beginArray() {
        repeat {
          try reader.skipValue()
          count += 1
        } while try reader.arrayContinues()
      }
      return "an array of \(count)"
    case .object:
      var count = 0
      if try reader.beginObject() {
        repeat {
          _ = try reader.key()
          try reader.skipValue()
          count += 1
        } while try reader.objectContinues()
      }
      return "an object of \(count) \(count == 1 ? "key" : "keys")"
    default:
      try reader.skipValue()
      return "a single value"
    }
  }
}
