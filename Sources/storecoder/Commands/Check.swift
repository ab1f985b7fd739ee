import Foundation
import JSONText

/// `storecoder check FILE`: checks that a file is valid JSON, or shows the position of the error.
struct Check {
  private let file: InputFile
  private let isLines: Bool
  private let dialect: JSONDialect

  static let command = Command(
    name: "check", summary: "Check that a file is valid JSON, or show where it is not.",
    arguments: [Command.Argument(name: "FILE", help: "any file; - for the standard input")],
    options: [
      Command.Option(
        name: "lenient",
        help: "allow what the other commands do: a comma before the end of an array or object"),
      Command.Option(
        name: "ndjson", help: "one value per line, as in files that end in .ndjson or .jsonl"),
    ],
    details: "The file must follow RFC 8259.",
    example: "storecoder check users.json"
  ) { try Check($0).run() }

  private init(_ arguments: Arguments) throws {
    file = try InputFile(arguments[0] ?? "", isReadAgain: false)
    isLines = arguments.has("ndjson") || JSONSource.isNamedAsLines(file)
    dialect = arguments.has("lenient") ? .default : .strict
  }

  private func run() throws {
    if isLines { return try checkLines() }
    let data = try file.data()
    let input: JSONInput
    do {
      input = try data.withUnsafeBytes { try JSONInput(copying: $0) }
    } catch let error as JSONError {
      throw CommandError(text: "\(file.name): \(error.message) at byte \(error.byteOffset)")
    }
    var reader = JSONReader(input, dialect: dialect)
    do {
      let what = try Self.describe(&reader)
      try reader.finish()
      Terminal.print("\(file.name): JSON, \(what), \(Terminal.count(data.count, "byte"))")
    } catch let error as JSONError {
      let position = input.lineAndColumn(at: error.byteOffset)
      throw CommandError(
        text: "\(file.name): line \(position.line), column \(position.column): \(error.message)")
    }
  }

  private func checkLines() throws {
    let source = JSONSource(linesOf: file)
    let progress = Progress()
    var (count, invalidCount) = (0, 0)
    var mistakes: [String] = []
    let byteCount = try source.forEachLines { batch in
      var reader = JSONReader(batch.input, dialect: dialect)
      for element in batch.elements {
        do throws(JSONError) {
          try source.read(element, of: batch, &reader) { reader throws(JSONError) in
            try reader.skipValue()
          }
        } catch {
          invalidCount += 1
          if invalidCount <= 20 { mistakes.append(source.message(of: error, in: batch)) }
        }
      }
      count += batch.elements.count
      progress.show(batch.progress, "checking")
      return true
    }
    progress.clear()
    let values = Terminal.count(count, "value")
    guard invalidCount > 0 else {
      let bytes = Terminal.count(byteCount, "byte")
      return Terminal.print("\(file.name): NDJSON, \(values), \(bytes)")
    }
    if invalidCount > mistakes.count {
      mistakes.append("… and \(invalidCount - mistakes.count) more")
    }
    throw CommandError(
      text:
        "\(file.name): \(invalidCount) of \(values) \(invalidCount == 1 ? "is" : "are") not valid JSON\n"
        + mistakes.joined(separator: "\n"))
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
      return "an object of \(Terminal.count(count, "key"))"
    default:
      try reader.skipValue()
      return "a single value"
    }
  }
}
