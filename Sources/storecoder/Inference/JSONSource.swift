import Foundation
import JSONText

/// A file of JSON objects: a document, or one object per line (NDJSON).
struct JSONSource {
  private let file: InputFile
  let isLines: Bool
  /// The path of the objects in the document: `data.users`; empty for the document itself.
  private let envelope: [String]

  /// Some of the objects, as ranges of bytes in a buffer.
  struct Batch {
    var input: JSONInput
    /// The offset of `input` in the file, in bytes.
    var fileOffset: Int
    var elements: [Range<Int>]
    /// The number of the first line of `input`.
    var line: Int
    /// The fraction of the file that has been read, 0 to 1.
    var progress: Double
    /// True to record keys, and values that may refer to them.
    var notesKeys = false
    /// True to record objects that have no member except their key.
    var notesParts = false
    /// True to record the notation of values.
    var notesValues = false
    /// The index of the file, if several are read.
    var fileIndex = 0
  }

  /// - Parameter path: The path of a file, or `-` for the standard input.
  /// - Throws: `CommandError` for a file that cannot be read.
  init(_ path: String, envelope: String?) throws {
    file = try InputFile(path)
    self.envelope = envelope.map { $0.split(separator: ".").map(String.init) } ?? []
    isLines = try self.envelope.isEmpty && Self.looksLikeLines(file)
  }

  /// Creates a source for a file with one value per line.
  init(linesOf file: InputFile) {
    self.file = file
    envelope = []
    isLines = true
  }

  /// The name in messages.
  var name: String { file.name }

  /// The default name for the class of its objects.
  var className: String { ClassNames.name(envelope.last ?? file.title, isPlural: true) }

  /// True if the file name extension indicates NDJSON.
  static func isNamedAsLines(_ file: InputFile) -> Bool {
    ["ndjson", "jsonl"].contains(file.pathExtension)
  }

  private static func looksLikeLines(_ file: InputFile) throws -> Bool {
    if isNamedAsLines(file) { return true }
    var start = Data()
    try file.reading { handle in
      while start.count < 16 << 20, start.count(where: { $0 == UInt8(ascii: "\n") }) < 2 {
        guard let more = try? handle.read(upToCount: 1 << 16), !more.isEmpty else { break }
        start.append(more)
      }
    }
    let lines = start.split(separator: UInt8(ascii: "\n"))
    guard lines.count > 1, lines[1].first == UInt8(ascii: "{") else { return false }
    return lines[0].withUnsafeBytes { bytes in
      guard let input = try? JSONInput(copying: bytes) else { return false }
      var reader = JSONReader(input)
      return reader.kind() == .object && (try? reader.skipValue()) != nil
        && (try? reader.finish()) != nil
    }
  }

  // MARK: - Reading

  /// Calls `body` with batches of the objects until it returns false.
  /// - Throws: `CommandError` with the position of invalid JSON, and errors of `body`.
  func forEachBatch(_ size: Int = 2_000, _ body: (Batch) throws -> Bool) throws {
    if isLines {
      _ = try forEachLines(body)
    } else {
      try forEachPart(size, body)
    }
  }

  /// Reads the whole file and returns the shape of its objects.
  /// - Parameters:
  ///   - notesKeys: True to record keys, and values that may refer to them.
  ///   - notesParts: True to record objects that have no member except their key.
  ///   - notesValues: True to record the notation of values.
  ///   - fileIndex: The index of the file, if several are read.
  func shape(
    _ progress: Progress, notesKeys: Bool = false, notesParts: Bool = false,
    notesValues: Bool = false, fileIndex: Int = 0
  ) throws -> ObjectShape {
    let shape = try valueShape(
      progress, notesKeys: notesKeys, notesParts: notesParts, notesValues: notesValues,
      fileIndex: fileIndex)
    guard shape.kindCount <= 1, shape.nulls == 0, shape.count == 0 || shape.object != nil else {
      throw CommandError(text: "\(name): not all of its values are objects")
    }
    guard let object = shape.object else {
      throw CommandError(text: "\(name): it contains no objects")
    }
    if let (problem, byteOffset) = object.unusableMember {
      throw CommandError(text: "\(name): \(try position(atOffset: byteOffset)): \(problem)")
    }
    return object
  }

  /// Reads the whole file and returns the shape of its values, which need not be objects; for the parameters, see
  /// ``shape(_:notesKeys:notesParts:notesValues:fileIndex:)``.
  func valueShape(
    _ progress: Progress, notesKeys: Bool = false, notesParts: Bool = false,
    notesValues: Bool = false, fileIndex: Int = 0
  ) throws -> Shape {
    let shape = Shape()
    try forEachBatch { batch in
      var batch = batch
      batch.notesKeys = notesKeys
      batch.notesParts = notesParts
      batch.notesValues = notesValues
      batch.fileIndex = fileIndex
      var reader = JSONReader(batch.input)
      for element in batch.elements {
        try locatingErrors(batch) { () throws(JSONError) in
          try read(element, &reader) { reader throws(JSONError) in
            try shape.read(&reader, of: batch)
          }
        }
      }
      try Interruption.shared.check()
      progress.show(batch.progress, "reading")
      return true
    }
    progress.clear()
    return shape
  }

