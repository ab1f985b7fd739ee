extension CodingConfiguration {
  /// The format of a body with the changes of an object.
  public enum BodyFormat: Sendable, Hashable {
    /// The attributes that changed, each whole, with the primary key: `{"id":7,"note":null}`.
    case changes
    /// A JSON Merge Patch (RFC 7396): the members that changed, with null for those to remove.
    case mergePatch
    /// A JSON Patch (RFC 6902): an array of operations.
    ///
    /// - Parameter tests: True to begin with a `test` of each value that the patch changes or removes, so that the server
    ///   rejects the patch if another client changed one of them.
    case jsonPatch(tests: Bool)

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
