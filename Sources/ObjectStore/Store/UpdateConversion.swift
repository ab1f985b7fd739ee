import Foundation

/// Turns update dictionaries into rows of a batch, checking every name and value.
///
/// Nested dictionaries become nested rows, so one conversion covers an update of any depth.
struct UpdateConversion {
  let handle: StoreHandle
  let export: BatchExport

  private var batch: RowBatch { export.batch }
  /// Objects that may stand in each other on this stack.
  private let depth: Int

  /// An update that is nested deeper than this is refused.
  static let depthLimit = 4_096

  /// Thrown where an update is nested deeper than the caller's stack may hold.
  struct TooDeep: Error {}

  init(_ handle: StoreHandle, _ batch: RowBatch, depth: Int = DeepStack.shallowDepth) {
    self.handle = handle
    self.depth = depth
    export = BatchExport(batch, for: handle)
  }

  /// The row of an update; `isTop` for the object that `create` was asked for, which gets a row of
  /// its own even without a key.
  func row(_ update: UpdateDictionary, _ entry: ClassEntry, isTop: Bool) throws -> BatchRow {
    export.openRows += 1
    defer { export.openRows -= 1 }
    guard export.openRows <= depth else { throw tooDeep(entry) }
    let row = batch.makeRow(entry.shape)
    switch update.storage {
    case .pairs(let pairs): try fill(row, pairs, entry)
    case .decoded(let update) where update.entry === entry: try fill(row, update, entry)
    case .decoded(let update): try fill(row, update.pairs, entry)
    }
    try finish(row, entry, isTop: isTop)
    return row
  }

  private func fill(
    _ row: BatchRow, _ pairs: UpdateDictionary.Pairs, _ entry: ClassEntry
  ) throws {
    var expected = 0
    for index in pairs.names.indices {
      let name = pairs.names[index]
      // Updates mostly come in declared order: then no name is looked up.
      let attribute: StoredAttribute
      if expected < entry.attributes.count, entry.attributes[expected].name == name {
        attribute = entry.attributes[expected]
      } else if let found = entry.attribute(name) {
        attribute = found
      } else {
        throw unknown(name, entry)
      }
      expected = attribute.index + 1
      row[attribute.index] = try cell(pairs.values[index], attribute, entry)
    }
  }

  /// Takes the cells over that a decode of the same class in the same store made. The caller keeps
  /// the texts and elements they point to.
  private func fill(_ row: BatchRow, _ update: DecodedUpdate, _ entry: ClassEntry) throws {
    for (index, attribute) in entry.attributes.enumerated() {
      guard let cell = update.cell(index, entry) else { continue }
      guard attribute.isCollection, cell.state == .value, attribute.property.shape.target != nil
      else {
        row[index] = try taken(cell, update.rows)
        continue
      }
      let mark = batch.beginElements()
      for element in cell.elements { batch.appendElement(try taken(element, update.rows)) }
      row[index] = batch.endElements(mark)
    }
  }

  private func taken(_ cell: BatchCell, _ rows: DecodedRows) throws -> BatchCell {
    guard let row = cell.row else {
      var cell = cell
      cell.isDefault = false
      return cell
    }
    let update = UpdateDictionary(DecodedUpdate(rows, row))
    return .row(try self.row(update, rows.entry(of: row), isTop: false))
  }

  private func tooDeep(_ entry: ClassEntry) -> any Error {
    guard depth >= Self.depthLimit else { return TooDeep() }
    return StoreError(
      .typeMismatch(
        attribute: entry.schema.className, expected: "at most \(depth) nested objects",
        found: "more"))
  }

  private func unknown(_ name: String, _ entry: ClassEntry) -> StoreError {
    StoreError(
      .unknownAttribute(
        className: entry.schema.className, name: name,
        suggestion: Suggestion.nearest(
          to: name, among: entry.schema.storedProperties.map(\.name))))
  }

  /// Checks the key and enters the row among those with an identity, if it has one.
  func finish(_ row: BatchRow, _ entry: ClassEntry, isTop: Bool) throws {
    if let key = entry.schema.primaryKeyProperty {
      let attribute = key.column - entry.layout.firstAttribute
      if row[attribute].state == .absent {
        // A key that is new for each object (`UUID()`) may be left out.
        try entry.defaults.makeKey(attribute, of: row, in: batch)
      }
      guard row[attribute].state == .value else {
        throw StoreError(
          .primaryKeyNotFound(className: entry.schema.className, attribute: key.name))
      }
      batch.complete(row)
    } else if isTop {
      row.markInstance()
      batch.complete(row)
    }
  }

  // MARK: - Values

