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
    try Terminal.write(buffer, to: handle)
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
      // Space at the ends is data, but some programs drop it from a field without quotes. Semicolons and tabs could be taken
      // for delimiters, and U+FEFF for the byte order mark of the file.
      let isPlain = text.utf8.allSatisfy { !",;\t\"\n\r".utf8.contains($0) }
      if isPlain, text.utf8.first != 0x20, text.utf8.last != 0x20,
        text.unicodeScalars.first != "\u{FEFF}"
      {
        return text
      }
      return "\"\(escaped(text) { $0 == "\"" ? "\"" : nil })\""
    }
    // A line without characters would not be a row.
    return (fields == [""] ? "\"\"" : fields.joined(separator: ",")) + "\n"
  }

  private static func markdownLine(_ cells: [String]) -> String {
    let texts = cells.map { text in
      let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
      return escaped(Terminal.printable(line)) {
        "\\`*_[]<&~|".unicodeScalars.contains($0) ? "\\" : nil
      }
    }
    return "| \(texts.joined(separator: " | ")) |\n"
  }

  /// Returns a string with a prefix before some scalars. A character may consist of such a scalar and combining marks.
  private static func escaped(
    _ text: String, _ prefix: (Unicode.Scalar) -> Unicode.Scalar?
  ) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let prefix = prefix(scalar) { result.append(prefix) }
      result.append(scalar)
    }
    return String(result)
  }
}
