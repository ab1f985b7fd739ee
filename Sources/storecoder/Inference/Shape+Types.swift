import ObjectStore

extension Shape {
  /// The kind of the values, if all are scalars of the same kind; nil otherwise.
  var valueKind: AttributeShape.Kind? {
    guard kindCount == 1, arrays == 0, object == nil else { return nil }
    if bools > 0 { return .bool }
    if strings > 0 { return .string }
    if hugeIntegers > 0 || fractions > 0 && beyondDouble > 0 { return nil }
    if largeNaturals > 0 { return fractions > 0 || negatives > 0 ? nil : .uint64 }
    return fractions > 0 ? .double : .int
  }

  /// The elements of arrays, or the values of maps.
  var elements: Shape? {
    if arrays > 0 { return element }
    return object.flatMap { $0.isMap ? $0.mapValue : nil }
  }

  /// True if the values do not determine a type: only nulls, empty arrays, or empty objects.
  var isVague: Bool {
    kindCount == 0 || arrays > 0 && kindCount == 1 && arrays == emptyArrays
      || kindCount == 1 && object?.members.isEmpty ?? false
  }

  /// The number of empty collections.
  var emptyCount: Int {
    emptyArrays + (object.map { $0.emptyCount } ?? 0)
  }

  /// The nested objects; `isPlural` is true for those in a collection.
  var nestedObjects: [(ObjectShape, isPlural: Bool)] {
    guard kindCount == 1 else { return [] }
    if let object {
      guard object.isMap else { return [(object, false)] }
      return object.mapValue?.object.map { [($0, true)] } ?? []
    }
    return element?.object.map { [($0, true)] } ?? []
  }

  /// True if all values of both are of the same kind, and so are the elements of arrays.
  func hasKind(of other: Shape) -> Bool {
    func kinds(_ shape: Shape) -> [Bool] {
      [
        shape.bools > 0, shape.numbers > 0, shape.strings > 0, shape.arrays > 0,
        shape.object != nil,
      ]
    }
    guard kindCount == 1, kinds(self) == kinds(other) else { return false }
    guard let element, let theirs = other.element else { return true }
    return element.hasKind(of: theirs)
  }
}
