import Foundation

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
