/// The rows of one decode, and what their texts lie in.
// Sendable: nothing writes the rows any more, and what is made of them is the reader's own.
final class DecodedRows: @unchecked Sendable {
  private let batch: RowBatch
  private let text: any AnyObject & Sendable
  private let entries: ContiguousArray<ClassEntry?>

  /// - Parameters:
  ///   - batch: whose rows are complete; nobody else holds it.
  ///   - text: keeps the bytes alive that cells point into.
  ///   - entries: the classes by table.
  init(_ batch: RowBatch, _ text: any AnyObject & Sendable, _ entries: ContiguousArray<ClassEntry?>)
  {
    self.batch = batch
    self.text = text
    self.entries = entries
  }

  /// Where a row stands.
  // Sendable: as the rows are.
  struct Address: @unchecked Sendable {
    let row: BatchRow
  }

  @inline(__always)
  func entry(of row: BatchRow) -> ClassEntry {
    guard let entry = entries[Int(row.header.pointee.table)] else {
      misuse("a row was decoded for a class that its store has not met")
    }
    return entry
  }
}
