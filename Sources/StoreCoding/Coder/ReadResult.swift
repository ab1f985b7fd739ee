public import ObjectStore

/// What a payload brought.
public struct ReadResult<T: Object> {
  /// What happened to one object.
  public enum Outcome: Sendable {
    /// It is new.
    case inserted
    /// An attribute changed.
    case updated
    /// It was as the payload says already; also the outcome of an element that was merged into an
    /// earlier one, which has the outcome of both.
    case unchanged

    init(_ outcome: RowOutcome) {
      switch outcome {
      case .inserted: self = .inserted
      case .updated: self = .updated
      case .unchanged: self = .unchanged
      }
    }
  }

  /// The objects of the payload, in its order.
  public let objects: [T]
  /// What happened to each of them; nested objects do not count.
  public let outcomes: [Outcome]
  /// What was skipped, replaced by a default, merged, or stood twice: the first 10,000, in the order of
  /// the payload. Empty for a sound one.
  public let issues: [StoreCodingError]
  /// How many issues there are in all.
  public let issueCount: Int
  /// Elements of the payload's list with the primary key of an earlier element, into which they were
  /// merged in order. Each is an issue of the kind `mergedObject`, also if both have the same values.
  /// Nested objects do not count: a page often has the same author in several elements.
  public let merged: Int

  /// Objects that are new.
  public var inserted: Int { outcomes.count { $0 == .inserted } }
  /// Objects of which an attribute changed.
  public var updated: Int { outcomes.count { $0 == .updated } }
  /// Objects that were as the payload says already, without the merged ones.
  public var unchanged: Int { outcomes.count { $0 == .unchanged } - merged }
}
