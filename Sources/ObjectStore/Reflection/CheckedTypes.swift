/// A cache of the value types that one store has found valid. Only performance depends on it.
// Sendable: `sound` is guarded by `lock`.
package final class CheckedTypes: @unchecked Sendable {
  private let lock = Lock()
  private var sound: Set<ObjectIdentifier> = []

  /// Checks a type unless it was found valid before.
  ///
  /// - Throws: `invalidDeclarations` with the result of `mistakes`, if there are any.
  package func check(_ type: Any.Type, mistakes: () -> [String]) throws(StoreError) {
    if lock.withLock({ sound.contains(ObjectIdentifier(type)) }) { return }
    // Outside the lock, because this calls user code.
    let mistakes = mistakes()
    guard mistakes.isEmpty else { throw StoreError(.invalidDeclarations(mistakes)) }
    lock.withLock { _ = sound.insert(ObjectIdentifier(type)) }
  }
}
