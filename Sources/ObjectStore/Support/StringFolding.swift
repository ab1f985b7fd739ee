import Foundation

/// Removes case or diacritics from strings for comparison, as for `[cd]` in queries and for text search.
enum StringFolding {
  /// Calls `body` with the folded text as UTF-8.
  ///
  /// - Complexity: O(n). ASCII text takes a few nanoseconds, other text two microseconds or more, because it uses
  ///   Foundation's Unicode tables.
  static func withFolded<R>(
    _ text: UnsafeRawBufferPointer, ignoringCase: Bool, ignoringDiacritics: Bool,
    _ body: (UnsafeRawBufferPointer) -> R
  ) -> R {
    if text.allSatisfy({ $0 < 0x80 }) {
      guard ignoringCase else { return body(text) }
      return withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { lower in
        for index in 0..<text.count {
          let byte = text[index]
          lower[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
        }
        return body(UnsafeRawBufferPointer(lower))
      }
    }
    var options: String.CompareOptions = []
    if ignoringCase { options.insert(.caseInsensitive) }
    if ignoringDiacritics { options.insert(.diacriticInsensitive) }
    var folded = String(decoding: text, as: UTF8.self).folding(options: options, locale: nil)
    return folded.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
