/// The storage of one attribute.
struct ColumnLayout: Sendable {
  /// The representation of a value in a cell.
  enum Kind: UInt8, Sendable {
    /// 64 bits: an integer, the bits of a Double, or a Date as the bits of its seconds since 2001.
    case word
    /// One byte: a Bool or a flag of the engine.
    case byte
    /// A string, data, a UUID, a decimal, a URL or JSON as a range of bytes in the chunk's text arena: the offset in
    /// the upper half, the count in the lower.
    case bytes
    /// The target's slot + 1; 0 for null.
    case link
    /// A slice of the chunk's element arena (``CollectionSlice``).
    case collection
  }

  enum Collection: UInt8, Sendable {
    case list
    /// Sorted by the bits or bytes of the values.
    case set
    /// Alternating keys and values, sorted by the bytes of the keys.
    case map
  }

  var kind: Kind
  /// True if the value may be null, which takes one more byte per row. For elements, see `hasNullElements`.
  var isOptional = false
  /// True if the value is JSON. Equal values can have numbers in different notations, and so different bytes.
  var isJSON = false
  var collection: Collection = .list
  /// The representation of an element, or of a map's value: word, bytes or link.
  var elementKind: Kind = .word
  var hasNullElements = false
  /// The table that links and elements refer to.
  var targetTable = -1
  /// The mapping of values to index keys; nil without an index.
  var index: IndexKey?
  /// True if the column has a word index.
  var isSearchable = false
  /// True if the column is part of a compound primary key.
  var isKeyPart = false

  /// The number of bytes per row.
  var width: Int {
    switch kind {
    case .word, .bytes, .link: 8
    case .byte: 1
    case .collection: CollectionSlice.byteCount
    }
  }

  /// The number of words per element: a map's key, the value, and a null flag.
  var elementStride: Int {
    (collection == .map ? 2 : 1) + (hasNullElements ? 1 : 0)
  }

  /// True if cells or elements link to rows.
  var hasLinks: Bool {
    kind == .link || kind == .collection && elementKind == .link
  }

  /// True if cells or elements have bytes in the text arena.
  var hasBytes: Bool {
    kind == .bytes || kind == .collection && (elementKind == .bytes || collection == .map)
  }
}
