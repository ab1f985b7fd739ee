import Foundation

extension QueryBinding {
  mutating func comparisonFilter(
    _ left: QueryOperand, _ comparison: QueryComparison, _ right: QueryOperand
  ) throws -> RowFilter {
    // Normalization has exchanged the sides if a value was on the left and the operation allows it.
    if case .value = left {
      if case .value = right {
        throw StoreError(
          .invalidQuery("both sides of a comparison are values; one must be an attribute"))
      }
      throw StoreError(
        .invalidQuery("the left side of \(comparison.operation.rawValue) must be an attribute"))
    }
    let reader = try reader(left)
    if comparison.operation == .text { return try searchFilter(reader, left, comparison, right) }
    if case .value(let value) = right {
      return try constantFilter(reader, left, comparison, value)
    }
    let other = try self.reader(right)
    if let member = reader as? JSONMemberReader {
      return try memberFilter(member, left, comparison, other, right)
    }
    if let member = other as? JSONMemberReader, let flipped = comparison.operation.flipped {
      return try memberFilter(
        member, right, QueryComparison(flipped, comparison.options), reader, left)
    }
    return try attributeFilter(reader, left, comparison, other, right)
  }

  private func attributeFilter(
    _ reader: OperandReader, _ left: QueryOperand, _ comparison: QueryComparison,
    _ other: OperandReader, _ right: QueryOperand
  ) throws -> RowFilter {
    guard reader.family == other.family else {
      throw mismatch(left, reader, "\(other.family.name), \(text(right))")
    }
    try check(comparison, reader, left)
    return ComparisonFilter(reader, comparison, other)
  }

  /// Returns a filter that compares a value inside JSON with an attribute, whose family decides how the value is read.
  private func memberFilter(
    _ member: JSONMemberReader, _ operand: QueryOperand, _ comparison: QueryComparison,
    _ other: OperandReader, _ right: QueryOperand
  ) throws -> RowFilter {
    if other.family == .json {
      // JSON's null equals a missing value on both sides.
      let other = other as? JSONMemberReader ?? JSONMemberReader(other, [])
      return try attributeFilter(member, operand, comparison, other, right)
    }
    let reader = member.reading(other.family)
    guard comparison.operation == .equal || comparison.operation == .notEqual else {
      return try attributeFilter(reader, operand, comparison, other, right)
    }
    // A value of another family reads as null, but does not equal null.
    let equal = QueryComparison(.equal, comparison.options)
    let areNull = AndFilter([nullFilter(member), nullFilter(other)])
    let areEqual = AndFilter([
      try attributeFilter(reader, operand, equal, other, right), NotFilter(nullFilter(other)),
    ])
    let filter = OrFilter([areNull, areEqual])
    return comparison.operation == .equal ? filter : NotFilter(filter)
  }

  private func nullFilter(_ reader: OperandReader) -> RowFilter {
    ComparisonFilter(
      reader, QueryComparison(.equal), ConstantReader(reader.family, isNull: true))
  }

  private func searchFilter(
    _ reader: OperandReader, _ operand: QueryOperand, _ comparison: QueryComparison,
    _ right: QueryOperand
  ) throws -> RowFilter {
    try check(comparison, reader, operand)
    guard let attribute = reader as? AttributeReader else {
      throw StoreError(
        .invalidQuery("TEXT searches an attribute of objects, not the elements of a collection"))
    }
    guard attribute.kind == .string else {
      throw StoreError(
        .invalidQuery("\(try ownName(operand)) is a URL, which does not support TEXT"))
    }
    guard attribute.isSearchable else {
      throw StoreError(
        .invalidQuery(
          "\(try ownName(operand)) is not searchable: declare it with "
            + "@Persisted(searchable: true)"))
    }
    guard case .value(let value) = right else {
      throw StoreError(
        .invalidQuery("the right side of TEXT must be a string, not \(text(right))"))
    }
    guard case .string(let string) = value else { throw mismatch(operand, reader, value.found) }
    var copy = string.text
    guard let search = copy.withUTF8({ TextSearch(UnsafeRawBufferPointer($0)) }) else {
      throw StoreError(
        .invalidQuery(
          "TEXT \(MessageText.clipped(QueryText.text(value))) contains no word to search for"))
    }
    return SearchFilter(attribute, search)
  }

  /// Returns the name of an attribute with its class, such as `Owner.name` for `owner.name`.
  private func ownName(_ operand: QueryOperand) throws -> String {
    guard case .attribute(let attribute) = operand,
      let start = try scope(attribute.scope).table, !attribute.names.isEmpty
    else { return text(operand) }
    let (_, table, rest) = try follow(attribute, start)
    return ([catalog.table(table).0.className] + rest).joined(separator: ".")
  }

