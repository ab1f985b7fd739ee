/// The text of a compound key, which the key's column holds: the parts joined by `|`.
///
///     7, "cafe"      7|cafe
///     7, "a|b\c"     7|a\|b\\c
///
/// Integers are decimal, UUIDs as `UUID.uuidString` has them, texts as they are but for a `\` in front of each
/// `|` and `\`. So different parts never have one text. It stands in files: part of their format.
struct CompoundKeyString {
  /// How many parts a key may have.
  static let size = 2...4

  private(set) var bytes: [UInt8] = []
  private var isEmpty = true

  /// Appends a part.
  ///
  /// - Parameters:
  ///   - word: an integer's bits.
  ///   - text: a text's bytes, or the 16 of a UUID.
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
      UUIDText.write(text, into: &uuid)
      bytes += uuid
    case _ where kind.unsignedMaximum != nil:
      bytes += "\(word)".utf8
    default:
      bytes += "\(Int64(bitPattern: word))".utf8
    }
  }

  private static let separator = UInt8(ascii: "|")
  private static let escape = UInt8(ascii: "\\")
}
