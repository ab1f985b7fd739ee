import Foundation

/// Reads the values of attributes in one state of a plan.
struct PlannedValues {
  private let handle: StoreHandle
  /// The states of the plan; nil if the values are not those of a plan.
  private let states: PlannedStates?
  /// True if values are compared with those of another run of the same write. Values that differ in each run are then
  /// equal, and a linked object also stands for its row.
  private let isForComparison: Bool

  /// Objects that are nested more deeply are null.
  private static let depthLimit = 512

  /// Reads the values of a frozen view.
  init(_ handle: StoreHandle) {
    self.handle = handle
    states = nil
    isForComparison = false
  }

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
    if property.shape.form == .scalar, let scalar = property.shape.scalar, scalar.kind == .json,
      scalar.coded == nil
    {
      // A change may be one of notation only.
      let column = (object.columns + property.column).pointee
      return column.isNull(object.row)
        ? .null
        : .json(
          JSONValue(
            stored: column.bytes(ofWord: column.word(object.row)), keepsNotation: true))
    }
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
    // A new row is at the same position among the new rows of each run. It is compared as an inserted object.
    if isForComparison, let position = insertedPosition(of: object, entry) {
      return .int(Int64(position))
    }
    let value =
      entry.keyColumn >= 0
      ? entry.key(of: object.slot, in: handle.tableVersion(entry.table))
      : members(of: object, entry, levels: levels)
    guard isForComparison, let value else { return value }
    return .array([.int(Int64(object.slot)), value])
  }

  /// The position of an object among the new rows of its table; nil if it existed before.
  private func insertedPosition(of object: ObjectBase, _ entry: ClassEntry) -> Int? {
    let inserted = states?.insertedSlots[entry.table] ?? []
    let index = inserted.indices.partitionPoint { inserted[$0] < object.slot }
    return index < inserted.count && inserted[index] == object.slot ? index : nil
  }

  /// Returns the values of an embedded object, or of one without a key. The latter has no links here, because they may
  /// lead back to it.
  private func members(of object: ObjectBase, _ entry: ClassEntry, levels: Int) -> UpdateValue? {
    if levels == 0 { return nil }
    var members = UpdateDictionary()
    for (index, property) in entry.schema.storedProperties.enumerated() {
      if !entry.schema.isEmbedded, property.shape.target != nil { continue }
      guard let value = value(index, of: object, entry, levels: levels - 1) else { return nil }
      members.append(property.name, value)
    }
    return .object(members)
  }

  /// Stands for a date of the time of the run, and for a new UUID; no attribute has such a value.
  private static let runDate = UpdateValue.array([.int(0)])
  private static let newUUID = UpdateValue.array([.int(1)])

  /// Returns a value, or for a comparison a substitute for a value that differs in each run.
  private func plain(_ value: UpdateValue) -> UpdateValue {
    guard isForComparison, let states, handle === states.after else { return value }
    return switch value {
    case .date(let date) where states.runTime.contains(date): Self.runDate
    case .uuid(let uuid) where !states.hadKey(uuid): Self.newUUID
    case .string(let text)
    where text.utf8.count == 36 && UUID(uuidString: text) != nil && !states.hadKey(text):
      Self.newUUID
    case .array(let values): .array(values.map(plain))
    case .object(let members):
      .object(UpdateDictionary(members.map { ($0.key, plain($0.value)) }))
    default: value
    }
  }
}
