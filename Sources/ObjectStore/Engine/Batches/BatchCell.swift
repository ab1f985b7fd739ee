/// The value of one attribute in a row of a batch.
// Frozen, because with library evolution only a frozen struct can have an inlinable initializer that sets its
// properties.
@frozen public struct _BatchCell {
  /// The kind of content of a cell.
  public enum State: UInt8 {
    /// The payload does not contain the attribute.
    case absent
    /// Null.
    case null
    /// A number, a string or a collection.
    case value
    /// A nested row of the batch; `bits` is its address.
    case row
    /// A row of the store; `bits` is its slot.
    case slot
  }

  /// Properties of a value that its content does not show.
  @frozen public struct Marks: OptionSet {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value is the class's declared default rather than the update's.
    static let isDefault = Marks(rawValue: 1)
    /// The value is a JSON object whose members are added to those of an existing row instead of replacing them.
    static let mergesMembers = Marks(rawValue: 2)
    /// The value merges members, and null stands for an object whose members are removed.
    static let removesMembers = Marks(rawValue: 4)
    /// The payload says that the server has no value: the attribute becomes missing, and the value is what it then shows.
    static let isMissing = Marks(rawValue: 8)
    /// The value is JSON from code: an equal value in the store stays, with the notations of its numbers.
    static let keepsEqualJSON = Marks(rawValue: 16)
    /// An attribute that has the value already stays given.
    static let keepsGiven = Marks(rawValue: 32)
    /// The payload has a value that a policy skips. The cell is absent.
    static let isSkipped = Marks(rawValue: 64)
  }

  /// The bits of a number; the address of a string, of elements or of a nested row; or a slot.
  public var bits: UInt64
  /// The byte count of a string, or the number of elements of a collection. Each pair of a map counts as two.
  public var count: UInt32
  public var state: State
  /// The properties of the value that its content does not show. One byte rather than several Booleans, because functions receive each stored
  /// property of a cell in a register of its own.
  public var marks: Marks = []

  @inlinable @inline(__always)
  init(bits: UInt64, count: UInt32, state: State) {
    self.bits = bits
    self.count = count
    self.state = state
  }

  /// Returns the cell of a number, given by its bits.
  @inlinable @inline(__always)
  public static func word(_ bits: UInt64) -> _BatchCell {
    _BatchCell(bits: bits, count: 0, state: .value)
  }

  /// Returns the cell of a string, given by its UTF-8 bytes, which must outlive the batch.
  @inlinable @inline(__always)
  public static func text(_ start: UnsafeRawPointer, _ count: Int) -> _BatchCell {
    _BatchCell(
      bits: UInt64(UInt(bitPattern: start)), count: UInt32(truncatingIfNeeded: count),
      state: .value)
  }

  /// Returns the cell of a nested row.
  @inlinable @inline(__always)
  package static func row(_ row: BatchRow) -> _BatchCell {
    _BatchCell(bits: UInt64(UInt(bitPattern: row.address)), count: 0, state: .row)
  }

  /// Null.
  public static var null: _BatchCell { _BatchCell(bits: 0, count: 0, state: .null) }
  /// No value: the update leaves the attribute unchanged.
  public static var absent: _BatchCell { _BatchCell(bits: 0, count: 0, state: .absent) }
  /// No value, because a policy skips the one in the payload.
  package static var skipped: _BatchCell {
    var cell = absent
    cell.marks = .isSkipped
    return cell
  }
  /// An empty string.
  public static var emptyText: _BatchCell { _BatchCell(bits: 0, count: 0, state: .value) }

  /// The UTF-8 bytes of a string.
  @inline(__always)
  public var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: UnsafeRawPointer(bitPattern: UInt(bits)), count: Int(count))
  }

  /// The elements of a collection.
  public var elements: UnsafeBufferPointer<_BatchCell> {
    UnsafeBufferPointer(
      start: UnsafePointer<_BatchCell>(bitPattern: UInt(bits)), count: Int(count))
  }

  /// The nested row of a cell in state `row`.
  @inline(__always)
  package var row: BatchRow? {
    guard state == .row, let address = UnsafeMutableRawPointer(bitPattern: UInt(bits)) else {
      return nil
    }
    return BatchRow(address: address)
  }
}

package typealias BatchCell = _BatchCell

extension BatchCell {
  /// True if the value is the class's declared default rather than the update's.
  @inline(__always)
  var isDefault: Bool {
    get { marks.contains(.isDefault) }
    set { set(.isDefault, newValue) }
  }

  /// True if the payload does not contain the attribute. Of a value that a policy skips, the cell is absent as well.
  @inline(__always)
  package var isLacking: Bool { state == .absent && !marks.contains(.isSkipped) }

  /// True if the attribute becomes missing.
  @inline(__always)
  var isMissing: Bool { marks.contains(.isMissing) }

  /// True if the members of the value are added to those of an existing row.
  package var mergesMembers: Bool {
    get { marks.contains(.mergesMembers) }
    set { set(.mergesMembers, newValue) }
  }

  /// True if the value merges members, and null stands for an object whose members are removed.
  package var removesMembers: Bool {
    get { marks.contains(.removesMembers) }
    set { set(.removesMembers, newValue) }
  }

  /// True if an equal JSON value in the store stays, with the notations of its numbers.
  @inline(__always)
  var keepsEqualJSON: Bool {
    get { marks.contains(.keepsEqualJSON) }
    set { set(.keepsEqualJSON, newValue) }
  }

  @inline(__always)
  private mutating func set(_ mark: Marks, _ isSet: Bool) {
    if isSet { marks.insert(mark) } else { marks.remove(mark) }
  }

  /// The string, whose UTF-8 was validated when it was read.
  var text: String {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let bytes = bytes.assumingMemoryBound(to: UInt8.self)
      return String(
        copying: UTF8Span(unchecked: Span(_unsafeElements: bytes), isKnownASCII: false))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
