/// A filter that compares two values of any type, evaluated per row.
final class ComparisonFilter: RowFilter {
  private let left: OperandReader
  private let right: OperandReader
  private let operation: QueryComparison.Operation
  private let text: StringMatcher

  init(_ left: OperandReader, _ comparison: QueryComparison, _ right: OperandReader) {
    assert(left.family == right.family, "Values of different families cannot be compared")
    self.left = left
    self.right = right
    operation = comparison.operation
    text = StringMatcher(comparison)
  }

  override func matches(_ context: EvaluationContext) -> Bool {
    if left.family == .number {
      let a = left.number(context)
      let b = right.number(context)
      guard let a, let b else { return nullMatches(a == nil, b == nil) }
      guard let order = QueryNumber.order(a, b) else { return operation == .notEqual }
      return operation.holds(order)
    }
    let a = left.cell(context)
    let b = right.cell(context)
    if a.isNull || b.isNull { return nullMatches(a.isNull, b.isNull) }
    switch left.family {
    case .text, .data: return text.matches(a.bytes, b.bytes)
    case .json: return StoredJSONReader.areEqual(a.bytes, b.bytes) == (operation == .equal)
    case .uuid: return operation.holds(StringMatcher.order(a.bytes, b.bytes))
    case .date:
      let (one, other) = (Double(bitPattern: a.word), Double(bitPattern: b.word))
      if one.isNaN || other.isNaN { return operation == .notEqual }
      return operation.holds(one < other ? -1 : one > other ? 1 : 0)
    case .bool, .link, .number:
      return operation.holds(a.word < b.word ? -1 : a.word > b.word ? 1 : 0)
    }
  }

  private func nullMatches(_ a: Bool, _ b: Bool) -> Bool {
    switch operation {
    case .equal: a && b
    case .notEqual: a != b
    default: false
    }
  }

  override var cost: Int { 40 }

  /// The key range of a text compared with a constant, for order and prefix comparisons.
  override var indexablePredicate: IndexablePredicate? {
    guard left.family == .text, text.options.isEmpty, let own = left as? AttributeReader,
      own.path.isOwn, let constant = right as? ConstantReader, !constant.value.isNull
    else { return nil }
    let key = IndexKey.key(constant.value.bytes)
    switch operation {
    case .less, .lessOrEqual: return .keys(column: own.column, IndexKey.values.lowerBound...key)
    case .greater, .greaterOrEqual: return .keys(column: own.column, key ... .max)
    case .beginsWith:
      return .keys(column: own.column, key...IndexKey.key(constant.value.bytes, filler: 255))
    case .equal, .notEqual, .contains, .endsWith, .like, .text: return nil
    }
  }
}

extension QueryComparison.Operation {
  /// True if the operation holds for two values with this comparison result: below 0, 0 or above 0.
  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .contains, .beginsWith, .endsWith, .like, .text: false
    }
  }
}
