import Foundation

/// Converts update dictionaries to rows of a batch, checking every name and value.
///
/// Nested dictionaries become nested rows, so one conversion covers an update of any depth.
struct UpdateConversion {
  private let handle: StoreHandle
  private let batch: RowBatch
  /// The maximum nesting depth of objects on this stack.
  private let depth: Int
  /// The number of objects that enclose the one being converted.
  private let openRows: Int

  /// Thrown if an update is nested too deeply for the stack of the caller.
  struct TooDeep: Error {}

  init(
    _ handle: StoreHandle, _ batch: RowBatch, depth: Int = DeepStack.shallowDepth,
    openRows: Int = 0
  ) {
    self.handle = handle
    self.batch = batch
    self.depth = depth
    self.openRows = openRows
  }

  /// The conversion of objects nested in the current one.
  private var inner: UpdateConversion {
    UpdateConversion(handle, batch, depth: depth, openRows: openRows + 1)
  }

  /// Returns the row of an update. `isTop` is true for the object passed to `create`, which gets its own row
  /// even without a key.
  func row(_ update: UpdateDictionary, _ entry: ClassEntry, isTop: Bool) throws -> BatchRow {
    guard openRows < depth else { throw tooDeep(entry) }
    let row = batch.makeRow(entry.shape)
    switch update.storage {
    case .pairs(let pairs): try fill(row, pairs, entry)
    case .decoded(let update) where update.entry === entry: try fill(row, update, entry)
    case .decoded(let update):
      try fill(row, update.pairs, entry)
      keepMerging(row, update, entry)
    }
    for attribute in entry.inPlaceAttributes { row[attribute].row?.setInPlace() }
    try complete(row, entry, isTop: isTop)
    return row
  }

  private func fill(
    _ row: BatchRow, _ pairs: UpdateDictionary.Pairs, _ entry: ClassEntry
  ) throws {
    var expected = 0
    for index in pairs.names.indices {
      // Fast path without a lookup of the name: names are mostly in declared order, and values are mostly of
      // the attribute's own type.
      if expected < entry.plainKinds.count, entry.isName(expected, pairs.names[index]) {
        if let cell = plainCell(pairs.values[index], entry.plainKinds[expected]) {
          row[expected] = cell
        } else {
          row[expected] = try cell(pairs.values[index], entry.attributes[expected])
        }
        expected += 1
      } else {
        let attribute = try attribute(pairs.names[index], entry)
        row[attribute.index] = try cell(pairs.values[index], attribute)
        expected = attribute.index + 1
      }
    }
  }

  /// Copies the cells of an update that was decoded for the same class of the same store. The caller keeps
  /// their strings and elements alive.
  private func fill(_ row: BatchRow, _ update: DecodedUpdate, _ entry: ClassEntry) throws {
    if let merged = update.rows.mergedMembers(of: update.row) {
      batch.setMergedMembers(merged, ofTable: entry.table, limit: merged.limit)
    }
    for index in update.attributeOrder(entry) {
      let cell = update.row[index]
      let attribute = entry.attributes[index]
      guard attribute.isCollection, cell.state == .value, attribute.targetTable != nil
      else {
        row[index] = try copied(cell, update.rows)
        continue
      }
      let mark = batch.beginElements()
      for element in cell.elements { batch.appendElement(try copied(element, update.rows)) }
      row[index] = batch.endElements(mark)
    }
    // A generated key is accompanied by the other defaults of the object that it was generated with.
    for index in update.defaults {
      row.setDefault(try copied(update.row[index], update.rows), of: index)
    }
    row.copyAbsence(from: update.row)
  }

  /// Marks the attribute that keeps unread members, so that the members of an update of another store's class are merged.
  private func keepMerging(_ row: BatchRow, _ update: DecodedUpdate, _ entry: ClassEntry) {
    guard let merged = update.rows.mergedMembers(of: update.row) else { return }
    let name = update.entry.attributes[merged.attribute].name
    guard let attribute = entry.attributes.first(where: { $0.name.hasSameBytes(as: name) }) else {
      return
    }
    let cell = update.row[merged.attribute]
    row[attribute.index].mergesMembers = cell.mergesMembers
    row[attribute.index].removesMembers = cell.removesMembers
    batch.setMergedMembers(
      MergedMembers(attribute: attribute.index, root: merged.root), ofTable: entry.table,
      limit: merged.limit)
  }