  /// The usual values first: of an attribute's own type, they need no look at its declaration.
  @inline(__always)
  func cell(
    _ value: UpdateValue, _ attribute: StoredAttribute, _ entry: ClassEntry
  ) throws -> BatchCell {
    if attribute.form == .scalar, attribute.cases == nil {
      switch (attribute.kind, value) {
      case (.int, .int(let value)), (.int64, .int(let value)):
        return .word(UInt64(bitPattern: value))
      case (.double, .double(let value)):
        return .word(value.bitPattern)
      case (.bool, .bool(let value)):
        return .word(value ? 1 : 0)
      case (.string, .string(var text)) where text.utf8.count < BatchExport.sizeLimit:
        return text.withUTF8 { batch.text(copying: UnsafeRawBufferPointer($0)) }
      default: break
      }
    }
    return try cell(value, attribute.property, entry)
  }

  func cell(_ value: UpdateValue, _ property: Property, _ entry: ClassEntry) throws -> BatchCell {
    let shape = property.shape
    switch (shape.form, value) {
    case (.scalar, .null), (.link, .null):
      return try null(property, entry)
    case (_, .null):
      return .null
    case (.scalar, _), (.link, _):
      guard let cell = try element(value, shape, property, entry) else {
        throw mismatch(value, property, entry)
      }
      return cell
    case (.list, .array(let elements)), (.set, .array(let elements)):
      let mark = batch.beginElements()
      for element in elements {
        batch.appendElement(try self.element(element, in: shape, property, entry))
      }
      return batch.endElements(mark)
    case (.map, .object(let pairs)):
      let mark = batch.beginElements()
      for (key, element) in pairs {
        export.place = (entry.schema.className, property)
        batch.appendElement(try export.key(key))
        batch.appendElement(try self.element(element, in: shape, property, entry))
      }
      return batch.endElements(mark)
    default:
      throw mismatch(value, property, entry)
    }
  }

  private func element(
    _ value: UpdateValue, in shape: AttributeShape, _ property: Property, _ entry: ClassEntry
  ) throws -> BatchCell {
    if value == .null { return try null(property, entry) }
    guard let cell = try element(value, shape, property, entry) else {
      throw mismatch(value, property, entry)
    }
    return cell
  }

  // Nested objects are converted by recursion: what it seldom needs is kept out of its frames.

  @inline(never)
  private func null(_ property: Property, _ entry: ClassEntry) throws -> BatchCell {
    if property.shape.isOptional { return .null }
    if property.shape.scalar?.kind == .json {
      // JSON's null is a value where any JSON is one.
      export.place = (entry.schema.className, property)
      return try JSONValue.null.encode { try export.cell($0, .json) }
    }
    throw StoreError(
      .nullForNonOptional(attribute: "\(entry.schema.className).\(property.name)"))
  }

  @inline(never)
  private func mismatch(
    _ value: UpdateValue, _ property: Property, _ entry: ClassEntry
  ) -> StoreError {
    StoreError(
      .typeMismatch(
        attribute: "\(entry.schema.className).\(property.name)", expected: property.shape.name,
        found: value.found))
  }

  /// One value or object; nil if it does not fit.
  private func element(
    _ value: UpdateValue, _ shape: AttributeShape, _ property: Property, _ entry: ClassEntry
  ) throws -> BatchCell? {
    guard let target = shape.target else {
      return try shape.scalar.flatMap { try scalar(value, $0, property, entry) }
    }
    let targetEntry = try handle.entry(target)
    switch value {
    case .object(let update):
      return .row(try row(update, targetEntry, isTop: false))
    case .reference(let reference):
      guard reference.core === handle.core, reference.table == targetEntry.table else {
        return nil
      }
      guard handle.tableVersion(reference.table).isLive(reference.slot) else {
        throw StoreError(.objectInvalidated(className: targetEntry.schema.className))
      }
      return batch.link(toSlot: reference.slot, of: reference.table)
    default:
      return nil
    }
  }

