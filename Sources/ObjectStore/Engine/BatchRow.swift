/// The class of a batch's rows, as far as the batch needs to know it.
package struct BatchShape: Sendable {
  let table: Int
  /// Cells of a row.
  package let attributeCount: Int
  /// The primary key's place among the attributes; -1 without one.
  let keyAttribute: Int32
  /// What all rows of the class begin with.
  let flags: UInt32

  init(table: Int, attributeCount: Int, keyAttribute: Int?, isKeyText: Bool) {
    self.table = table
    self.attributeCount = attributeCount
    self.keyAttribute = keyAttribute.map { Int32(truncatingIfNeeded: $0) } ?? -1
    flags = isKeyText ? BatchRow.hasTextKey : 0
  }
}

/// A row of a batch: an address, good while the batch lives.
// Frozen: a build for distribution has no inlinable initializer otherwise.
@frozen @usableFromInline package struct BatchRow: Equatable {
  @usableFromInline static var headerBytes: Int { 32 }
  @usableFromInline let address: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(address: UnsafeMutableRawPointer) { self.address = address }

  struct Header {
    /// The row of the store it stands for; -1 until the batch is applied.
    var slot: Int
    let table: Int32
    /// What kind of row it is, and what applying it did.
    var flags: UInt32
    /// Byte offset in the payload, for messages.
    var source = 0
    /// The primary key's cell; -1 without one.
    let keyAttribute: Int32
    let attributeCount: Int32
  }

  /// An object of the user's and not the content of a payload: it gets a row of its own even
  /// without a key.
  static let isInstance: UInt32 = 1
  static let wasInserted: UInt32 = 2
  static let wasChanged: UInt32 = 4
  /// Replaced by something later in the payload.
  static let isDropped: UInt32 = 8
  /// An earlier row of its key took its cells over.
  static let isFolded: UInt32 = 16
  static let hasTextKey: UInt32 = 32
  /// What was absent was filled with its default.
  static let isFilled: UInt32 = 64
  /// All content in the row was filled with its defaults, too.
  static let isPrepared: UInt32 = 256
  /// A cell holds a default.
  static let hasDefaults: UInt32 = 128

  @inline(__always)
  var header: UnsafeMutablePointer<Header> { address.assumingMemoryBound(to: Header.self) }

  @inlinable @inline(__always)
  var cells: UnsafeMutablePointer<_BatchCell> {
    (address + 32).assumingMemoryBound(to: _BatchCell.self)
  }

  /// The cell of an attribute, by its place in declared order.
  @inlinable @inline(__always)
  package subscript(attribute: Int) -> _BatchCell {
    get { cells[attribute] }
    nonmutating set { cells[attribute] = newValue }
  }

  /// Byte offset of the object in its payload.
  package var source: Int {
    get { header.pointee.source }
    nonmutating set { header.pointee.source = newValue }
  }

  /// Marks the row as an object of the user's: one row of the store each, key or not.
  package func setInstance() { header.pointee.flags |= Self.isInstance }

  /// Fills a cell with a default.
  func setDefault(_ cell: _BatchCell, of attribute: Int) {
    cells[attribute] = cell
    cells[attribute].isDefault = true
    header.pointee.flags |= Self.hasDefaults
  }

  @inline(__always)
  func has(_ flag: UInt32) -> Bool { header.pointee.flags & flag != 0 }

  @inline(__always)
  var isKeyed: Bool { header.pointee.keyAttribute >= 0 }

  /// Whether a cell is absent.
  @inline(__always)
  var lacksCells: Bool {
    let count = Int(header.pointee.attributeCount)
    for attribute in 0..<count where cells[attribute].state == .absent { return true }
    return false
  }

  /// The cell of the primary key, of a row that has one.
  @inline(__always)
  var key: _BatchCell { cells[Int(header.pointee.keyAttribute)] }

  /// What applying did with the row.
  package var outcome: RowOutcome {
    has(Self.wasInserted) ? .inserted : has(Self.wasChanged) ? .updated : .unchanged
  }
}

/// What an update did to one row.
package enum RowOutcome: Sendable {
  /// There was none: it was made.
  case inserted
  /// An attribute changed.
  case updated
  /// It was as the update says already.
  case unchanged
}