  /// Reads one value of a batch with `body`; reading past its end is an error.
  func read(
    _ element: Range<Int>, _ reader: inout JSONReader,
    _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    reader.rewind(to: element.lowerBound, depth: 0)
    do throws(JSONError) {
      try body(&reader)
    } catch {
      throw error.byteOffset > element.upperBound
        ? JSONError(.unexpectedEnd, at: element.upperBound) : error
    }
    reader.skipWhitespace()
    if isLines, reader.byteOffset < element.upperBound {
      throw JSONError(.trailingContent, at: reader.byteOffset)
    }
  }

  /// Calls `body` with batches of a document's objects.
  private func forEachPart(_ size: Int, _ body: (Batch) throws -> Bool) throws {
    let data = try file.data()
    let input: JSONInput
    do {
      input = try data.withUnsafeBytes { try JSONInput(copying: $0) }
    } catch {
      throw CommandError(
        text: "\(name): \((error as? JSONError)?.message ?? "it is not a valid text")")
    }
    var elements: [Range<Int>] = []
    let whole = Batch(input: input, fileOffset: 0, elements: [], line: 1, progress: 0)
    try locatingErrors(whole) { () throws(JSONError) in elements = try self.elements(of: input) }
    for start in stride(from: 0, to: elements.count, by: size) {
      let part = Array(elements[start..<min(start + size, elements.count)])
      let batch = Batch(
        input: input, fileOffset: 0, elements: part, line: 1,
        progress: Double(start + part.count) / Double(elements.count))
      guard try body(batch) else { return }
    }
  }

  /// Returns the ranges of a document's objects.
  private func elements(of input: JSONInput) throws(JSONError) -> [Range<Int>] {
    var reader = JSONReader(input)
    for name in envelope {
      guard reader.kind() == .object else { return [] }
      var isFound = false
      if try reader.beginObject() {
        repeat {
          if try reader.key().string == name {
            isFound = true
            break
          }
          try reader.skipValue()
        } while try reader.objectContinues()
      }
      guard isFound else { return [] }
    }
    var elements: [Range<Int>] = []
    func next(_ reader: inout JSONReader) throws(JSONError) {
      reader.skipWhitespace()
      let start = reader.byteOffset
      try reader.skipValue()
      elements.append(start..<reader.byteOffset)
    }
    guard reader.kind() == .array else {
      try next(&reader)
      if envelope.isEmpty { try reader.finish() }
      return elements
    }
    if try reader.beginArray() {
      repeat { try next(&reader) } while try reader.arrayContinues()
    }
    if envelope.isEmpty { try reader.finish() }
    return elements
  }

  /// Calls `body` with batches of the non-empty lines, about 4 MiB each, until it returns false.
  /// - Returns: The number of bytes read.
  func forEachLines(_ body: (Batch) throws -> Bool) throws -> Int {
    try file.reading { handle in
      let size = InputFile.size(of: handle)
      let newline = UInt8(ascii: "\n")
      var rest = Data()
      var (line, fileOffset, count) = (1, 0, 0)
      while true {
        var new = try handle.read(upToCount: 4 << 20) ?? Data()
        let isLast = new.isEmpty
        let hasMark = count == 0 && new.starts(with: [0xEF, 0xBB, 0xBF])
        count += new.count
        if hasMark { new = new.dropFirst(3) }
        let end = new.lastIndex(of: newline).map { rest.count + $0 - new.startIndex }
        rest.append(new)
        guard let end = isLast ? rest.count : end else { continue }
        let batch = try batch(
          rest[..<end], fileOffset, line, progress: Double(count) / Double(max(1, size ?? .max)))
        if !batch.elements.isEmpty, try !body(batch) { return count }
        if isLast { return count }
        line += rest[..<end].count { $0 == newline } + 1
        fileOffset += end + 1
        rest = Data(rest[(end + 1)...])
      }
    }
  }

  private func batch(
    _ lines: Data, _ fileOffset: Int, _ line: Int, progress: Double
  ) throws -> Batch {
    let input = try lines.withUnsafeBytes { try JSONInput(copying: $0, encoding: .utf8) }
    var batch = Batch(
      input: input, fileOffset: fileOffset, elements: [], line: line, progress: progress)
    var start = 0
    let bytes = UnsafeBufferPointer(start: input.start, count: input.count)
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      if bytes[start..<end].contains(where: { $0 > 0x20 }) { batch.elements.append(start..<end) }
      start = end + 1
    }
    return batch
  }

  // MARK: - Positions

  /// Returns a description such as `line 2, column 9` of a byte offset in the file.
  func position(atOffset fileOffset: Int) throws -> String {
    var position = ""
    try forEachBatch { batch in
      guard fileOffset < batch.fileOffset + batch.input.count else { return true }
      let found = batch.input.lineAndColumn(at: fileOffset - batch.fileOffset)
      position = "line \(batch.line + found.line - 1), column \(found.column)"
      return false
    }
    return position
  }

  /// Returns the position in the file and the message of an error in a batch.
  func message(of error: JSONError, in batch: Batch) -> String {
    let position = batch.input.lineAndColumn(at: error.byteOffset)
    return "line \(batch.line + position.line - 1), column \(position.column): \(error.message)"
  }

  /// Calls `body` and adds the position in the file to its error.
  func locatingErrors(_ batch: Batch, _ body: () throws(JSONError) -> Void) throws {
    do {
      try body()
    } catch {
      throw CommandError(text: "\(name): \(message(of: error, in: batch))")
    }
  }
}
