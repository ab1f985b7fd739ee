extension Results where Element: Object {
  /// Assigns attributes of all these objects; other attributes keep their values.
  ///
  ///     try store.objects(Animal.self).where { $0.legs == 3 }.update(\.legs <- 4, \.note <- nil)
  ///
  /// The objects are determined once, before the first assignment, so an assignment may change which objects match. An
  /// object that a list contains twice is updated once. The call opens a write of its own or joins the open one. If it
  /// throws, no assignment takes effect.
  ///
  /// - Returns: The number of objects that changed. Objects that already hold the values are not counted.
  /// - Complexity: O(n).
  /// - Throws: `invalidKeyPath` for a different value of the primary key and for a key path that is not an attribute of
  ///   the class itself; `notWriting` for frozen results; `alreadyWriting`; the errors of assigning the values.
  @discardableResult
  public func update(_ assignments: Assignment<Element>...) throws -> Int {
    try update(all: assignments)
  }

  fileprivate func update(all assignments: [Assignment<Element>]) throws -> Int {
    return try handle.write {
      let slots = slots
      var changed = 0
      var known: Set<Int> = []
      // Only the elements of a list can repeat a row.
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
  /// Assigns attributes of all objects of a class that match a condition; other attributes keep their values.
  ///
  ///     try store.update(Animal.self, where: { $0.legs == 3 }, \.legs <- 4, \.note <- nil)
  ///
  /// See ``Results/update(_:)``.
  /// - Returns: The number of objects that changed.
  @discardableResult
  public func update<T: Object>(
    _ type: T.Type, where condition: (QueryPath<T>) -> some _QueryCondition,
    _ assignments: Assignment<T>...
  ) throws -> Int {
    try objects(type).where(condition).update(all: assignments)
  }
}

extension _ObjectCollection where Element: Object {
  /// Assigns attributes of all objects of the collection. See ``Results/update(_:)``.
  @discardableResult
  public func update(_ assignments: Assignment<Element>...) throws -> Int {
    try _results.update(all: assignments)
  }
}
