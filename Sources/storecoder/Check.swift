import Foundation
import JSONText

/// `storecoder check FILE`: whether a file is JSON, and if not, where it stops being it.
struct Check {
  private let path: String
  private let isStrict: Bool

  init(arguments: [String]) throws {
    let files = arguments.filter { !$0.hasPrefix("--") }
    let options = arguments.filter { $0.hasPrefix("--") }
    if let unknown = options.first(where: { $0 != "--strict" }) {
      throw UsageError(text: "check has no option '\(unknown)'")
    }
    guard files.count == 1 else { throw UsageError(text: "check takes one file") }
    path = files[0]
    isStrict = options.contains("--strict")
  }

  func run() throws {
    let data = try Data(contentsOf: URL(filePath: path))
    let input: JSONInput
    do {
      input = try data.withUnsafeBytes { try JSONInput(copying: $0) }
    } catch let error as JSONError {
      throw CheckError(text: "\(path): \(error.message) at byte \(error.byteOffset)")
    }
    var reader = JSONReader(input, dialect: isStrict ? .strict : .default)
    do {
      let what = try Self.describe(&reader)
      try reader.finish()
      StoreCoderCommand.write(
        "\(path): JSON, \(what), \(data.count) bytes\n", to: .standardOutput)
    } catch let error as JSONError {
      let place = input.lineAndColumn(at: error.byteOffset)
      throw CheckError(
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

/// What is wrong with the file.
struct CheckError: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
