import TestSupport

@testable import ObjectStore

/// With an index on whatever can have one.
final class Indexed: AllTypes {
  override class func indexedProperties() -> [String] {
    let properties = (try? ObjectSchema.of(AllTypes.self))?.properties ?? []
    return properties.filter { !$0.isPrimaryKey && $0.indexKey != nil }.map(\.name)
  }

  override class var indexes: [[String]] {
    [
      ["species", "int8"], ["bool", "uint8", "optString", "date"],
      ["optBool", "double", "string", "id"],
      ["optSpecies", "uuid", "optUInt16"], ["string", "metres"],
    ]
  }
}

extension Results {
  /// Where its objects stand, in its order: what results are without making the objects.
  var rows: [Int] {
    let slots = slots
    return (0..<slots.count).map { slots[$0] }
  }
}
