/// A type-erased assignment, so that the code of the store need not be generic.
@usableFromInline
struct UntypedAssignment {
  @usableFromInline let keyPath: AnyKeyPath
  @usableFromInline let change: Effect

  @usableFromInline
  enum Effect {
    /// A number or a Bool. It is stored without a closure, which would be half of the cost of an assignment.
    case word(UInt64)
    case export((_BatchExport) throws -> _BatchCell)
    /// A cell that depends on the store and the row: the current elements of a collection, the row of a key.
    case deferred((StoreHandle, ClassEntry, _ slot: Int?, _BatchExport) throws -> _BatchCell)
  }

  @usableFromInline
  init(keyPath: AnyKeyPath, change: Effect) {
    self.keyPath = keyPath
    self.change = change
  }
}
