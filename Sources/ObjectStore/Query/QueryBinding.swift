import Foundation

/// What a query needs to know of the classes of a store.
struct QueryCatalog {
  /// A table's schema and layout.
  let table: (Int) -> (ObjectSchema, TableLayout)
  /// The table of a class; nil for one that the store does not know.
  let tableOf: (ClassID) -> Int?
  /// Tells this store from others.
  let store: ObjectIdentifier
}

/// Finds the attributes of a query in the schema of a class, and makes the test that runs it.
struct QueryBinding {
  private let catalog: QueryCatalog
  /// What attributes of each scope are looked up in; the innermost last.
  private var scopes: [Scope]

  private enum Scope {
    case row(Int)
    case value(ScalarKind)

    var table: Int? { if case .row(let table) = self { table } else { nil } }
  }

  init(_ catalog: QueryCatalog, table: Int) {
    self.catalog = catalog
    scopes = [.row(table)]
  }

  /// What an attribute is read with, for an order.
  /// - Throws: `invalidQuery`, `unknownAttribute`.
  static func reader(
    _ names: [String], _ catalog: QueryCatalog, table: Int
  ) throws -> OperandReader {
    var binding = QueryBinding(catalog, table: table)
    let reader = try binding.reader(.attribute(QueryAttribute(names)))
    reader.name = names.joined(separator: ".")
    return reader
  }

  /// - Throws: `invalidQuery`, `unknownAttribute`, `typeMismatch`.
  static func test(_ node: QueryNode, _ catalog: QueryCatalog, table: Int) throws -> RowTest {
    var binding = QueryBinding(catalog, table: table)
    return try binding.test(node)
  }

  // MARK: - Conditions

  private mutating func test(_ node: QueryNode) throws -> RowTest {
    let test = try unnamedTest(node)
    test.node = node
    return test
  }

  private mutating func unnamedTest(_ node: QueryNode) throws -> RowTest {
    switch node {
    case .constant(let value): return ConstantTest(value)
    case .and(let nodes): return AndTest(try nodes.map { try test($0) })
    case .or(let nodes): return OrTest(try nodes.map { try test($0) })
    case .not(let node): return NotTest(try test(node))
    case .comparison(let left, let comparison, let right):
      return try comparisonTest(left, comparison, right)
    case .isIn(let operand, let values, let options):
      return try membership(operand, values, options)
    case .isElement(let operand, let collection, let options):
      // Inside, what was of this scope is of the one around.
      return try quantified(
        .any, collection,
        .comparison(
          .attribute(QueryAttribute([])), QueryComparison(.equal, options), operand.moved(by: 1)))
    case .between(let operand, let low, let high):
      let lower = QueryNode.comparison(
        operand, QueryComparison(.greaterOrEqual), .value(low))
      let upper = QueryNode.comparison(operand, QueryComparison(.lessOrEqual), .value(high))
      return AndTest([try test(lower), try test(upper)])
    case .quantified(let quantifier, let attribute, let inner):
      return try quantified(quantifier, attribute, inner)
    }
  }

  private mutating func quantified(
    _ quantifier: QueryQuantifier, _ attribute: QueryAttribute, _ inner: QueryNode
  ) throws -> RowTest {
    let (collection, scope, rest) = try self.collection(attribute)
    scopes.append(scope)
    defer { scopes.removeLast() }
    let test: RowTest
    if try leadsThroughCollection(rest, scope) {
      // `orders.items`: what holds for an item of an order. No item of any order: of none is there any.
      test = try quantified(
        quantifier == .none ? .any : quantifier, QueryAttribute(rest),
        inner.moved(by: 1, from: 1))
    } else {
      test = try self.test(inner.prefixed(by: rest))
    }
    return QuantifiedTest(quantifier, collection, test)
  }

  private func leadsThroughCollection(_ names: [String], _ scope: Scope) throws -> Bool {
    guard !names.isEmpty, let start = scope.table else { return false }
    let (_, table, rest) = try follow(QueryAttribute(names), start)
    let property = try property(rest[0], catalog.table(table).0)
    return property.shape.isCollection || !property.isStored
  }

  private mutating func membership(
    _ operand: QueryOperand, _ values: [QueryValue], _ options: TextOptions
  ) throws -> RowTest {
    if options.isEmpty, case .attribute(let attribute) = operand,
      let reader = try reader(.attribute(attribute)) as? AttributeReader, reader.path.isOwn,
      let words = Self.words(values, reader)
    {
      return WordSetTest(reader.column, words)
    }
    return MemberTest(
      try values.map {
        try comparisonTest(operand, QueryComparison(.equal, options), .value($0))
      })
  }

