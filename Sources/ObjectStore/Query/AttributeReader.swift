/// Reads an attribute of the row at the end of a path.
final class AttributeReader: OperandReader {
  let path: LinkPath
  let column: Int
  private let columnKind: ColumnLayout.Kind
  /// True if the attribute is a link.
  var isLink: Bool { columnKind == .link }
  /// True if the cells are integers.
  var isWhole: Bool {
    family == .number && columnKind == .word && kind != .double && kind != .float
  }
  let isOptional: Bool
  let isSearchable: Bool

  init(
    _ path: LinkPath, _ column: Int, _ layout: ColumnLayout, _ family: QueryFamily,
    _ kind: ScalarKind?
  ) {
    self.path = path
    self.column = column
    columnKind = layout.kind
    isOptional = layout.isOptional
    isSearchable = layout.isSearchable
    super.init(family, kind)
  }

  override func cell(_ context: EvaluationContext) -> QueryCell {
    path.follow(context) { end in
      let column = end.columns[column]
      let row = end.row
      if column.isNull(row) { return .null }
      switch columnKind {
      case .byte: return QueryCell(word: UInt64(column.byte(row)))
      case .bytes: return QueryCell(bytes: column.bytes(ofWord: column.word(row)))
      case .link:
        let word = column.word(row)
        return word == 0 ? .null : QueryCell(word: word)
      case .word, .collection: return QueryCell(word: column.word(row))
      }
    } ?? .null
  }
}
