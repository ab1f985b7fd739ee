extension JSONReader {
  /// Consumes a string and returns its bytes, unescaped.
  @inlinable @inline(__always)
  public mutating func string() throws(JSONError) -> JSONString {
    skipSpace()
    guard next.pointee == Byte.quote else { throw mismatch() }
    return try stringBody()
  }

  /// Consumes the string whose opening quote is next.
  @inlinable @inline(__always)
  mutating func stringBody() throws(JSONError) -> JSONString {
    let start = next + 1
    var seen: UInt64 = 0
    let stop = scanString(start, &seen)
    guard stop.pointee == Byte.quote else { return try unescape(start, stop, seen) }
    if seen & .highBits != 0, let invalid = firstInvalidUTF8(start, stop) {
      return try repair(invalid)
    }
    endString(stop)
    return JSONString(start: start, count: stop - start, isInPlace: true)
  }

  /// Reads the rest of a string from its first escape or error at `stop`.
  @usableFromInline @inline(never)
  mutating func unescape(
    _ start: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>, _ seen: UInt64
  ) throws(JSONError) -> JSONString {
    var sliceStart = start
    var stop = stop
    var seen = seen
    var count = 0
    while true {
      // 11: 4 bytes for an escape after the slice, and 7 that copying whole words may write past it.
      let length = stop - sliceStart
      let out = scratch.reserve(count + length + 11, keeping: count)
      let target = UnsafeMutableRawPointer(out + count)
      if length <= 32 {
        // Slices between escapes are mostly short, and a call costs more than copying them.
        for offset in stride(from: 0, to: length, by: 8) {
          target.storeBytes(of: (sliceStart + offset).word, toByteOffset: offset, as: UInt64.self)
        }
      } else {
        target.copyMemory(from: sliceStart, byteCount: length)
      }
      count += length
      if stop.pointee == Byte.quote { break }
      guard stop.pointee == Byte.backslash else { throw syntaxError(.controlCharacter, at: stop) }
      switch escape(stop) {
      case .scalar(let scalar, let length):
        count += encodeUTF8(scalar, to: out + count)
        if scalar >= 0x80 { seen |= 0x80 }
        stop += length
      case .loneSurrogate:
        return try repair(stop, .loneSurrogate)
      case .invalid(let kind, let position):
        throw syntaxError(kind, at: position)
      }
      sliceStart = stop
      if stop.pointee != Byte.backslash { stop = scanString(sliceStart, &seen) }
    }
    // Validates the source text instead of the unescaped result: in the source, escapes are ASCII and cannot
    // complete a UTF-8 sequence, and an error has an offset.
    if seen & .highBits != 0, let invalid = firstInvalidUTF8(start, stop) {
      return try repair(invalid)
    }
    endString(stop)
    let out = UnsafePointer(scratch.reserve(1, keeping: count))
    return JSONString(start: out, count: count, isInPlace: false)
  }

  enum Escape {
    /// A scalar value, encoded in `length` bytes.
    case scalar(UInt32, length: Int)
    /// `\uD800` to `\uDFFF` without its other half: 6 bytes.
    case loneSurrogate
    case invalid(JSONError.Kind, UnsafePointer<UInt8>)
  }

  /// Decodes the escape at `backslash` (RFC 8259 §7).
  @inline(__always)
  func escape(_ backslash: UnsafePointer<UInt8>) -> Escape {
    switch backslash[1] {
    case 0x22, 0x5C, 0x2F: return .scalar(UInt32(backslash[1]), length: 2)
    case 0x62: return .scalar(0x08, length: 2)
    case 0x66: return .scalar(0x0C, length: 2)
    case 0x6E: return .scalar(0x0A, length: 2)
    case 0x72: return .scalar(0x0D, length: 2)
    case 0x74: return .scalar(0x09, length: 2)
    case Byte.lowerU:
      let unit = hexadecimal4(backslash + 2)
      if unit & 0xF_F800 == 0xD800 { return surrogates(backslash, unit) }
      return unit <= 0xFFFF ? .scalar(unit, length: 6) : badEscape(backslash)
    default: return badEscape(backslash)
    }
  }

  @inline(never)
  private func surrogates(_ backslash: UnsafePointer<UInt8>, _ high: UInt32) -> Escape {
    guard high < 0xDC00 else { return .loneSurrogate }
    guard backslash[6] == Byte.backslash, backslash[7] == Byte.lowerU else {
      // If the text ends within a possible pair, the error is the unexpected end.
      let cut = backslash + (backslash[6] == Byte.backslash ? 7 : 6)
      return cut == end ? .invalid(.unexpectedEnd, cut) : .loneSurrogate
    }
    let low = hexadecimal4(backslash + 8)
    if low > 0xFFFF { return badEscape(backslash + 6) }
    guard low & 0xFC00 == 0xDC00 else { return .loneSurrogate }
    return .scalar(0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00), length: 12)
  }

  /// The error at the backslash, or an unexpected end if the text ends within the escape.
  @inline(never)
  private func badEscape(_ backslash: UnsafePointer<UInt8>) -> Escape {
    if backslash + 1 == end { return .invalid(.unexpectedEnd, end) }
    if backslash[1] == Byte.lowerU {
      for index in 2..<6 where hexadecimal(backslash[index]) > 0xF {
        if backslash + index == end { return .invalid(.unexpectedEnd, end) }
        break
      }
    }
    return .invalid(.invalidEscape, backslash)
  }

  // MARK: - Bad Unicode

  /// Throws the error at `position` or, with `repairsUnicode`, reads the string again and replaces invalid Unicode
  /// with U+FFFD.
  @usableFromInline @inline(never)
  mutating func repair(
    _ position: UnsafePointer<UInt8>, _ kind: JSONError.Kind = .invalidUTF8
  ) throws(JSONError) -> JSONString {
    guard repairsUnicode else { throw syntaxError(kind, at: position) }
    skippedBadUnicode = true
    var source = next + 1
    var count = 0
    while true {
      let out = scratch.reserve(count + 4, keeping: count) + count
      let byte = source.pointee
      if byte == Byte.quote { break }
      if byte == Byte.backslash {
        switch escape(source) {
        case .scalar(let scalar, let length):
          count += encodeUTF8(scalar, to: out)
          source += length
        case .loneSurrogate:
          count += encodeUTF8(0xFFFD, to: out)
          source += 6
        case .invalid(let kind, let position):
          throw syntaxError(kind, at: position)
        }
      } else if byte < 0x80 {
        guard byte >= 0x20 else { throw syntaxError(.controlCharacter, at: source) }
        out[0] = byte
        count += 1
        source += 1
      } else {
        let length = sequenceLength(source)
        if length > 0 {
          out.update(from: source, count: length)
          count += length
          source += length
        } else {
          count += encodeUTF8(0xFFFD, to: out)
          source += illFormedLength(source)
        }
      }
    }
    endString(source)
    let out = UnsafePointer(scratch.reserve(1, keeping: count))
    return JSONString(start: out, count: count, isInPlace: false)
  }

  // MARK: - Skipping

  /// Validates and skips the string whose opening quote is next, without unescaping it.
  @inline(__always)
  mutating func skipString() throws(JSONError) {
    let start = next + 1
    var seen: UInt64 = 0
    var stop = scanString(start, &seen)
    while stop.pointee != Byte.quote {
      stop = try skipEscape(stop)
      stop = scanString(stop, &seen)
    }
    if seen & .highBits != 0, let invalid = firstInvalidUTF8(start, stop) {
      guard repairsUnicode else { throw syntaxError(.invalidUTF8, at: invalid) }
      skippedBadUnicode = true
    }
    endString(stop)
  }

  @inline(never)
  private mutating func skipEscape(
    _ stop: UnsafePointer<UInt8>
  ) throws(JSONError) -> UnsafePointer<UInt8> {
    guard stop.pointee == Byte.backslash else { throw syntaxError(.controlCharacter, at: stop) }
    switch escape(stop) {
    case .scalar(_, let length):
      return stop + length
    case .loneSurrogate:
      guard repairsUnicode else { throw syntaxError(.loneSurrogate, at: stop) }
      skippedBadUnicode = true
      return stop + 6
    case .invalid(let kind, let position):
      throw syntaxError(kind, at: position)
    }
  }

  /// Returns `raw`, a validated value, with U+FFFD for invalid UTF-8 and `\uFFFD` for lone surrogates.
  @inline(never)
  mutating func repairedCopy(
    _ raw: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    guard var source = raw.baseAddress else { return raw }
    let rawEnd = source + raw.count
    var count = 0
    while source < rawEnd {
      // An escape is at most 12 bytes.
      let out = rawScratch.reserve(count + 16, keeping: count) + count
      let byte = source.pointee
      var length = 1
      if byte == Byte.backslash {
        switch escape(source) {
        case .scalar(_, let escapeLength): length = escapeLength
        case .loneSurrogate, .invalid: length = 0
        }
        if length == 0 {
          let replacement: StaticString = "\\uFFFD"
          out.update(from: replacement.utf8Start, count: 6)
          count += 6
          source += 6
          continue
        }
      } else if byte >= 0x80 {
        length = sequenceLength(source)
        if length == 0 {
          count += encodeUTF8(0xFFFD, to: out)
          source += illFormedLength(source)
          continue
        }
      }
      out.update(from: source, count: length)
      count += length
      source += length
    }
    return UnsafeBufferPointer(start: rawScratch.reserve(1, keeping: count), count: count)
  }
}
