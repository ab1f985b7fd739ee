import Foundation
import ObjectStore

extension Edit.Rejection {
  /// Reads the messages of an error with which a main source refused an edit.
  ///
  /// A JSON body may have messages by attribute in `errors`, or a text in `message`, `detail`, `title` or `error`. Without
  /// a message that is known, the description of the error is a general one.
  /// - Parameter names: The names of the attributes of the class. Other names are part of general messages.
  init(_ error: DataSourceError, attributes names: Set<String>) {
    self.init()
    if case .badStatus(_, _, let body) = error,
      case .object(let members)? = body.withUnsafeBytes({ JSONValue(text: $0) })
    {
      read(members, names)
    }
    if isEmpty { general = ["\(error)"] }
  }

  private mutating func read(_ members: JSONObject, _ names: Set<String>) {
    switch members["errors"] {
    case .object(let errors)?:
      for (name, value) in errors {
        let messages = Self.strings(value)
        if messages.isEmpty { continue }
        if names.contains(name) {
          attributes.append(AttributeMessages(attribute: name, messages: messages))
        } else {
          general += messages.map { "\(name): \($0)" }
        }
      }
    case let errors?: general += Self.strings(errors)
    case nil: break
    }
    guard isEmpty else { return }
    for name in ["message", "detail", "title", "error"] {
      general += Self.strings(members[name])
      if !general.isEmpty { return }
    }
  }

  private static func strings(_ value: JSONValue?) -> [String] {
    switch value {
    case .string(let text)?: [text]
    case .array(let elements)?: elements.flatMap { strings($0) }
    default: []
    }
  }
}
