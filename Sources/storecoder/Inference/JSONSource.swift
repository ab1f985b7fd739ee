import Foundation
import JSONText

/// A file of JSON objects: a document, or objects that follow each other (NDJSON). A CSV file is converted to the latter.
///
/// It is read in pieces. Memory holds a batch of objects, or the object in progress if it is larger.
struct JSONSource {
  let file: InputFile
  /// True if the values that follow each other need not be objects.
  let isLines: Bool
  /// The path of the objects in the document: `data.users`; empty for the document itself.
  let envelope: [String]
  /// True if the objects are the records of a CSV file, one on each line.
  private let isTable: Bool

  /// Some of the objects, as ranges of bytes in a buffer.
  struct Batch {
    var input: JSONInput
    /// The position of `input` in the file.
    var position: JSONTextPosition
    /// The number of arrays and objects around the elements.
    var depth: Int
    var elements: [Range<Int>]
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

    /// The offset of `input` in the file, in bytes.
    var fileOffset: Int { position.byteOffset }

    /// Returns the line and column in the file of an offset in `input`.
    func lineAndColumn(at byteOffset: Int) -> (line: Int, column: Int) {
      var walk = JSONLineWalk(input, resumingAt: 0, as: position)
      return walk.lineAndColumn(at: byteOffset)
    }
  }

  /// - Parameters:
  ///   - path: The path of a file, or `-` for the standard input.
  ///   - isTable: True for CSV without the file name extension.
  ///   - strings: Returns those of the columns of a CSV file that are strings, for the default name of its class.
  /// - Throws: `CommandError` for a file that cannot be read.
  init(
    _ path: String, envelope: String?, isTable: Bool = false,
    strings: (String, [String]) throws -> Set<String> = { _, _ in [] }
  ) throws {
    let file = try InputFile(path)
    self.envelope = envelope.map { $0.split(separator: ".").map(String.init) } ?? []
    self.isTable = isTable || CSVFile.extensions.contains(file.pathExtension)
    guard self.isTable else {
      self.file = file
      isLines = self.envelope.isEmpty && Self.isNamedAsLines(file)
      return
    }
    guard self.envelope.isEmpty else {
      throw CommandError(text: "\(file.name): a CSV file has no envelope")
    }
    let name = ClassNames.name(file.title, isPlural: true)
    self.file = try CSVFile.converted(file) { try strings(name, $0) }
    isLines = true
  }

  /// Creates a source for a file with one value per line.
  init(linesOf file: InputFile) {
    self.file = file
    envelope = []
    isLines = true
    isTable = false
  }

  /// The name in messages.
  var name: String { file.name }

  /// The default name for the class of its objects.
  var className: String { ClassNames.name(envelope.last ?? file.title, isPlural: true) }

  /// True if the file name extension indicates NDJSON.
  static func isNamedAsLines(_ file: InputFile) -> Bool {
    ["ndjson", "jsonl"].contains(file.pathExtension)
  }

  // MARK: - Reading

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
          try read(element, of: batch, &reader) { reader throws(JSONError) in
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

  /// Reads one value of a batch with `body`. Text after it, or reading past its end, is an error.
  func read(
    _ element: Range<Int>, of batch: Batch, _ reader: inout JSONReader,
    _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    reader.rewind(to: element.lowerBound, depth: batch.depth)
    do throws(JSONError) {
      try body(&reader)
    } catch {
      let error =
        error.byteOffset > element.upperBound
        ? JSONError(.unexpectedEnd, at: element.upperBound) : error
      throw isLines
        ? error.onFirstLine(of: batch.input.bytes(element), at: element.lowerBound) : error
    }
    reader.skipWhitespace()
    if reader.byteOffset < element.upperBound {
      throw JSONError(
        batch.depth == 0 ? .trailingContent : .expectedCommaOrEnd, at: reader.byteOffset)
    }
  }

  /// Calls `body` with batches of the non-empty lines, about 1 MiB each, until it returns false. Unlike
  /// ``forEachBatch(_:_:)``, it continues after an invalid line.
  /// - Returns: The number of bytes read.
  func forEachLines(_ body: (Batch) throws -> Bool) throws -> Int {
    try file.reading { handle in
      let size = InputFile.size(of: handle)
      let newline = UInt8(ascii: "\n")
      var rest = Data()
      var position = JSONTextPosition()
      var count = 0
      while true {
        var new = try handle.read(upToCount: 1 << 20) ?? Data()
        let isLast = new.isEmpty
        let hasMark = count == 0 && new.starts(with: [0xEF, 0xBB, 0xBF])
        count += new.count
        if hasMark { new = new.dropFirst(3) }
        let end = new.lastIndex(of: newline).map { rest.count + $0 - new.startIndex }
        rest.append(new)
        guard let end = isLast ? rest.count : end else { continue }
        let batch = try batch(
          rest[..<end], at: position, progress: Double(count) / Double(max(1, size ?? .max)))
        if !batch.elements.isEmpty, try !body(batch) { return count }
        if isLast { return count }
        rest[...end].withUnsafeBytes { position.advance(over: $0) }
        rest = Data(rest[(end + 1)...])
      }
    }
  }

  private func batch(
    _ lines: Data, at position: JSONTextPosition, progress: Double
  ) throws -> Batch {
    let input = try lines.withUnsafeBytes { try JSONInput(copying: $0, encoding: .utf8) }
    var batch = Batch(input: input, position: position, depth: 0, elements: [], progress: progress)
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

  /// Returns a description such as `line 2, column 9` of a byte offset in the file, or `record 2` in a CSV file.
  func position(atOffset fileOffset: Int) throws -> String {
    var position = ""
    try forEachBatch { batch in
      guard fileOffset < batch.fileOffset + batch.input.count else { return true }
      let found = batch.lineAndColumn(at: fileOffset - batch.fileOffset)
      position = isTable ? "record \(found.line)" : "line \(found.line), column \(found.column)"
      return false
    }
    return position
  }

  /// Returns the position in the file and the message of an error in a batch.
  func message(of error: JSONError, in batch: Batch) -> String {
    let position = batch.lineAndColumn(at: error.byteOffset)
    return "line \(position.line), column \(position.column): \(error.message)"
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
