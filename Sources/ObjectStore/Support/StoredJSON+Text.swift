package import JSONText

// JSON values as JSON text (RFC 8259), for files and queries.

extension StoredJSON {
  /// Reads a JSON text into this value, which must be empty.
  ///
  ///     {"b": 1.5, "a": [1, 1.50]} ──▶ o 2  s "a" a 2 i 1 N "1.50"  s "b" d 1.5
  ///
  /// - Parameters:
  ///   - dialect: The grammar of the text.
  ///   - repairsUnicode: True to replace invalid UTF-8 and lone surrogates with U+FFFD.
  ///   - keepsNotation: True to keep the notations of numbers.
  /// - Returns: False if the text is not JSON, or has more than ``depthLimit`` levels.
  /// - Complexity: O(bytes), and O(n log n) for objects whose keys are not in order. Stack use does not depend on the
  ///   depth.
  mutating func read(
    _ text: UnsafeRawBufferPointer, dialect: JSONDialect = .strict, repairsUnicode: Bool = false,
    keepsNotation: Bool = true
  ) -> Bool {
    do {
      var reader = JSONReader(
        try JSONInput(borrowing: text, encoding: .utf8), dialect: dialect,
        depthLimit: Self.depthLimit, repairsUnicode: repairsUnicode)
      try read(&reader, keepsNotation)
      try reader.finish()
      return true
    } catch {
      return false
    }
  }

  private enum Container {
    case array(Int, count: Int)
    case object(Object)
  }

  private mutating func read(
    _ reader: inout JSONReader, _ keepsNotation: Bool
  ) throws(JSONError) {
    var open: [Container] = []
    values: while true {
      switch reader.kind() {
      case .array:
        let array = beginArray()
        if try reader.beginArray() {
          open.append(.array(array, count: 1))
          continue values
        }
        endArray(array, count: 0)
      case .object:
        let object = beginObject()
        if try reader.beginObject() {
          open.append(.object(object))
          key(UnsafeRawBufferPointer(try reader.key().bytes))
          continue values
        }
        endObject(object)
      case .string: string(UnsafeRawBufferPointer(try reader.string().bytes))
      case .number: try number(&reader, keepsNotation: keepsNotation)
      case .bool: bool(try reader.bool())
      case .null:
        _ = try reader.null()
        null()
      case .invalid: try reader.skipValue()
      }
      while let container = open.popLast() {
        switch container {
        case .array(let array, let count):
          if try reader.arrayContinues() {
            open.append(.array(array, count: count + 1))
            continue values
          }
          endArray(array, count: count)
        case .object(let object):
          if try reader.objectContinues() {
            open.append(container)
            key(UnsafeRawBufferPointer(try reader.key().bytes))
            continue values
          }
          endObject(object)
        }
      }
      return
    }
  }

  /// Reads a number without loss.
  ///
  /// - Parameter keepsNotation: True to keep its text if its value is written as another one.
  package mutating func number(
    _ reader: inout JSONReader, keepsNotation: Bool
  ) throws(JSONError) {
    let number = try reader.writtenNumber()
    if !keepsNotation, case .text(let text) = number {
      append(ExactNumber(text) ?? number)
    } else {
      append(number)
    }
  }

  /// Appends a number.
  mutating func append(_ number: ExactNumber) {
    switch number {
    case .int(let value): int(value)
    case .double(let value): double(value)
    case .text(let text): self.number(UnsafeRawBufferPointer(text))
    }
  }
}

extension StoredJSONReader {
  /// The result of ``write(to:)``.
  enum Text {
    /// The text is JSON, from which ``StoredJSON/read(_:)`` produces the same bytes.
    case json
    /// The value cannot be written as JSON text: it contains a number that JSON does not support, or it has more than
    /// ``StoredJSON/depthLimit`` levels.
    case none
    /// The bytes are not a valid value.
    case noValue
  }

  /// Writes the value as compact text. The text is valid only if the result is ``Text/json``.
  ///
  /// A `Double` has a fraction or an exponent. Other numbers have their notation if the reader keeps it. Only characters
  /// that must be escaped are escaped.
  ///
  /// - Complexity: O(bytes). Stack use does not depend on the depth.
  mutating func write(to writer: inout JSONWriter) -> Text {
    var open: [(left: Int, isObject: Bool)] = []
    var isText = true
    while true {
      switch next() {
      case nil: return .noValue
      case .null: writer.null()
      case .bool(let value): writer.bool(value)
      case .int(let value): writer.int(value)
      case .double(let value):
        isText = isText && value.isFinite
        var text = "\(value)"
        text.withUTF8 { writer.numberText($0) }
      case .number(let bytes):
        let text = bytes.assumingMemoryBound(to: UInt8.self)
        if case .text? = ExactNumber(written: text) {} else { isText = false }
        writer.numberText(text)
      case .string(let bytes): writer.string(bytes.assumingMemoryBound(to: UInt8.self))
      case .array(let count):
        writer.beginArray()
        open.append((count, false))
      case .object(let count):
        writer.beginObject()
        open.append((count, true))
      }
      isText = isText && open.count <= StoredJSON.depthLimit
      while let last = open.last, last.left == 0 {
        if last.isObject { writer.endObject() } else { writer.endArray() }
        open.removeLast()
      }
      guard let last = open.last else {
        return isAtEnd ? isText ? .json : .none : .noValue
      }
      open[open.count - 1].left -= 1
      if last.isObject {
        guard let key = key() else { return .noValue }
        writer.key(key.assumingMemoryBound(to: UInt8.self))
      }
    }
  }
}
