/// Turns objects and values into rows of a batch: checked and typed, nothing applied.
///
/// A graph of objects is walked with a list of what is still to do, not by recursion, so that a
/// chain of any length works; an object met again is the same row.
public final class BatchExport {
  let batch: RowBatch
  /// The handle whose store the rows are for; nil while defaults are read off a class.
  let handle: StoreHandle?
  /// Unmanaged objects met so far, in order.
  private(set) var instances: [(object: ObjectBase, row: BatchRow)] = []
  private var rowByObject: [ObjectIdentifier: BatchRow] = [:]
  private var nextToExport = 0
  /// `Class.attribute` at work, for messages.
  private var attribute = ""

  /// Values of this size or more are refused: 256 of them fit the 4 GiB of a column's arena.
  package static let sizeLimit = 16 << 20

  init(_ batch: RowBatch, for handle: StoreHandle?) {
    self.batch = batch
    self.handle = handle
  }

  // MARK: - Values

  /// The value as a batch takes it; texts are copied.
  func cell(_ cell: ScalarCell, _ kind: ScalarKind) throws -> BatchCell {
    switch kind.column {
    case .text:
      guard cell.bytes.count < Self.sizeLimit else {
        throw StoreError(.valueTooLarge(attribute: attribute, byteCount: cell.bytes.count))
      }
      return batch.text(copying: cell.bytes)
    default:
      if kind == .date, !Double(bitPattern: cell.word).isFinite {
        throw StoreError(
          .typeMismatch(attribute: attribute, expected: "a finite Date", found: "one that is not"))
      }
      return .word(cell.word)
    }
  }

  /// The collection of the elements since the mark, unless its texts are too large for a cell.
  func endElements(_ mark: Int, of attribute: String? = nil) throws -> BatchCell {
    let cell = batch.endElements(mark)
    guard cell.elementTextSize < Self.sizeLimit else {
      throw StoreError(
        .valueTooLarge(
          attribute: attribute ?? self.attribute, byteCount: cell.elementTextSize))
    }
    return cell
  }

  // MARK: - Objects

  /// A link to the object: its row of the store if it is managed there, else a row of the batch.
  func link(_ object: ObjectBase) throws -> BatchCell {
    guard let handle else {
      // A class whose default is an object of its own is made anew for each row.
      throw DefaultIsObject()
    }
    guard object.isManaged else { return .row(row(for: object)) }
    let slot = try handle.slot(of: object)
    guard object is EmbeddedObject else { return .slot(slot) }
    // Somebody owns it already: the new owner gets a copy.
    return .row(try copy(of: handle.trustedEntry(type(of: object)), slot))
  }

  /// Thrown while constant defaults are read.
  struct DefaultIsObject: Error {}

  private func row(for object: ObjectBase) -> BatchRow {
    if let row = rowByObject[ObjectIdentifier(object)] { return row }
    guard let handle else { misuse("an object is exported without a store") }
    let row = batch.makeRow(handle.trustedEntry(type(of: object)).shape)
    row.markInstance()
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

  /// Exports the objects that were linked to so far.
  func finish() throws {
    while nextToExport < instances.count {
      let (object, row) = instances[nextToExport]
      nextToExport += 1
      try fill(row, from: object)
      batch.complete(row)
    }
  }

  /// Forgets rows that were applied.
  func forgetInstances() {
    instances = []
    rowByObject = [:]
    nextToExport = 0
    batch.truncate(toRowCount: 0)
  }

  private func fill(_ row: BatchRow, from object: ObjectBase) throws {
    let schema = object.objectSchema
    for (index, property) in schema.storedProperties.enumerated() {
      attribute = "\(schema.className).\(property.name)"
      row[index] = try property.wrapper.export(object, property, self)
    }
  }

  /// A row with the values of a row of the store.
  func copy(of entry: ClassEntry, _ slot: Int) throws -> BatchRow {
    guard let handle else { throw DefaultIsObject() }
    let row = batch.makeRow(entry.shape)
    for (index, property) in entry.schema.storedProperties.enumerated() {
      row[index] = try handle.copyCell(entry, slot, property, self)
    }
    return row
  }
}
