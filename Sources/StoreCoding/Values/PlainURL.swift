/// A fast path for URLs that are valid without a check by Foundation: `http` or `https`, a host that begins
/// with a letter, and only unreserved characters and `/ ? & =` (RFC 3986, sections 2.3 and 3).
enum PlainURL {
  static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count > 8, let start = text.baseAddress, start[0] == UInt8(ascii: "h"),
      start[1] == UInt8(ascii: "t"), start[2] == UInt8(ascii: "t"), start[3] == UInt8(ascii: "p")
    else { return false }
    var index = start[4] == UInt8(ascii: "s") ? 5 : 4
    guard start[index] == UInt8(ascii: ":"), start[index + 1] == UInt8(ascii: "/"),
      start[index + 2] == UInt8(ascii: "/")
    else { return false }
    index += 3
    guard index < text.count, isLetter(start[index]) else { return false }
    while index < text.count, isPlain(start[index]) { index += 1 }
    return index == text.count
  }

  @inline(__always)
  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    // `-`, `.`, `/` and the digits are consecutive.
    isLetter(byte) || byte &- UInt8(ascii: "-") < 13
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "?")
      || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "=")
  }
}
