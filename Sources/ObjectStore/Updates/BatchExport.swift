/// Converts objects and values to typed and checked rows of a batch, without applying them.
///
/// A graph of objects is traversed with a work list instead of recursion, so chains may have any length. An
/// object that is reached again refers to the same row.
public final class _BatchExport {
  let batch: RowBatch
  /// The handle of the store that the rows are for; nil while defaults are evaluated.
  let handle: StoreHandle?
  /// Returns the shape of embedded objects if there is no handle.
  private let shape: ((ObjectBase.Type) throws -> BatchShape)?
  /// The unmanaged objects found so far, in order; they become accessors of their rows.
  private(set) var instances: [(object: ObjectBase, row: BatchRow)] = []
  /// Collections of unmanaged objects that user code may hold; they are attached to the rows, too.
  private(set) var boxes: [(box: any AttachableBox, owner: ObjectBase, column: Int)] = []
  private var rowByObject: [ObjectIdentifier: BatchRow] = [:]
  private var nextToExport = 0
  /// The embedded objects being copied, to detect cycles.
  private var copying: Set<ObjectIdentifier> = []
  /// The attribute that is being exported.
  var attribute: (className: String, property: Property)?

  /// Single values of this size or more are rejected: 256 of them fit the 4 GiB of a column's arena.
  @inlinable package static var sizeLimit: Int { 16 << 20 }

  init(_ batch: RowBatch, for handle: StoreHandle) {
    self.batch = batch
    self.handle = handle
    shape = nil
  }

  /// Creates an export of defaults, which are scalars, collections of them, and embedded objects.
  init(_ batch: RowBatch, shape: ((ObjectBase.Type) throws -> BatchShape)? = nil) {
    self.batch = batch
    handle = nil
    self.shape = shape
  }

  /// The attribute that is being exported, as `Class.attribute`, for messages.
  var attributeName: String {
    attribute.map { "\($0.className).\($0.property.name)" } ?? "an attribute"
  }

  // MARK: - Values

  /// Returns the batch cell of a value; strings are copied.
  func cell(_ cell: ScalarCell, _ kind: ScalarKind) throws -> BatchCell {
    try batch.cell(cell, kind, of: attributeName)
  }

  /// Returns the batch cell of a map key.
  func key(_ text: String) throws -> BatchCell {
    try batch.key(text, of: attributeName)
  }

  // MARK: - Objects

  /// Records the box of the attribute that is being exported.
  func record(_ box: any AttachableBox, of owner: ObjectBase) {
    guard let attribute, rowByObject[ObjectIdentifier(owner)] != nil else { return }
    boxes.append((box, owner, attribute.property.column))
  }

  /// Returns a link to the object: to its row if the store manages it, otherwise to a row of the batch. R24.
  func link(_ object: ObjectBase) throws -> BatchCell {
    if let attribute, let target = attribute.property.shape.target, !object.isOf(target) {
      // Rows of a subclass are in their own table, so a link to the superclass cannot refer to them.
      throw StoreError(
        .typeMismatch(
          attribute: attributeName, expected: attribute.property.shape.name,
          found: object.className))
    }
    guard let handle else {
      guard object.isOwned, !object.isManaged else { throw LinkedDefault() }
      return .row(try embeddedRow(of: object))
    }
    guard object.isManaged else {
      if object.isOwned, rowByObject[ObjectIdentifier(object)] != nil {
        return .row(try embeddedRow(of: object))
      }
      return .row(row(for: object))
    }
    let slot = object.isOwned ? try handle.slot(ofEmbedded: object) : try handle.slot(of: object)
    let entry = try handle.entry(of: object)
    guard object.isOwned else { return batch.link(toSlot: slot, of: entry.table) }
    // The object already has an owner, so the new owner gets a copy.
    return .row(try copy(of: entry, slot))
  }

  /// Thrown if a default is an object that is not embedded: creating a row must not implicitly create others.
  struct LinkedDefault: Error, CustomStringConvertible {
    var description: String {
      "a default can only refer to embedded objects; assign other objects after creation"
    }
  }

  private func row(for object: ObjectBase) -> BatchRow {
    if let row = rowByObject[ObjectIdentifier(object)] { return row }
    guard let handle else { misuse("an object is exported without a store") }
    let row = batch.makeRow(handle.trustedEntry(type(of: object)).shape)
    row.setInstance()
    batch.hasForwardLinks = true
    rowByObject[ObjectIdentifier(object)] = row
    instances.append((object, row))
    return row
  }

