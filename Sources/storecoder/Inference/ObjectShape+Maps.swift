// Distinguishes maps, whose names are data, from instances of a class.

extension ObjectShape {
  /// True if the keys are numbers, or if there are very many names and each object has few of them. If the notation of
  /// values is recorded, also if the names are data in another way.
  func findIsMap() -> Bool {
    if members.isEmpty { return false }
    if members.allSatisfy({ !$0.bytes.isEmpty && $0.bytes.allSatisfy(NameWords.isDigit) }) {
      return true
    }
    if members.count > 500 || names != nil && hasDataAsNames { return true }
    let mean = members.reduce(0) { $0 + $1.count } / max(1, count)
    return members.count > 100 && count > 2 && mean * 10 < members.count
  }

  /// The key of the objects in all members that equals the name of their member; nil if there is none.
  var keyAsName: String? { names?.key(ofEach: members.reduce(0) { $0 + $1.count }) }

  /// True if the names of the members identify the objects in them or look like identifiers, or if the values are alike
  /// and the names look like data or are too many for a class.
  private var hasDataAsNames: Bool {
    let names = members.map(\.bytes)
    if names.allSatisfy(NameWords.isIdentifier) || names.count > 1 && keyAsName != nil {
      return true
    }
    let isLong = names.count > ModelRules.maximumAlikeCount && !isRecord
    return (isLong || DataNames.areData(names, ofValues: hasContainers))
      && Shape.areAlike(members.map(\.shape))
  }

  /// True if a value is an object or an array.
  private var hasContainers: Bool {
    members.contains { $0.shape.object != nil || $0.shape.arrays > 0 }
  }

  /// True if several objects all have the same plain values.
  private var isRecord: Bool {
    count > 2 && !hasContainers && members.allSatisfy { $0.count == count }
  }
}

extension Shape {
  /// True if values are of one kind, and objects, or those in arrays, have at least half of all their members.
  static func areAlike(_ shapes: [Shape]) -> Bool {
    let shapes = shapes.filter { $0.kindCount > 0 }
    guard let first = shapes.first, shapes.allSatisfy({ $0.hasKind(of: first) }) else {
      return false
    }
    let objects = shapes.compactMap { $0.object ?? $0.element?.object }
      .filter { !$0.members.isEmpty }
    if objects.allSatisfy(\.isMap) { return true }
    let names = objects.reduce(into: Set<[UInt8]>()) { $0.formUnion($1.members.lazy.map(\.bytes)) }
    return objects.allSatisfy { $0.members.count * 2 >= names.count }
  }
}
