/// The types of values that one store has looked at and found sound. Nothing depends on it but speed.
// Sendable: `sound` is guarded by `lock`.
package final class CheckedTypes: @unchecked Sendable {
  private let lock = Lock()
  private var sound: Set<ObjectIdentifier> = []

  /// Looks at a type unless it was found sound before.
  /// - Throws: `invalidDeclarations` with what `mistakes` finds.
  package func check(_ type: Any.Type, mistakes: () -> [String]) throws(StoreError) {
    if lock.withLock({ sound.contains(ObjectIdentifier(type)) }) { return }
    // Not under the lock: it is the user's code.
    let mistakes = mistakes()
    guard mistakes.isEmpty else { throw StoreError(.invalidDeclarations(mistakes)) }
    lock.withLock { _ = sound.insert(ObjectIdentifier(type)) }
  }
}
