public import ObjectStore

/// The objects of a decoded payload, with an outcome for each and the issues found.
public struct ReadResult<T: Object> {
  /// The effect of the payload on one object.
  public enum Outcome: Sendable {
    /// The object was inserted.
    case inserted
    /// At least one attribute changed.
    case updated
    /// The object already had these values. An element that was merged into an earlier one is also `unchanged`; the
    /// outcome of the earlier one covers both.
    case unchanged

    init(_ outcome: RowOutcome) {
      switch outcome {
      case .inserted: self = .inserted
      case .updated: self = .updated
      case .unchanged, .deleted: self = .unchanged
      }
    }
  }

  /// The objects in payload order.
  public let objects: [T]
  /// The outcome for each object; nested objects are not counted.
  public let outcomes: [Outcome]
  /// The first 10,000 issues in payload order: values that were skipped, replaced by a default, merged or
  /// duplicated. Empty if there were none. Members that `.unread` keeps are read at the end of their object, so their
  /// issues may be missing if there are more than 10,000.
  public let issues: [StoreCodingError]
  /// The total number of issues.
  public let issueCount: Int
  /// The number of list elements that were merged into an earlier element with the same primary key. Each is
  /// reported as an issue of the kind `mergedObject`, even if both have the same values. Nested objects are not
  /// counted, because a page often repeats the same author in several elements.
  public let merged: Int
  /// The number of objects that were deleted, or changed by ``MissingObjects/update(_:)``, because a complete list lacks
  /// them; in a document, the number that its sections deleted.
  public internal(set) var deleted = 0
  /// The number of list elements that were read, including skipped ones. In a document, the number of objects. In a
  /// batch of a stream, the number from the beginning of the stream to the end of the batch.
  public let elementCount: Int
  /// The number of bytes that were read. In a batch of a stream, the number from the beginning of the stream to the end
  /// of the batch, for example to show progress.
  public let byteCount: Int
  /// The number of objects that were inserted.
  public let inserted: Int
  /// The number of objects with at least one changed attribute.
  public let updated: Int
  /// The number of objects that already had the values of the payload, without merged elements.
  public var unchanged: Int { outcomes.count - inserted - updated - merged }
  /// The keys of the elements whose objects were deleted locally, in payload order. ``objects`` lacks them, and the payload
  /// changed only the values that return if the deletion is reverted. See `Object.tracksEdits`. If the call had the version
  /// of the request, these are also objects whose deletions were confirmed after the request.
  public internal(set) var deletedLocally: [UpdateValue] = []
  /// The keys of the objects that a complete list lacks and that were not removed, because they have unconfirmed edits.
  public internal(set) var kept: [UpdateValue] = []
  /// The values that differ from unconfirmed edits; see `EditConflict`.
  public internal(set) var conflicts: [EditConflict] = []
  let payloadMetadata: PayloadMetadata

  /// Returns a value outside the envelope of the payload, such as a total count; nil if there is none.
  ///
  ///     let page = try coder.read([Issue].self, from: data, at: "items")
  ///     let total = try page.metadata("total_count")?.intValue
  ///     let next = try page.metadata("/links/next")?.stringValue
  ///
  /// - Parameter path: A dotted path or a pointer (RFC 6901) from the top of the payload, also for an envelope of
  ///   several keys. An empty path returns all values outside the envelope, in the objects and arrays that contain them.
  ///   An array that contains the objects has null at their index.
  /// - Throws: ``StoreCodingError`` of the kind `invalidDeclarations` if the path is invalid; `limitExceeded` if the
  ///   payload has more than ``CodingConfiguration/Limits/metadataByteCount`` bytes outside the envelope, or they are
  ///   nested too deeply for a `JSONValue`.
  /// - Complexity: O(*n*) in the number of these bytes, which each call reads again.
  public func metadata(_ path: String) throws(StoreCodingError) -> JSONValue? {
    try payloadMetadata.value(at: path)
  }

  /// Decodes values outside the envelope as a Codable type; nil if there is no value at the path.
  ///
  ///     struct Page: Decodable { var total_count: Int, incomplete_results: Bool }
  ///     let page = try result.metadata(Page.self)
  ///
  /// - Parameters:
  ///   - type: A type that decodes by the rules of `CodablePersistable`. Dates are ISO 8601 strings.
  ///   - path: The path from the top of the payload. An empty path means all values outside the envelope.
  /// - Throws: `DecodingError`, and the errors of ``metadata(_:)``.
  public func metadata<M: Decodable>(_ type: M.Type, at path: String = "") throws -> M? {
    try metadata(path)?.decode(type)
  }
}

extension ReadResult: CustomStringConvertible, CustomReflectable {
  /// The number of objects by outcome, and of issues: `ReadResult<User>(2 objects: 1 inserted, …; 0 issues, 64 bytes)`.
  public var description: String {
    "ReadResult<\(T.self)>(\(counted(objects.count, "object")): \(inserted) inserted, \(updated) updated, "
      + "\(unchanged) unchanged, \(merged) merged; \(deleted > 0 ? "\(deleted) deleted; " : "")"
      + "\(counted(issueCount, "issue")), \(counted(byteCount, "byte")))"
  }

  /// The objects, the outcomes and the issues.
  public var customMirror: Mirror {
    Mirror(self, children: ["objects": objects, "outcomes": outcomes, "issues": issues])
  }
}
