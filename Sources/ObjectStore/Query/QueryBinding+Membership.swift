// One of several values: IN, and comparisons of one attribute with many values.

extension QueryBinding {
  mutating func membership(
    _ operand: QueryOperand, _ values: [QueryValue], _ options: TextOptions
  ) throws -> RowTest {
    let comparison = QueryComparison(.equal, options)
    if case .value = operand, let first = values.first {
      return try comparisonTest(operand, comparison, .value(first))
    }
    let reader = try reader(operand)
    let own = (reader as? AttributeReader).flatMap { $0.path.isOwn ? $0 : nil }
    let isOneKind = reader is AttributeReader || reader is ElementReader
    var set = QueryValueSet(reader.family, isOneKind ? reader.kind : nil, options)
    for value in values {
      if case .null = value {
        set.insertNull()
      } else {
        set.insert(try constant(value, reader, operand, comparison))
      }
    }
    if let own, let kind = own.kind, !set.hasNull, own.isWhole {
      return WordSetTest(own.column, set.words(of: kind))
    }
    return MemberTest(reader, set, options)
  }
}
