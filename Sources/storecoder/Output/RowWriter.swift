import Foundation
import ObjectStore

/// Writes rows in a format. All except tables are written in pieces, so that memory holds only one.
struct RowWriter {
  private let format: OutputFormat
  private let names: [String]
  private let handle: FileHandle
  private var table: TextTable
  private var buffer = Data()
  private(set) var rowCount = 0

  /// - Parameter alignedRight: The indexes of the columns of numbers.
  init(
    _ format: OutputFormat, _ names: [String], alignedRight: Set<Int> = [],
    to handle: FileHandle = .standardOutput
  ) {
    self.format = format
    self.names = names
    self.handle = handle
    table = TextTable(names)
    table.alignedRight = alignedRight
    switch format {
    case .json: append("[")
    case .csv: append(Self.csvLine(names.map { .string($0) }))
    case .markdown:
      append(Self.markdownLine(names))
      append(
        "|" + names.indices.map { alignedRight.contains($0) ? "--:|" : "---|" }.joined() + "\n")
    case .table, .ndjson: break
    }
  }

  /// - Throws: The error of writing to the file.
  mutating func write(_ row: [Cell]) throws {
    switch format {
    case .table: table.rows.append(row.map(\.tableText))
    case .json: append((rowCount == 0 ? "\n" : ",\n") + jsonText(row))
    case .ndjson: append(jsonText(row) + "\n")
    case .csv: append(Self.csvLine(row))
    case .markdown: append(Self.markdownLine(row.map(\.plainText)))
    }
    rowCount += 1
    if buffer.count > 1 << 20 { try flush() }
  }

  /// Ends the output.
  /// - Parameter summary: The line after a table.
  mutating func finish(_ summary: String) throws {
    if format == .table {
      append(table.text(width: Terminal.width, isStyled: Terminal.hasColors) + "\n")
      append(Terminal.printable(summary) + "\n")
    }
    if format == .json { append(rowCount == 0 ? "]\n" : "\n]\n") }
    try flush()
  }

  private mutating func append(_ text: String) { buffer.append(contentsOf: text.utf8) }

  private mutating func flush() throws {
    try handle.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  // MARK: - Lines

  private func jsonText(_ row: [Cell]) -> String {
    let members = zip(names, row).map { "\(JSONValue.string($0).jsonText):\($1.jsonText)" }
    return "{\(members.joined(separator: ","))}"
  }

  /// Null is empty, and an empty string is `""`, so that both can be read again.
  private static func csvLine(_ row: [Cell]) -> String {
    let fields = row.map { cell in
      if cell == .string("") { return "\"\"" }
      let text = cell.plainText
      let isPlain = text.utf8.allSatisfy { byte in
        byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != 0x0A && byte != 0x0D
      }
      // Space at the ends is data, but some programs drop it from a field without quotes.
      if isPlain, text.first != " ", text.last != " " { return text }
      return "\"\(text.replacing("\"", with: "\"\""))\""
    }
    // A line without characters would not be a row.
    return (fields == [""] ? "\"\"" : fields.joined(separator: ",")) + "\n"
  }

  private static func markdownLine(_ cells: [String]) -> String {
    let texts = cells.map { text in
      Terminal.printable(text.split(whereSeparator: \.isNewline).joined(separator: " "))
        .replacing("\\", with: "\\\\").replacing("|", with: "\\|")
        .replacing("<", with: "\\<")
    }
    return "| \(texts.joined(separator: " | ")) |\n"
  }
}
