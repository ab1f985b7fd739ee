import Foundation

/// Reads the values of attributes in one state of a plan.
struct PlannedValues {
  private let handle: StoreHandle
  private let states: PlannedStates
  /// True if values are compared with those of another plan: defaults that were evaluated for a row are left out, and an
  /// object without a key of its own stands for its position among the new rows.
  private let isForComparison: Bool

  /// Objects that are nested more deeply are null.
  private static let depthLimit = 512

  init(_ handle: StoreHandle, _ states: PlannedStates, isForComparison: Bool) {
    self.handle = handle
    self.states = states
    self.isForComparison = isForComparison
  }

  /// Returns the value of an attribute of a row.
  func value(_ attribute: Int, of entry: ClassEntry, _ slot: Int) -> UpdateValue {
    let object = handle.accessor(entry, slot)
    if let value = value(attribute, of: object, entry, levels: DeepStack.shallowDepth) {
      return value
    }
    let levels = Self.depthLimit
    let deep = try? DeepStack.run(depth: levels) {
      value(attribute, of: object, entry, levels: levels)
    }
    return deep.flatMap { $0 } ?? .null
  }

  /// Returns the value of an attribute; nil if it is nested more deeply than the remaining levels.
  private func value(
    _ attribute: Int, of object: ObjectBase, _ entry: ClassEntry, levels: Int
  ) -> UpdateValue? {
    let property = entry.schema.storedProperties[attribute]
    let value = object[property.name]
    guard property.shape.target != nil else { return plain(UpdateValue(any: value) ?? .null) }
    switch value {
    case let target as ObjectBase:
      return self.target(target, levels: levels)
    case let map as any AnyMap:
      var members = UpdateDictionary()
      for (key, element) in map.pairs {
        guard let value = self.element(element, levels: levels) else { return nil }
        members.append(key, value)
      }
      return .object(members)
    case let elements as any Sequence:
      return array(elements, levels: levels)
    default:
      return .null
    }
  }

  private func array(_ elements: some Sequence, levels: Int) -> UpdateValue? {
    var values: [UpdateValue] = []
    for element in elements {
      guard let value = self.element(element, levels: levels) else { return nil }
      values.append(value)
    }
    return .array(values)
  }

  private func element(_ element: Any, levels: Int) -> UpdateValue? {
    let object = (element as? any AnyOptional).map(\.unwrapped) ?? element
    return (object as? ObjectBase).map { target($0, levels: levels) } ?? .null
  }

  /// Returns the form of an object to which another one refers.
  private func target(_ object: ObjectBase, levels: Int) -> UpdateValue? {
    guard let storage = object.storage else { return .null }
    let entry = handle.entry(ofTable: storage.pointee.table)
    if entry.schema.isEmbedded { return members(of: object, entry, levels: levels) }
    let hasOwnKey =
      entry.keyColumn >= 0
      && !(isForComparison && isDefault(entry.keyColumn - entry.layout.firstAttribute, of: object))
    if hasOwnKey {
      return plain(entry.key(of: object.slot, in: handle.tableVersion(entry.table)))
    }
    guard isForComparison else { return members(of: object, entry, levels: levels) }
    // Rows that exist before the write keep their slot.
    let inserted = states.insertedSlots[entry.table] ?? []
    let index = inserted.indices.partitionPoint { inserted[$0] < object.slot }
    let isNew = index < inserted.count && inserted[index] == object.slot
    return .array([.bool(isNew), .int(Int64(isNew ? index : object.slot))])
  }

  /// Returns the values of an embedded object, or of one without a key. The latter has no links here, because they may
  /// lead back to it.
  private func members(of object: ObjectBase, _ entry: ClassEntry, levels: Int) -> UpdateValue? {
    if levels == 0 { return nil }
    var members = UpdateDictionary()
    for (index, property) in entry.schema.storedProperties.enumerated() {
      if isForComparison, isDefault(index, of: object) { continue }
      if !entry.schema.isEmbedded, property.shape.target != nil { continue }
      guard let value = value(index, of: object, entry, levels: levels - 1) else { return nil }
      members.append(property.name, value)
    }
    return .object(members)
  }

  private func isDefault(_ attribute: Int, of object: ObjectBase) -> Bool {
    guard let storage = object.storage else { return false }
    return states.defaults.contains(attribute, table: storage.pointee.table, slot: object.slot)
  }

  private func plain(_ value: UpdateValue) -> UpdateValue { isForComparison ? value.exact : value }
}

extension UpdateValue {
  /// A form of the value that is equal only to that of the same bits: `==` ignores the normal form of strings and the
  /// sign of zero, and NaN differs from itself.
  var exact: UpdateValue {
    switch self {
    case .double(let number): .uint(number.bitPattern)
    case .string(let text): .data(Data(text.utf8))
    case .array(let values): .array(values.map(\.exact))
    case .object(let members):
      .object(UpdateDictionary(members.map { ($0.key, $0.value.exact) }))
    default: self
    }
  }
}
