import TestSupport

@testable import ObjectStore

/// With an index on whatever can have one.
final class Indexed: AllTypes {
  override class func indexedProperties() -> [String] {
    let properties = (try? ObjectSchema.of(AllTypes.self))?.properties ?? []
    return properties.filter {
      !$0.isPrimaryKey && $0.shape.form == .scalar && $0.shape.scalar?.kind.canBeIndexed == true
    }.map(\.name)
  }
}

extension Results {
  /// Where its objects stand, in its order: what results are without making the objects.
  var rows: [Int] {
    let slots = slots
    return (0..<slots.count).map { slots[$0] }
  }
}
