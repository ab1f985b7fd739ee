/// The reason why a JSON value cannot be decoded as a Codable type.
package struct CodedMistake: Error, CustomStringConvertible {
  /// A key or an index on the path to a value.
  package enum Component: Sendable {
    case key(String)
    case index(Int)
  }

  /// The path from the value of the attribute to the value at fault.
  package let path: [Component]
  /// The expected value, such as `String` or `the key 'to'`.
  package let expected: String
  /// True if the value is a number outside the range of the expected type.
  package var isOutOfRange = false

  /// The path, as in `[2].from`, and the expected value.
  package var description: String {
    var text = ""
    for component in path {
      switch component {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += "[\(index)]"
      }
    }
    return (text.isEmpty ? "" : "\(text): ")
      + (isOutOfRange ? "the number is outside the range of \(expected)" : "expected \(expected)")
  }
}
