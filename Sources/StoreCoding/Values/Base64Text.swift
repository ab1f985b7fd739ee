/// Base64 (RFC 4648, section 4) by bytes: four letters for three bytes, padded.
enum Base64Text {
  private static let letters: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// Decodes into `out`, which holds three bytes for four of the text; returns how many there are.
  ///
  /// - Returns: Nil for a text that is no base64. The bits of its last letter that no byte takes may be
  ///   any, as Foundation has it.
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, into out: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    guard text.count % 4 == 0 else { return nil }
    guard let start = text.baseAddress, text.count > 0 else { return 0 }
    var padding = 0
    while padding < 2, start[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
    var count = 0
    var wrong: UInt32 = 0
    for index in stride(from: 0, to: text.count - (padding > 0 ? 4 : 0), by: 4) {
      let bits =
        sextet(start[index]) << 18 | sextet(start[index + 1]) << 12
        | sextet(start[index + 2]) << 6 | sextet(start[index + 3])
      wrong |= bits
      out[count] = UInt8(truncatingIfNeeded: bits >> 16)
      out[count + 1] = UInt8(truncatingIfNeeded: bits >> 8)
      out[count + 2] = UInt8(truncatingIfNeeded: bits)
      count += 3
    }
    if padding > 0 {
      let last = start + (text.count - 4)
      let third = padding == 2 ? 0 : sextet(last[2])
      let bits = sextet(last[0]) << 18 | sextet(last[1]) << 12 | third << 6
      wrong |= bits
      out[count] = UInt8(truncatingIfNeeded: bits >> 16)
      count += 1
      if padding == 1 {
        out[count] = UInt8(truncatingIfNeeded: bits >> 8)
        count += 1
      }
    }
    return wrong & isWrong == 0 ? count : nil
  }

  /// Appends the text of the bytes.
  static func write(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    let letters = letters.utf8Start
    var index = 0
    while index + 3 <= bytes.count {
      let bits = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
      text.append(letters[bits >> 18])
      text.append(letters[bits >> 12 & 63])
      text.append(letters[bits >> 6 & 63])
      text.append(letters[bits & 63])
      index += 3
    }
    switch bytes.count - index {
    case 1:
      let bits = Int(bytes[index]) << 4
      text.append(letters[bits >> 6])
      text.append(letters[bits & 63])
      text.append(UInt8(ascii: "="))
      text.append(UInt8(ascii: "="))
    case 2:
      let bits = Int(bytes[index]) << 10 | Int(bytes[index + 1]) << 2
      text.append(letters[bits >> 12])
      text.append(letters[bits >> 6 & 63])
      text.append(letters[bits & 63])
      text.append(UInt8(ascii: "="))
    default: break
    }
  }

  /// Above the 24 bits of a group, wherever in it the wrong letter stands.
  private static let isWrong: UInt32 = 0xFF00_0000

  /// 0...63, or bits that `isWrong` catches at any of the four places.
  @inline(__always)
  private static func sextet(_ byte: UInt8) -> UInt32 {
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    if letter < 26 { return UInt32(letter) + (byte & 0x20 == 0 ? 0 : 26) }
    let digit = byte &- UInt8(ascii: "0")
    if digit < 10 { return UInt32(digit) + 52 }
    if byte == UInt8(ascii: "+") { return 62 }
    if byte == UInt8(ascii: "/") { return 63 }
    return 0xFFFF_FF00
  }
}
