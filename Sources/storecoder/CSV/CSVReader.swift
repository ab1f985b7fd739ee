import Foundation

/// Reads the records of a CSV file (RFC 4180) one after the other. Memory holds one piece of the file and one record.
///
/// Lines end with LF, CR LF or CR. Blank lines are skipped. The delimiter is a comma, a semicolon or a tab, whichever
/// the first line has most of.
struct CSVReader {
  struct Field: Equatable {
    var text = ""
    /// True if the field is in quotes. An empty field without quotes is null.
    var isQuoted = false
    var isNull: Bool { text.isEmpty && !isQuoted }
  }

  struct Failure: Error {
    /// The number of the line, from 1.
    let line: Int
    let problem: String
  }

  /// The number of the line on which the last record begins, from 1.
  private(set) var recordLine = 1
  private var line = 1
  private let handle: FileHandle
  private var bytes: [UInt8] = []
  private var next = 0
  private var isAtEnd = false
  private var delimiter = UInt8(ascii: ",")
  private var field: [UInt8] = []

  /// The number of bytes read.
  private(set) var byteCount = 0

  /// - Parameter delimiter: The delimiter; nil to choose the one that the first line has most of.
  /// - Throws: `Failure`, and the error of reading the file.
  init(_ handle: FileHandle, delimiter: UInt8? = nil) throws {
    self.handle = handle
    try fill()
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { next = 3 }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw Failure(line: 1, problem: "the file is in UTF-16; convert it to UTF-8")
    }
    self.delimiter = delimiter ?? mostFrequentDelimiter
  }

  private mutating func fill() throws {
    bytes = Array(try handle.read(upToCount: 1 << 20) ?? Data())
    next = 0
    byteCount += bytes.count
    isAtEnd = bytes.isEmpty
  }

  /// The delimiter that the first line has most of, outside quotes.
  private var mostFrequentDelimiter: UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    var counts = [0, 0, 0]
    var isQuoted = false
    // A quote within a field is an ordinary character.
    var isFieldStart = true
    for byte in bytes[next...] {
      if byte == UInt8(ascii: "\""), isQuoted || isFieldStart {
        isQuoted.toggle()
        // A second quote stands for a quote in the field.
        isFieldStart = !isQuoted
        continue
      }
      if isQuoted { continue }
      if byte == 0x0A || byte == 0x0D { break }
      isFieldStart = candidates.contains(byte)
      if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return candidates[counts.firstIndex(of: most) ?? 0]
  }

  /// Returns the next byte without consuming it; nil at the end of the file.
  private mutating func peek() throws -> UInt8? {
    if next == bytes.count {
      if isAtEnd { return nil }
      try fill()
      if isAtEnd { return nil }
    }
    return bytes[next]
  }

  /// Reads the next record; nil at the end of the file.
  /// - Throws: `Failure` for a quote without an end and for invalid UTF-8, and the error of reading the file.
  mutating func record() throws -> [Field]? {
    try skipBlankLines()
    guard try peek() != nil else { return nil }
    recordLine = line
    var fields: [Field] = []
    while true {
      fields.append(try readField())
      switch try peek() {
      case delimiter?: next += 1
      case nil:
        return fields
      default:
        try endLine()
        return fields
      }
    }
  }

  private mutating func skipBlankLines() throws {
    while let byte = try peek(), byte == 0x0A || byte == 0x0D { try endLine() }
  }

  /// Consumes LF, CR LF or CR.
  private mutating func endLine() throws {
    if try peek() == 0x0D { next += 1 }
    if try peek() == 0x0A { next += 1 }
    line += 1
  }

  /// Reads a field up to the delimiter, or the end of the line or file.
  private mutating func readField() throws -> Field {
    field.removeAll(keepingCapacity: true)
    let isQuoted = try peek() == UInt8(ascii: "\"")
    if isQuoted { try readQuoted() }
    while let byte = try peek(), byte != delimiter, byte != 0x0A, byte != 0x0D {
      if isQuoted {
        throw Failure(
          line: line,
          problem:
            "expected '\(Character(UnicodeScalar(delimiter)))' or the end of the line after a quote"
        )
      }
      field.append(byte)
      next += 1
    }
    guard let text = String(validating: field, as: UTF8.self) else {
      throw Failure(line: line, problem: "invalid UTF-8; convert the file to UTF-8")
    }
    return Field(text: text, isQuoted: isQuoted)
  }

  /// Reads a field in quotes; a quote in it is doubled.
  private mutating func readQuoted() throws {
    let start = line
    next += 1
    while let byte = try peek() {
      next += 1
      if byte == UInt8(ascii: "\"") {
        guard try peek() == UInt8(ascii: "\"") else { return }
        next += 1
      }
      if byte == 0x0A { line += 1 }
      field.append(byte)
    }
    throw Failure(line: start, problem: "a quote has no end")
  }
}
