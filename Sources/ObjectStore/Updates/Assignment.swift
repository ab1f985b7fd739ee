infix operator <- : AssignmentPrecedenceOfUpdates

precedencegroup AssignmentPrecedenceOfUpdates {
  lowerThan: TernaryPrecedence
  higherThan: AssignmentPrecedence
}

/// An attribute and its new value, type-checked by the compiler: `\.completed <- true`.
public struct Assignment<T: Object> {
  // This must be the only stored property: an array of assignments is read as an array of `UntypedAssignment`.
  @usableFromInline let untyped: UntypedAssignment

  @usableFromInline
  init(_ keyPath: AnyKeyPath, _ change: UntypedAssignment.Effect) {
    untyped = UntypedAssignment(keyPath: keyPath, change: change)
  }
}

/// Assigns a value: `\.note <- "late"`, `\.note <- nil`.
public func <- <T: Object, V: PersistableValue>(
  keyPath: ReferenceWritableKeyPath<T, V>, value: V
) -> Assignment<T> {
  Assignment(keyPath, .export { try V._storageExport(value, $0) })
}

/// Assigns a number or another scalar.
@inlinable
public func <- <T: Object, V: ScalarValue>(
  keyPath: ReferenceWritableKeyPath<T, V>, value: V
) -> Assignment<T> {
  if V.isPlainWord { return Assignment(keyPath, .word(value._encode { $0.word })) }
  return Assignment(keyPath, .export { try V._storageExport(value, $0) })
}

/// Replaces the elements of a list.
public func <- <T: Object, E: CollectionElement>(
  keyPath: ReferenceWritableKeyPath<T, List<E>>, elements: [E]
) -> Assignment<T> {
  Assignment(keyPath, .export { try List<E>._storageExport(List(elements), $0) })
}

// MARK: - Collections

/// Appends elements to a list.
public func += <T: Object, E: CollectionElement>(
  keyPath: KeyPath<T, List<E>>, elements: [E]
) -> Assignment<T> {
  listAssignment(keyPath) { $0 + elements }
}

/// Removes all elements of a list that equal one of these.
public func -= <T: Object, E: CollectionElement & Equatable>(
  keyPath: KeyPath<T, List<E>>, elements: [E]
) -> Assignment<T> {
  listAssignment(keyPath) { $0.filter { !elements.contains($0) } }
}

private func listAssignment<T: Object, E: CollectionElement>(
  _ keyPath: KeyPath<T, List<E>>, _ change: @escaping ([E]) -> [E]
) -> Assignment<T> {
  Assignment(
    keyPath,
    .deferred { handle, entry, slot, export in
      let object: T? = slot.map { handle.object(entry, $0) }
      let present = object.map { Array($0[keyPath: keyPath]) } ?? []
      return try List<E>._storageExport(List(change(present)), export)
    })
}

/// Inserts elements into a set.
public func += <T: Object, E: CollectionElement>(
  keyPath: KeyPath<T, MutableSet<E>>, elements: [E]
) -> Assignment<T> {
  setAssignment(keyPath) { set in for element in elements { set.insert(element) } }
}

/// Removes elements from a set.
public func -= <T: Object, E: CollectionElement>(
  keyPath: KeyPath<T, MutableSet<E>>, elements: [E]
) -> Assignment<T> {
  setAssignment(keyPath) { set in for element in elements { set.remove(element) } }
}

private func setAssignment<T: Object, E: CollectionElement>(
  _ keyPath: KeyPath<T, MutableSet<E>>, _ change: @escaping (MutableSet<E>) -> Void
) -> Assignment<T> {
  Assignment(
    keyPath,
    .deferred { handle, entry, slot, export in
      let object: T? = slot.map { handle.object(entry, $0) }
      let set = MutableSet<E>(object.map { Array($0[keyPath: keyPath]) } ?? [])
      change(set)
      return try MutableSet<E>._storageExport(set, export)
    })
}

extension ScalarValue {
  /// True if every value of the type is stored as a word without checks.
  @inlinable
  static var isPlainWord: Bool {
    switch _scalarKind {
    case .decimal, .string, .data, .uuid, .url, .json, .date: false
    default: true
    }
  }
}
