/// The UTF-8 bytes of one JSON text, followed by padding that readers need.
///
///     let input = try JSONInput(copying: bytes)
///     var reader = JSONReader(input)
///
/// A reader checks no bounds: a zero byte after the text ends every scan, and eight bytes can be loaded from
/// any position. Borrowed text has no padding, so its last part is copied to padded memory, and readers switch
/// to the copy at the seam:
///
///     the caller's bytes   [ … , { "id" : 7 , "name" : "x" } ]
///                                               ▲ seam  ▲ stop, 32 bytes or more before the end
///     own memory                                [" : "x" } ] 0 0 0 …
///
/// The seam and the stop are quotes not preceded by a backslash. For any text, a string that begins at or
/// before the seam ends at or before the stop, and a quote ends every other token. So nothing is read past the
/// end, and checking for the seam at the end of strings suffices.
///
/// A UTF-8 byte order mark is skipped. UTF-16 and UTF-32 are recognized by their byte order mark or by the zero
/// bytes around the first two characters (RFC 4627 §3) and converted.
// @unchecked: the memory is written only in init and freed in deinit.
public final class JSONInput: @unchecked Sendable {
  /// The first byte of the text. All `count` bytes are contiguous, but without padding if they are borrowed.
  public let start: UnsafePointer<UInt8>

  /// The length of the text in bytes, without the padding.
  public let count: Int

  /// The offset of the seam; ``count`` if there is none.
  let seam: Int

  /// The text from the seam on, or all of it if there is no seam, followed by padding.
  let padded: UnsafePointer<UInt8>

  /// The end of the text in ``padded``.
  let end: UnsafePointer<UInt8>

  private let memory: UnsafeMutableRawPointer

  static let padding = 64

  /// The encoding of the input bytes.
  public enum Encoding: Sendable {
    /// Detected from a byte order mark or zero bytes; otherwise UTF-8.
    case detected
    /// UTF-8. A byte order mark or a zero byte is an error.
    case utf8
  }

  /// Creates an input with a copy of `bytes`.
  ///
  /// - Throws: `invalidEncoding` for UTF-16 or UTF-32 with unpaired surrogates, values beyond U+10FFFF or an
  ///   incomplete last character. UTF-8 is validated while reading.
  /// - Complexity: O(n), at the speed of a memory copy for UTF-8.
  public convenience init(
    copying bytes: UnsafeRawBufferPointer, encoding: Encoding = .detected
  ) throws(JSONError) {
    try self.init(bytes, encoding, isCopy: true)
  }

  /// Creates an input that reads `bytes` in place, apart from the last part. The bytes must outlive the input.
  ///
  /// - Throws: The same errors as ``init(copying:encoding:)``.
  /// - Complexity: O(*k*) in the length of the last few strings and the text after them; O(*n*) for UTF-16, UTF-32
  ///   and text without strings, which are copied.
  public convenience init(
    borrowing bytes: UnsafeRawBufferPointer, encoding: Encoding = .detected
  ) throws(JSONError) {
    try self.init(bytes, encoding, isCopy: false)
  }

  private init(
    _ bytes: UnsafeRawBufferPointer, _ encoding: Encoding, isCopy: Bool
  ) throws(JSONError) {
    let (form, markCount): (Form, Int) = encoding == .utf8 ? (.utf8, 0) : Self.detectForm(bytes)
    let body = UnsafeRawBufferPointer(rebasing: bytes[markCount...])
    let seam = form == .utf8 && !isCopy ? Self.seam(in: body) ?? 0 : 0
    let capacity: Int
    switch form {
    case .utf8: capacity = body.count - seam
    case .utf16: capacity = body.count / 2 * 3
    case .utf32: capacity = body.count
    }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: capacity + Self.padding, alignment: 16)
    let out = memory.assumingMemoryBound(to: UInt8.self)
    let converted: Result<Int, JSONError>
    switch form {
    case .utf8:
      if let source = body.baseAddress {
        memory.copyMemory(from: source + seam, byteCount: capacity)
      }
      converted = .success(capacity)
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
      padded = UnsafePointer(out)
      end = padded + count
      (out + count).initialize(repeating: 0, count: Self.padding)
      self.count = seam + count
      if seam > 0, let source = body.baseAddress {
        self.seam = seam
        start = source.assumingMemoryBound(to: UInt8.self)
      } else {
        self.seam = count
        start = UnsafePointer(out)
      }
    }
  }

  deinit {
    memory.deallocate()
  }

  /// The offset of the seam: the second-to-last of the quotes that are at least 32 bytes before the end and not
  /// preceded by a backslash. Nil if there are fewer than two.
  private static func seam(in bytes: UnsafeRawBufferPointer) -> Int? {
    // No scan reads more than this past its closing quote: an escape has 12 bytes, a scan step 32.
    let lookahead = 32
    var hasStop = false
    var index = bytes.count - lookahead
    while index > 0 {
      // A long string may be at the end, so eight bytes without a quote are skipped at once.
      if index >= 8,
        bytes.loadUnaligned(fromByteOffset: index - 7, as: UInt64.self)
          .bytes(equalTo: Byte.quote) == 0
      {
        index -= 8
        continue
      }
      if bytes[index] == Byte.quote, bytes[index - 1] != Byte.backslash {
        if hasStop { return index }
        hasStop = true
      }
      index -= 1
    }
    return nil
  }

  /// Returns the line and column of a byte, both counted from 1. A column is one Unicode scalar, and LF, CR LF
  /// and CR each end a line.
  ///
  /// - Parameter byteOffset: 0...``count``; other values are clamped.
  /// - Complexity: O(n). For many offsets, use a ``JSONLineWalk``.
  public func lineAndColumn(at byteOffset: Int) -> (line: Int, column: Int) {
    var walk = JSONLineWalk(self)
    return walk.lineAndColumn(at: byteOffset)
  }
}

// MARK: - Encodings

extension JSONInput {
  /// A character encoding.
  private enum Form: Equatable {
    case utf8
    case utf16(isBigEndian: Bool)
    case utf32(isBigEndian: Bool)
  }

  /// Returns the length of the byte order mark of UTF-8 text; nil if the text is UTF-16 or UTF-32.
  ///
  /// - Parameter bytes: The first four bytes of the text, or all of it if it is shorter.
  public static func utf8MarkCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let (form, markCount) = detectForm(bytes)
    return form == .utf8 ? markCount : nil
  }

  /// Detects the encoding and the length of its byte order mark.
  private static func detectForm(_ bytes: UnsafeRawBufferPointer) -> (Form, Int) {
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
    // RFC 4627 had no top-level strings, whose second character need not be ASCII. As UTF-8, these bytes would
    // contain an unescaped zero byte and be invalid.
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
