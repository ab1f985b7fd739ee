import Foundation
import JSONText

/// A file of JSON objects: one document, or one object to a line (NDJSON).
struct JSONSource {
  let path: String
  let isLines: Bool
  /// Where the objects stand in a document: `data.users`; empty for the document itself.
  private let envelope: [String]

  /// Some objects, as their bytes, and the line that the first begins in.
  struct Batch {
    var input: JSONInput
    /// Where the input begins, in bytes from the beginning of the file.
    var place: Int
    var elements: [Range<Int>]
    var line: Int
    /// How much of the file is read by then, 0 to 1.
    var progress: Double
  }

  /// - Throws: `CommandError` for a file that cannot be read.
  init(_ path: String, envelope: String?) throws {
    self.path = path
    self.envelope = envelope.map { $0.split(separator: ".").map(String.init) } ?? []
    isLines = try self.envelope.isEmpty && Self.looksLikeLines(path)
  }

  /// A name for the class of what is in it.
  var className: String {
    let file = URL(filePath: path).deletingPathExtension().lastPathComponent
    return ClassNames.name(envelope.last ?? file, isPlural: true)
  }

  private static func looksLikeLines(_ path: String) throws -> Bool {
    let url = URL(filePath: path)
    if ["ndjson", "jsonl"].contains(url.pathExtension.lowercased()) { return true }
    let handle = try Self.open(path)
    defer { try? handle.close() }
    var start = Data()
    while start.count < 16 << 20, start.count(where: { $0 == UInt8(ascii: "\n") }) < 2 {
      guard let more = try? handle.read(upToCount: 1 << 16), !more.isEmpty else { break }
      start.append(more)
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

  private static func open(_ path: String) throws -> FileHandle {
    do {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
        throw CommandError(text: "\(path): it is a folder")
      }
      return try FileHandle(forReadingFrom: URL(filePath: path))
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(text: "\(path): it cannot be read")
    }
  }

  // MARK: - Reading

  /// Calls `body` with all objects, some at a time, until it returns false.
  /// - Throws: `CommandError` with the place of what is no JSON, and what `body` throws.
  func forEachBatch(_ size: Int = 2_000, _ body: (Batch) throws -> Bool) throws {
    if isLines {
      try forEachChunk(body)
    } else {
      try forEachPart(size, body)
    }
  }

  /// Reads all of it and tells what there is.
  func shape(_ progress: Progress) throws -> ObjectShape {
    let shape = Shape()
    try forEachBatch { batch in
      var reader = JSONReader(batch.input)
      for element in batch.elements {
        reader.rewind(to: element.lowerBound, depth: 0)
        try placed(batch) { () throws(JSONError) in
          do throws(JSONError) {
            try shape.read(&reader, of: batch)
          } catch {
            throw error.byteOffset > element.upperBound
              ? JSONError(.unexpectedEnd, at: element.upperBound) : error
          }
          reader.skipWhitespace()
          if isLines, reader.byteOffset < element.upperBound {
            throw JSONError(.trailingContent, at: reader.byteOffset)
          }
        }
      }
      try Interruption.shared.check()
      progress.show(batch.progress, "reading")
      return true
    }
    progress.clear()
    guard shape.kindCount <= 1, shape.nulls == 0, shape.count == 0 || shape.object != nil else {
      throw CommandError(text: "\(path): what it holds are not objects alone")
    }
    guard let object = shape.object else { throw CommandError(text: "\(path): it holds no object") }
    return object
  }

  /// A document's objects.
  private func forEachPart(_ size: Int, _ body: (Batch) throws -> Bool) throws {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
    } catch {
      throw CommandError(text: "\(path): it cannot be read")
    }
    let input: JSONInput
    do {
      input = try data.withUnsafeBytes { try JSONInput(copying: $0) }
    } catch {
      throw CommandError(text: "\(path): \((error as? JSONError)?.message ?? "it is no text")")
    }
    var elements: [Range<Int>] = []
    let whole = Batch(input: input, place: 0, elements: [], line: 1, progress: 0)
    try placed(whole) { () throws(JSONError) in elements = try self.elements(of: input) }
    for start in stride(from: 0, to: elements.count, by: size) {
      let part = Array(elements[start..<min(start + size, elements.count)])
      let batch = Batch(
        input: input, place: 0, elements: part, line: 1,
        progress: Double(start + part.count) / Double(elements.count))
      guard try body(batch) else { return }
    }
  }

  /// Where the objects of a document stand.
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

  /// The lines of a file, some MiB at a time.
  private func forEachChunk(_ body: (Batch) throws -> Bool) throws {
    let handle = try Self.open(path)
    defer { try? handle.close() }
    let size = try handle.seekToEnd()
    try handle.seek(toOffset: 0)
    var rest = Data()
    let mark = Data([0xEF, 0xBB, 0xBF])
    if try handle.read(upToCount: mark.count) != mark { try handle.seek(toOffset: 0) }
    var line = 1
    var place = 0
    var done: UInt64 = 0
    while true {
      let new = try handle.read(upToCount: 4 << 20) ?? Data()
      done += UInt64(new.count)
      rest.append(new)
      let isLast = new.isEmpty
      guard let end = isLast ? rest.endIndex : rest.lastIndex(of: UInt8(ascii: "\n")) else {
        continue
      }
      let batch = try batch(
        rest[..<end], place, line, progress: Double(done) / Double(max(1, size)))
      if !batch.elements.isEmpty, try !body(batch) { return }
      if isLast { return }
      line += rest[..<end].count { $0 == UInt8(ascii: "\n") } + 1
      place += end + 1
      rest = Data(rest[(end + 1)...])
    }
  }

  private func batch(
    _ lines: Data, _ place: Int, _ line: Int, progress: Double
  ) throws -> Batch {
    let input = try lines.withUnsafeBytes { try JSONInput(copying: $0, encoding: .utf8) }
    var batch = Batch(input: input, place: place, elements: [], line: line, progress: progress)
    var start = 0
    let bytes = UnsafeBufferPointer(start: input.start, count: input.count)
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      if bytes[start..<end].contains(where: { $0 > 0x20 }) { batch.elements.append(start..<end) }
      start = end + 1
    }
    return batch
  }

  // MARK: - Places

  /// `line 2, column 9`, of what stands behind so many bytes.
  func words(ofPlace place: Int) throws -> String {
    var words = ""
    try forEachBatch { batch in
      guard place < batch.place + batch.input.count else { return true }
      let found = batch.input.lineAndColumn(at: place - batch.place)
      words = "line \(batch.line + found.line - 1), column \(found.column)"
      return false
    }
    return words
  }

  /// Runs `body`; an error of the text gets its place in the file.
  func placed(_ batch: Batch, _ body: () throws(JSONError) -> Void) throws {
    do {
      try body()
    } catch {
      let place = batch.input.lineAndColumn(at: error.byteOffset)
      throw CommandError(
        text: "\(path): line \(batch.line + place.line - 1), column \(place.column): "
          + error.message)
    }
  }
}