  /// Throws if the operation or its options do not apply to the operand's type.
  private func check(
    _ comparison: QueryComparison, _ reader: OperandReader, _ operand: QueryOperand
  ) throws {
    let operation = comparison.operation
    let fits =
      switch reader.family {
      case .text: true
      case .data: !operation.isOrder && operation != .like && operation != .text
      case .number, .date: !operation.isText
      case .bool, .uuid, .json, .link: operation == .equal || operation == .notEqual
      }
    guard fits else {
      throw StoreError(
        .invalidQuery(
          "\(text(operand)) is \(reader.nameOfFamily), which does not support \(operation.rawValue)"
        )
      )
    }
    if operation == .text, !comparison.options.isEmpty {
      throw StoreError(
        .invalidQuery(
          "TEXT does not accept \(comparison.options.text): it always ignores case and diacritics"))
    }
    guard comparison.options.isEmpty || reader.family == .text else {
      throw StoreError(
        .invalidQuery(
          "\(text(operand)) is \(reader.nameOfFamily): \(comparison.options.text) applies only to strings"
        ))
    }
  }

  private func constantFilter(
    _ reader: OperandReader, _ operand: QueryOperand, _ comparison: QueryComparison,
    _ value: QueryValue
  ) throws -> RowFilter {
    guard let member = reader as? JSONMemberReader else {
      return try typedFilter(reader, operand, comparison, value)
    }
    let value = value.jsonScalar
    return try typedFilter(
      member.reading(value.jsonFamily ?? .json), operand, comparison, value)
  }

  private func typedFilter(
    _ reader: OperandReader, _ operand: QueryOperand, _ comparison: QueryComparison,
    _ value: QueryValue
  ) throws -> RowFilter {
    if case .null = value, !reader.takesNullAsJSON {
      guard comparison.operation == .equal || comparison.operation == .notEqual else {
        // Nothing is less or greater than null.
        return ConstantFilter(false)
      }
      let filter: RowFilter
      if let own = reader as? AttributeReader, own.path.isOwn {
        filter = NullFilter(own.column, isLink: own.isLink)
      } else {
        filter = nullFilter(reader)
      }
      return comparison.operation == .equal ? filter : NotFilter(filter)
    }
    let constant = try constant(value, reader, operand, comparison)
    if let known = reader as? KnownReader {
      let filter = KnownFilter(known)
      let isKnown = (constant.value.word == 1) == (comparison.operation == .equal)
      return isKnown ? filter : NotFilter(filter)
    }
    if let own = reader as? AttributeReader, own.path.isOwn,
      let filter = Self.columnFilter(own, comparison, value, constant)
    {
      return filter
    }
    return ComparisonFilter(reader, comparison, constant)
  }

  /// Returns the constant to compare an operand with. The value must not be null, unless the reader takes null as JSON.
  func constant(
    _ value: QueryValue, _ reader: OperandReader, _ operand: QueryOperand,
    _ comparison: QueryComparison
  ) throws -> ConstantReader {
    try check(comparison, reader, operand)
    if case .row(_, _, let store) = value, store != catalog.store {
      throw StoreError(.objectOfAnotherStore(className: "the object"))
    }
    guard let constant = Self.constant(value, reader.family) else {
      throw mismatch(operand, reader, value.found)
    }
    return constant
  }

  private func mismatch(
    _ operand: QueryOperand, _ reader: OperandReader, _ found: String
  ) -> StoreError {
    StoreError(
      .typeMismatch(attribute: text(operand), expected: reader.family.name, found: found))
  }

