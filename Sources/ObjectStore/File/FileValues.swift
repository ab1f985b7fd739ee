import StoreDatabase

/// Binds and reads values. A bound value must live until the statement has run; a value that was read is valid
/// until the next one is read.
///
///     memory ── inFile ──▶ checksum, bind        read ──▶ checksum ── inMemory ──▶ memory
final class FileValues {
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 8)
  private var uuidText: [UInt8] = []
  private let json = FileJSON()

  deinit {
    scratch.deallocate()
  }

  /// Returns a value in the form that is bound and checksummed. It is valid until the next call.
  @inline(__always)
  func inFile(_ value: ElementValue, _ type: FileType) -> ElementValue {
    type == .json && !value.isNull ? json.inFile(value) : value
  }

  /// Converts a stored value to its form in memory, or returns nil if it is not a valid encoding of the type.
  @inline(__always)
  func inMemory(_ value: ElementValue, _ type: FileType) -> ElementValue? {
    type == .json && !value.isNull ? json.inMemory(value) : value
  }

  /// Binds a value that is not null, in the form that ``inFile(_:_:)`` returned.
  func bind(
    _ statement: Statement, _ parameter: Int, _ type: FileType, _ value: ElementValue
  ) {
    switch type {
    case .bool, .signed, .unsigned, .link:
      statement.bind(parameter, Int64(bitPattern: value.word))
    case .real:
      let number = Double(bitPattern: value.word)
      if number.isNaN || value.word == 1 << 63 {
        withUnsafeBytes(of: value.word.bigEndian) { statement.bindBlobCopy(parameter, $0) }
      } else {
        statement.bindReal(parameter, number)
      }
    case .text:
      statement.bindText(parameter, value.bytes)
    case .json:
      if FileJSON.isText(value) {
        statement.bindTextCopy(parameter, value.bytes)
      } else {
        statement.bindBlobCopy(parameter, value.bytes)
      }
    case .uuid:
      uuidText.removeAll(keepingCapacity: true)
      if value.bytes.count == 16 { UUIDText.write(value.bytes, isUppercase: true, into: &uuidText) }
      statement.bindTextCopy(parameter, uuidText)
    case .data:
      statement.bindBlob(parameter, value.bytes)
    }
  }

  /// Returns the stored value of a column, or nil if it is not a valid encoding of the type.
  @inline(__always)
  func read(_ statement: Statement, _ column: Int, _ type: FileType) -> ElementValue? {
    // A switch, because `==` on an enumeration of another module is a function call.
    switch (type, statement.type(column)) {
    case (_, .null): return ElementValue(isNull: true)
    case (.signed, .integer), (.unsigned, .integer), (.link, .integer):
      return ElementValue(word: UInt64(bitPattern: statement.int64(column)))
    case (.real, .real), (.real, .integer):
      return ElementValue(word: statement.double(column).bitPattern)
    case (.text, .text), (.data, .blob): return ElementValue(bytes: statement.bytes(column))
    case (_, let stored): return readOther(statement, column, type, stored)
    }
  }

  @inline(never)
  private func readOther(
    _ statement: Statement, _ column: Int, _ type: FileType, _ stored: Statement.ValueType
  ) -> ElementValue? {
    switch (type, stored) {
    case (.bool, .integer):
      let word = UInt64(bitPattern: statement.int64(column))
      return word > 1 ? nil : ElementValue(word: word)
    case (.real, .blob):
      let bytes = statement.bytes(column)
      guard bytes.count == 8 else { return nil }
      return ElementValue(word: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    case (.json, .text): return FileJSON.read(statement.bytes(column), isText: true)
    case (.json, .blob): return FileJSON.read(statement.bytes(column), isText: false)
    case (.uuid, .text):
      let bytes = statement.bytes(column).assumingMemoryBound(to: UInt8.self)
      guard let words = UUIDText.parse(bytes) else { return nil }
      scratch.storeBytes(of: words.0, as: UInt64.self)
      scratch.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
      return ElementValue(bytes: UnsafeRawBufferPointer(scratch))
    default: return nil
    }
  }
}
