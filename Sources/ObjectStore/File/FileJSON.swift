import JSONText

/// Converts JSON values between their form in memory and their form in a file:
///
///     TEXT   JSON text: compact, keys in byte order, numbers in their notation
///     BLOB   the in-memory form, if JSON cannot express the value: NaN, a number whose text is not a JSON number, more
///            than 512 levels
///
/// Format 1 stored the in-memory form of all values, as TEXT. No byte sequence is valid in both forms, so reading does
/// not depend on the format.
final class FileJSON {
  private var stored = StoredJSON()
  private var text = JSONWriter(capacity: 256)
  /// The bytes returned last.
  private var result = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit {
    result.deallocate()
  }

  /// True if a value in its file form is TEXT.
  static func isText(_ value: ElementValue) -> Bool { value.word == 0 }

  /// Wraps the bytes of a column.
  static func read(_ bytes: UnsafeRawBufferPointer, isText: Bool) -> ElementValue {
    ElementValue(word: isText ? 0 : 1, bytes: bytes)
  }

  /// Converts a value to its form in the file. The bytes are valid until the next call.
  func inFile(_ value: ElementValue) -> ElementValue {
    text.removeAll()
    var reader = StoredJSONReader(value.bytes, keepsNotation: true)
    var value = value
    switch reader.write(to: &text) {
    case .json: (value.word, value.bytes) = (0, text.withBytes { keep($0) })
    case .none: value.word = 1
    // Invalid bytes are written as null.
    case .noValue: (value.word, value.bytes) = (0, Array("null".utf8).withUnsafeBytes { keep($0) })
    }
    return value
  }

  /// Converts a stored value to its form in memory, or returns nil if it is not a JSON value. The bytes are valid until
  /// the next call.
  ///
  /// - Parameter keepsNotation: False to replace the notations of numbers.
  func inMemory(_ value: ElementValue, keepsNotation: Bool = true) -> ElementValue? {
    var value = value
    defer { stored.removeAll() }
    if Self.isText(value), stored.read(value.bytes, keepsNotation: keepsNotation) {
      value.bytes = stored.withBytes { keep($0) }
    } else {
      text.removeAll()
      var reader = StoredJSONReader(value.bytes, keepsNotation: true)
      guard reader.write(to: &text) != .noValue else { return nil }
    }
    value.word = 0
    return value
  }

  private func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if result.count < bytes.count {
      result.deallocate()
      result = .allocate(byteCount: max(256, bytes.count * 2), alignment: 8)
    }
    result.copyMemory(from: bytes)
    return UnsafeRawBufferPointer(rebasing: result[..<bytes.count])
  }
}
