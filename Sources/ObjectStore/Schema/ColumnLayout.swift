/// How one attribute is stored.
struct ColumnLayout: Sendable {
  /// What a cell holds.
  enum Kind: UInt8, Sendable {
    /// 64 bits: an integer, the bits of a Double, a Date as its Double of seconds since 2001.
    case word
    /// One byte: a Bool, or the engine's own flags.
    case byte
    /// A range of bytes in the chunk's text arena: offset in the upper, count in the lower half.
    case text
    /// The target's slot + 1; 0 for no target.
    case link
    /// A run in the chunk's element arena (``CollectionSlice``).
    case collection
  }

  enum Collection: UInt8, Sendable {
    case list
    /// Sorted by the bytes of the values.
    case set
    /// Key and value by turns, sorted by the bytes of the keys.
    case map
  }

  var kind: Kind
  /// For values: null is a value of its own, one byte per row. For elements see `hasNullElements`.
  var isOptional = false
  var collection: Collection = .list
  /// What an element (of a map: a value) is: word, text or link.
  var elementKind: Kind = .word
  var hasNullElements = false
  /// Table that links and elements point into.
  var targetTable = -1
  /// The order of its values in the column's index; nil for a column without one.
  var index: IndexKey?
  /// Whether the words of its texts have an index.
  var isSearchable = false
  /// Whether the primary key is made of it and others.
  var isKeyPart = false

  /// Bytes per row.
  var width: Int {
    switch kind {
    case .word, .text, .link: 8
    case .byte: 1
    case .collection: CollectionSlice.byteCount
    }
  }

  /// Words per element: a map's key, the value, whether it is null.
  var elementStride: Int {
    (collection == .map ? 2 : 1) + (hasNullElements ? 1 : 0)
  }

  /// Whether cells or elements point at rows of another table.
  var hasLinks: Bool {
    kind == .link || kind == .collection && elementKind == .link
  }

  /// Whether text bytes belong to the cells.
  var hasText: Bool {
    kind == .text || kind == .collection && (elementKind == .text || collection == .map)
  }
}
