import Foundation
import ObjectStore

/// Converts a CSV file to one JSON object per line, which all commands read.
///
/// The file is read twice: to find the type of each column, and to write the objects. The first record has the names of the
/// columns. Line n of the result is the n-th record, so the first line is empty.
struct CSVFile {
  private let file: InputFile
  private let progress = Progress()

  /// The file name extensions of CSV files.
  static let extensions = ["csv", "tsv"]

  /// - Parameter strings: Returns those of the columns whose values are strings, whatever they look like.
  /// - Returns: A temporary file without a name.
  /// - Throws: `CommandError`.
  static func converted(
    _ file: InputFile, strings: ([String]) throws -> Set<String>
  ) throws -> InputFile {
    let csv = CSVFile(file: file)
    defer { csv.progress.clear() }
    let columns = try csv.columns(strings)
    return file.replaced(by: try csv.write(columns))
  }

  private func columns(_ strings: ([String]) throws -> Set<String>) throws -> [CSVColumn] {
    var columns: [CSVColumn] = []
    try forEachRecord { fields, isFirst in
      if isFirst {
        let strings = try strings(fields.map(\.text))
        columns = fields.map { CSVColumn($0.text, isString: strings.contains($0.text)) }
      } else {
        for index in columns.indices { columns[index].note(fields[index]) }
      }
    }
    var names: Set<String> = []
    for (index, column) in columns.enumerated() {
      if column.name.isEmpty, !column.isEmpty {
        throw CommandError(text: "\(file.name): column \(index + 1) has values but no name")
      }
      if !column.name.isEmpty, !names.insert(column.name).inserted {
        throw CommandError(text: "\(file.name): two columns have the name '\(column.name)'")
      }
    }
    return columns
  }

  private func write(_ columns: [CSVColumn]) throws -> FileHandle {
    let output = try InputFile.temporary(for: file.name)
    var buffer = Data()
    let heads = columns.map { column in
      column.name.isEmpty ? nil : "\(JSONValue.string(column.name).jsonText):"
    }
    try forEachRecord { fields, isFirst in
      if !isFirst {
        let members = zip(heads, zip(columns, fields)).compactMap { head, value in
          head.map { $0 + value.0.json(value.1) }
        }
        buffer.append(contentsOf: "{\(members.joined(separator: ","))}".utf8)
      }
      buffer.append(0x0A)
      if buffer.count > 1 << 20 {
        try InputFile.write(buffer, to: output, file.name)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try InputFile.write(buffer, to: output, file.name)
    return output
  }

  /// Calls `body` with each record, which has as many fields as the first one.
  private func forEachRecord(_ body: ([CSVReader.Field], Bool) throws -> Void) throws {
    do {
      try file.reading { handle in
        let size = InputFile.size(of: handle)
        let delimiter = file.pathExtension == "tsv" ? UInt8(ascii: "\t") : nil
        var reader = try CSVReader(handle, delimiter: delimiter)
        var (count, recordCount) = (0, 0)
        while let fields = try reader.record() {
          recordCount += 1
          if recordCount == 1 { count = fields.count }
          guard fields.count == count else {
            throw CSVReader.Failure(
              line: reader.recordLine,
              problem:
                "expected \(Terminal.count(count, "field")), as in the first line, found \(fields.count)"
            )
          }
          try body(fields, recordCount == 1)
          if recordCount.isMultiple(of: 1_000) {
            progress.show(Double(reader.byteCount) / Double(max(1, size ?? .max)), "reading")
            try Interruption.shared.check()
          }
        }
        if recordCount == 0 {
          throw CommandError(text: "\(file.name): it is empty; expected a line of column names")
        }
      }
    } catch is Interruption.Stopped {
      throw CommandError.interrupted(file.name)
    } catch let failure as CSVReader.Failure {
      throw CommandError(text: "\(file.name): line \(failure.line): \(failure.problem)")
    }
  }
}
