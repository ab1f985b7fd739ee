import Foundation
import ObjectStoreShims

/// What ``Object`` and ``EmbeddedObject`` have in common.
///
/// Attributes live in the object while it is unmanaged, and in a row of a store once it is managed.
///
///     unmanaged ──add──▶ managed ──delete──▶ invalidated   (reads its last values)
///         ▲                 │
///         └──── rollback ───┘   (an object made by `create` is invalidated instead)
///
/// `nonisolated`, so that models also work in modules whose default isolation is the main actor.
nonisolated open class ObjectBase: CustomStringConvertible {
  /// What it reads through; nil while it is unmanaged.
  @exclusivity(unchecked) @usableFromInline
  final var storage: UnsafeMutablePointer<_AccessTable>?
  /// The columns of its chunk, as learned in `epoch`.
  @exclusivity(unchecked) @usableFromInline
  final var columns: UnsafeMutablePointer<_StorageColumn>
  /// Its row in the chunk.
  @exclusivity(unchecked) @usableFromInline
  final var row = 0
  @exclusivity(unchecked) @usableFromInline
  final var epoch: UInt64 = 0
  @exclusivity(unchecked)
  final var slot = 0
  /// Keeps alive what `storage` points to: the handle, or the recorder of key paths.
  @exclusivity(unchecked)
  final var owner: AnyObject?

  /// An unmanaged object with the declared defaults.
  public required init() {
    columns = UnsafeMutablePointer(bitPattern: 16).unsafelyUnwrapped
    if store_wrapper_mode_get() == 1 {
      store_wrapper_mode_set(0)
      epoch = Self.accessorEpoch
    }
  }

  /// The epoch of an object whose wrappers skipped their defaults, until it shows a row.
  static var accessorEpoch: UInt64 { .max }

  // MARK: - Declarations

  /// Name of the primary key's attribute: the older spelling of `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }

  /// Names of indexed attributes: the older spelling of `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }

  /// Indexes of several attributes each: 2 to 4 names, in the order in which the index sorts.
  ///
  ///     override class var indexes: [[String]] { [["kind", "born"]] }
  ///
  /// Such an index finds the objects with a value of its first attribute, or with values of its first
  /// few, at most one range of values of the next; and the first of them in the order of the next.
  /// Each attribute must be one that can be `indexed`. Entries add to those of the superclass.
  open class var indexes: [[String]] { [] }

  /// The attributes that the primary key is made of, in order: 2 to 4 integers, Strings or UUIDs.
  ///
  ///     final class Rating: Object {
  ///       @Persisted(primaryKey: true) var id: String   // "7|cafe", made of these two:
  ///       @Persisted var userID: Int
  ///       @Persisted var restaurantID: String
  ///       @Persisted var stars: Int
  ///       override class var compoundKey: [String] { ["userID", "restaurantID"] }
  ///     }
  ///     let rating = store.object(ofType: Rating.self, forPrimaryKey: CompoundKey(7, "cafe"))
  ///
  /// The primary key is a String that the store makes, always; what is assigned to it of an unmanaged object
  /// does not count. Objects whose parts are equal are one object. Enums with such raw values can be parts,
  /// too; nothing optional can. A list that a subclass overrides takes the place of the superclass's.
  open class var compoundKey: [String] { [] }

  /// Name of the class's table; by default the unqualified name of the class.
  open class var tableName: String { String(describing: self) }

  /// JSON key by attribute, for attributes whose key is not their name.
  ///
  /// A value may be a dotted path (`"address.city"`), or an RFC 6901 pointer (`"/names/0"`).
  /// Entries add to those of the superclass; an entry of the subclass wins.
  open class var codableKeys: [String: String] { [:] }

  /// Attributes that are never encoded. They are decoded.
  open class var codableIgnoredAttributes: [String] { [] }

  /// String attributes that keep a JSON subtree as its text.
  open class var codableRawJsonSubstrings: [String] { [] }

  /// Where a single object stands in a response: a key, a dotted path or a pointer; nil for bare.
  open class var objectEnvelope: String? { nil }

  /// Where a list of objects stands in a response: a key, a dotted path or a pointer; nil for bare.
  open class var listEnvelope: String? { nil }

  // MARK: - State

  /// Whether the object reads through to a row of a store.
  public final var isManaged: Bool { storage != nil }

  /// Whether its row is gone: deleted, or made by a transaction that was rolled back. Reading
  /// such an object gives its last values while any version keeps them, else zero values.
  public final var isInvalidated: Bool {
    guard let storage, let handle else { return false }
    handle.tracker?.readRow(storage.pointee.table, slot)
    return !handle.tableVersion(storage.pointee.table).isLive(slot)
  }

  /// The class's schema.
  public final var objectSchema: ObjectSchema { model.schema }

  /// The class, and each attribute with its value; linked objects by their key, collections of
  /// objects by their count.
  ///
  /// A subclass may say something else. What it reads of the object is read when it is printed.
  open var description: String {
    let attributes = objectSchema.properties.map { property in
      "\(property.name): \(Self.describe(self[property.name], property.shape))"
    }
    return "\(className)(\(attributes.joined(separator: ", ")))"
  }

  private static func describe(_ value: Any?, _ shape: AttributeShape) -> String {
    guard let value else { return "nil" }
    if let object = value as? ObjectBase {
      let key = object.objectSchema.primaryKeyProperty.map {
        describe(object[$0.name], $0.shape)
      }
      return "\(object.className)(\(key ?? ""))"
    }
    if let target = shape.target, let objects = value as? any Sequence {
      return "\(Self.count(objects)) × \(target.name)"
    }
    return value is String ? "\"\(value)\"" : "\(value)"
  }

  private static func count(_ elements: some Sequence) -> Int {
    elements.reduce(0) { n, _ in n + 1 }
  }
}

