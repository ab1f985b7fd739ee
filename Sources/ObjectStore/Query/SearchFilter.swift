/// A filter for strings that match a word search.
final class SearchFilter: RowFilter {
  private let reader: AttributeReader
  private let search: TextSearch

  init(_ reader: AttributeReader, _ search: TextSearch) {
    assert(reader.isSearchable, "Column \(reader.column) is not searchable")
    self.reader = reader
    self.search = search
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    let cell = reader.cell(context)
    return !cell.isNull && search.matches(cell.bytes)
  }

  /// The cost is high because the string of each row is folded and split into words.
  static let cost = 120

  override var cost: Int { Self.cost }

  override var indexablePredicate: IndexablePredicate? {
    guard reader.path.isOwn, !search.wanted.isEmpty else { return nil }
    return .search(column: reader.column, search.wanted.map(\.keys))
  }
}
