import Foundation

/// A group of types whose values can be compared with each other.
enum QueryFamily: Hashable {
  /// Integers, floating-point numbers and decimals.
  case number
  case bool, text, data, date, uuid
  /// JSON values, which have equality but no order.
  case json
  /// A row of a table.
  case link(Int)

  init(_ kind: ScalarKind) {
    switch kind {
    case .bool: self = .bool
    case .string, .url: self = .text
    case .data: self = .data
    case .date: self = .date
    case .uuid: self = .uuid
    case .json: self = .json
    default: self = .number
    }
  }

  var name: String {
    switch self {
    case .number: "a number"
    case .bool: "a Bool"
    case .text: "a string"
    case .data: "Data"
    case .date: "a Date"
    case .uuid: "a UUID"
    case .json: "JSON"
    case .link: "an object"
    }
  }
}

/// Reads one side of a comparison.
class OperandReader {
  let family: QueryFamily
  /// The type of the attribute or element; nil for links and other operands.
  let kind: ScalarKind?
  /// The names of the links and the attribute on the path. Set only for attributes that sort, group or distinguish
  /// objects.
  final var names: [String] = []
  final var name: String { names.joined(separator: ".") }

  init(_ family: QueryFamily, _ kind: ScalarKind?) {
    self.family = family
    self.kind = kind
  }

  /// The family, for error messages.
  var nameOfFamily: String { family.name }

  /// Returns the value as a cell. For numbers, see ``number(_:)``.
  func cell(_ context: EvaluationContext) -> QueryCell { .null }

  /// Returns the value as a number; nil for null.
  func number(_ context: EvaluationContext) -> QueryNumber? {
    let cell = cell(context)
    return cell.isNull ? nil : kind.flatMap { QueryNumber(cell, $0) }
  }
}

extension OperandReader {
  func isNull(_ context: EvaluationContext) -> Bool {
    family == .number ? number(context) == nil : cell(context).isNull
  }

  /// Compares the values of two rows: below 0, 0 or above 0. Null is first, NaN last (R11).
  func order(_ a: EvaluationContext, _ b: EvaluationContext) -> Int {
    if family == .number {
      if kind == .decimal {
        // Equal Decimals have equal texts, which are faster to compare.
        let (one, other) = (cell(a), cell(b))
        if one.isNull == other.isNull, one.bytes.hasSameBytes(as: other.bytes) { return 0 }
      }
      guard let one = number(a) else { return number(b) == nil ? 0 : -1 }
      guard let other = number(b) else { return 1 }
      return QueryNumber.compare(one, other)
    }
    let (one, other) = (cell(a), cell(b))
    if one.isNull || other.isNull { return one.isNull ? (other.isNull ? 0 : -1) : 1 }
    switch family {
    case .text, .data, .uuid, .json: return StringMatcher.order(one.bytes, other.bytes)
    case .date:
      let (first, second) = (Double(bitPattern: one.word), Double(bitPattern: other.word))
      return first < second ? -1 : first > second ? 1 : 0
    case .number, .bool, .link:
      return one.word < other.word ? -1 : one.word > other.word ? 1 : 0
    }
  }
}

extension QueryNumber {
  init?(_ cell: QueryCell, _ kind: ScalarKind) {
    switch kind {
    case .double, .float: self = .double(Double(bitPattern: cell.word))
    case .decimal:
      guard let value = Decimal(plain: String(decoding: cell.bytes, as: UTF8.self)) else {
        return nil
      }
      self = .decimal(value)
    default:
      if kind.unsignedMaximum != nil {
        self = cell.word > UInt64(Int64.max) ? .uint(cell.word) : .int(Int64(cell.word))
      } else {
        self = .int(Int64(bitPattern: cell.word))
      }
    }
  }
}

/// A path of links to the row that has the attribute.
struct LinkPath {
  struct Component {
    let column: Int
    let targetTable: Int
  }

  /// The number of scopes between the context and the start of the path.
  var scope = 0
  var components: [Component] = []

  /// Calls `body` with the context of the row at the end; returns nil if a link is null.
  @inline(__always)
  func follow<R>(_ context: EvaluationContext, _ body: (EvaluationContext) -> R) -> R? {
    if components.isEmpty && scope == 0 { return body(context) }
    return context.withScope(scope) { start in
      var end = start
      for component in components {
        let word = end.columns[component.column].word(end.row)
        guard word != 0 else { return nil }
        end.slot = Int(word) - 1
        end.columns = end.tables[component.targetTable].columns(end.slot)
      }
      return body(end)
    }
  }

  /// True if the path is empty: the attribute belongs to the row itself.
  var isOwn: Bool { components.isEmpty && scope == 0 }
}

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

/// Reads the object itself, in the form of a link to it.
final class ObjectReader: OperandReader {
  let path: LinkPath

  init(_ path: LinkPath, table: Int) {
    self.path = path
    super.init(.link(table), nil)
  }

  override func cell(_ context: EvaluationContext) -> QueryCell {
    path.follow(context) { QueryCell(word: UInt64($0.slot) + 1) } ?? .null
  }
}

/// Reads an element of a collection of values.
final class ElementReader: OperandReader {
  private let scope: Int

  init(scope: Int, _ family: QueryFamily, _ kind: ScalarKind) {
    self.scope = scope
    super.init(family, kind)
  }

  override func cell(_ context: EvaluationContext) -> QueryCell {
    context.withScope(scope) { $0.element ?? .null }
  }
}

/// Provides a value that does not depend on the row.
final class ConstantReader: OperandReader {
  private let word: UInt64
  private let bytes: UnsafeMutableRawBufferPointer
  private let isNull: Bool
  /// The value, if it is a number.
  let constant: QueryNumber?

  init(
    _ family: QueryFamily, word: UInt64 = 0, bytes: [UInt8] = [], number: QueryNumber? = nil,
    isNull: Bool = false
  ) {
    assert(isNull || (family == .number) == (number != nil), "Only numbers are given as numbers")
    self.word = word
    self.bytes = .allocate(byteCount: bytes.count, alignment: 1)
    self.bytes.copyBytes(from: bytes)
    self.isNull = isNull
    constant = number
    super.init(family, nil)
  }

  deinit {
    bytes.deallocate()
  }

  /// The value, which is the same for every row.
  var value: QueryCell {
    isNull ? .null : QueryCell(word: word, bytes: UnsafeRawBufferPointer(bytes))
  }

  override func cell(_ context: EvaluationContext) -> QueryCell { value }

  override func number(_ context: EvaluationContext) -> QueryNumber? { constant }
}
