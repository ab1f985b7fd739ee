package import ObjectStore

/// The configuration of a collection of a ``ResourceServer``.
///
///     ResourceCollection("animals", ids: .chosen, listMembers: ["id", "name"]) { animal in
///       animal["name"] == nil ? ["name": ["is missing"]] : [:]
///     }
package struct ResourceCollection: Sendable {
  /// The origin of the ids of new resources.
  package enum IDs: Sendable {
    /// The server assigns the integers from 1 on. A PUT does not create resources.
    case assigned
    /// The client sends an integer or a string, for example a UUID. A PUT creates missing resources.
    case chosen
  }

  /// Returns the messages about a resource by the name of the member; empty if the resource is valid.
  ///
  /// It is called before each change of a request, with the resource as it would be stored. It must not use the server.
  package typealias Validator = @Sendable (JSONObject) -> [String: [String]]

  /// The path component after `/api`.
  package let name: String
  /// The origin of the ids of new resources.
  package let ids: IDs
  /// The name of the member that contains the id.
  package let idMember: String
  /// The names of the members in lists; nil for all.
  package let listMembers: Set<String>?
  let validate: Validator

  /// Creates a configuration.
  /// - Parameters:
  ///   - name: The path component after `/api`.
  ///   - ids: The origin of the ids of new resources.
  ///   - idMember: The name of the member that contains the id.
  ///   - listMembers: The names of the members in lists; nil for all.
  ///   - validate: The validation; by default, all resources are valid.
  package init(
    _ name: String, ids: IDs = .assigned, idMember: String = "id",
    listMembers: Set<String>? = nil, validate: @escaping Validator = { _ in [:] }
  ) {
    self.name = name
    self.ids = ids
    self.idMember = idMember
    self.listMembers = listMembers
    self.validate = validate
  }
}

/// The id of a resource, which is a path component of its URL.
///
/// The integer 7 and the string "7" are the same id. Numbers precede other strings.
package enum ResourceID: Hashable, Comparable, Sendable {
  /// An integer.
  case number(Int64)
  /// A string that is not the decimal form of an integer.
  case text(String)

  /// Creates the id that is written like this in a URL, without percent-encoding.
  package init(_ text: String) {
    if let number = Int64(text), "\(number)" == text {
      self = .number(number)
    } else {
      self = .text(text)
    }
  }

  /// Creates the id in a member of a resource; nil unless `value` is an integer or a non-empty string.
  package init?(_ value: JSONValue?) {
    switch value {
    case .int(let number)?: self = .number(number)
    case .string(let text)? where !text.isEmpty: self.init(text)
    default: return nil
    }
  }

  /// The id as a member of a resource.
  package var json: JSONValue {
    switch self {
    case .number(let number): .int(number)
    case .text(let text): .string(text)
    }
  }
}

extension ResourceID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// Creates the id `7`.
  package init(integerLiteral value: Int64) { self = .number(value) }

  /// Creates the id `"a7"`, or the id `7` from `"7"`.
  package init(stringLiteral value: String) { self.init(value) }
}

extension ResourceID: CustomStringConvertible {
  /// The id as in a URL, without percent-encoding.
  package var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): text
    }
  }
}
