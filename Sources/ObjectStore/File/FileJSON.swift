import JSONText

/// How a JSON value stands in a file.
///
///     TEXT   JSON text: compact, keys in the order of their bytes, numbers as they are kept
///     BLOB   what no JSON text says, as it is in memory: NaN, a number whose text is none, more than 512 levels
///
/// Up to format 1 all of it stood there as in memory, as TEXT. No byte sequence is a value in both forms, so what is
/// read needs no word of the format.
final class FileJSON {
  private var stored = StoredJSON()
  private var text = JSONWriter(capacity: 256)
  /// What was given last.
  private var result = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit {
    result.deallocate()
  }

  /// Whether a value of the file is TEXT.
  static func isText(_ value: ElementValue) -> Bool { value.word == 0 }

  /// A value of the file.
  static func read(_ bytes: UnsafeRawBufferPointer, isText: Bool) -> ElementValue {
    ElementValue(word: isText ? 0 : 1, bytes: bytes)
  }

  /// A value of memory as the file is to have it; the bytes live until the next value is asked for.
  func inFile(_ value: ElementValue) -> ElementValue {
    text.removeAll()
    var reader = StoredJSONReader(value.bytes)
    var value = value
    switch reader.write(to: &text) {
    case .json: (value.word, value.bytes) = (0, text.withBytes { keep($0) })
    case .none: value.word = 1
    // What such bytes are read as.
    case .noValue: (value.word, value.bytes) = (0, Array("null".utf8).withUnsafeBytes { keep($0) })
    }
    return value
  }

  /// A value of the file as memory has it, nil for what is none; the bytes live until the next value is asked for.
  func inMemory(_ value: ElementValue) -> ElementValue? {
    var value = value
    defer { stored.removeAll() }
    if Self.isText(value), stored.read(value.bytes) {
      value.bytes = stored.withBytes { keep($0) }
    } else {
      text.removeAll()
      var reader = StoredJSONReader(value.bytes)
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
