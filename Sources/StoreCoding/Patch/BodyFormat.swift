extension CodingConfiguration {
  /// The format of a body with the changes of an object.
  public enum BodyFormat: Sendable, Hashable {
    /// The attributes that changed, each whole, with the primary key: `{"id":7,"note":null}`.
    case changes
    /// A JSON Merge Patch (RFC 7396): the members that changed, with null for those to remove.
    case mergePatch
    /// A JSON Patch (RFC 6902): an array of operations.
    ///
    /// - Parameter tests: The former values that the patch tests first, so that the server rejects it if another client
    ///   changed one of them.
    case jsonPatch(tests: Tests = .exact)

    /// The former values that a JSON Patch tests, of those that it changes or removes and of the attributes in
    /// `codableAlwaysEncoded`.
    ///
    /// `true` is `.exact`, and `false` is `.none`.
    public enum Tests: Sendable, Hashable, ExpressibleByBooleanLiteral {
      /// No value.
      case none
      /// The values, but nil, of which the JSON that the server sent is known; see the table in <doc:Encoding>.
      case exact
      /// All values in the body of the former state, also the null of an attribute with `.writesNil`, for a server that
      /// writes each of them as the coder does.
      case all

      /// Creates `.exact` from `true` and `.none` from `false`.
      public init(booleanLiteral value: Bool) { self = value ? .exact : .none }
    }

    /// The media type for the header `Content-Type`.
    public var contentType: String {
      switch self {
      case .changes: "application/json"
      case .mergePatch: "application/merge-patch+json"
      case .jsonPatch: "application/json-patch+json"
      }
    }
  }
}