  /// The words of integers or rows; nil for values that are not stored as just such words.
  private static func words(_ values: [QueryValue], _ reader: AttributeReader) -> Set<UInt64>? {
    var words: Set<UInt64> = []
    for value in values {
      switch (value, reader.kind) {
      case (.int(let value), let kind?) where kind.signedRange != nil:
        words.insert(UInt64(bitPattern: value))
      case (.int(let value), let kind?) where kind.unsignedMaximum != nil && value >= 0:
        words.insert(UInt64(value))
      default: return nil
      }
    }
    return words
  }

  // MARK: - Comparisons

  private mutating func comparisonTest(
    _ left: QueryOperand, _ comparison: QueryComparison, _ right: QueryOperand
  ) throws -> RowTest {
    // The attribute stands on the left where one side is a constant.
    if case .value = left {
      if case .value = right {
        throw StoreError(.invalidQuery("two values are compared; name an attribute"))
      }
      guard let flipped = comparison.operation.flipped else {
        throw StoreError(
          .invalidQuery("the left side of \(comparison.operation.rawValue) is an attribute"))
      }
      return try comparisonTest(right, QueryComparison(flipped, comparison.options), left)
    }
    let reader = try reader(left)
    if case .value(let value) = right {
      return try constantTest(reader, left, comparison, value)
    }
    let other = try self.reader(right)
    guard reader.family == other.family else {
      throw mismatch(left, reader, "\(other.family.name), \(text(right))")
    }
    try check(comparison, reader, left)
    return CompareTest(reader, comparison, other)
  }

  /// What cannot be asked of a value.
  private func check(
    _ comparison: QueryComparison, _ reader: OperandReader, _ operand: QueryOperand
  ) throws {
    let operation = comparison.operation
    let fits =
      switch reader.family {
      case .text: true
      case .data: !operation.isOrder && operation != .like
      case .number, .date: !operation.isText
      case .bool, .uuid, .link: operation == .equal || operation == .notEqual
      }
    guard fits else {
      throw StoreError(
        .invalidQuery(
          "\(text(operand)) is \(reader.family.name), which has no \(operation.rawValue)"))
    }
    guard comparison.options.isEmpty || reader.family == .text else {
      throw StoreError(
        .invalidQuery(
          "\(text(operand)) is \(reader.family.name): \(comparison.options.text) is for texts"))
    }
  }

  private func constantTest(
    _ reader: OperandReader, _ operand: QueryOperand, _ comparison: QueryComparison,
    _ value: QueryValue
  ) throws -> RowTest {
    if case .null = value {
      guard comparison.operation == .equal || comparison.operation == .notEqual else {
        // Nothing is smaller or larger than null.
        return ConstantTest(false)
      }
      let test: RowTest
      if let own = reader as? AttributeReader, own.path.isOwn {
        test = NullTest(own.column, isLink: own.isLink)
      } else {
        test = CompareTest(
          reader, QueryComparison(.equal), ConstantReader(reader.family, isNull: true))
      }
      return comparison.operation == .equal ? test : NotTest(test)
    }
    try check(comparison, reader, operand)
    if case .row(_, _, let store) = value, store != catalog.store {
      throw StoreError(.objectOfAnotherStore(className: "the object"))
    }
    guard let constant = Self.constant(value, reader.family) else {
      throw mismatch(operand, reader, value.found)
    }
    if let own = reader as? AttributeReader, own.path.isOwn,
      let test = Self.columnTest(own, comparison, value, constant)
    {
      return test
    }
    return CompareTest(reader, comparison, constant)
  }

  private func mismatch(
    _ operand: QueryOperand, _ reader: OperandReader, _ found: String
  ) -> StoreError {
    StoreError(
      .typeMismatch(attribute: text(operand), expected: reader.family.name, found: found))
  }

