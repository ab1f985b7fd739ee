// Membership in a set of values: IN, and comparisons of one attribute with many values.

extension QueryBinding {
  mutating func membership(
    _ operand: QueryOperand, _ values: [QueryValue], _ options: TextOptions
  ) throws -> RowFilter {
    let comparison = QueryComparison(.equal, options)
    if case .value = operand, let first = values.first {
      return try comparisonFilter(operand, comparison, .value(first))
    }
    let reader = try reader(operand)
    if let member = reader as? JSONMemberReader {
      return try membership(member, operand, values.map(\.jsonScalar), comparison)
    }
    let own = (reader as? AttributeReader).flatMap { $0.path.isOwn ? $0 : nil }
    let isOneKind = reader is AttributeReader || reader is ElementReader
    var set = QueryValueSet(reader.family, isOneKind ? reader.kind : nil, options)
    for value in values {
      if case .null = value, !reader.takesNullAsJSON {
        set.insertNull()
      } else {
        set.insert(try constant(value, reader, operand, comparison))
      }
    }
    if let own, let kind = own.kind, !set.hasNull, own.isWhole {
      return WordSetFilter(own.column, set.words(of: kind))
    }
    return MembershipFilter(reader, set, options)
  }

  /// Returns a filter for values inside JSON: one set for each family of values.
  private func membership(
    _ member: JSONMemberReader, _ operand: QueryOperand, _ values: [QueryValue],
    _ comparison: QueryComparison
  ) throws -> RowFilter {
    let families = Dictionary(grouping: values) { $0.jsonFamily ?? .json }
    let filters = try families.map { family, values in
      let reader = member.reading(family)
      var set = QueryValueSet(family, nil, comparison.options)
      for value in values {
        if case .null = value {
          set.insertNull()
        } else {
          set.insert(try constant(value, reader, operand, comparison))
        }
      }
      return MembershipFilter(reader, set, comparison.options)
    }
    return OrFilter(filters)
  }

  /// The maximum number of comparisons of one attribute that are not combined into a set lookup.
  private static let fewValues = 8

  /// Returns the filters of joined conditions. Many conditions of the form `a == 1 OR a == 2 OR …`, or with AND `a !=
  /// 1 AND a != 2 AND …`, become one membership test.
  ///
  /// - Complexity: O(n).
  mutating func gathered(_ nodes: [QueryNode], isAnd: Bool) throws -> [RowFilter] {
    guard nodes.count > Self.fewValues else { return try nodes.map { try filter($0) } }
    var indices: [Compared: [Int]] = [:]
    for (index, node) in nodes.enumerated() {
      if let compared = Compared(node, isAnd) { indices[compared, default: []].append(index) }
    }
    let many = indices.filter { $0.value.count > Self.fewValues }
    var filters: [RowFilter] = []
    for (index, node) in nodes.enumerated() {
      guard let compared = many.isEmpty ? nil : Compared(node, isAnd), let alike = many[compared]
      else {
        filters.append(try filter(node))
        continue
      }
      // The combined filter takes the position of the first condition.
      if alike[0] != index { continue }
      let member = try membership(
        compared.operand, alike.compactMap { nodes[$0].comparedValue }, compared.options)
      let filter = isAnd ? NotFilter(member) : member
      let gathered = alike.map { nodes[$0] }
      filter.node = isAnd ? .and(gathered) : .or(gathered)
      filters.append(filter)
    }
    return filters
  }

  /// The operand and options of a comparison with a value: by `!=` inside AND, by `==` inside OR.
  private struct Compared: Hashable {
    let operand: QueryOperand
    let options: TextOptions

    init?(_ node: QueryNode, _ isAnd: Bool) {
      guard case .comparison(let operand, let comparison, _) = node,
        comparison.operation == (isAnd ? .notEqual : .equal), node.comparedValue != nil
      else { return nil }
      self.operand = operand
      options = comparison.options
    }
  }
}

extension QueryNode {
  /// The value on the right of a comparison.
  fileprivate var comparedValue: QueryValue? {
    if case .comparison(_, _, .value(let value)) = self { value } else { nil }
  }
}
