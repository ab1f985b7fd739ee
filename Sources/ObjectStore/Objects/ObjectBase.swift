import Foundation
import ObjectStoreShims

/// The common base class of ``Object`` and ``EmbeddedObject``.
///
/// Attribute values are stored in the object while it is unmanaged, and in a row of a store once it is managed.
///
///     unmanaged ──add──▶ managed ──delete──▶ invalidated   (reads its last values)
///         ▲                 │
///         └──── rollback ───┘   (an object returned by `create` is invalidated instead)
///
/// `nonisolated`, so that models also work in modules whose default isolation is the main actor.
nonisolated open class ObjectBase: CustomStringConvertible {
  /// The access table of the class in the handle; nil while the object is unmanaged.
  @exclusivity(unchecked) @usableFromInline
  final var storage: UnsafeMutablePointer<_AccessTable>?
  /// The columns of the object's chunk, as of `epoch`.
  @exclusivity(unchecked) @usableFromInline
  final var columns: UnsafeMutablePointer<_StorageColumn>
  /// The index of the object's row in the chunk.
  @exclusivity(unchecked) @usableFromInline
  final var row = 0
  @exclusivity(unchecked) @usableFromInline
  final var epoch: UInt64 = 0
  @exclusivity(unchecked)
  final var slot = 0
  /// The value of ``owner``. Retained manually, so that writing an attribute counts no reference.
  @exclusivity(unchecked)
  private final var retainedOwner: Unmanaged<AnyObject>?

  /// Keeps the memory of `storage` alive: the handle, or the recorder of key paths.
  final var owner: AnyObject? {
    get { retainedOwner?.takeUnretainedValue() }
    set {
      let former = retainedOwner
      retainedOwner = newValue.map { Unmanaged.passRetained($0) }
      former?.release()
    }
  }

  /// Creates an unmanaged object with the declared defaults.
  public required init() {
    columns = UnsafeMutablePointer(bitPattern: 16).unsafelyUnwrapped
    if store_wrapper_mode_get() == 1 {
      store_wrapper_mode_set(0)
      epoch = Self.accessorEpoch
    }
  }

  deinit { retainedOwner?.release() }

  /// The epoch of an object whose wrappers skipped their defaults and which does not show a row yet.
  static var accessorEpoch: UInt64 { .max }

  // MARK: - Declarations

  /// Returns the name of the primary key attribute; an older alternative to `@Persisted(primaryKey: true)`.
  open class func primaryKey() -> String? { nil }

  /// Returns the names of the indexed attributes; an older alternative to `@Persisted(indexed: true)`.
  open class func indexedProperties() -> [String] { [] }

  /// The compound indexes of the class: 2 to 4 attribute names each, in sort order.
  ///
  ///     override class var indexes: [[String]] { [["kind", "born"]] }
  ///
  /// Such an index serves queries for a value of its first attribute, or of its leading attributes, followed by at
  /// most one range of the next attribute. It also returns the first matches in the order of the next attribute. Each
  /// attribute must be of a type that can be `indexed`. The indexes are added to those of the superclass.
  open class var indexes: [[String]] { [] }

  /// The attributes that form the primary key, in order: 2 to 4 integers, strings or UUIDs.
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
  /// The store always derives the primary key, a String, from these attributes; a value assigned to the key
  /// of an unmanaged object is ignored. Objects with equal parts are the same object. Parts may also be enums
  /// with raw values of these types, but never optionals. An override replaces the superclass's list.
  open class var compoundKey: [String] { [] }

  /// The name of the class's table; by default the unqualified name of the class.
  open class var tableName: String { String(describing: self) }

  /// The JSON keys by attribute name, for attributes whose key differs from their name.
  ///
  /// A value may be a dotted path (`"address.city"`) or an RFC 6901 pointer (`"/names/0"`). In the pointer of a list or
  /// set, `*` represents each element (`"/friends/edges/*/node"`). The entries are added to those of the superclass and
  /// take precedence over them.
  open class var codableKeys: [String: String] { [:] }

  /// The names of attributes that are decoded but never encoded.
  open class var codableIgnoredAttributes: [String] { [] }

  /// The names of attributes that are in every body with some of the attributes: a version that the server compares, or
  /// a tenant.
  ///
  /// The primary key is in these bodies without being listed. An attribute that neither a payload nor code has given a
  /// value is left out. The entries are added to those of the superclass.
  open class var codableAlwaysEncoded: [String] { [] }

  /// The names of String attributes that store a JSON subtree as its text.
  open class var codableRawJsonSubstrings: [String] { [] }

  /// The key, dotted path or pointer of a single object in a response; nil if the object is at the top level.
  open class var objectEnvelope: String? { nil }

  /// The key, dotted path or pointer of a list of objects in a response; nil if the list is at the top level. A pointer
  /// with `*` leads to an object inside each element (`"/data/users/edges/*/node"`), and also enters the members of a JSON
  /// object (`"/entities/*"`), whose names are not read. Encoding writes an array.
  open class var listEnvelope: String? { nil }

  /// The arrangement of the attributes in a JSON object: `.object`, or `.jsonAPI(type: "articles")` for a resource of
  /// JSON:API.
  open class var codableShape: CodableShape { .object }

  // MARK: - State

  /// A Boolean value that indicates whether the object shows a row of a store.
  public final var isManaged: Bool { storage != nil }

  /// A Boolean value that indicates whether the object's row was deleted, or created by a transaction that
  /// was rolled back.
  ///
  /// Reading an invalidated object returns its last values while any version retains them, and zero values
  /// after that.
  public final var isInvalidated: Bool {
    guard let storage, let handle else { return false }
    handle.tracker?.readRow(storage.pointee.table, slot)
    return !handle.tableVersion(storage.pointee.table).isLive(slot)
  }

  /// The schema of the object's class.
  public final var objectSchema: ObjectSchema { model.schema }

  /// A description with the class and the value of each attribute. Linked objects are shown by their key,
  /// collections of objects by their count.
  ///
  /// Subclasses may override it.
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
  /// Returns true if both objects show the same row of the same store, or are the same unmanaged instance.
  public static func == (a: ObjectBase, b: ObjectBase) -> Bool {
    if a === b { return true }
    guard let first = a.storage, let second = b.storage,
      let one = a.handle, let other = b.handle
    else { return false }
    return one.core === other.core && first.pointee.table == second.pointee.table
      && a.slot == b.slot
  }

  /// Hashes the object's identity, which changes when the object is added to a store.
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

// MARK: - Support for the property wrapper

extension ObjectBase {
  /// Returns the column of the attribute whose wrapper is at `offset`, after refreshing the object's cached columns if
  /// necessary.
  @inlinable @inline(__always)
  final func column(_ offset: Int, _ table: UnsafeMutablePointer<_AccessTable>) -> Int {
    if epoch == table.pointee.epoch, UInt(bitPattern: offset) < table.pointee.offsetLimit {
      let column = Int(table.pointee.columnOfOffset[offset])
      if column != 0 { return column }
    }
    return locate(offset)
  }

  /// Refreshes the cached columns of the object's chunk, or records the access; returns the column.
  ///
  /// `releasenone`: releases nothing that the caller holds. Without it, each access in a loop retains and
  /// releases the object, which takes 8 ns instead of 2.
  @usableFromInline @inline(never) @_effects(releasenone)
  final func locate(_ offset: Int) -> Int {
    let column = untrackedColumn(offset)
    noteRead(column)
    return column
  }

  /// Reports the read of the attribute to the handle's tracker.
  final func noteRead(_ column: Int) {
    guard let storage else { return }
    storage.pointee.tracker?._withUnsafeGuaranteedRef {
      $0.readAttribute(storage.pointee.table, slot, column)
    }
  }

  /// Does the same as ``locate(_:)`` without tracking the read.
  @inline(__always)
  private final func untrackedColumn(_ offset: Int) -> Int {
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

  /// Returns the column to write to; misuse outside a write.
  ///
  /// Not inlined, like everything a setter does: a write costs many times as much as a call, and each model
  /// class contains three setters for each attribute (`modify` has two).
  @usableFromInline @inline(never) @_effects(releasenone)
  final func writableColumn(_ offset: Int) -> Int {
    guard let storage, storage.pointee.isWritable else { misuseOutsideWrite() }
    return untrackedColumn(offset)
  }

  /// Writes a number to a column that ``writableColumn(_:)`` returned.
  @usableFromInline @inline(never)
  final func write(word: UInt64, column: Int) {
    write(_ScalarCell(word: word), column: column)
  }

  /// Writes a value to a column that ``writableColumn(_:)`` returned.
  @usableFromInline @inline(never)
  final func write(_ cell: _ScalarCell, column: Int) {
    guard let storage else { return }
    let table = storage.pointee.table
    withHandle { $0.write(self, table, column, cell) }
  }

  @usableFromInline @inline(never)
  final func writeNull(column: Int) {
    guard let storage else { return }
    let table = storage.pointee.table
    withHandle { $0.writeNull(self, table, column) }
  }

  /// Writes a date; a date that is not finite fails the write.
  final func write(_ date: Date, column: Int) {
    guard date.timeIntervalSinceReferenceDate.isFinite else { return reject("Date", column) }
    date._encode { write($0, column: column) }
  }

  /// Writes a decimal; NaN fails the write.
  final func write(_ decimal: Decimal, column: Int) {
    guard !decimal.isNaN else { return reject("Decimal", column) }
    decimal._encode { write($0, column: column) }
  }

  private func reject(_ type: String, _ column: Int) {
    handle?.openTransaction(self).failure.note(.notFinite(type, attributeName(column)))
  }

  /// Fails the write because a Codable value cannot be encoded.
  final func reject<T>(value: T, _ error: any Error, _ column: Int) {
    handle?.openTransaction(self).failure.note(
      .notEncodable(_UnencodableValue(value, error), attributeName(column)))
  }

  private func attributeName(_ column: Int) -> String {
    let name = objectSchema.properties.first { $0.column == column }?.name ?? ""
    return "\(className).\(name)"
  }

  final func misuseOutsideWrite() -> Never {
    misuse("\(className): attributes of a managed object can only be changed inside `write`")
  }

  /// Runs `body` with the handle, if there is one, without counting a reference: the object keeps it alive.
  @inline(__always)
  private func withHandle(_ body: (StoreHandle) -> Void) {
    guard let owner = retainedOwner, let storage, storage.pointee.table >= 0 else { return }
    owner._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: StoreHandle.self)) }
  }

  /// The handle that the object reads through; nil while unmanaged or recording.
  @inline(__always)
  final var handle: StoreHandle? {
    guard let storage, let owner, storage.pointee.table >= 0 else { return nil }
    // Only a recorder's table is negative, so the owner is a handle. A dynamic cast costs 20 ns.
    return unsafeDowncast(owner, to: StoreHandle.self)
  }
}
