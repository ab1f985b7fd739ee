import TestSupport

@testable import ObjectStore

/// Has an index on every attribute that can be indexed.
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
  /// The slots of the results, in their order, without creating objects.
  var rows: [Int] {
    let slots = slots
    return (0..<slots.count).map { slots[$0] }
  }
}
