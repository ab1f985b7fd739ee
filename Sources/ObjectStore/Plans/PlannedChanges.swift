import Foundation

/// The changes of a ``StorePlan``: for each class, the objects that are updated or better known, the inserted and the deleted
/// objects, each in order of insertion. Classes are in the order in which the store first used them.
///
/// A change of an embedded object is a change of the attribute that holds it.
public struct PlannedChanges: Sendable, RandomAccessCollection {
  private let changes: [PlannedChanges.Change]
  let states: PlannedStates

  /// The number of objects that would be inserted.
  public let inserted: Int
  /// The number of objects that would be updated. Excludes those of which only attributes become known.
  public let updated: Int
  /// The number of objects that would be deleted.
  public let deleted: Int

  /// - Complexity: O(changes).
  init(_ difference: VersionDifference, _ states: PlannedStates) {
    var changes: [PlannedChanges.Change] = []
    var counts: [PlannedChanges.Change.Kind: Int] = [:]
    let known = difference.becameKnown
    for table in Set(difference.tables).union(known.keys).sorted() {
      let entry = states.after.entry(ofTable: table)
      states.insertedSlots[table] = difference[table].inserted
      if entry.schema.isEmbedded || entry.isBase { continue }
      func add(
        _ kind: PlannedChanges.Change.Kind, _ slot: Int, _ attributes: AttributeBits? = nil,
        known: AttributeBits = AttributeBits()
      ) {
        changes.append(PlannedChanges.Change(kind, entry, slot, attributes, known, states))
        counts[kind, default: 0] += 1
      }
      let rows = difference[table]
      var known = known[table] ?? [:]
      var kept = rows.changed.map { ($0.slot, $0.attributes, known.removeValue(forKey: $0.slot)) }
      if !known.isEmpty {
        kept += known.map { ($0, AttributeBits(), $1) }
        kept.sort { $0.0 < $1.0 }
      }
      for (slot, attributes, known) in kept {
        add(
          attributes.isEmpty ? .known : .updated, slot, attributes, known: known ?? AttributeBits())
      }
      for slot in rows.inserted { add(.inserted, slot) }
      for slot in rows.deleted { add(.deleted, slot) }
    }
    self.changes = changes
    self.states = states
    inserted = counts[.inserted] ?? 0
    updated = counts[.updated] ?? 0
    deleted = counts[.deleted] ?? 0
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of changes.
  public var endIndex: Int { changes.count }

  /// Accesses the change at `index`. An index outside `0..<count` is misuse.
  public subscript(index: Int) -> PlannedChanges.Change { changes[index] }

  /// True if both make the same changes, apart from new values that differ in each run.
  func isSame(as other: PlannedChanges) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
  }
}

extension PlannedChanges {
  /// One object that a ``StorePlan`` would insert, update or delete.
  public struct Change: Sendable {
    /// The kind of change.
    public enum Kind: String, Sendable {
      /// The object is inserted.
      case inserted
      /// At least one attribute of the object changes.
      case updated
      /// The object is deleted.
      case deleted
      /// Attributes of the object become known, and no value changes; see ``becameKnown``.
      case known
    }

    /// The kind of change.
    public let kind: Kind
    private let entry: ClassEntry
    private let slot: Int
    private let bits: AttributeBits?
    private let known: AttributeBits
    private let states: PlannedStates

    init(
      _ kind: Kind, _ entry: ClassEntry, _ slot: Int, _ bits: AttributeBits?,
      _ known: AttributeBits, _ states: PlannedStates
    ) {
      self.kind = kind
      self.entry = entry
      self.slot = slot
      self.bits = bits
      self.known = known
      self.states = states
    }

    /// The name of the class.
    public var className: String { entry.schema.className }

    /// The key of the object, before the write if it existed; null if its class has no key.
    public var key: UpdateValue {
      entry.key(
        of: slot, in: (kind == .inserted ? states.after : states.before).tableVersion(entry.table))
    }

    /// The names of the attributes with changed values in declaration order; of an inserted or deleted object, those of all
    /// stored attributes.
    public var attributes: [String] { indices.map { entry.name(ofAttribute: $0) } }

