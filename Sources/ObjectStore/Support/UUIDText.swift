package import Foundation

/// The text form of UUIDs: 36 bytes, parsed in either case.
///
/// It is written in lower case (RFC 9562, section 4). Files and compound keys contain the upper case of Foundation.
package enum UUIDText {
  package static let byteCount = 36

  /// Returns the 16 bytes of a UUID; nil if the text is not a UUID.
  package static func parse(_ text: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64)? {
    guard text.count == byteCount, let start = text.baseAddress else { return nil }
    var bytes: (UInt64, UInt64) = (0, 0)
    // Every error sets a bit, which is tested once at the end.
    var wrong: UInt8 = 0
    withUnsafeMutableBytes(of: &bytes) { target in
      var offset = 0
      var index = 0
      while index < byteCount {
        if isHyphen(index) {
          wrong |= start[index] ^ UInt8(ascii: "-")
          index += 1
        } else {
          let (high, low) = (digit(start[index]), digit(start[index + 1]))
          wrong |= (high | low) & 0xF0
          target[offset] = high << 4 | low & 15
          offset += 1
          index += 2
        }
      }
    }
    return wrong == 0 ? bytes : nil
  }

  /// Parses the text form of a UUID. Foundation's own parser is lax on some platforms, where it accepts blanks and
  /// signs as digits.
  package static func uuid(_ text: String) -> UUID? {
    var text = text
    guard let bytes = text.withUTF8(parse) else { return nil }
    return withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Appends the text form of 16 bytes to an empty array.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, isUppercase: Bool = false, into text: inout [UInt8]
  ) {
    let letters = isUppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")
    for index in 0..<16 {
      if isHyphen(text.count) { text.append(UInt8(ascii: "-")) }
      text.append(character(bytes[index] >> 4, letters))
      text.append(character(bytes[index] & 15, letters))
    }
  }

  /// Returns the text form of 16 bytes.
  package static func text(
    _ bytes: UnsafeRawBufferPointer, isUppercase: Bool = false
  ) -> String {
    var text: [UInt8] = []
    write(bytes, isUppercase: isUppercase, into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the text form of a UUID, in lower case.
  package static func text(_ uuid: UUID) -> String {
    withUnsafeBytes(of: uuid.uuid) { text($0) }
  }

  @inline(__always)
  private static func isHyphen(_ index: Int) -> Bool {
    index == 8 || index == 13 || index == 18 || index == 23
  }

  /// Returns the value of a hexadecimal digit; 255 for other bytes.
  @inline(__always)
  private static func digit(_ byte: UInt8) -> UInt8 {
    let digit = byte &- UInt8(ascii: "0")
    if digit < 10 { return digit }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : 255
  }

  /// Returns the character of a hexadecimal digit.
  ///
  /// - Parameter letters: `A` or `a`.
  @inline(__always)
  private static func character(_ digit: UInt8, _ letters: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : letters - 10 + digit
  }
}
