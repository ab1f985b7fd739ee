/// The cache policy of a class. It is read when the class first enters a store and not during reflection,
/// because it may use key paths of the class itself.
// Sendable: `known` is guarded by `lock`.
final class ClassPolicy: @unchecked Sendable {
  private let lock = Lock()
  private var known: Known?

  /// A policy with what follows from it. A class, so that reading it retains one reference.
  final class Known: Sendable {
    let policy: CachePolicy?
    let mistakes: [String]
    let useDate: UseDate?
    /// The attributes that payloads contain.
    let payloadAttributes: [Int]

    init(_ policy: CachePolicy?, _ schema: ObjectSchema) {
      self.policy = policy
      mistakes = policy?.mistakes(in: schema.className, schema.properties) ?? []
      useDate = policy?.useDate(in: schema)
      payloadAttributes = schema.payloadAttributes(
        useDate: policy?.updatesCountAsUse ?? false ? policy?.dateAttribute : nil)
    }
  }

  /// Returns the policy of a class without other mistakes.
  func policy(of model: ModelClass) -> Known {
    if let known = lock.withLock({ known }) { return known }
    // Outside the lock, because this calls user code.
    let policy =
      model.isDynamic ? model.schema.cachePolicy : (model.type as? Object.Type)?.cachePolicy
    let new = Known(policy, model.schema)
    lock.withLock { known = new }
    return new
  }
}

extension ModelClass {
  /// The policy that decides which of its objects are evicted; nil to evict none.
  var cachePolicy: CachePolicy? { policy.policy(of: self).policy }

  /// The date attribute that updates set; nil if they set none.
  var useDate: UseDate? { policy.policy(of: self).useDate }

  /// The attributes that payloads contain, except the key.
  var payloadAttributes: [Int] { policy.policy(of: self).payloadAttributes }

  /// The mistakes in the class's declarations; those in its cache policy only if there are no others.
  var mistakes: [String] {
    // The policy of a class with other mistakes is not read.
    if isDynamic || !schema.mistakes.isEmpty { return schema.mistakes }
    return policy.policy(of: self).mistakes
  }
}

extension CachePolicy {
  /// Returns the date attribute that updates set; nil if they set none.
  fileprivate func useDate(in schema: ObjectSchema) -> UseDate? {
    guard updatesCountAsUse else { return nil }
    return dateColumn(in: schema).map { UseDate(column: $0, granularity: granularity) }
  }
}
