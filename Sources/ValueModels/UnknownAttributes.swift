import ObjectStore

extension Object {
  /// The unknown attributes of a stored object that show what an unmanaged object has.
  ///
  /// A value that was read from the stored object has what they show. Adding it again leaves them unknown, because neither
  /// the server nor the user has said this value.
  func unknownAttributes(showing object: @autoclosure () -> Object) -> [String] {
    let names = unknownAttributes
    if names.isEmpty { return [] }
    let object = object()
    return names.filter { UpdateValue(any: self[$0]) == UpdateValue(any: object[$0]) }
  }
}
