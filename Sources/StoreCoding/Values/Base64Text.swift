/// Base64 (RFC 4648): the standard form with padding, and the form for URLs without.
enum Base64Text {
  private static let letters: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// Decodes into `out`, whose capacity is three bytes per four characters.
  ///
  /// - Returns: The number of bytes, or nil if the text is not Base64. The unused bits of the last character
  ///   may have any value, as in Foundation.
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, into out: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    guard text.count % 4 == 0 else { return nil }
    guard let start = text.baseAddress, text.count > 0 else { return 0 }
    var padding = 0
    while padding < 2, start[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
    return values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else { return nil }
      var next = start
      var out = out
      let first = out
      // The bitwise OR of all character values; above 63 if any character is invalid.
      var all: UInt32 = 0
      for _ in 0..<(text.count / 4 - (padding > 0 ? 1 : 0)) {
        let (a, b, c, d) = (
          UInt32(values[Int(next[0])]), UInt32(values[Int(next[1])]),
          UInt32(values[Int(next[2])]), UInt32(values[Int(next[3])])
        )
        all |= a | b | c | d
        let bits = a << 18 | b << 12 | c << 6 | d
        out[0] = UInt8(truncatingIfNeeded: bits >> 16)
        out[1] = UInt8(truncatingIfNeeded: bits >> 8)
        out[2] = UInt8(truncatingIfNeeded: bits)
        next += 4
        out += 3
      }
      if padding > 0 {
        let third = padding == 2 ? 0 : UInt32(values[Int(next[2])])
        let (a, b) = (UInt32(values[Int(next[0])]), UInt32(values[Int(next[1])]))
        all |= a | b | third
        out[0] = UInt8(truncatingIfNeeded: a << 2 | b >> 4)
        out += 1
        if padding == 1 {
          out[0] = UInt8(truncatingIfNeeded: b << 4 | third >> 2)
          out += 1
        }
      }
      return all < 64 ? out - first : nil
    }
  }

  /// Decodes text of any form: either alphabet, with or without padding, and with white space between characters.
  ///
  /// The capacity of `out` is three bytes per four characters, rounded up: missing padding counts.
  static func parse(
    anyForm text: UnsafeBufferPointer<UInt8>, into out: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + 3) { standard in
      var count = 0
      for byte in text where byte != 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D {
        standard[count] =
          byte == UInt8(ascii: "-")
          ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
        count += 1
      }
      while count % 4 != 0, count % 4 != 1 {
        standard[count] = UInt8(ascii: "=")
        count += 1
      }
      return parse(UnsafeBufferPointer(rebasing: standard[..<count]), into: out)
    }
  }

  /// Replaces text of the standard form by the form for URLs; returns its length.
  static func makeURLSafe(_ text: UnsafeMutableBufferPointer<UInt8>) -> Int {
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "+"): text[index] = UInt8(ascii: "-")
      case UInt8(ascii: "/"): text[index] = UInt8(ascii: "_")
      case UInt8(ascii: "="): return index
      default: break
      }
    }
    return text.count
  }

  /// The length of the encoded text for a number of bytes.
  static func count(ofByteCount byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

  /// Encodes the bytes into `out`, which has sufficient capacity.
  static func write(_ bytes: UnsafeRawBufferPointer, to out: UnsafeMutablePointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    let letters = letters.utf8Start
    var next = start.assumingMemoryBound(to: UInt8.self)
    var out = out
    for _ in 0..<bytes.count / 3 {
      let bits = Int(next[0]) << 16 | Int(next[1]) << 8 | Int(next[2])
      out[0] = letters[bits >> 18]
      out[1] = letters[bits >> 12 & 63]
      out[2] = letters[bits >> 6 & 63]
      out[3] = letters[bits & 63]
      next += 3
      out += 4
    }
    let rest = bytes.count % 3
    guard rest > 0 else { return }
    let bits = Int(next[0]) << 16 | (rest == 2 ? Int(next[1]) << 8 : 0)
    out[0] = letters[bits >> 18]
    out[1] = letters[bits >> 12 & 63]
    out[2] = rest == 2 ? letters[bits >> 6 & 63] : UInt8(ascii: "=")
    out[3] = UInt8(ascii: "=")
  }

  /// The value of each character, 0...63; 255 for invalid characters.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for value in 0..<64 { values[Int(letters.utf8Start[value])] = UInt8(value) }
    return values
  }()
}
