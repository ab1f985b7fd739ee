extension CachePolicy {
  /// A policy for one call of ``Store/evict(by:asOf:dryRun:)``, which replaces the limits of the policy that the class
  /// declares.
  public struct Rule: Sendable {
    let id: ClassID
    let policy: CachePolicy

    /// Returns a rule with the policy for a class.
    public static func policy<T: Object>(_ policy: CachePolicy, of type: T.Type) -> CachePolicy.Rule
    {
      CachePolicy.Rule(id: ClassID(type), policy: policy)
    }

    /// Returns a rule with the policy for the class with this name: one that a schema describes, or a declared one that
    /// the store has used before.
    public static func policy(_ policy: CachePolicy, ofClass name: String) -> CachePolicy.Rule {
      CachePolicy.Rule(id: ClassID(name: name), policy: policy)
    }
  }
}
