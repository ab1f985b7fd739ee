import ObjectStore

extension Object {
  /// The attributes of a stored object that are not known completely, and show what an unmanaged object has.
  ///
  /// A value that was read from the stored object has what they show. Adding it again leaves them as they are, because
  /// neither the server nor the user has said this value.
  func unknownAttributes(showing object: @autoclosure () -> Object) -> [String] {
    if isWhole { return [] }
    let unknown = unknownAttributes
    let object = object()
    return objectSchema.storedProperties.map(\.name).filter { name in
      let value = self[name]
      let isPartial = (value as? EmbeddedObject).map { !$0.isWhole } ?? false
      return (isPartial || unknown.contains(name)) && isSame(value, object[name])
    }
  }
}

/// True if two values are equal; embedded objects are compared by their attributes.
private func isSame(_ a: Any?, _ b: Any?) -> Bool {
  guard let a = a as? EmbeddedObject, let b = b as? EmbeddedObject else {
    return UpdateValue(any: a) == UpdateValue(any: b)
  }
  return a.objectSchema.storedProperties.allSatisfy { isSame(a[$0.name], b[$0.name]) }
}