  private func scalar(
    _ value: UpdateValue, _ type: ScalarType, _ property: Property, _ entry: ClassEntry
  ) throws -> BatchCell? {
    let kind = type.kind
    if kind.column == .text || kind == .date { export.place = (entry.schema.className, property) }
    let cell: BatchCell?
    switch (kind, value) {
    case (.bool, .bool(let value)):
      cell = .word(value ? 1 : 0)
    case (.double, _):
      cell = number(value).map { .word($0.bitPattern) }
    case (.float, _):
      // Through Float, so that equal floats have equal bits.
      guard let double = number(value) else { return nil }
      let float = Float(double)
      guard float.isFinite || !double.isFinite else {
        throw outOfRange(value, type, property, entry)
      }
      cell = .word(Double(float).bitPattern)
    case (.string, .string(let text)):
      cell = try text.encode { try export.cell($0, kind) }
    case (.url, .string(let text)):
      // As it is given: the URL made of it may have another text.
      guard URL(string: text) != nil else { return nil }
      cell = try text.encode { try export.cell($0, kind) }
    case (.data, .data(let data)):
      cell = try data.encode { try export.cell($0, kind) }
    case (.date, .date(let date)):
      cell = try date.encode { try export.cell($0, kind) }
    case (.uuid, .uuid(let uuid)):
      cell = try uuid.encode { try export.cell($0, kind) }
    case (.uuid, .string(let text)):
      cell = try UUIDText.uuid(text).map { try $0.encode { try export.cell($0, kind) } }
    case (.decimal, _):
      cell = try decimal(value).map { try $0.encode { try export.cell($0, kind) } }
    case (.json, _):
      cell = try JSONValue(value).map { try $0.encode { try export.cell($0, kind) } }
    default:
      if let range = kind.signedRange {
        guard let integer = integer(value) else {
          if isIntegral(value) { throw outOfRange(value, type, property, entry) }
          return nil
        }
        guard range.contains(integer) else { throw outOfRange(value, type, property, entry) }
        cell = .word(UInt64(bitPattern: integer))
      } else if let maximum = kind.unsignedMaximum {
        guard let integer = unsigned(value) else {
          if isIntegral(value) { throw outOfRange(value, type, property, entry) }
          return nil
        }
        guard integer <= maximum else { throw outOfRange(value, type, property, entry) }
        cell = .word(integer)
      } else {
        return nil
      }
    }
    guard let cell else { return nil }
    if let cases = type.cases {
      let isCase =
        kind.column == .text ? cases.contains(text: cell.bytes) : cases.contains(word: cell.bits)
      if !isCase { return nil }
    }
    return cell
  }

  private func outOfRange(
    _ value: UpdateValue, _ type: ScalarType, _ property: Property, _ entry: ClassEntry
  ) -> StoreError {
    StoreError(
      .outOfRange(
        attribute: "\(entry.schema.className).\(property.name)", expected: type.name,
        found: "\(value)"))
  }

  private func isIntegral(_ value: UpdateValue) -> Bool {
    switch value {
    case .int, .uint: true
    case .double(let value): value.isFinite && value == value.rounded()
    default: false
    }
  }

  private func integer(_ value: UpdateValue) -> Int64? {
    switch value {
    case .int(let value): value
    case .uint(let value): Int64(exactly: value)
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  private func unsigned(_ value: UpdateValue) -> UInt64? {
    switch value {
    case .int(let value): UInt64(exactly: value)
    case .uint(let value): value
    case .double(let value): UInt64(exactly: value)
    default: nil
    }
  }

  private func number(_ value: UpdateValue) -> Double? {
    switch value {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
    default: nil
    }
  }

  private func decimal(_ value: UpdateValue) -> Decimal? {
    switch value {
    case .int(let value): Decimal(value)
    case .uint(let value): Decimal(value)
    case .decimal(let value): value
    // The shortest digits of the Double: what its writer meant.
    case .double(let value):
      value.isFinite ? Decimal(string: "\(value)", locale: Locale(identifier: "en_US_POSIX")) : nil
    default: nil
    }
  }
}

extension JSONValue {
  /// The JSON of an update's value; nil for values JSON does not have, among them numbers that are
  /// not finite.
  init?(_ value: UpdateValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .uint(let value): self = JSONValue(exactNumber: "\(value)")
    case .double(let value) where value.isFinite: self = .double(value)
    case .decimal(let value) where value.isFinite: self = JSONValue(exactNumber: "\(value)")
    case .string(let value): self = .string(value)
    case .json(let value): self = value
    case .array(let values):
      var elements: [JSONValue] = []
      for value in values {
        guard let element = JSONValue(value) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    case .object(let update):
      var members: [(key: String, value: JSONValue)] = []
      for (name, value) in update {
        guard let member = JSONValue(value) else { return nil }
        members.append((name, member))
      }
      self = .object(JSONObject(members))
    case .double, .decimal, .data, .date, .uuid, .reference: return nil
    }
  }
}

/// A primary key as messages show it.
package enum KeyText {
  package static func describe(_ cell: BatchCell, _ kind: ScalarKind) -> String {
    switch kind {
    case .uuid where cell.count == 16:
      UUID(uuid: cell.bytes.loadUnaligned(as: uuid_t.self)).uuidString
    case .string, .uuid:
      MessageText.quoted(cell.bytes)
    default:
      kind.unsignedMaximum != nil ? "\(cell.bits)" : "\(Int64(bitPattern: cell.bits))"
    }
  }
}
