/// Generates unique names of tables and columns. SQLite ignores the case of ASCII letters in names, and reserves some
/// names.
struct FileNames {
  private var taken: Set<[UInt8]>

  /// - Parameter taken: The names in use.
  init(_ taken: some Sequence<String>) {
    self.taken = Set(taken.map { Self.folded($0.utf8) })
  }

  /// Returns a valid name derived from `wanted`, with a number appended if it is in use.
  mutating func name(_ wanted: String) -> String {
    // Works on bytes, because a combining mark after a quote would form one `Character` with it.
    var bytes = wanted.utf8.map { $0 == 0 ? UInt8(ascii: "?") : $0 }
    let start = Self.folded(bytes)
    if bytes.isEmpty || start.starts(with: "sqlite_".utf8) || start.starts(with: "store_".utf8) {
      bytes.insert(UInt8(ascii: "_"), at: 0)
    }
    var name = bytes
    var number = 2
    while !taken.insert(Self.folded(name)).inserted {
      name = bytes + Array("_\(number)".utf8)
      number += 1
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Lowercases ASCII letters only, as SQLite does to compare names.
  private static func folded(_ name: some Sequence<UInt8>) -> [UInt8] {
    name.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
  }

  /// Quotes a name as an SQL identifier.
  static func quoted(_ name: String) -> String {
    let quote = UInt8(ascii: "\"")
    var bytes = [quote]
    for byte in name.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
    return String(decoding: bytes, as: UTF8.self)
  }
}
