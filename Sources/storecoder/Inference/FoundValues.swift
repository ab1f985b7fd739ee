import ObjectStore

/// Facts about the values of an attribute beyond its type.
struct FoundValues {
  /// The offsets of the first values, and of the first elements of arrays.
  let firstOffsets: FirstOffsets
  let elementOffsets: FirstOffsets
  /// True if there are numbers that a Double cannot represent.
  let hasInexactNumbers: Bool
  /// The attribute declared as a collection in which null and missing values count as empty. Nil if it is not needed.
  var collection: Property?
  /// The attribute before its values became links by key; nil if they did not.
  var plain: Property?

  init(_ shape: Shape) {
    firstOffsets = shape.firstOffsets
    elementOffsets = shape.elements?.firstOffsets ?? FirstOffsets()
    hasInexactNumbers = shape.beyondDouble + (shape.elements?.beyondDouble ?? 0) > 0
  }
}
