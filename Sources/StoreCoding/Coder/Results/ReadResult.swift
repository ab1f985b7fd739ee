public import ObjectStore

/// The objects of a decoded payload, with an outcome for each, the counts and the issues found.
///
/// The members of ``counts`` are also members of the result: `result.inserted`, `result.issues`.
@dynamicMemberLookup
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
  /// The numbers of objects by outcome, and the issues.
  public internal(set) var counts: Counts
  /// The keys of the elements whose objects were deleted locally, in payload order. ``objects`` lacks them, and the payload
  /// changed only the values that return if the deletion is reverted. See `Object.tracksEdits`. If the call had the version
  /// of the request, these are also objects whose deletions were confirmed after the request.
  public internal(set) var deletedLocally: [UpdateValue] = []
  /// The keys of the objects that a complete list lacks and that were not removed, because they have unconfirmed edits.
  public internal(set) var kept: [UpdateValue] = []
  /// A member of ``counts``.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Counts, Value>) -> Value {
    counts[keyPath: keyPath]
  }

  /// Returns a value outside the envelope of the payload; see ``Counts/metadata(_:)``.
  public func metadata(_ path: String) throws(StoreCodingError) -> JSONValue? {
    try counts.metadata(path)
  }

  /// Decodes values outside the envelope as a Codable type; see ``Counts/metadata(_:at:)``.
  public func metadata<M: Decodable>(_ type: M.Type, at path: String = "") throws -> M? {
    try counts.metadata(type, at: path)
  }
}

extension ReadResult: CustomStringConvertible, CustomReflectable {
  /// The number of objects by outcome, and of issues: `ReadResult<User>(2 objects: 1 inserted, …; 0 issues, 64 bytes)`.
  public var description: String {
    "ReadResult<\(T.self)>(\(counted(objects.count, "object")): \(counts.text))"
  }

  /// The objects, the outcomes and the issues.
  public var customMirror: Mirror {
    Mirror(self, children: ["objects": objects, "outcomes": outcomes, "issues": counts.issues])
  }
}
