/// How the engine stores one class: plain data, without objects or model classes, so that a schema
/// found at run time works too.
///
/// The first columns are the engine's own:
///
///     0   live byte: 1 while the row exists
///     1   (rows without a primary key) references: how many links, list elements … point here;
///         (embedded rows) the owner: 1 while owned
///     2   (rows without a primary key) born nested: 1 if a replacement may delete the row
///     3 … (rows without a primary key) defaults: a bit for each attribute, 64 to a column, set while
///         it holds the default it was filled with when the row was made
///     …   the attributes, in declared order
///
/// A class, so that looking at it in a loop counts one reference and not three.
final class TableLayout: Sendable {
  /// How rows are told apart.
  enum Identity: Sendable {
    /// By a primary key; the row is found again by it.
    case keyed
    /// By nothing: a row of its own for each nested object of a payload.
    case keyless
    /// Owned by exactly one attribute of another row.
    case embedded
  }

  static let liveColumn = 0
  static let referencesColumn = 1
  static let bornNestedColumn = 2
  static let defaultsColumn = 3

  let name: String
  let identity: Identity
  let columns: [ColumnLayout]
  /// Column of the primary key; nil without one.
  let keyColumn: Int?
  /// The columns that have an index, ascending.
  let indexedColumns: [Int]

  /// Index of the first attribute's column.
  let firstAttribute: Int
  private let attributeNames: [String]

  init(
    name: String, identity: Identity, attributes: [(name: String, column: ColumnLayout)],
    keyAttribute: Int?
  ) {
    self.name = name
    self.identity = identity
    var columns = [ColumnLayout(kind: .byte)]
    if identity != .keyed {
      columns.append(ColumnLayout(kind: .word))
      columns.append(ColumnLayout(kind: .byte))
    }
    firstAttribute = Self.firstAttribute(
      isKeyed: identity == .keyed, attributeCount: attributes.count)
    while columns.count < firstAttribute { columns.append(ColumnLayout(kind: .word)) }
    let allColumns = columns + attributes.map(\.column)
    self.columns = allColumns
    indexedColumns = allColumns.indices.filter { allColumns[$0].index != nil }
    attributeNames = attributes.map(\.name)
    keyColumn = keyAttribute.map { $0 + columns.count }
  }

  static func firstAttribute(isKeyed: Bool, attributeCount: Int) -> Int {
    isKeyed ? liveColumn + 1 : defaultsColumn + (attributeCount + 63) / 64
  }

  /// An attribute as messages show it: `Animal.name`.
  func attributeName(_ column: Int) -> String { "\(name).\(shortName(column))" }

  /// An attribute by its own name.
  func shortName(_ column: Int) -> String { attributeNames[column - firstAttribute] }
}

/// How one attribute is stored.
struct ColumnLayout: Sendable {
  /// What a cell holds.
  enum Kind: UInt8, Sendable {
    /// 64 bits: an integer, the bits of a Double, a Date as its Double of seconds since 2001.
    case word
    /// One byte: a Bool, or the engine's own marks.
    case byte
    /// A range of bytes in the chunk's text arena: offset in the upper, count in the lower half.
    case text
    /// The target's slot + 1; 0 for no target.
    case link
    /// A run in the chunk's element arena (``CollectionRun``).
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

  /// Bytes per row.
  var width: Int {
    switch kind {
    case .word, .text, .link: 8
    case .byte: 1
    case .collection: CollectionRun.byteCount
    }
  }

  /// Words per element: a map's key, the value, a mark for null elements.
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

/// Where the elements of one collection stand in the element arena of its chunk's column.
///
///     offset   word index of the first element
///     length   elements
///     capacity elements there is room for in place (only the writer reads it)
///     front    elements there is room for in front of the first; only the transaction that made
///              the run may use it
struct CollectionRun {
  static let byteCount = 16
  static let capacityOffset = 8

  var offset: UInt32
  var length: UInt32
  var capacity: UInt32
  var front: UInt32

  init(offset: Int, length: Int, capacity: Int, front: Int = 0) {
    self.offset = UInt32(offset)
    self.length = UInt32(length)
    self.capacity = UInt32(capacity)
    self.front = UInt32(front)
  }

  /// A run without room behind its elements.
  @inline(__always)
  init(offset: UInt32, length: UInt32) {
    self.offset = offset
    self.length = length
    capacity = length
    front = 0
  }

  /// Elements there is room for in all.
  var room: Int { Int(front) + Int(capacity) }

  static let empty = CollectionRun(offset: 0, length: 0, capacity: 0)
}