  /// Returns a constant of a family; nil if the value belongs to a different family.
  static func constant(_ value: QueryValue, _ family: QueryFamily) -> ConstantReader? {
    switch (value, family) {
    case (_, .number): value.number.map { ConstantReader(.number, number: $0) }
    case (.bool(let flag), .bool): ConstantReader(.bool, word: flag ? 1 : 0)
    // As in NSPredicate, 0 and 1 are accepted as Booleans.
    case (.int(0), .bool): ConstantReader(.bool, word: 0)
    case (.int(1), .bool): ConstantReader(.bool, word: 1)
    case (.string(let string), .text): ConstantReader(.text, bytes: Array(string.text.utf8))
    case (.data(let data), .data): ConstantReader(.data, bytes: Array(data))
    case (.date(let date), .date):
      ConstantReader(.date, word: date.timeIntervalSinceReferenceDate.bitPattern)
    case (.uuid(let uuid), .uuid):
      ConstantReader(.uuid, bytes: withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case (.string(let string), .uuid):
      UUIDText.uuid(string.text).map {
        ConstantReader(.uuid, bytes: withUnsafeBytes(of: $0.uuid) { Array($0) })
      }
    case (_, .json): value.storedJSON.map { ConstantReader(.json, bytes: $0) }
    case (.row(let table, let slot, _), .link(let target)) where table == target:
      ConstantReader(.link(table), word: UInt64(slot) + 1)
    default: nil
    }
  }

  /// Returns a filter that reads a single column; nil if there is none.
  private static func columnFilter(
    _ own: AttributeReader, _ comparison: QueryComparison, _ value: QueryValue,
    _ constant: ConstantReader
  ) -> RowFilter? {
    let operation = comparison.operation
    if operation == .notEqual {
      return columnFilter(own, QueryComparison(.equal, comparison.options), value, constant)
        .map { NotFilter($0) }
    }
    switch own.family {
    case .number:
      guard let kind = own.kind, let number = value.number else { return nil }
      if kind == .double || kind == .float {
        guard case .double(let bound) = number else {
          // A Double represents these integers exactly.
          guard case .int(let whole) = number, whole.magnitude <= 1 << 53 else { return nil }
          return doubleFilter(own.column, operation, Double(whole))
        }
        return doubleFilter(own.column, operation, bound)
      }
      return integerFilter(own.column, kind, operation, number)
    case .date:
      guard case .date(let date) = value else { return nil }
      return doubleFilter(own.column, operation, date.timeIntervalSinceReferenceDate)
    case .bool:
      return operation == .equal ? BoolFilter(own.column, constant.value.word == 1) : nil
    case .text, .uuid, .data, .json:
      guard operation == .equal, comparison.options.isEmpty else { return nil }
      // A number can have another notation.
      if own.family == .json, StoredJSONReader.hasNumbers(constant.value.bytes) { return nil }
      return BytesEqualFilter(own.column, Array(constant.value.bytes))
    case .link:
      return operation == .equal ? WordSetFilter(own.column, [constant.value.word]) : nil
    }
  }

  private static func doubleFilter(
    _ column: Int, _ operation: QueryComparison.Operation, _ bound: Double
  ) -> RowFilter? {
    if bound.isNaN { return ConstantFilter(false) }
    switch operation {
    case .equal: return DoubleRangeFilter(column, bound, bound)
    case .less:
      return bound == -.infinity
        ? ConstantFilter(false) : DoubleRangeFilter(column, -.infinity, bound.nextDown)
    case .lessOrEqual: return DoubleRangeFilter(column, -.infinity, bound)
    case .greater:
      return bound == .infinity
        ? ConstantFilter(false) : DoubleRangeFilter(column, bound.nextUp, .infinity)
    case .greaterOrEqual: return DoubleRangeFilter(column, bound, .infinity)
    default: return nil
    }
  }

  /// Returns a range filter: the integers for which a comparison with a number holds form a range.
  private static func integerFilter(
    _ column: Int, _ kind: ScalarKind, _ operation: QueryComparison.Operation,
    _ number: QueryNumber
  ) -> RowFilter? {
    if let range = kind.signedRange {
      guard let bounds = bounds(Int64.self, operation, number) else { return nil }
      guard let bounds = bounds.clamped(range) else { return ConstantFilter(false) }
      return IntegerRangeFilter(column, signed: bounds)
    }
    if kind.unsignedMaximum != nil {
      guard let bounds = bounds(UInt64.self, operation, number) else { return nil }
      guard let bounds = bounds.clamped(0...UInt64.max) else { return ConstantFilter(false) }
      return IntegerRangeFilter(column, unsigned: bounds)
    }
    return nil
  }

  /// Returns the integers of a type for which a comparison with a number holds. The range is nil if there are none; the
  /// result is nil if the operation has no range.
  private static func bounds<T: QueryInteger>(
    _ type: T.Type, _ operation: QueryComparison.Operation, _ number: QueryNumber
  ) -> IntegerBounds<T>? {
    // Binary search, since any integer can be compared with the number.
    func first(where isBehind: (Int) -> Bool) -> T? {
      guard QueryNumber.order(T.max.queryNumber, number).map(isBehind) ?? false else { return nil }
      var low = T.min
      var high = T.max
      while low < high {
        // Avoid overflow by computing the distance as an unsigned number.
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
}

extension OperandReader {
  /// True for an attribute of the row itself that is JSON and not optional: comparing it with null means JSON's null.
  var takesNullAsJSON: Bool {
    guard family == .json, let attribute = self as? AttributeReader else { return false }
    return attribute.path.isOwn && !attribute.isOptional
  }
}

extension QueryValue {
  /// The value as a JSON attribute stores it; nil if JSON has no such value.
  fileprivate var storedJSON: [UInt8]? {
    var stored = StoredJSON()
    switch self {
    case .null: stored.null()
    case .bool(let value): stored.bool(value)
    case .int(let value): stored.int(value)
    case .double(let value): stored.double(value)
    case .nan: stored.double(.nan)
    case .string(let string):
      var text = string.text
      text.withUTF8 { stored.string(UnsafeRawBufferPointer($0)) }
    case .uint(let value): return Self.storedJSON(number: "\(value)")
    case .decimal(let value): return Self.storedJSON(number: "\(value)")
    case .json(let bytes): return bytes
    case .data, .date, .uuid, .row: return nil
    }
    return stored.withBytes { Array($0) }
  }

  private static func storedJSON(number text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { JSONValue(text: UnsafeRawBufferPointer($0)) }?
      .withStored(keepsNotation: false) { Array($0) }
  }
}

/// Int64 and UInt64 as query numbers.
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
