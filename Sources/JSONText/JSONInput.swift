/// The UTF-8 bytes of one JSON text, as readers need them: with room behind the last.
///
///     let input = try JSONInput(copying: bytes)
///     var reader = JSONReader(input)
///
/// A reader tests no bounds: a zero byte behind the text ends every scan, and eight bytes may be
/// loaded from any position. A text that is read where it stands has no such room, so its end is
/// copied to where there is, and readers go over to the copy at the seam:
///
///     the caller's bytes   [ … , { "id" : 7 , "name" : "x" } ]
///                                               ▲ seam  ▲ stop, 32 bytes or more before the end
///     own memory                                [" : "x" } ] 0 0 0 …
///
/// Seam and stop are quotes with no backslash before them. Every string that begins at or before the
/// seam ends at the stop at the latest, whatever the text is, and all other tokens end at a quote:
/// so nothing is read past the end, and it is enough to look for the seam where a string has ended.
///
/// A UTF-8 byte order mark is skipped. UTF-16 and UTF-32 are recognised by their byte order mark
/// or by the zero bytes around the first two characters (RFC 4627 §3) and converted.
// @unchecked: the memory is written in init only and freed in deinit.
public final class JSONInput: @unchecked Sendable {
  /// The first byte of the text; all of it can be read from here on.
  public let start: UnsafePointer<UInt8>

  /// Bytes of text; the padding is not counted.
  public let count: Int

  /// Bytes before the seam; ``count`` if there is none.
  let seam: Int

  /// The text from the seam on, or all of it if there is none, with padding behind it.
  let padded: UnsafePointer<UInt8>

  /// Behind the last byte of the text in ``padded``.
  let end: UnsafePointer<UInt8>

  private let memory: UnsafeMutableRawPointer

  static let padding = 64

  /// How the bytes of a text are told.
  public enum Encoding: Sendable {
    /// As texts from outside are: by a byte order mark or zero bytes, else UTF-8.
    case detected
    /// Known to be UTF-8; a byte order mark or a zero byte in it is a mistake.
    case utf8
  }

  /// Copies `bytes`, so that they may go away afterwards.
  ///
  /// - Throws: `invalidEncoding` for UTF-16 or UTF-32 with unpaired surrogates, values beyond
  ///   U+10FFFF or a cut last character. UTF-8 is checked while reading, not here.
  /// - Complexity: O(n), at the speed of a memory copy for UTF-8.
  public convenience init(
    copying bytes: UnsafeRawBufferPointer, encoding: Encoding = .detected
  ) throws(JSONError) {
    try self.init(bytes, encoding, isCopy: true)
  }

  /// Reads `bytes` where they stand, but for their end: they must outlive the input.
  ///
  /// - Throws: as ``init(copying:encoding:)`` does.
  /// - Complexity: the length of what stands behind the last few strings; O(n) for UTF-16 and
  ///   UTF-32, and for a text without strings, which are copied.
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

  /// The place of the seam: the last quote but one that no backslash stands before; nil in a text
  /// that is too short, or has too few strings.
  private static func seam(in bytes: UnsafeRawBufferPointer) -> Int? {
    // No scan looks further behind the quote that ends it: an escape has 12 bytes, a step of a scan 32.
    let reach = 32
    var hasStop = false
    var index = bytes.count - reach
    while index > 0 {
      if bytes[index] == Byte.quote, bytes[index - 1] != Byte.backslash {
        if hasStop { return index }
        hasStop = true
      }
      index -= 1
    }
    return nil
  }

  /// The place of a byte as editors count it: both numbers start at 1, a column is one Unicode
  /// scalar, and LF, CR LF and CR each end a line.
  ///
  /// - Parameter byteOffset: 0...``count``; other values are clamped.
  /// - Complexity: O(n); for many places walk once, with a ``JSONLineWalk``.
  public func lineAndColumn(at byteOffset: Int) -> (line: Int, column: Int) {
    var walk = JSONLineWalk(self)
    return walk.lineAndColumn(at: byteOffset)
  }
}

// MARK: - Encodings

extension JSONInput {
  /// How characters are written.
  private enum Form: Equatable {
    case utf8
    case utf16(isBigEndian: Bool)
    case utf32(isBigEndian: Bool)
  }

  /// The form, and the length of its byte order mark.
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
