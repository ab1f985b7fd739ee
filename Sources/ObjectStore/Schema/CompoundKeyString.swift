/// The string form of a compound key, as stored in the key's column: the parts joined by `|`.
///
///     7, "cafe"      7|cafe
///     7, "a|b\c"     7|a\|b\\c
///
/// Integers are decimal, UUIDs have the form of `UUID.uuidString`, and strings have each `|` and `\` escaped by a
/// `\`, so that different parts never have the same string. Files contain these strings; the form is part of the file
/// format.
struct CompoundKeyString {
  /// The allowed number of parts.
  static let size = 2...4

  private(set) var bytes: [UInt8] = []
  private var isEmpty = true

  /// Appends a part.
  ///
  /// - Parameters:
  ///   - word: The bits of an integer.
  ///   - text: The bytes of a string, or the 16 bytes of a UUID.
  mutating func append(_ word: UInt64, _ text: UnsafeRawBufferPointer, _ kind: ScalarKind) {
    if !isEmpty { bytes.append(Self.separator) }
    isEmpty = false
    switch kind {
    case .string:
      for byte in text {
        if byte == Self.separator || byte == Self.escape { bytes.append(Self.escape) }
        bytes.append(byte)
      }
    case .uuid where text.count == 16:
      var uuid: [UInt8] = []
      UUIDText.write(text, isUppercase: true, into: &uuid)
      bytes += uuid
    case _ where kind.unsignedMaximum != nil:
      bytes += "\(word)".utf8
    default:
      bytes += "\(Int64(bitPattern: word))".utf8
    }
  }

  /// The parts of a key's string without escapes; nil if an escape is wrong.
  static func parts(of text: String) -> [String]? {
    var parts: [[UInt8]] = [[]]
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case separator: parts.append([])
      case escape:
        guard let next = rest.popFirst(), next == separator || next == escape else { return nil }
        parts[parts.count - 1].append(next)
      default: parts[parts.count - 1].append(byte)
      }
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  private static let separator = UInt8(ascii: "|")
  private static let escape = UInt8(ascii: "\\")
}
