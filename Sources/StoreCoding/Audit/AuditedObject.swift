/// The attributes of one object that the walk has found so far.
final class AuditedObject {
  /// The last value that counts of an attribute with aliases.
  struct AliasValue {
    /// The index of its path among those of the attribute: 0 for its own path, `AliasState.nullParent` for a value in
    /// place of an object along it.
    let rank: Int
    /// The value, which is walked when the object has ended; nil if it was walked.
    var skipped: AuditWalk.SkippedValue?
    /// The description of the object or array in whose place the value is; nil if the value is null or at its path.
    var expected: String?
  }

  let plan: CodingPlan
  /// The number of components of the object's path.
  let depth: Int
  /// The path of each attribute from the decoded object.
  let paths: [String]
  /// The id of each attribute in the audit.
  let ids: [String]
  var hasMembers = false
  /// True if the object, which is a resource, has its type.
  var hasType = false
  /// True if a key of the object belongs to its class.
  var hasKnownKey = false
  /// The number of values and of nulls of each attribute.
  var valueCounts: [Int]
  var nullCounts: [Int]
  /// The values of attributes with aliases, by attribute.
  var aliasValues: [Int: AliasValue] = [:]

  init(_ plan: CodingPlan, depth: Int, _ attributes: AuditPaths.Attributes) {
    self.plan = plan
    self.depth = depth
    paths = attributes.paths
    ids = attributes.ids
    valueCounts = Array(repeating: 0, count: paths.count)
    nullCounts = valueCounts
  }
}
