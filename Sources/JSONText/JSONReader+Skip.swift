extension JSONReader {
  /// Validates and skips one value of any type.
  ///
  /// Iterative: deep nesting reaches the depth limit instead of overflowing the stack.
  public mutating func skipValue() throws(JSONError) {
    skipSpace()
    // The containers opened by this call. The lowest bit of `kinds` is set if the innermost one is an object; after
    // every 64 levels, the word is saved to `levelScratch`.
    var kinds: UInt64 = 0
    var level = 0
    while true {
      let byte = next.pointee
      switch byte {
      case Byte.quote:
        try skipString()
      case Byte.openBrace, Byte.openBracket:
        guard depth + level < depthLimit else { throw syntaxError(.depthLimit, at: next) }
        let isObject = byte == Byte.openBrace
        next += 1
        skipSpace()
        if next.pointee == (isObject ? Byte.closeBrace : Byte.closeBracket) {
          next += 1
          break
        }
        if level & 63 == 0, level > 0 { saveLevels(kinds, level) }
        kinds = kinds << 1 | (isObject ? 1 : 0)
        level += 1
        if isObject { try skipKey(level) }
        continue
      case 0x74, 0x66:
        _ = try bool()
      case 0x6E:
        _ = try null()
      default:
        try skipNumber()
      }

      // After a value, closes containers until there is another value.
      while true {
        if level == 0 { return }
        let isObject = kinds & 1 != 0
        let close = isObject ? Byte.closeBrace : Byte.closeBracket
        skipSpace()
        if next.pointee == Byte.comma {
          let comma = next
          next += 1
          skipSpace()
          if next.pointee != close {
            if isObject { try skipKey(level) }
            break
          }
          if isStrict { throw syntaxError(.trailingComma, at: comma) }
        } else if next.pointee != close {
          throw syntaxError(.expectedCommaOrEnd, at: next)
        }
        next += 1
        openKeys?.close(downTo: depth + level)
        kinds >>= 1
        level -= 1
        if level & 63 == 0, level > 0 { kinds = savedLevels(level) }
      }
    }
  }

  /// Validates and skips one value, and returns its bytes in the text.
  ///
  /// With `repairsUnicode`, a value with invalid Unicode is returned as a repaired copy, valid until the next call.
  /// Other values are returned as bytes of the input.
  public mutating func rawValue() throws(JSONError) -> UnsafeBufferPointer<UInt8> {
    skipSpace()
    let start = byteOffset
    skippedBadUnicode = false
    try skipValue()
    let raw = UnsafeBufferPointer(start: input.start + start, count: byteOffset - start)
    return skippedBadUnicode ? repairedCopy(raw) : raw
  }

  /// Validates and skips a key, its colon and the white space around it, and returns the quoted key as written.
  mutating func rawKey() throws(JSONError) -> UnsafeBufferPointer<UInt8> {
    skipSpace()
    guard next.pointee == Byte.quote else { throw syntaxError(.expectedKey, at: next) }
    let start = byteOffset
    try skipString()
    let raw = UnsafeBufferPointer(start: input.start + start, count: byteOffset - start)
    try consumeColon()
    return raw
  }

  @inline(__always)
  private mutating func skipKey(_ level: Int) throws(JSONError) {
    if openKeys != nil {
      _ = try anyKey(depth: depth + level)
      return
    }
    guard next.pointee == Byte.quote else { throw syntaxError(.expectedKey, at: next) }
    try skipString()
    if next.pointee != Byte.colon {
      skipSpace()
      guard next.pointee == Byte.colon else { throw syntaxError(.expectedColon, at: next) }
    }
    next += 1
    skipSpace()
  }

  @inline(never)
  private mutating func saveLevels(_ kinds: UInt64, _ level: Int) {
    let memory = levelScratch.reserve(level / 8, keeping: level / 8 - 8)
    UnsafeMutableRawPointer(memory).storeBytes(
      of: kinds, toByteOffset: level / 8 - 8, as: UInt64.self)
  }

  @inline(never)
  private mutating func savedLevels(_ level: Int) -> UInt64 {
    let memory = levelScratch.reserve(level / 8, keeping: level / 8)
    return UnsafeRawPointer(memory).load(fromByteOffset: level / 8 - 8, as: UInt64.self)
  }
}
