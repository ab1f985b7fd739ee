/// An operation that compares two values, with its options.
struct QueryComparison: Sendable, Hashable {
  enum Operation: String, Sendable, Hashable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    /// Word search; see ``TextSearch``.
    case text = "TEXT"

    /// True if the operation searches within a string or data.
    var isText: Bool {
      switch self {
      case .contains, .beginsWith, .endsWith, .like, .text: true
      default: false
      }
    }

    /// True if the operation compares by order.
    var isOrder: Bool {
      switch self {
      case .less, .lessOrEqual, .greater, .greaterOrEqual: true
      default: false
      }
    }

    /// The equivalent operation for exchanged operands; nil if there is none.
    var flipped: Operation? {
      switch self {
      case .equal, .notEqual: self
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      default: nil
      }
    }
  }

  var operation: Operation
  var options: TextOptions = []

  init(_ operation: Operation, _ options: TextOptions = []) {
    self.operation = operation
    self.options = options
  }
}
