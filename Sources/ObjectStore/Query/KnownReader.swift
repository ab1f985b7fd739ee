/// Reads whether the store knows the server's value of an attribute. False if a link on the path is null.
final class KnownReader: OperandReader {
  let path: LinkPath
  /// The bit of the attribute in the row's missing attributes; nil for an attribute that is always known.
  fileprivate let missing: (column: Int, mask: UInt64)?
  /// The bit of a whole row.
  fileprivate let whole: (column: Int, mask: UInt64)

  /// - Parameter attribute: The attribute, or nil for one that is always known.
  init(_ path: LinkPath, _ attribute: Int?, _ layout: TableLayout) {
    func bit(_ attribute: Int) -> (column: Int, mask: UInt64) {
      (TableLayout.missingColumn + attribute / 64, 1 << UInt64(attribute % 64))
    }
    self.path = path
    missing = attribute.map(bit)
    whole = bit(layout.attributeCount)
    super.init(.bool, .bool)
  }

  override func cell(_ context: EvaluationContext) -> QueryCell {
    QueryCell(word: isKnown(context) ? 1 : 0)
  }

  func isKnown(_ context: EvaluationContext) -> Bool {
    path.follow(context) { isKnown($0.columns, $0.row) } ?? false
  }

  @inline(__always)
  fileprivate func isKnown(_ columns: UnsafeMutablePointer<StorageColumn>, _ row: Int) -> Bool {
    guard let missing else { return true }
    return columns[missing.column].word(row) & missing.mask == 0
      || columns[whole.column].word(row) & whole.mask != 0
  }
}

/// A filter for rows of which an attribute is known.
final class KnownFilter: RowFilter {
  private let reader: KnownReader

  init(_ reader: KnownReader) { self.reader = reader }

  override func matches(_ context: EvaluationContext) -> Bool { reader.isKnown(context) }

  override func narrow(_ rows: inout RowMask, in chunk: QueryChunk) {
    guard reader.path.isOwn else { return super.narrow(&rows, in: chunk) }
    guard let missing = reader.missing else { return }
    // In a chunk without missing attributes, the column is a block of zeros that chunks share.
    if chunk.columns[missing.column].block._withUnsafeGuaranteedRef(\.isShared) { return }
    rows.keep(chunk.count) { reader.isKnown(chunk.columns, $0) }
  }

  override var cost: Int { reader.path.isOwn ? 1 : 40 }
}
