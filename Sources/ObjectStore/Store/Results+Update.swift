extension Results where Element: Object {
  /// Changes attributes of all objects that are there when it begins; the others stay.
  ///
  ///     try store.objects(Animal.self).where { $0.legs == 3 }.update(\.legs <- 4, \.note <- nil)
  ///
  /// Which objects is decided once: the condition need not hold any more after a change. An object that
  /// stands in a list twice is changed once. Opens a write of its own, or joins the open one; either all
  /// assignments are made or none.
  ///
  /// - Returns: How many objects changed; those that hold the values already do not count.
  /// - Complexity: O(n).
  /// - Throws: `invalidKeyPath` for the primary key, and for what is no attribute of the class itself;
  ///   `notWriting` for frozen results; `alreadyWriting`; what assigning the values throws.
  @discardableResult
  public func update(_ assignments: Assignment<Element>...) throws -> Int {
    try update(all: assignments)
  }

  fileprivate func update(all assignments: [Assignment<Element>]) throws -> Int {
    try handle.begin()
    return try handle.runWriteBlock {
      let slots = slots
      var changed = 0
      var known: Set<Int> = []
      // Elsewhere each row stands once.
      let mayRepeat = if case .elements? = query?.source { true } else { false }
      try assignments.withUnsafeBytes { bytes in
        let untyped = bytes.bindMemory(to: UntypedAssignment.self)
        for index in 0..<slots.count {
          let slot = slots[index]
          if mayRepeat, !known.insert(slot).inserted { continue }
          if case .updated = try handle.update(entry, slot, untyped) { changed += 1 }
        }
      }
      return changed
    }
  }
}

extension Store {
  /// Changes attributes of all objects of a class for which a condition holds; the others stay.
  ///
  ///     try store.update(Animal.self, where: { $0.legs == 3 }, \.legs <- 4, \.note <- nil)
  ///
  /// See ``Results/update(_:)``.
  /// - Returns: How many objects changed.
  @discardableResult
  public func update<T: Object>(
    _ type: T.Type, where condition: (QueryPath<T>) -> some _QueryCondition,
    _ assignments: Assignment<T>...
  ) throws -> Int {
    try objects(type).where(condition).update(all: assignments)
  }
}

extension _ObjectCollection where Element: Object {
  /// Changes attributes of all of them. See ``Results/update(_:)``.
  @discardableResult
  public func update(_ assignments: Assignment<Element>...) throws -> Int {
    try _results.update(all: assignments)
  }
}
