import Foundation

/// Compares strings by their bytes, after case or diacritic folding if the options request it.
struct StringMatcher {
  private let operation: QueryComparison.Operation
  let options: TextOptions

  init(_ comparison: QueryComparison) {
    operation = comparison.operation
    options = comparison.options
  }

  func matches(_ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer) -> Bool {
    if options.isEmpty { return compare(text, pattern) }
    return folded(text) { text in folded(pattern) { compare(text, $0) } }
  }

  private func compare(_ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer) -> Bool {
    switch operation {
    case .equal: text.hasSameBytes(as: pattern)
    case .notEqual: !text.hasSameBytes(as: pattern)
    case .less: Self.order(text, pattern) < 0
    case .lessOrEqual: Self.order(text, pattern) <= 0
    case .greater: Self.order(text, pattern) > 0
    case .greaterOrEqual: Self.order(text, pattern) >= 0
    case .beginsWith:
      text.count >= pattern.count
        && UnsafeRawBufferPointer(rebasing: text[..<pattern.count]).hasSameBytes(as: pattern)
    case .endsWith:
      text.count >= pattern.count
        && UnsafeRawBufferPointer(rebasing: text[(text.count - pattern.count)...])
          .hasSameBytes(as: pattern)
    case .contains: Self.contains(text, pattern)
    case .like: Self.isLike(text, pattern)
    // `SearchFilter` evaluates TEXT.
    case .text: false
    }
  }

  /// Compares by bytes: below 0, 0 or above 0. For UTF-8, this is the order of the Unicode scalars.
  static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let count = min(a.count, b.count)
    if count > 0, let first = a.baseAddress, let second = b.baseAddress {
      let order = memcmp(first, second, count)
      if order != 0 { return Int(order) }
    }
    return a.count - b.count
  }

  /// - Complexity: O(n · m) at worst. `memchr` finds occurrences of the first byte.
  private static func contains(
    _ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer
  ) -> Bool {
    guard let first = part.first else { return true }
    guard part.count <= text.count, let start = text.baseAddress, let wanted = part.baseAddress
    else { return false }
    var offset = 0
    let last = text.count - part.count
    while offset <= last {
      guard let found = memchr(start + offset, Int32(first), last - offset + 1) else {
        return false
      }
      offset = UnsafeRawPointer(found) - start
      if memcmp(start + offset, wanted, part.count) == 0 { return true }
      offset += 1
    }
    return false
  }

  /// True if the text matches a pattern in which `*` matches any number of characters, `?` matches one character, and a
  /// backslash escapes the next character. A character is a Unicode scalar.
  ///
  /// - Complexity: O(n · m) at worst.
  private static func isLike(
    _ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer
  ) -> Bool {
    let star = UInt8(ascii: "*")
    let one = UInt8(ascii: "?")
    let escape = UInt8(ascii: "\\")
    var t = 0
    var p = 0
    var retry: (text: Int, pattern: Int)?
    while t < text.count {
      if p < pattern.count {
        if pattern[p] == star {
          retry = (t, p + 1)
          p += 1
          continue
        }
        if pattern[p] == one {
          t = next(text, t)
          p += 1
          continue
        }
        let isEscaped = pattern[p] == escape && p + 1 < pattern.count
        if text[t] == pattern[isEscaped ? p + 1 : p] {
          t += 1
          p += isEscaped ? 2 : 1
          continue
        }
      }
      guard let from = retry else { return false }
      t = next(text, from.text)
      retry = (t, from.pattern)
      p = from.pattern
    }
    while p < pattern.count, pattern[p] == star { p += 1 }
    return p == pattern.count
  }

  /// The index after the scalar that begins at `index`.
  private static func next(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int {
    var index = index + 1
    while index < text.count, text[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }

  private func folded(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    StringFolding.withFolded(
      text, ignoringCase: options.contains(.caseInsensitive),
      ignoringDiacritics: options.contains(.diacriticInsensitive), body)
  }
}
