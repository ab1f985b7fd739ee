// One of several values: IN, and comparisons of one attribute with many values.

extension QueryBinding {
  mutating func membership(
    _ operand: QueryOperand, _ values: [QueryValue], _ options: TextOptions
  ) throws -> RowFilter {
    let comparison = QueryComparison(.equal, options)
    if case .value = operand, let first = values.first {
      return try comparisonTest(operand, comparison, .value(first))
    }
    let reader = try reader(operand)
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

  /// Joined so many, comparisons of one attribute with values are looked up in a set.
  private static let fewValues = 8

  /// The tests of conditions that are joined. Of those that say `a == 1 OR a == 2 OR …`, and joined by AND
  /// `a != 1 AND a != 2 AND …`, many are one: that a is one of the values, or none of them.
  ///
  /// - Complexity: O(n).
  mutating func gathered(_ nodes: [QueryNode], isAnd: Bool) throws -> [RowFilter] {
    guard nodes.count > Self.fewValues else { return try nodes.map { try test($0) } }
    var places: [Compared: [Int]] = [:]
    for (place, node) in nodes.enumerated() {
      if let compared = Compared(node, isAnd) { places[compared, default: []].append(place) }
    }
    let many = places.filter { $0.value.count > Self.fewValues }
    var tests: [RowFilter] = []
    for (place, node) in nodes.enumerated() {
      guard let compared = many.isEmpty ? nil : Compared(node, isAnd), let alike = many[compared]
      else {
        tests.append(try test(node))
        continue
      }
      // It stands where the first of them stood.
      if alike[0] != place { continue }
      let member = try membership(
        compared.operand, alike.compactMap { nodes[$0].comparedValue }, compared.options)
      let test = isAnd ? NotFilter(member) : member
      let gathered = alike.map { nodes[$0] }
      test.node = isAnd ? .and(gathered) : .or(gathered)
      tests.append(test)
    }
    return tests
  }

  /// What is compared with a value, and how.
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