  /// A constant of a family; nil for a value that is of another.
  private static func constant(_ value: QueryValue, _ family: QueryFamily) -> ConstantReader? {
    switch (value, family) {
    case (_, .number): value.number.map { ConstantReader(.number, number: $0) }
    case (.bool(let flag), .bool): ConstantReader(.bool, word: flag ? 1 : 0)
    // As NSPredicate has it: 0 and 1 are truth values.
    case (.int(0), .bool): ConstantReader(.bool, word: 0)
    case (.int(1), .bool): ConstantReader(.bool, word: 1)
    case (.string(let text), .text): ConstantReader(.text, bytes: Array(text.utf8))
    case (.data(let data), .data): ConstantReader(.data, bytes: Array(data))
    case (.date(let date), .date):
      ConstantReader(.date, word: date.timeIntervalSinceReferenceDate.bitPattern)
    case (.uuid(let uuid), .uuid):
      ConstantReader(.uuid, bytes: withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case (.string(let text), .uuid):
      UUIDText.uuid(text).map {
        ConstantReader(.uuid, bytes: withUnsafeBytes(of: $0.uuid) { Array($0) })
      }
    case (.row(let table, let slot, _), .link(let target)) where table == target:
      ConstantReader(.link(table), word: UInt64(slot) + 1)
    default: nil
    }
  }

  /// A test that looks at the cells of one column alone; nil where there is none.
  private static func columnTest(
    _ own: AttributeReader, _ comparison: QueryComparison, _ value: QueryValue,
    _ constant: ConstantReader
  ) -> RowTest? {
    let operation = comparison.operation
    if operation == .notEqual {
      return columnTest(own, QueryComparison(.equal, comparison.options), value, constant)
        .map { NotTest($0) }
    }
    switch own.family {
    case .number:
      guard let kind = own.kind, let number = value.number else { return nil }
      if kind == .double || kind == .float {
        guard case .double(let bound) = number else {
          // Every integer that a Double holds exactly is one.
          guard case .int(let whole) = number, whole.magnitude <= 1 << 53 else { return nil }
          return doubleTest(own.column, operation, Double(whole))
        }
        return doubleTest(own.column, operation, bound)
      }
      return integerTest(own.column, kind, operation, number)
    case .date:
      guard case .date(let date) = value else { return nil }
      return doubleTest(own.column, operation, date.timeIntervalSinceReferenceDate)
    case .bool:
      return operation == .equal ? BoolTest(own.column, constant.value.word == 1) : nil
    case .text, .uuid, .data:
      guard operation == .equal, comparison.options.isEmpty else { return nil }
      return TextEqualTest(own.column, Array(constant.value.bytes))
    case .link:
      return operation == .equal ? WordSetTest(own.column, [constant.value.word]) : nil
    }
  }

  private static func doubleTest(
    _ column: Int, _ operation: QueryComparison.Operation, _ bound: Double
  ) -> RowTest? {
    if bound.isNaN { return ConstantTest(false) }
    switch operation {
    case .equal: return DoubleRangeTest(column, bound, bound)
    case .less:
      return bound == -.infinity
        ? ConstantTest(false) : DoubleRangeTest(column, -.infinity, bound.nextDown)
    case .lessOrEqual: return DoubleRangeTest(column, -.infinity, bound)
    case .greater:
      return bound == .infinity
        ? ConstantTest(false) : DoubleRangeTest(column, bound.nextUp, .infinity)
    case .greaterOrEqual: return DoubleRangeTest(column, bound, .infinity)
    default: return nil
    }
  }

  /// The integers for which a comparison with any number holds are a range.
  private static func integerTest(
    _ column: Int, _ kind: ScalarKind, _ operation: QueryComparison.Operation,
    _ number: QueryNumber
  ) -> RowTest? {
    if let range = kind.signedRange {
      guard let bounds = bounds(Int64.self, operation, number) else { return nil }
      guard let bounds = bounds.clamped(range) else { return ConstantTest(false) }
      return IntegerRangeTest(column, signed: bounds)
    }
    if kind.unsignedMaximum != nil {
      guard let bounds = bounds(UInt64.self, operation, number) else { return nil }
      guard let bounds = bounds.clamped(0...UInt64.max) else { return ConstantTest(false) }
      return IntegerRangeTest(column, unsigned: bounds)
    }
    return nil
  }

  /// The integers of a type that compare so with a number; nil inside for none, outside for what is no
  /// range.
  private static func bounds<T: QueryInteger>(
    _ type: T.Type, _ operation: QueryComparison.Operation, _ number: QueryNumber
  ) -> IntegerBounds<T>? {
    // By halving: the order of an integer and any number is known.
    func first(where isBehind: (Int) -> Bool) -> T? {
      guard QueryNumber.order(T.max.queryNumber, number).map(isBehind) ?? false else { return nil }
      var low = T.min
      var high = T.max
      while low < high {
        // Without overflow: the distance as an unsigned number.
        let middle = low &+ T(truncatingIfNeeded: (UInt64(truncatingIfNeeded: high &- low) / 2))
        if QueryNumber.order(middle.queryNumber, number).map(isBehind) ?? false {
          high = middle
        } else {
          low = middle + 1
        }
      }
      return low
    }
    guard QueryNumber.order(T.zero.queryNumber, number) != nil else {
      return IntegerBounds(nil)
    }
    let notLess = first { $0 >= 0 }
    let greater = first { $0 > 0 }
    func below(_ end: T?) -> ClosedRange<T>? {
      guard let end else { return T.min...T.max }
      return end == T.min ? nil : T.min...(end - 1)
    }
    switch operation {
    case .equal:
      guard let notLess, greater != notLess else { return IntegerBounds(nil) }
      return IntegerBounds(notLess...notLess)
    case .less: return IntegerBounds(below(notLess))
    case .lessOrEqual: return IntegerBounds(below(greater))
    case .greater: return IntegerBounds(greater.map { $0...T.max })
    case .greaterOrEqual: return IntegerBounds(notLess.map { $0...T.max })
    default: return nil
    }
  }

  private struct IntegerBounds<T: QueryInteger> {
    let range: ClosedRange<T>?
    init(_ range: ClosedRange<T>?) { self.range = range }
    func clamped(_ limits: ClosedRange<T>) -> ClosedRange<T>? {
      range.flatMap { $0.overlaps(limits) ? $0.clamped(to: limits) : nil }
    }
  }

  // MARK: - Operands

  private mutating func reader(_ operand: QueryOperand) throws -> OperandReader {
    switch operand {
    case .value:
      throw StoreError(.invalidQuery("a value stands where an attribute is expected"))
    case .attribute(let attribute):
      return try attributeReader(attribute)
    case .count(let attribute):
      let (collection, _, rest) = try collection(attribute)
      guard rest.isEmpty else { throw throughCollection(attribute) }
      return CountReader(collection, where: nil)
    case .countWhere(let attribute, let node):
      let (collection, scope, rest) = try collection(attribute)
      guard rest.isEmpty else { throw throughCollection(attribute) }
      scopes.append(scope)
      defer { scopes.removeLast() }
      return CountReader(collection, where: try test(node))
    case .aggregate(let aggregate, let attribute, let names):
      let (collection, scope, rest) = try collection(attribute)
      guard rest.isEmpty else { throw throughCollection(attribute) }
      scopes.append(scope)
      defer { scopes.removeLast() }
      let value = try attributeReader(QueryAttribute(names))
      let hasFigure =
        value.family == .number
        || value.family == .date && (aggregate == .min || aggregate == .max)
      guard hasFigure else {
        throw StoreError(
          .invalidQuery(
            "\((attribute.names + names).joined(separator: ".")) is \(value.family.name), "
              + "which has no @\(aggregate.rawValue)"))
      }
      return AggregateReader(aggregate, collection, value)
    }
  }

  private func throughCollection(_ attribute: QueryAttribute) -> StoreError {
    StoreError(
      .invalidQuery("\(attribute.names.joined(separator: ".")) leads through a collection"))
  }

  private func scope(_ scope: Int) throws -> Scope {
    guard scope < scopes.count else { throw StoreError(.invalidQuery("an attribute of nothing")) }
    return scopes[scopes.count - 1 - scope]
  }

  private func attributeReader(_ attribute: QueryAttribute) throws -> OperandReader {
    switch try scope(attribute.scope) {
    case .value(let kind):
      guard attribute.names.isEmpty else {
        throw StoreError(
          .invalidQuery(
            "\(attribute.names.joined(separator: ".")): an element is \(kind.name) and has no attributes"
          ))
      }
      guard let family = QueryFamily(kind) else { throw Self.json("the element") }
      return ElementReader(scope: attribute.scope, family, kind)
    case .row(let table):
      let (path, end, rest) = try follow(attribute, table)
      guard let name = rest.first else { return ObjectReader(path, table: end) }
      let (schema, layout) = catalog.table(end)
      let property = try property(name, schema)
      let fullName = "\(schema.className).\(name)"
      guard rest.count == 1, !property.shape.isCollection, property.isStored else {
        throw StoreError(
          .invalidQuery(
            "\(fullName) is \(property.shape.name): ask for ANY, ALL or NONE of its elements, "
              + "or for @count"))
      }
      let column = layout.columns[property.column]
      if property.shape.form == .link {
        return AttributeReader(path, property.column, column, .link(column.targetTable), nil)
      }
      let kind = property.shape.scalar?.kind ?? .int
      guard let family = QueryFamily(kind) else { throw Self.json(fullName) }
      return AttributeReader(path, property.column, column, family, kind)
    }
  }

  private static func json(_ name: String) -> StoreError {
    StoreError(.invalidQuery("\(name) is JSON, which queries do not look into"))
  }

  private func property(_ name: String, _ schema: ObjectSchema) throws -> Property {
    if let property = schema[name] { return property }
    throw StoreError(
      .unknownAttribute(
        className: schema.className, name: name,
        suggestion: Suggestion.nearest(to: name, among: schema.properties.map(\.name))))
  }

  /// Goes along the links of a path, but for its last name, and up to the first collection.
  private func follow(
    _ attribute: QueryAttribute, _ table: Int
  ) throws -> (LinkPath, table: Int, rest: [String]) {
    var path = LinkPath(scope: attribute.scope)
    var table = table
    var rest = attribute.names[...]
    while rest.count > 1 {
      let (schema, layout) = catalog.table(table)
      let property = try property(rest[rest.startIndex], schema)
      if property.shape.isCollection || !property.isStored { break }
      guard property.shape.form == .link else {
        throw StoreError(
          .invalidQuery(
            "\(schema.className).\(property.name) is \(property.shape.name), "
              + "which has no '\(rest[rest.startIndex + 1])'"))
      }
      let target = layout.columns[property.column].targetTable
      path.steps.append(LinkPath.Step(column: property.column, targetTable: target))
      table = target
      rest.removeFirst()
    }
    return (path, table, Array(rest))
  }

  /// The first collection on a path, what its elements are, and the names behind it.
  private func collection(
    _ attribute: QueryAttribute
  ) throws -> (CollectionReader, Scope, rest: [String]) {
    guard let start = try scope(attribute.scope).table, !attribute.names.isEmpty else {
      throw StoreError(.invalidQuery("an element that is a value has no collections"))
    }
    let (path, table, rest) = try follow(attribute, start)
    let (schema, layout) = catalog.table(table)
    let property = try property(rest[0], schema)
    let names = Array(rest.dropFirst())
    if property.isStored, property.shape.isCollection {
      let column = layout.columns[property.column]
      let reader = CollectionReader(path, .elements(column: property.column, column))
      guard column.elementKind == .link else {
        return (reader, .value(property.shape.scalar?.kind ?? .int), names)
      }
      return (reader, .row(column.targetTable), names)
    }
    guard !property.isStored, let source = property.shape.target.flatMap(catalog.tableOf),
      let origin = property.originPropertyName
    else {
      throw StoreError(
        .invalidQuery(
          "\(schema.className).\(property.name) is \(property.shape.name) and no collection"))
    }
    let (sourceSchema, sourceLayout) = catalog.table(source)
    let link = try self.property(origin, sourceSchema)
    return (
      CollectionReader(
        path,
        .sources(
          table: source, linkColumn: link.column, sourceLayout.columns[link.column])),
      .row(source), names
    )
  }

  /// An operand as messages show it: `Animal.owner.name`.
  private func text(_ operand: QueryOperand) -> String {
    guard case .attribute(let attribute) = operand, let scope = try? scope(attribute.scope) else {
      return QueryText.text(operand)
    }
    let root = scope.table.map { catalog.table($0).0.className } ?? "element"
    return ([root] + attribute.names).joined(separator: ".")
  }
}

extension LinkPath {
  /// Whether the attribute is the row's own.
  var isOwn: Bool { steps.isEmpty && scope == 0 }
}

/// Int64 and UInt64, as numbers of a query.
private protocol QueryInteger: FixedWidthInteger {
  var queryNumber: QueryNumber { get }
}

extension Int64: QueryInteger {
  fileprivate var queryNumber: QueryNumber { .int(self) }
}

extension UInt64: QueryInteger {
  fileprivate var queryNumber: QueryNumber {
    self > UInt64(Int64.max) ? .uint(self) : .int(Int64(self))
  }
}
