/// The UTF-8 bytes of one JSON text, followed by at least 64 zero bytes.
///
///     let input = try JSONInput(copying: bytes)
///     var reader = JSONReader(input)
///
/// The padding is what makes the reader fast: a zero byte ends every scan, so no loop tests a
/// bound, and eight bytes may be loaded from any position in the text.
///
/// A UTF-8 byte order mark is skipped. UTF-16 and UTF-32 are recognised by their byte order mark
/// or by the zero bytes around the first two characters (RFC 4627 §3) and converted.
// @unchecked: the memory is written in init only and freed in deinit.
public final class JSONInput: @unchecked Sendable {
  /// The first byte of the text.
  public let start: UnsafePointer<UInt8>

  /// Bytes of text; the padding is not counted.
  public let count: Int

  private let memory: UnsafeMutableRawPointer

  static let padding = 64

  /// Copies `bytes`, so that they may go away afterwards.
  ///
  /// - Throws: `invalidEncoding` for UTF-16 or UTF-32 with unpaired surrogates, values beyond
  ///   U+10FFFF or a cut last character. UTF-8 is checked while reading, not here.
  /// - Complexity: O(n), at the speed of a memory copy for UTF-8.
  public init(copying bytes: UnsafeRawBufferPointer) throws(JSONError) {
    let (encoding, markCount) = Self.detectEncoding(bytes)
    let body = UnsafeRawBufferPointer(rebasing: bytes[markCount...])
    let capacity: Int
    switch encoding {
    case .utf8: capacity = body.count
    case .utf16: capacity = body.count / 2 * 3
    case .utf32: capacity = body.count
    }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: capacity + Self.padding, alignment: 16)
    let out = memory.assumingMemoryBound(to: UInt8.self)
    let converted: Result<Int, JSONError>
    switch encoding {
    case .utf8:
      if let source = body.baseAddress { memory.copyMemory(from: source, byteCount: body.count) }
      converted = .success(body.count)
    case .utf16(let isBigEndian):
      converted = Self.convertUTF16(body, isBigEndian, to: out)
    case .utf32(let isBigEndian):
      converted = Self.convertUTF32(body, isBigEndian, to: out)
    }
    switch converted {
    case .failure(let error):
      memory.deallocate()
      throw JSONError(error.kind, at: error.byteOffset + markCount)
    case .success(let count):
      self.memory = memory
      self.start = UnsafePointer(out)
      self.count = count
      (out + count).initialize(repeating: 0, count: Self.padding)
    }
  }

  deinit {
    memory.deallocate()
  }

  /// The place of a byte as editors count it: both numbers start at 1, a column is one Unicode
  /// scalar, and LF, CR LF and CR each end a line.
  ///
  /// - Parameter byteOffset: 0...``count``; other values are clamped.
  /// - Complexity: O(n); the text is walked again, so ask only when printing.
  public func lineAndColumn(at byteOffset: Int) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for index in 0..<max(0, min(byteOffset, count)) {
      switch start[index] {
      case 0x0A:
        line += 1
        column = 1
      case 0x0D:
        // Of CR LF the LF ends the line; until then the pair counts as nothing.
        if start[index + 1] != 0x0A {
          line += 1
          column = 1
        }
      case 0x80...0xBF:
        break  // the rest of a scalar
      default:
        column += 1
      }
    }
    return (line, column)
  }
}

// MARK: - Encodings

extension JSONInput {
  private enum Encoding {
    case utf8
    case utf16(isBigEndian: Bool)
    case utf32(isBigEndian: Bool)
  }

  /// The encoding, and the length of its byte order mark.
  private static func detectEncoding(_ bytes: UnsafeRawBufferPointer) -> (Encoding, Int) {
    func byte(_ index: Int) -> Int { index < bytes.count ? Int(bytes[index]) : -1 }
    switch (byte(0), byte(1), byte(2), byte(3)) {
    case (0xEF, 0xBB, 0xBF, _): return (.utf8, 3)
    case (0xFF, 0xFE, 0, 0): return (.utf32(isBigEndian: false), 4)
    case (0, 0, 0xFE, 0xFF): return (.utf32(isBigEndian: true), 4)
    case (0xFF, 0xFE, _, _): return (.utf16(isBigEndian: false), 2)
    case (0xFE, 0xFF, _, _): return (.utf16(isBigEndian: true), 2)
    case (0, 0, 0, 1...): return (.utf32(isBigEndian: true), 0)
    case (1..., 0, 0, 0): return (.utf32(isBigEndian: false), 0)
    case (0, 1..., 0, 1...), (0, 1..., -1, _): return (.utf16(isBigEndian: true), 0)
    case (1..., 0, 1..., 0), (1..., 0, -1, _): return (.utf16(isBigEndian: false), 0)
    // RFC 4627 knew no top-level strings, whose second character need not be ASCII. As UTF-8
    // these would be a control character at best.
    case (0, 0x22, _, _) where bytes.count % 2 == 0: return (.utf16(isBigEndian: true), 0)
    case (0x22, 0, _, _) where bytes.count % 2 == 0: return (.utf16(isBigEndian: false), 0)
    default: return (.utf8, 0)
    }
  }

  private static func convertUTF16(
    _ bytes: UnsafeRawBufferPointer, _ isBigEndian: Bool, to out: UnsafeMutablePointer<UInt8>
  ) -> Result<Int, JSONError> {
    func unit(_ index: Int) -> UInt32 {
      let first = UInt32(bytes[index])
      let second = UInt32(bytes[index + 1])
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    var count = 0
    var index = 0
    while index + 1 < bytes.count {
      var scalar = unit(index)
      if scalar & 0xF800 == 0xD800 {
        guard scalar < 0xDC00, index + 3 < bytes.count else {
          return .failure(JSONError(.invalidEncoding, at: index))
        }
        let low = unit(index + 2)
        guard low & 0xFC00 == 0xDC00 else {
          return .failure(JSONError(.invalidEncoding, at: index))
        }
        scalar = 0x1_0000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
        index += 2
      }
      index += 2
      count += encodeUTF8(scalar, to: out + count)
    }
    return index == bytes.count
      ? .success(count) : .failure(JSONError(.invalidEncoding, at: index))
  }

  private static func convertUTF32(
    _ bytes: UnsafeRawBufferPointer, _ isBigEndian: Bool, to out: UnsafeMutablePointer<UInt8>
  ) -> Result<Int, JSONError> {
    var count = 0
    var index = 0
    while index + 3 < bytes.count {
      let raw = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      let scalar = isBigEndian ? UInt32(bigEndian: raw) : UInt32(littleEndian: raw)
      guard scalar <= 0x10_FFFF, scalar & 0xFFFF_F800 != 0xD800 else {
        return .failure(JSONError(.invalidEncoding, at: index))
      }
      count += encodeUTF8(scalar, to: out + count)
      index += 4
    }
    return index == bytes.count
      ? .success(count) : .failure(JSONError(.invalidEncoding, at: index))
  }
}