  private func copied(_ cell: BatchCell, _ rows: DecodedRows) throws -> BatchCell {
    guard let row = cell.row else {
      var cell = cell
      cell.isDefault = false
      return cell
    }
    let update = UpdateDictionary(DecodedUpdate(rows, row))
    return .row(try inner.row(update, rows.entry(of: row), isTop: false))
  }

  private func tooDeep(_ entry: ClassEntry) -> any Error {
    guard depth >= UpdateDictionary.depthLimit else { return TooDeep() }
    return StoreError(
      .typeMismatch(
        attribute: entry.schema.className, expected: "at most \(depth) nested objects",
        found: "more"))
  }

  private func attribute(_ name: String, _ entry: ClassEntry) throws -> StoredAttribute {
    if let attribute = entry.attribute(name) { return attribute }
    throw StoreError(
      .unknownAttribute(
        className: entry.schema.className, name: name,
        suggestion: Suggestion.nearest(to: name, among: entry.attributeNames)))
  }

  /// Checks the key, and completes the row if it has one or is the top row.
  func complete(_ row: BatchRow, _ entry: ClassEntry, isTop: Bool) throws {
    let attribute = Int(entry.shape.keyAttribute)
    if attribute >= 0 {
      if entry.hasCompoundKey {
        try makeCompoundKey(row, entry)
      } else if row[attribute].state == .absent {
        // A key with a unique default (`UUID()`) may be omitted.
        try entry.defaults.makeKey(attribute, of: row, in: batch)
      }
      guard row[attribute].state == .value else {
        throw StoreError(
          .primaryKeyNotFound(
            className: entry.schema.className, attribute: entry.attributeNames[attribute]))
      }
      if isTop { row.setInstance() }
      batch.complete(row)
    } else if isTop {
      row.setInstance()
      batch.complete(row)
    }
  }

  /// Composes the key from its parts; a key given in the update must be equal to it.
  @inline(never)
  private func makeCompoundKey(_ row: BatchRow, _ entry: ClassEntry) throws(StoreError) {
    let attribute = Int(entry.shape.keyAttribute)
    if let part = entry.schema.missingPart(of: row) {
      throw StoreError(
        .primaryKeyNotFound(
          className: entry.schema.className, attribute: entry.attributeNames[part]))
    }
    let key = try entry.schema.compoundKey(of: row, in: batch)
    if row[attribute].state == .value, !row[attribute].bytes.hasSameBytes(as: key.bytes) {
      throw StoreError(
        .typeMismatch(
          attribute: entry.attributes[attribute].fullName,
          expected: entry.schema.expectedKey(key),
          found: UpdateValue.string(row[attribute].text).found))
    }
    row[attribute] = key
  }

  /// Sets the cell of the key, and those of the parts of a compound key.
  /// - Throws: `typeMismatch`, `outOfRange`.
  func fillKey(_ row: BatchRow, _ key: some ObjectKey, _ entry: ClassEntry) throws {
    let attribute = Int(entry.shape.keyAttribute)
    guard entry.hasCompoundKey || key._compoundKey != nil else {
      row[attribute] = try cell(key._updateValue, entry.attributes[attribute])
      return
    }
    guard let compound = entry.schema.compoundKey(of: key) else {
      throw entry.schema.mismatch(found: key.foundText)
    }
    if let error = entry.mismatch(ofKey: compound) { throw error }
    for (part, value) in zip(entry.schema.keyParts, compound.parts) {
      row[part] = try cell(value, entry.attributes[part])
    }
    row[attribute] = try entry.schema.compoundKey(of: row, in: batch)
  }

  // MARK: - Values