  /// Exports the object and everything reachable from it.
  func add(_ object: ObjectBase) throws {
    _ = row(for: object)
    try finish()
  }

  /// Exports the objects that have been linked to so far.
  func finish() throws {
    while nextToExport < instances.count {
      let (object, row) = instances[nextToExport]
      nextToExport += 1
      try fill(row, from: object)
      batch.complete(row)
    }
  }

  /// Removes the objects and rows that have been applied.
  func removeInstances() {
    instances = []
    boxes = []
    rowByObject = [:]
    nextToExport = 0
    batch.truncate(toRowCount: 0)
    batch.forgetLinks()
  }

  private func fill(_ row: BatchRow, from object: ObjectBase) throws {
    // On the caller's thread, because user code converts values of custom types.
    try DeepStack.onCaller { try fillAttributes(of: row, from: object) }
  }

  private func fillAttributes(of row: BatchRow, from object: ObjectBase) throws {
    let model = object.model
    var index = 0
    for attribute in model.attributes where attribute.property.isStored {
      self.attribute = (model.schema.className, attribute.property)
      row[index] = try attribute.wrapper.export(object, attribute.offset, self)
      index += 1
    }
    if let key = model.schema.keyParts.isEmpty ? nil : model.schema.primaryKeyProperty {
      // Replaces the key that the object holds.
      row[key.attribute(in: model.schema)] = try model.schema.compoundKey(of: row, in: batch)
    }
  }

  /// Creates a row with the values of an unmanaged embedded object that does not become managed itself: a
  /// default, or an object that is already the value of another attribute.
  private func embeddedRow(of object: ObjectBase) throws -> BatchRow {
    guard copying.insert(ObjectIdentifier(object)).inserted else {
      throw StoreError(.embeddedCycle(className: object.className))
    }
    let outer = attribute
    defer {
      copying.remove(ObjectIdentifier(object))
      attribute = outer
    }
    let type = type(of: object)
    guard let shape = try handle?.trustedEntry(type).shape ?? shape?(type) else {
      throw LinkedDefault()
    }
    let row = batch.makeRow(shape)
    try fill(row, from: object)
    return row
  }

  /// Creates a batch row with the values of a row of the store.
  func copy(of entry: ClassEntry, _ slot: Int) throws -> BatchRow {
    guard let handle else { throw LinkedDefault() }
    let outer = attribute
    defer { attribute = outer }
    let row = batch.makeRow(entry.shape)
    row.header.pointee.flags |= BatchRow.isCopy
    for (index, property) in entry.schema.storedProperties.enumerated() {
      attribute = (entry.schema.className, property)
      let cell = try handle.copyCell(entry, slot, property, self)
      if handle.tableVersion(entry.table).isMissing(slot, index) {
        row.setDefault(cell, of: index)
      } else {
        row[index] = cell
      }
    }
    if handle.tableVersion(entry.table).isWhole(slot, entry.layout) { row.setWhole() }
    return row
  }
}

package typealias BatchExport = _BatchExport

extension RowBatch {
  /// Returns the batch cell of a value; strings are copied.
  ///
  /// - Parameter attribute: `Class.attribute`, for messages.
  /// - Throws: `valueTooLarge`; `typeMismatch` for dates that are not finite and for NaN decimals.
  func cell(
    _ cell: ScalarCell, _ kind: ScalarKind, of attribute: @autoclosure () -> String
  ) throws(StoreError) -> BatchCell {
    switch kind.column {
    case .bytes:
      guard cell.bytes.count < _BatchExport.sizeLimit else {
        throw StoreError(.valueTooLarge(attribute: attribute(), byteCount: cell.bytes.count))
      }
      if kind == .decimal, cell.bytes.first == UInt8(ascii: "N") {
        throw StoreError.notFinite("Decimal", attribute())
      }
      return text(copying: cell.bytes)
    default:
      if kind == .date, !Double(bitPattern: cell.word).isFinite {
        throw StoreError.notFinite("Date", attribute())
      }
      return .word(cell.word)
    }
  }

  /// Returns the batch cell of a map key.
  ///
  /// - Throws: `valueTooLarge`.
  func key(
    _ text: String, of attribute: @autoclosure () -> String
  ) throws(StoreError) -> BatchCell {
    guard text.utf8.count < _BatchExport.sizeLimit else {
      throw StoreError(.valueTooLarge(attribute: attribute(), byteCount: text.utf8.count))
    }
    return self.text(text)
  }
}
