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
