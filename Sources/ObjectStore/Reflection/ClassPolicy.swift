/// What a class says of caching: asked when it first enters a store, and not when it is first looked at, since
/// it may say it by key paths of the class itself.
// Sendable: `known` is guarded by `lock`.
final class ClassPolicy: @unchecked Sendable {
  private let lock = Lock()
  private var known: CachePolicy??

  /// The policy of a class that is sound; nil for none.
  func policy(of model: ModelClass) -> CachePolicy? {
    if let known = lock.withLock({ known }) { return known }
    // Not under the lock: it is the user's code.
    let policy =
      model.isDynamic ? model.schema.cachePolicy : (model.type as? Object.Type)?.cachePolicy
    lock.withLock { known = .some(policy) }
    return policy
  }
}

extension ModelClass {
  /// Which of its objects go when a store is kept small; nil for none.
  var cachePolicy: CachePolicy? { policy.policy(of: self) }

  /// Everything wrong with what it declares.
  var mistakes: [String] {
    // What is not sound is not asked further.
    if isDynamic || !schema.mistakes.isEmpty { return schema.mistakes }
    return cachePolicy?.mistakes(in: schema.className, schema.properties) ?? []
  }
}

extension CachePolicy {
  /// The date that updates set; nil if they set none.
  func useDate(in schema: ObjectSchema) -> UseDate? {
    guard updatesCountAsUse else { return nil }
    return dateColumn(in: schema).map { UseDate(column: $0, granularity: granularity) }
  }
}
