import Foundation

/// The unconfirmed edits of one object, as they are sent to a server.
///
///     while let edit = try store.takeEdit() {
///       print(edit)                          // edited Order 7: note "a" → "no onions"
///       …
///     }
///
/// An edit is a value: later changes of the object do not affect it. ``Store/takeEdit()`` makes it, and
/// `StoreCoder.settle`, or ``Store/settle(_:_:)`` if no response is to be decoded, records its outcome.
// Sendable: immutable; the handle is a frozen view, which any thread may read.
public struct Edit: @unchecked Sendable {
  /// A change that the user made to an object.
  public enum Kind: String, Sendable, Hashable {
    /// The object was created. The edit has all encoded attributes and no base values.
    case created
    /// Attributes of the object were changed.
    case edited
    /// The object was deleted.
    case deleted
  }

  /// An object that the server does not have yet.
  public struct Prerequisite: Sendable, Hashable {
    /// The name of its class.
    public let className: String
    /// Its key, which may be temporary.
    public let key: UpdateValue
    let tableName: String
    let slot: Int
  }

  /// The state that is sent.
  let handle: StoreHandle
  let entry: ClassEntry
  let base: BaseLayout
  let taken: TakenEdit
  /// The position of the object's first change.
  let order: UInt64

  /// The kind of edit.
  public let kind: Kind
  /// The objects to which changed attributes link and which the server does not have yet. Send their edits first. A created
  /// object that links to itself is one of them.
  public let waitsFor: [Prerequisite]

  /// The class of the object; ``DynamicObject`` if only a schema describes it.
  public var type: ObjectBase.Type { entry.model.type }

  /// The name of the class.
  public var className: String { entry.schema.className }

  /// The key of the object when the edit was taken, for calls that take a key.
  public var key: UpdateValue {
    handle.entry(ofTable: base.table).key(of: taken.baseSlot, in: bases)
  }

  /// The key as text, for example for the path of a request: `7`, `n1`. A UUID is in lower case. A compound key is its
  /// ``CompoundKey/text``; ``value(of:)`` has each of its parts.
  ///
  ///     let url = server.appending(component: edit.keyText)   // percent-encodes what a path cannot contain
  public var keyText: String {
    switch key {
    case .string(let text): text
    case .uuid(let uuid): UUIDText.text(uuid)
    case let key: "\(key)"
    }
  }

  /// The number of the edit, higher than that of earlier edits of the object; 0 for an edit that was not taken.
  public var serialNumber: Int { Int(clamping: taken.serial) }

  /// False for an edit of ``Store/pendingEdits()``.
  var isTaken: Bool { taken.serial > 0 }

  /// The names of the changed attributes, in declared order; empty for a deletion.
  public var attributes: [String] { taken.attributes.map { entry.attributeNames[$0] } }

  /// A Boolean value that indicates whether the edit is under way: taken by this process and not settled.
  public var isInFlight: Bool {
    bases.own(taken.baseSlot, base, .session) == handle.engine.session
  }

  /// The server's reason for rejecting the object's last upload; nil if it was not rejected.
  public var rejection: Edit.Rejection? {
    bases.ownBytes(taken.baseSlot, base, .rejection).map { Edit.Rejection(stored: $0) }
  }

  /// Returns the value of a changed attribute, of the primary key, or of a part of a compound key; nil for any other name.
  ///
  /// A link is the key of its object. An embedded object, or one without a key, is its values. A list is an array, a map an
  /// object.
  public func value(of attribute: String) -> UpdateValue? {
    guard let index = index(of: attribute) else { return nil }
    if isKeyPart(attribute) {
      return PlannedValues(handle).value(
        index, of: handle.entry(ofTable: base.table), taken.baseSlot)
    }
    guard let slot = taken.slot, taken.attributes.contains(index) else { return nil }
    return PlannedValues(handle).value(index, of: entry, slot)
  }

  /// Returns the value that the server has, as far as it is known: of a changed attribute, or of any attribute of a deleted
  /// object. Nil if it is unknown. Its form is that of ``value(of:)``.
  public func baseValue(of attribute: String) -> UpdateValue? {
    guard let index = index(of: attribute), isBaseKnown(index) else { return nil }
    return PlannedValues(handle).value(index, of: handle.entry(ofTable: base.table), taken.baseSlot)
  }

  /// The object as it is sent; nil for a deletion, and for an object of another class than `type`.
  public func object<T: Object>(_ type: T.Type) -> Frozen<T>? {
    guard let slot = taken.slot, entry.model.type == type else { return nil }
    return Frozen(handle, slot)
  }

  private var bases: TableVersion { handle.tableVersion(base.table) }

  private func index(of name: String) -> Int? { entry.attribute(name)?.index }

  private func isKeyPart(_ name: String) -> Bool {
    let keys = [entry.schema.primaryKeyProperty?.name].compactMap(\.self) + entry.schema.compoundKey
    return keys.contains { $0.hasSameBytes(as: name) }
  }

  /// True if the server has the base value of an attribute, as far as can be known, and another value is sent. False if an
  /// earlier edit with the attribute may have reached the server, and after a refresh that agrees with the edit, which may
  /// be older than the server's current value.
  func isBaseCertain(_ attribute: Int) -> Bool {
    !bases.marks(taken.baseSlot, base, attribute).contains(.uncertain)
      && differsFromBase(attribute)
  }

  /// True if the base value of an attribute is known and another value is sent.
  func differsFromBase(_ attribute: Int) -> Bool {
    guard isBaseKnown(attribute), let slot = taken.slot else { return false }
    let values = PlannedValues(handle)
    return !values.value(attribute, of: entry, slot)
      .isIdentical(
        to: values.value(attribute, of: handle.entry(ofTable: base.table), taken.baseSlot))
  }

  /// True if the base row has the server's value of an attribute.
  func isBaseKnown(_ attribute: Int) -> Bool {
    if kind == .deleted, base.marksColumn(attribute) == nil { return true }
    return bases.marks(taken.baseSlot, base, attribute).contains(.known)
  }
}

extension Edit: CustomStringConvertible {
  /// The kind, the class, the key and the changed attributes with their values: `edited Order 7: note "a" → "b"`.
  public var description: String {
    let name = "\(kind) \(className) \(PlannedText.text(key))"
    if attributes.isEmpty { return name }
    let changes = attributes.map { attribute in
      let value = value(of: attribute).map { PlannedText.text($0) } ?? "?"
      guard let old = baseValue(of: attribute) else { return "\(attribute) \(value)" }
      return "\(attribute) \(PlannedText.text(old)) → \(value)"
    }
    return "\(name): \(changes.joined(separator: ", "))"
  }

  /// The edit as JSON, in the form of a planned change; see ``PlannedChanges/json``. `old` is absent if the server's value
  /// is unknown.
  public var json: JSONValue {
    PlannedText.json(kind.rawValue, className, key, attributes, baseValue, value)
  }
}
