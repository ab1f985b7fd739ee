/// A row of a batch, represented by its address, which is valid while the batch lives.
// Frozen, because with library evolution only a frozen struct can have an inlinable initializer that sets its
// properties.
@frozen @usableFromInline package struct BatchRow: Equatable {
  @usableFromInline static var headerBytes: Int { 32 }
  @usableFromInline let address: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(address: UnsafeMutableRawPointer) { self.address = address }

  struct Header {
    /// The slot of the row in the store; -1 until the batch is applied. For a row whose object was deleted locally,
    /// -2 minus the slot of its tombstone. `Int.min` for a row whose deletion was confirmed after the payload was requested.
    var slot: Int
    let table: Int32
    /// Flags for the kind of row and the outcome of applying it.
    var flags: UInt32
    /// The byte offset in the payload, for messages.
    var source = 0
    /// The attribute index of the primary key; -1 without one.
    let keyAttribute: Int32
    let attributeCount: Int32
  }

  /// The row represents an object rather than nested content of a payload, or a reference to an object: it gets its own
  /// row in the store even without a key.
  static let isInstance: UInt32 = 1
  static let wasInserted: UInt32 = 2
  static let wasChanged: UInt32 = 4
  /// A later part of the payload replaced the row.
  static let isDropped: UInt32 = 8
  /// An earlier row with the same key has taken over the cells.
  static let isMerged: UInt32 = 16
  static let hasBytesKey: UInt32 = 32
  /// Absent cells were filled with their defaults.
  static let isFilled: UInt32 = 64
  /// The content nested in the row was filled with defaults, too.
  static let isPrepared: UInt32 = 256
  /// The row is a copy of a row of the store: cells that hold defaults are missing attributes, whoever makes the copy.
  static let isCopy: UInt32 = 512
  /// At least one cell makes its attribute missing.
  static let makesMissing: UInt32 = 1024
  /// The payload has everything that the server has of the object: attributes that it lacks are known.
  static let isWhole: UInt32 = 2048
  /// The row is content that updates the object it is written to, instead of replacing it.
  static let isInPlace: UInt32 = 4096
  /// The class of the row is embedded.
  static let isEmbedded: UInt32 = 8192
  /// At least one cell holds a default, or makes its attribute missing.
  static let hasDefaults: UInt32 = 128

  @inline(__always)
  var header: UnsafeMutablePointer<Header> { address.assumingMemoryBound(to: Header.self) }

  @inlinable @inline(__always)
  var cells: UnsafeMutablePointer<_BatchCell> {
    (address + 32).assumingMemoryBound(to: _BatchCell.self)
  }

  /// The cell of an attribute, by its index in declaration order.
  @inlinable @inline(__always)
  package subscript(attribute: Int) -> _BatchCell {
    get { cells[attribute] }
    nonmutating set { cells[attribute] = newValue }
  }

  /// The byte offset of the object in its payload.
  package var source: Int {
    get { header.pointee.source }
    nonmutating set { header.pointee.source = newValue }
  }

  /// The index of the table.
  package var table: Int { Int(header.pointee.table) }

  /// The slot of the row in the store; -1 until the batch is applied.
  package var slot: Int { header.pointee.slot }

  /// The slot of the tombstone if the row's object was deleted locally; nil otherwise.
  package var tombstone: Int? {
    let slot = header.pointee.slot
    return slot < -1 && slot != .min ? -2 - slot : nil
  }

  /// True if the row was not applied, because its object was deleted locally and the deletion is not confirmed, or was
  /// confirmed after the payload was requested.
  package var isWithheld: Bool { header.pointee.slot < -1 }

  /// Leaves the row out, because the deletion of its object was confirmed after the payload was requested.
  func withhold() { header.pointee.slot = .min }

  /// Marks the row as an object, which gets its own row in the store, with or without a key.
  package func setInstance() { header.pointee.flags |= Self.isInstance }

  /// Fills a cell with a default.
  func setDefault(_ cell: _BatchCell, of attribute: Int) {
    cells[attribute] = cell
    cells[attribute].isDefault = true
    header.pointee.flags |= Self.hasDefaults
  }

  /// Records that the payload has everything that the server has of the object.
  package func setWhole() { header.pointee.flags |= Self.isWhole }

  /// Marks nested content that updates the embedded object of its attribute instead of replacing it.
  package func setInPlace() { header.pointee.flags |= Self.isInPlace }

  /// Sets a cell to what an attribute shows that the payload makes missing.
  ///
  /// - Parameter keepsGiven: True if an attribute that has the value stays given.
  package func setMissing(_ cell: _BatchCell, of attribute: Int, keepsGiven: Bool) {
    cells[attribute] = cell
    cells[attribute].marks.insert(keepsGiven ? [.isMissing, .keepsGiven] : .isMissing)
    header.pointee.flags |= Self.makesMissing | Self.hasDefaults
  }

  /// Copies what the payload of another row says about attributes that it lacks. The cells are copied separately.
  func copyAbsence(from other: BatchRow) {
    let flags = other.header.pointee.flags & (Self.isWhole | Self.makesMissing)
    header.pointee.flags |= flags
    if flags & Self.makesMissing != 0 { header.pointee.flags |= Self.hasDefaults }
  }

  @inline(__always)
  func has(_ flag: UInt32) -> Bool { header.pointee.flags & flag != 0 }

  @inline(__always)
  var isKeyed: Bool { header.pointee.keyAttribute >= 0 }

  /// True if any cell is absent.
  @inline(__always)
  var lacksCells: Bool {
    let count = Int(header.pointee.attributeCount)
    for attribute in 0..<count where cells[attribute].state == .absent { return true }
    return false
  }

  /// True if the row only refers to an object by its key.
  var isReference: Bool {
    guard isKeyed, !has(Self.isInstance) else { return false }
    return (0..<Int(header.pointee.attributeCount)).allSatisfy {
      $0 == header.pointee.keyAttribute || cells[$0].state == .absent || cells[$0].isDefault
    }
  }

  /// The cell of the primary key. The row must have one.
  @inline(__always)
  var key: _BatchCell { cells[Int(header.pointee.keyAttribute)] }

  /// The outcome of applying the row.
  package var outcome: RowOutcome {
    isWithheld
      ? .deleted
      : has(Self.wasInserted) ? .inserted : has(Self.wasChanged) ? .updated : .unchanged
  }
}

/// The effect of an update on one row.
package enum RowOutcome: Sendable {
  /// No row existed; one was inserted.
  case inserted
  /// At least one attribute changed.
  case updated
  /// The row already had all the values of the update.
  case unchanged
  /// The object was deleted locally, and the deletion is not confirmed, or was confirmed after the payload was requested.
  /// The update changed at most the tombstone.
  case deleted
}