    /// The names of the attributes of an existing object that become known, with a changed or an equal value, in declaration
    /// order; see ``ObjectProtocol/isKnown(_:)``.
    ///
    /// An attribute that holds an embedded object is named if an attribute of that object becomes known. A payload replaces an
    /// embedded object of which it knows other attributes, also by equal values; this is a change in ``attributes``.
    public var becameKnown: [String] { known.all.map { entry.name(ofAttribute: $0) } }

    private var indices: [Int] { bits?.all ?? Array(entry.attributes.indices) }

    /// The value of an attribute before the write; nil for an inserted object, and for a name that no stored attribute
    /// has.
    ///
    /// A link is the key of its object. An embedded object, or one without a key, is its values; of one without a key, those
    /// that are no links. A list is an array, a map an object. An attribute that is nested more than 512 levels deep is null.
    ///
    /// - Complexity: O(size of the value).
    public func oldValue(of attribute: String) -> UpdateValue? {
      kind == .inserted ? nil : value(of: attribute, in: states.before)
    }

    /// The value of an attribute after the write; nil for a deleted object, and for a name that no stored attribute has.
    /// Its form is that of ``oldValue(of:)``.
    ///
    /// - Complexity: O(size of the value).
    public func newValue(of attribute: String) -> UpdateValue? {
      kind == .deleted ? nil : value(of: attribute, in: states.after)
    }

    private func value(of name: String, in handle: StoreHandle) -> UpdateValue? {
      if let base = entry.base, base.attributes(ofState: name) != nil {
        return editState(name, in: handle)
      }
      return entry.attribute(name).map {
        PlannedValues(handle, states, isForComparison: false).value($0.index, of: entry, slot)
      }
    }

    /// The edit state of the object, or the text of its rejection.
    private func editState(_ name: String, in handle: StoreHandle) -> UpdateValue {
      guard let object = handle.accessor(entry, slot) as? Object else { return .null }
      if name == "editState" { return .string(object.editState.rawValue) }
      return object.rejection.map { .string($0.description) } ?? .null
    }

    /// True if both make the same change, apart from new values that differ in each run.
    fileprivate func isSame(as other: PlannedChanges.Change) -> Bool {
      guard kind == other.kind, entry === other.entry, bits == other.bits, known == other.known,
        kind == .inserted || slot == other.slot
      else { return false }
      return indices.allSatisfy { isSame(as: other, $0) }
        && (kind == .inserted || kind == .deleted || key.isIdentical(to: other.key))
    }

    private func isSame(as other: PlannedChanges.Change, _ attribute: Int) -> Bool {
      guard attribute < entry.attributes.count else {
        let name = entry.name(ofAttribute: attribute)
        return newValue(of: name)?.isIdentical(to: other.newValue(of: name) ?? .null) ?? false
      }
      func values(_ state: KeyPath<PlannedStates, StoreHandle>, _ change: PlannedChanges.Change)
        -> UpdateValue
      {
        PlannedValues(change.states[keyPath: state], change.states, isForComparison: true)
          .value(attribute, of: entry, change.slot)
      }
      func isSame(_ state: KeyPath<PlannedStates, StoreHandle>) -> Bool {
        values(state, self).isIdentical(to: values(state, other))
      }
      return (kind == .inserted || isSame(\.before)) && (kind == .deleted || isSame(\.after))
    }
  }
}

/// The two states of a plan.
// Sendable: immutable once the changes are found; both handles are frozen views, which any thread may read.
final class PlannedStates: @unchecked Sendable {
  let before: StoreHandle
  let after: StoreHandle
  /// The time from the beginning to the end of the write.
  let runTime: ClosedRange<Date>
  /// The slots of new rows by table, ascending.
  fileprivate(set) var insertedSlots: [Int: [Int]] = [:]

  init(before: StoreHandle, after: StoreHandle, runTime: ClosedRange<Date>) {
    self.before = before
    self.after = after
    self.runTime = runTime
  }

  /// True if an object had this key before the write.
  func hadKey(_ key: some ObjectKey) -> Bool {
    before.classes.byTable.contains { entry in
      guard let entry, entry.keyColumn >= 0, entry.keyKind == key._keyKind else { return false }
      return before.slot(of: key, entry) != nil
    }
  }
}
