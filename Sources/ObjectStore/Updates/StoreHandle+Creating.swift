// Creation of objects from update dictionaries.

extension StoreHandle {
  /// Creates an object with the values of an update; see ``Store/create(_:value:update:)-(_,UpdateDictionary,_)``.
  func create<T: Object>(
    in entry: @autoclosure () throws -> ClassEntry, _ value: UpdateDictionary,
    _ update: UpdatePolicy
  ) throws -> T {
    try checkMayWrite()
    guard isWriting else { throw StoreError(.notWriting) }
    let entry = try entry()
    if update != .error, entry.schema.primaryKeyProperty == nil {
      throw StoreError(.noPrimaryKey(className: entry.schema.className))
    }
    return try withBatch { batch in
      let slot: Int
      do {
        slot = try apply(value, entry, update, batch, depth: DeepStack.shallowDepth)
      } catch is UpdateConversion.TooDeep {
        batch.removeAll()
        slot = try DeepStack.run(depth: UpdateDictionary.depthLimit) {
          try apply(value, entry, update, batch, depth: UpdateDictionary.depthLimit)
        }
      }
      return object(entry, slot)
    }
  }

  /// Applies an update whose nesting depth is at most `depth`; returns the row.
  private func apply(
    _ value: UpdateDictionary, _ entry: ClassEntry, _ policy: UpdatePolicy, _ batch: RowBatch,
    depth: Int
  ) throws -> Int {
    let row = try UpdateConversion(self, batch, depth: depth).row(value, entry, isTop: true)
    try apply(batch, policy)
    return row.header.pointee.slot
  }
}
