import JSONText

/// The objects of a document: the elements of an array, or values that follow each other.
struct DocumentElements {
  private let text: DocumentText
  private let isArray: Bool
  /// True if the document continues after the objects, which is not read.
  private let isEnclosed: Bool
  /// True if any values may follow each other, or none.
  private let isLines: Bool
  private var scanner: JSONElementScanner
  private var isFirst = true
  private var isSequence = true

  /// - Parameters:
  ///   - text: A document whose next value is the array, or the first of the objects.
  ///   - isEnclosed: True if the next value is inside another one.
  ///   - isLines: True for NDJSON: any values may follow each other, and an array is one of them.
  init(_ text: DocumentText, isEnclosed: Bool, isLines: Bool) throws {
    self.text = text
    self.isEnclosed = isEnclosed
    self.isLines = isLines
    isArray = try !isLines && text.enterArray()
    scanner = JSONElementScanner(isArray ? .array : .sequence, from: text.start)
  }

  /// Adjusts the offsets after bytes of the document were dropped.
  mutating func dropFirst(_ count: Int) {
    scanner.move(by: -count)
  }

  /// Returns the range of the next object, which is not validated; nil after the last one.
  /// - Throws: `JSONError` for invalid text between or after the objects, or at the end of the file.
  mutating func next() throws -> Range<Int>? {
    do {
      return try nextElement()
    } catch let error as JSONError {
      guard isLines, let start = scanner.elementStart else { throw error }
      throw text.bytes[start...].withUnsafeBytes { error.onFirstLine(of: $0, at: start) }
    }
  }

  private mutating func nextElement() throws -> Range<Int>? {
    if isEnclosed, !isArray, !isFirst { return nil }
    while true {
      switch text.scan(&scanner) {
      case .element(let range):
        try checkStart(range.lowerBound)
        isFirst = false
        return range
      case .end(let index):
        if isArray, !isEnclosed, let rest = try text.peek(from: index + 1) {
          throw JSONError(.trailingContent, at: rest)
        }
        if !isArray, !isLines, isFirst { throw text.endError }
        return nil
      case .incomplete:
        if let start = scanner.elementStart { try checkStart(start) }
        if try text.fill(valueAt: scanner.elementStart) { continue }
        throw scanner.elementStart.flatMap { text.error(at: $0) } ?? text.endError
      case .malformed(let index):
        try checkStart(index)
        if isAfterElement(index) { throw JSONError(.expectedCommaOrEnd, at: index) }
        throw text.error(at: index) ?? JSONError(.unexpectedCharacter, at: index)
      }
    }
  }

  /// Checks the first byte of an object outside an array. Only objects may follow each other, except in NDJSON.
  private mutating func checkStart(_ index: Int) throws(JSONError) {
    if isArray || isLines { return }
    let isObject = text.bytes[index] == UInt8(ascii: "{")
    if isFirst {
      isSequence = isObject
    } else if !isObject || !isSequence {
      throw JSONError(.trailingContent, at: index)
    }
  }

  /// True if an element precedes a byte in an array, without a comma.
  private func isAfterElement(_ index: Int) -> Bool {
    guard isArray, !isFirst else { return false }
    let last = text.bytes[text.start..<index].last { !DocumentText.isSpace($0) }
    return last != UInt8(ascii: ",")
  }
}

extension JSONError {
  /// The error of a value in NDJSON. A value ends with its line, so an error in a later line is a missing end.
  /// - Parameter offset: The offset of `bytes`, which begin with the value.
  func onFirstLine(of bytes: UnsafeRawBufferPointer, at offset: Int) -> JSONError {
    guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n")), byteOffset >= offset + newline
    else { return self }
    return JSONError(.unexpectedEnd, at: offset + newline)
  }
}