  /// Returns the cell of a value of the plain attribute's own type; nil for any other value.
  @inline(__always)
  private func plainCell(_ value: UpdateValue, _ kind: ScalarKind?) -> BatchCell? {
    switch (kind, value) {
    case (.int, .int(let value)), (.int64, .int(let value)):
      return .word(UInt64(bitPattern: value))
    case (.double, .double(let value)):
      return .word(value.bitPattern)
    case (.bool, .bool(let value)):
      return .word(value ? 1 : 0)
    case (.string, .string(let text)) where text.utf8.count < BatchExport.sizeLimit:
      // Nil for strings bridged from Objective-C, which are converted by the slower path.
      return text.utf8.withContiguousStorageIfAvailable {
        batch.text(copying: UnsafeRawBufferPointer($0))
      }
    case (.date, .date(let date)) where date.timeIntervalSinceReferenceDate.isFinite:
      return date._encode { .word($0.word) }
    default: return nil
    }
  }

  func cell(_ value: UpdateValue, _ attribute: StoredAttribute) throws -> BatchCell {
    switch (attribute.form, value) {
    case (.scalar, .null), (.link, .null):
      return try null(attribute)
    case (_, .null):
      return .null
    case (.scalar, _), (.link, _):
      guard let cell = try element(value, attribute) else {
        throw mismatch(value, attribute)
      }
      return cell
    case (.list, .array(let elements)), (.set, .array(let elements)):
      let mark = batch.beginElements()
      for element in elements {
        batch.appendElement(try nullable(element, attribute))
      }
      return batch.endElements(mark)
    case (.map, .object(let pairs)):
      let mark = batch.beginElements()
      for (key, element) in pairs {
        batch.appendElement(try batch.key(key, of: attribute.fullName))
        batch.appendElement(try nullable(element, attribute))
      }
      return batch.endElements(mark)
    default:
      throw mismatch(value, attribute)
    }
  }

  private func nullable(
    _ value: UpdateValue, _ attribute: StoredAttribute
  ) throws -> BatchCell {
    if case .null = value { return try null(attribute) }
    guard let cell = try element(value, attribute) else {
      throw mismatch(value, attribute)
    }
    return cell
  }

  // Nested objects are converted recursively, so rarely used code is kept out of the stack frames.

  @inline(never)
  private func null(_ attribute: StoredAttribute) throws -> BatchCell {
    if attribute.property.shape.isOptional { return .null }
    if let scalar = attribute.property.shape.scalar, scalar.kind == .json, scalar.acceptsNull {
      // An attribute that holds any JSON can hold JSON's null.
      return try encoded(JSONValue.null, attribute)
    }
    throw StoreError(.nullForNonOptional(attribute: attribute.fullName))
  }

  /// Throws an error if the Codable type of the attribute cannot read the value.
  @inline(never)
  private func check(
    _ cell: BatchCell, _ coded: CodedType, _ attribute: StoredAttribute
  ) throws {
    if let mistake = coded.mistake(in: cell.bytes) {
      throw StoreError(
        .typeMismatch(
          attribute: attribute.fullName, expected: coded.name, found: mistake.description))
    }
  }

  @inline(never)
  private func mismatch(_ value: UpdateValue, _ attribute: StoredAttribute) -> StoreError {
    if case .unencodable(let value) = value {
      return .notEncodable(value, attribute.fullName)
    }
    return StoreError(
      .typeMismatch(
        attribute: attribute.fullName, expected: attribute.property.shape.name, found: value.found))
  }

  /// Returns the cell of one value or object; nil if it does not fit.
  private func element(
    _ value: UpdateValue, _ attribute: StoredAttribute
  ) throws -> BatchCell? {
    guard let targetTable = attribute.targetTable else { return try scalar(value, attribute) }
    let targetEntry = handle.entry(ofTable: targetTable)
    switch value {
    case .object(let update):
      return .row(try inner.row(update, targetEntry, isTop: false))
    case .reference(let reference):
      guard reference.core === handle.core else {
        throw StoreError(.objectOfAnotherStore(className: targetEntry.schema.className))
      }
      guard reference.table == targetEntry.table else { return nil }
      guard handle.tableVersion(reference.table).isLive(reference.slot) else {
        throw StoreError(.objectInvalidated(className: targetEntry.schema.className))
      }
      return targetEntry.schema.isEmbedded
        ? try copy(of: targetEntry, reference.slot)
        : batch.link(toSlot: reference.slot, of: reference.table)
    default:
      return nil
    }
  }

