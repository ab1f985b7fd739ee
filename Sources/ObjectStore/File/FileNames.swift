/// Names of tables and columns: SQLite tells them apart without case, and keeps some for itself.
struct FileNames {
  private var taken: Set<String>

  /// - Parameter taken: names that are not to be given.
  init(_ taken: some Sequence<String>) {
    self.taken = Set(taken.map(Self.folded))
  }

  /// The name, or, where it is taken, the name with a number behind it.
  mutating func name(_ wanted: String) -> String {
    var base = wanted.replacing("\0", with: "?")
    let start = Self.folded(base)
    if start.hasPrefix("sqlite_") || start.hasPrefix("store_") || base.isEmpty { base = "_" + base }
    var name = base
    var number = 2
    while !taken.insert(Self.folded(name)).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }

  /// As SQLite compares names: ASCII letters without case, everything else by its bytes.
  private static func folded(_ name: String) -> String {
    String(
      decoding: name.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// A name as SQL has it.
  static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
