import JSONText
import ObjectStore

/// The strings, numbers and Booleans that an attribute reads as nil.
struct NilSpellings {
  private var strings: [[UInt8]] = []
  private var numbers: [NumberDigits] = []
  private var booleans: [Bool] = []
  private let values: [JSONValue]

  init(_ values: [JSONValue]) {
    self.values = values
    for value in values {
      switch value {
      case .string(let text): strings.append(Array(text.utf8))
      case .bool(let value): booleans.append(value)
      default: if let digits = Self.digits(value) { numbers.append(digits) }
      }
    }
  }

  var isEmpty: Bool { values.isEmpty }

  /// The value that bodies contain in place of nil; nil for null.
  var first: JSONValue? { values.first }

  /// The values as JSON, separated by commas.
  var text: String {
    values.map { value in
      switch value {
      case .string(let text): Array(text.utf8).withUnsafeBytes { MessageText.quoted($0) }
      case .bool(let value): "\(value)"
      default: Self.digits(value)?.text ?? "?"
      }
    }.joined(separator: ", ")
  }

  /// The mistake in the list; nil if all values are strings, numbers and Booleans.
  var mistake: String? {
    values.count == strings.count + numbers.count + booleans.count
      ? nil : "'nilWhen' takes only strings, numbers and Booleans"
  }

  func contains(string: UnsafeBufferPointer<UInt8>) -> Bool {
    strings.contains { $0.elementsEqual(string) }
  }

  func contains(number: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !numbers.isEmpty, let digits = NumberDigits(number, limit: Self.digitLimit) else {
      return false
    }
    return numbers.contains(digits)
  }

  func contains(_ value: Bool) -> Bool { booleans.contains(value) }

  func contains(_ json: JSONValue) -> Bool {
    switch json {
    case .string(let text): strings.contains { $0.elementsEqual(text.utf8) }
    case .bool(let value): contains(value)
    default: Self.digits(json).map { numbers.contains($0) } ?? false
    }
  }

  private static let digitLimit = 64

  private static func digits(_ value: JSONValue) -> NumberDigits? {
    var text: String
    switch value {
    case .int(let number): text = "\(number)"
    case .double(let number): text = "\(number)"
    case .number(let number): text = number
    default: return nil
    }
    return text.withUTF8 {
      JSONReader.isNumber($0) ? NumberDigits($0, limit: digitLimit) : nil
    }
  }
}