  /// Copies an embedded object, which already has an owner, for its new owner. R9.
  @inline(never)
  private func copy(of entry: ClassEntry, _ slot: Int) throws -> BatchCell {
    .row(try BatchExport(batch, for: handle).copy(of: entry, slot))
  }

  @inline(never)
  private func scalar(_ value: UpdateValue, _ attribute: StoredAttribute) throws -> BatchCell? {
    let kind = attribute.kind
    let cell: BatchCell?
    switch (kind, value) {
    case (.bool, .bool(let value)):
      cell = .word(value ? 1 : 0)
    case (.double, _):
      cell = number(value).map { .word($0.bitPattern) }
    case (.float, _):
      // Converted to Float and back, so that equal floats have equal bits.
      guard let double = number(value) else { return nil }
      let float = Float(double)
      guard float.isFinite || !double.isFinite else {
        throw outOfRange(value, attribute)
      }
      cell = .word(Double(float).bitPattern)
    case (.string, .string(let text)):
      cell = try encoded(text, attribute)
    case (.url, .string(let text)):
      // Stored as given, because `URL` may normalize the string.
      guard URL(string: text) != nil else { return nil }
      cell = try encoded(text, attribute)
    case (.data, .data(let data)):
      cell = try encoded(data, attribute)
    case (.date, .date(let date)):
      cell = try encoded(date, attribute)
    case (.uuid, .uuid(let uuid)):
      cell = try encoded(uuid, attribute)
    case (.uuid, .string(let text)):
      cell = try UUIDText.uuid(text).map { try encoded($0, attribute) }
    case (.decimal, _):
      cell = try decimal(value).map { try encoded($0, attribute) }
    case (.json, _):
      cell = try JSONValue(value).map { json in
        let isScalar = attribute.form == .scalar
        var cell = try json.withStored(keepsNotation: isScalar) {
          try batch.cell(ScalarCell(bytes: $0), attribute.kind, of: attribute.fullName)
        }
        cell.keepsEqualJSON = isScalar
        if let coded = attribute.property.shape.scalar?.coded {
          try check(cell, coded, attribute)
        }
        return cell
      }
    default:
      if let range = kind.signedRange {
        guard let integer = integer(value) else {
          if isIntegral(value) { throw outOfRange(value, attribute) }
          return nil
        }
        guard range.contains(integer) else { throw outOfRange(value, attribute) }
        cell = .word(UInt64(bitPattern: integer))
      } else if let maximum = kind.unsignedMaximum {
        guard let integer = unsigned(value) else {
          if isIntegral(value) { throw outOfRange(value, attribute) }
          return nil
        }
        guard integer <= maximum else { throw outOfRange(value, attribute) }
        cell = .word(integer)
      } else {
        return nil
      }
    }
    guard let cell else { return nil }
    if let cases = attribute.cases {
      let isCase =
        kind.column == .bytes ? cases.contains(text: cell.bytes) : cases.contains(word: cell.bits)
      if !isCase { return nil }
    }
    return cell
  }

  /// Returns the cell of a value; a string is copied.
  private func encoded(_ value: some ScalarValue, _ attribute: StoredAttribute) throws -> BatchCell
  {
    try value._encode { try batch.cell($0, attribute.kind, of: attribute.fullName) }
  }

  private func outOfRange(_ value: UpdateValue, _ attribute: StoredAttribute) -> StoreError {
    StoreError(
      .outOfRange(
        attribute: attribute.fullName, expected: attribute.property.shape.scalar?.name ?? "",
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
    // From its digits: `NSDecimalNumber.doubleValue` is not the nearest Double.
    case .decimal(let value): Double(value.description)
    default: nil
    }
  }

  private func decimal(_ value: UpdateValue) -> Decimal? {
    switch value {
    case .int(let value): Decimal(value)
    case .uint(let value): Decimal(value)
    case .decimal(let value): value
    // From the shortest digits of the Double, which are the ones most likely intended.
    case .double(let value):
      value.isFinite ? Decimal(plain: "\(value)") : nil
    default: nil
    }
  }
}
