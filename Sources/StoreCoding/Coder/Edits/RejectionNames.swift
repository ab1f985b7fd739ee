/// The names of members that have a meaning of their own in the bodies of error responses.
enum RejectionNames {
  /// The members that contain the text of one error, in order of preference.
  static let messages = [
    "detail", "message", "msg", "defaultMessage", "title", "description", "reason", "error", "code",
  ]
  /// The members whose text describes the whole rejection.
  static let summaries: Set = ["message", "title", "detail", "error", "error_description"]
  /// The same, unless the class has an attribute with this key.
  static let descriptions: Set = ["description", "hydra:title", "hydra:description"]
  /// The members that contain the errors.
  static let lists: Set = [
    "errors", "details", "violations", "issues", "fieldErrors", "formErrors", "fieldViolations",
    "userErrors", "invalid-params",
  ]
  /// The names of messages that concern the object as a whole.
  static let general: Set = [
    "", "$", "base", "non_field_errors", "nonFieldErrors", "__all__", "_errors",
  ]
  /// The pointers that servers use for the object as a whole, apart from the empty one.
  static let rootPointers: Set = ["/", "/data", "/data/attributes", "/data/relationships"]
  /// The members next to a summary that are no messages.
  static let metadata: Set = [
    "type", "status", "statusCode", "instance", "code", "path", "timestamp", "traceId",
    "requestId", "request_id", "documentation_url", "exception", "file", "trace", "stack",
  ]

  /// The names of a JSON:API pointer without those of the document, since servers also use them for requests that are not
  /// resources, and without those of a relationship's identifier.
  static func shorter(_ names: [String]) -> [[String]] {
    guard names.first == "data", names.count <= JSONPath.depthLimit else { return [] }
    var rest = names.dropFirst()
    // A request with several resources.
    if let index = rest.first, Int(index) != nil { rest = rest.dropFirst() }
    guard let kind = rest.first else { return [] }
    let isRelationship = kind == "relationships"
    let inner = isRelationship || kind == "attributes" ? rest.dropFirst() : rest
    guard isRelationship else { return [Array(inner)] }
    let outer = names.dropLast(inner.count) + inner.prefix(1)
    return [Array(inner), Array(inner.prefix(1)), Array(outer)]
  }
}
