/// The rows of one decode, and the memory that holds their strings.
// Sendable: the rows are no longer written, and values created from them belong to the reader.
final class DecodedRows: @unchecked Sendable {
  private let batch: RowBatch
  private let text: any AnyObject & Sendable
  private let entries: ContiguousArray<ClassEntry?>

  /// - Parameters:
  ///   - batch: The batch with the complete rows; the only reference to it.
  ///   - text: The owner of the bytes that cells point to.
  ///   - entries: The classes by table.
  init(_ batch: RowBatch, _ text: any AnyObject & Sendable, _ entries: ContiguousArray<ClassEntry?>)
  {
    self.batch = batch
    self.text = text
    self.entries = entries
  }

  /// The address of a row.
  // Sendable: points into the batch of its `DecodedRows`, which is immutable.
  struct Address: @unchecked Sendable {
    let row: BatchRow
  }

  /// The attribute of a row's class whose members are merged; nil if it has none.
  func mergedMembers(of row: BatchRow) -> MergedMembers? {
    batch.mergedMembers.isEmpty ? nil : batch.mergedMembers[Int(row.header.pointee.table)]
  }

  @inline(__always)
  func entry(of row: BatchRow) -> ClassEntry {
    guard let entry = entries[Int(row.header.pointee.table)] else {
      misuse("a row was decoded for a class that its store does not contain")
    }
    return entry
  }
}
