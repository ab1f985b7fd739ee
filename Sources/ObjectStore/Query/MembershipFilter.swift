/// A filter for values that are in a set.
final class MembershipFilter: RowFilter {
  private let reader: OperandReader
  private let values: QueryValueSet
  private let options: TextOptions
  private let isOfDigits: Bool

  init(_ reader: OperandReader, _ values: QueryValueSet, _ options: TextOptions) {
    self.reader = reader
    self.values = values
    self.options = options
    isOfDigits = reader.family == .number && values.isOfDigits
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    if isOfDigits { return values.contains(digits: reader.cell(context)) }
    return reader.family == .number
      ? values.contains(reader.number(context)) : values.contains(reader.cell(context))
  }

  override var cost: Int { options.isEmpty ? 25 : 80 }

  override var indexablePredicate: IndexablePredicate? {
    guard options.isEmpty, let own = reader as? AttributeReader, own.path.isOwn else { return nil }
    let orNull = values.hasNull
    switch reader.family {
    case .json: return nil
    case .text, .data, .uuid:
      return .byteSet(column: own.column, values.bytes, orNull: orNull)
    case .date: return .words(column: own.column, Array(values.doubles), orNull: orNull)
    case .bool, .link: return .words(column: own.column, Array(values.words), orNull: orNull)
    case .number:
      guard let kind = own.kind, kind != .decimal else { return nil }
      let isWhole = kind != .double && kind != .float
      return .words(
        column: own.column, Array(isWhole ? values.words(of: kind) : values.doubles),
        orNull: orNull)
    }
  }
}
