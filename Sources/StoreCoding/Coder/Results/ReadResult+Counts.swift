import JSONText
public import ObjectStore

extension ReadResult {
  /// The numbers of objects by outcome, and the issues, of a payload or of a stream of batches.
  ///
  /// This is also the result of ``StoreCoder/readAll(_:dynamic:from:at:absent:)``, which creates no objects.
  public struct Counts: Sendable {
    /// The number of objects that were inserted.
    public internal(set) var inserted = 0
    /// The number of objects with at least one changed attribute.
    public internal(set) var updated = 0
    /// The number of objects that already had the values of the payload, without merged elements.
    public internal(set) var unchanged = 0
    /// The number of list elements that were merged into an earlier element with the same primary key; of a stream, into one
    /// of the same batch. Each is reported as an issue of the kind `mergedObject`, even if both have the same values. Nested
    /// objects are not counted, because a page often repeats the same author in several elements.
    public internal(set) var merged = 0
    /// The number of objects that were deleted, or changed by ``ListScope/Missing/update(_:)``, because a complete list lacks
    /// them; in a document, the number that its sections deleted.
    public internal(set) var deleted = 0
    /// The number of list elements that were read, including skipped ones. In a document, the number of objects. In a
    /// batch of a stream, the number from the beginning of the stream to the end of the batch.
    public internal(set) var elementCount = 0
    /// The number of bytes that were read. In a batch of a stream, the number from the beginning of the stream to the end
    /// of the batch, for example to show progress.
    public internal(set) var byteCount = 0
    /// The first 10,000 issues in payload order: values that were skipped, replaced by a default, merged or
    /// duplicated. Empty if there were none. Members that `.unread` keeps are read at the end of their object, so their
    /// issues may be missing if there are more than 10,000.
    public internal(set) var issues: [StoreCodingError] = []
    /// The total number of issues.
    public internal(set) var issueCount = 0
    /// The values that differ from unconfirmed edits; see `Edit.Conflict`. Of a stream, the first 10,000.
    public internal(set) var conflicts: [Edit.Conflict] = []
    var payloadMetadata: PayloadMetadata?

    /// Adds the counts of the next batch of a stream.
    mutating func add(_ batch: Counts) {
      inserted += batch.inserted
      updated += batch.updated
      unchanged += batch.unchanged
      merged += batch.merged
      elementCount = batch.elementCount
      byteCount = batch.byteCount
      issues += batch.issues.prefix(IssueLog.resultLimit - issues.count)
      issueCount += batch.issueCount
      conflicts += batch.conflicts.prefix(IssueLog.resultLimit - conflicts.count)
      payloadMetadata = batch.payloadMetadata
    }

    /// Sets the numbers of objects by outcome.
    mutating func count(_ outcomes: [RowOutcome], merged: Int) {
      inserted = outcomes.count { $0 == .inserted }
      updated = outcomes.count { $0 == .updated }
      unchanged = outcomes.count - inserted - updated - merged
      self.merged = merged
    }

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
      try payloadMetadata?.value(at: path)
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
}

extension ReadResult.Counts: CustomStringConvertible, CustomReflectable {
  /// The number of elements by outcome, and of issues: `ReadResult<User>.Counts(2 elements: 1 inserted, …; 0 issues, 64 bytes)`.
  public var description: String {
    "ReadResult<\(T.self)>.Counts(\(counted(elementCount, "element")): \(text))"
  }

  /// The numbers for a description.
  var text: String {
    "\(inserted) inserted, \(updated) updated, \(unchanged) unchanged, \(merged) merged; "
      + "\(deleted > 0 ? "\(deleted) deleted; " : "")"
      + "\(counted(issueCount, "issue")), \(counted(byteCount, "byte"))"
  }

  /// The counts and the issues.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "elementCount": elementCount, "inserted": inserted, "updated": updated,
        "unchanged": unchanged, "merged": merged, "byteCount": byteCount, "issues": issues,
      ])
  }
}
