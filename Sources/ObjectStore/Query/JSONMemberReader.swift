import Foundation

/// A step from a JSON value to a value inside it.
enum JSONStep: Sendable, Hashable {
  /// The member of an object with this name.
  case member(ExactString)
  /// The element of an array at this index.
  case element(Int)

  /// An element of an array. One with an index below 0 is missing in each array; its index becomes one that the text of
  /// a query can contain.
  init(index: Int) { self = .element(index < 0 ? .max : index) }
}

/// Reads a value inside a JSON attribute or element as a value of one family. A missing value, JSON's null and a value
/// of another family read as null.
///
/// The other side of a comparison determines the family: see ``reading(_:)``.
final class JSONMemberReader: OperandReader {
  /// Reads the whole JSON value.
  private let whole: OperandReader
  private let steps: [Step]

  /// A ``JSONStep`` with its name as bytes.
  private enum Step {
    case member([UInt8])
    case element(Int)
  }

  init(_ whole: OperandReader, _ steps: [JSONStep]) {
    assert(whole.family == .json, "\(whole.family.name) has no values inside it")
    self.whole = whole
    self.steps = steps.map { step in
      switch step {
      case .member(let name): .member(Array(name.text.utf8))
      case .element(let index): .element(index)
      }
    }
    super.init(.json, .json)
  }

  private init(_ reader: JSONMemberReader, _ family: QueryFamily) {
    whole = reader.whole
    steps = reader.steps
    super.init(family, nil)
  }

  /// Returns a reader of the same value as a number, a Bool or text; for other families, as JSON.
  func reading(_ family: QueryFamily) -> JSONMemberReader {
    switch family {
    case .number, .bool, .text: JSONMemberReader(self, family)
    default: self
    }
  }

  override var nameOfFamily: String {
    family == .json ? "a value inside JSON" : "compared with \(family.name)"
  }

  override func cell(_ context: EvaluationContext) -> QueryCell {
    guard let (bytes, piece) = find(context) else { return .null }
    return switch (piece, family) {
    case (.null, _): .null
    case (.string(let text), .text): QueryCell(bytes: text)
    case (.bool(let value), .bool): QueryCell(word: value ? 1 : 0)
    case (_, .json): QueryCell(bytes: bytes)
    default: .null
    }
  }

  override func number(_ context: EvaluationContext) -> QueryNumber? {
    find(context).flatMap { QueryNumber($0.piece) }
  }

  /// Returns the bytes and the first piece of the value at the end of the path; nil if it is missing.
  ///
  /// - Complexity: O(bytes up to the end of the value).
  private func find(
    _ context: EvaluationContext
  ) -> (bytes: UnsafeRawBufferPointer, piece: StoredJSONReader.Piece)? {
    let cell = whole.cell(context)
    if cell.isNull { return nil }
    var reader = StoredJSONReader(cell.bytes)
    for step in steps {
      let isFound =
        switch step {
        case .member(let name): name.withUnsafeBytes { reader.enterMember($0) }
        case .element(let index): reader.enterElement(index)
        }
      guard isFound else { return nil }
    }
    guard let bytes = reader.value() else { return nil }
    var value = StoredJSONReader(bytes)
    return value.next().map { (bytes, $0) }
  }
}

extension QueryNumber {
  /// The value of a JSON number: exact up to 38 digits, otherwise the nearest Double. Nil for other values.
  init?(_ piece: StoredJSONReader.Piece) {
    switch piece {
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .number(let text): self = QueryNumber(jsonNumber: String(decoding: text, as: UTF8.self))
    default: return nil
    }
  }

  fileprivate init(jsonNumber text: String) {
    if let value = UInt64(text) {
      self = .uint(value)
      return
    }
    let digitCount = text.prefix { $0 != "e" && $0 != "E" }.count { "0"..."9" ~= $0 }
    let double = Double(text) ?? .nan
    if digitCount <= 38, QueryNumber.isDecimal(double), let value = Decimal(plain: text) {
      self = .decimal(value)
    } else {
      self = .double(double)
    }
  }
}

extension QueryValue {
  /// The value as a case of its own if it is a JSON scalar; itself otherwise.
  var jsonScalar: QueryValue {
    guard case .json(let bytes) = self else { return self }
    return bytes.withUnsafeBytes { bytes in
      var reader = StoredJSONReader(bytes)
      switch reader.next() {
      case .null: return .null
      case .bool(let value): return .bool(value)
      case .int(let value): return .int(value)
      case .double(let value): return QueryValue(.double(value))
      case .string(let text): return .string(String(decoding: text, as: UTF8.self))
      case .number(let text):
        return QueryValue(QueryNumber(jsonNumber: String(decoding: text, as: UTF8.self)))
      case .array, .object, nil: return self
      }
    }
  }

  /// The family of a scalar that JSON has; nil for null, arrays, objects and values that JSON does not have.
  var jsonFamily: QueryFamily? {
    switch self {
    case .bool: .bool
    case .string: .text
    default: number == nil ? nil : .number
    }
  }
}