// MARK: - Equality

extension ObjectBase: Hashable {
  /// Managed objects are equal if they show the same row of the same store; unmanaged ones if they
  /// are the same instance.
  public static func == (a: ObjectBase, b: ObjectBase) -> Bool {
    if a === b { return true }
    guard let first = a.storage, let second = b.storage,
      let one = a.handle, let other = b.handle
    else { return false }
    return one.core === other.core && first.pointee.table == second.pointee.table
      && a.slot == b.slot
  }

  /// Adding an object to a store changes its hash.
  public func hash(into hasher: inout Hasher) {
    guard let storage, let handle else {
      hasher.combine(ObjectIdentifier(self))
      return
    }
    hasher.combine(ObjectIdentifier(handle.core))
    hasher.combine(storage.pointee.table)
    hasher.combine(slot)
  }
}

// MARK: - What the property wrapper calls

extension ObjectBase {
  /// The index of the attribute whose wrapper stands at `offset`, with the object's cached columns
  /// good for reading.
  @inlinable @inline(__always)
  final func column(_ offset: Int, _ table: UnsafeMutablePointer<_AccessTable>) -> Int {
    if epoch == table.pointee.epoch, UInt(bitPattern: offset) < table.pointee.offsetLimit {
      let column = Int(table.pointee.columnOfOffset[offset])
      if column != 0 { return column }
    }
    return locate(offset)
  }

  /// Learns the columns of the object's chunk again, or records the access; returns the column.
  ///
  /// `releasenone`: it lets go of nothing its caller holds. Without it each access in a loop
  /// retains and releases the object, 8 ns instead of 2.
  @usableFromInline @inline(never) @_effects(releasenone)
  final func locate(_ offset: Int) -> Int {
    let column = place(offset)
    noteRead(column)
    return column
  }

  /// Tells the handle's tracker that the attribute is read.
  final func noteRead(_ column: Int) {
    guard let storage else { return }
    storage.pointee.tracker?._withUnsafeGuaranteedRef {
      $0.readAttribute(storage.pointee.table, slot, column)
    }
  }

  /// ``locate(_:)`` of what is not read.
  @inline(__always)
  private final func place(_ offset: Int) -> Int {
    guard let storage else { return 0 }
    let offsets = storage.pointee
    guard offset >= 0, UInt(offset) < offsets.offsetLimit else {
      misuse("\(className): an attribute's storage is not inside its object")
    }
    let column = Int(offsets.columnOfOffset[offset])
    guard column != 0 else {
      misuse("\(className): no attribute was found at offset \(offset)")
    }
    if epoch == offsets.columnEpoch, offsets.table >= 0 { return column }
    if let handle {
      handle.refresh(self, storage)
    } else if let recorder = owner as? _KeyPathRecorder {
      recorder.record(self, column)
    }
    return column
  }

  /// The column to write to; outside a write that is misuse.
  ///
  /// A call and not inlined, as whatever a setter does: a write costs many times as much, and each
  /// model class holds three setters for each attribute (`modify` has two).
  @usableFromInline @inline(never) @_effects(releasenone)
  final func writableColumn(_ offset: Int) -> Int {
    guard let storage, storage.pointee.isWritable else { misuseOutsideWrite() }
    return place(offset)
  }

  /// Writes one number; its column is of ``writableColumn(_:)``.
  @usableFromInline @inline(never)
  final func write(word: UInt64, column: Int) {
    write(_ScalarCell(word: word), column: column)
  }

  /// Writes one value; its column is of ``writableColumn(_:)``.
  @usableFromInline @inline(never)
  final func write(_ cell: _ScalarCell, column: Int) {
    guard let handle, let storage else { return }
    handle.write(self, storage.pointee.table, column, cell)
  }

  @usableFromInline @inline(never)
  final func writeNull(column: Int) {
    guard let handle, let storage else { return }
    handle.writeNull(self, storage.pointee.table, column)
  }

  /// Writes a date; one that is not finite fails the write.
  final func write(_ date: Date, column: Int) {
    guard date.timeIntervalSinceReferenceDate.isFinite else { return refuse("Date", column) }
    date._encode { write($0, column: column) }
  }

  /// Writes a decimal; NaN fails the write.
  final func write(_ decimal: Decimal, column: Int) {
    guard !decimal.isNaN else { return refuse("Decimal", column) }
    decimal._encode { write($0, column: column) }
  }

  private func refuse(_ type: String, _ column: Int) {
    let name = objectSchema.properties.first { $0.column == column }?.name ?? ""
    handle?.openTransaction(self).failure.note(.notFinite(type, "\(className).\(name)"))
  }

  final func misuseOutsideWrite() -> Never {
    misuse("\(className): attributes of a managed object change only inside `write`")
  }

  /// The handle the object reads through; nil while unmanaged or recording.
  @inline(__always)
  final var handle: StoreHandle? {
    guard let storage, let owner, storage.pointee.table >= 0 else { return nil }
    // A table other than a recorder's is a handle's; a dynamic cast costs 20 ns.
    return unsafeDowncast(owner, to: StoreHandle.self)
  }
}
