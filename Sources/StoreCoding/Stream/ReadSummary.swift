public import ObjectStore

/// The outcome of reading a list of objects with ``StoreCoder/readAll(_:from:at:)``, or a stream of objects with
/// ``StoreCoder/readAll(_:from:at:size:isolation:)-(_,Chunks,_,_,_)``.
public struct ReadSummary: Sendable {
  /// The number of objects that were inserted.
  public private(set) var inserted = 0
  /// The number of objects with at least one changed attribute.
  public private(set) var updated = 0
  /// The number of objects that already had the values of the payload, without merged elements.
  public private(set) var unchanged = 0
  /// The number of elements that were merged into an earlier element with the same primary key in their batch.
  public private(set) var merged = 0
  /// The number of elements, including skipped ones.
  public private(set) var elementCount = 0
  /// The number of bytes of the payload.
  public private(set) var byteCount = 0
  /// The first 10,000 issues in payload order.
  public private(set) var issues: [StoreCodingError] = []
  /// The total number of issues.
  public private(set) var issueCount = 0
  private var payloadMetadata: PayloadMetadata?

  /// Adds the next batch.
  mutating func add<T>(_ batch: ReadResult<T>) {
    inserted += batch.inserted
    updated += batch.updated
    unchanged += batch.unchanged
    merged += batch.merged
    elementCount = batch.elementCount
    byteCount = batch.byteCount
    issues += batch.issues.prefix(IssueLog.resultLimit - issues.count)
    issueCount += batch.issueCount
    payloadMetadata = batch.payloadMetadata
  }

  /// Sets the number of all bytes. The last batch of a list may lack the bracket and white space after it.
  mutating func end(byteCount: Int) {
    self.byteCount = byteCount
  }

  /// Returns a value outside the envelope of the payload, such as a total count; nil if there is none. See
  /// ``ReadResult/metadata(_:)``.
  /// - Throws: The errors of ``ReadResult/metadata(_:)``.
  public func metadata(_ path: String) throws(StoreCodingError) -> JSONValue? {
    try payloadMetadata?.value(at: path)
  }
}

extension ReadSummary: CustomStringConvertible, CustomReflectable {
  /// The number of elements by outcome, and of issues: `ReadSummary(2 elements: 1 inserted, …; 0 issues, 64 bytes)`.
  public var description: String {
    "ReadSummary(\(counted(elementCount, "element")): \(inserted) inserted, \(updated) updated, "
      + "\(unchanged) unchanged, \(merged) merged; "
      + "\(counted(issueCount, "issue")), \(counted(byteCount, "byte")))"
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
