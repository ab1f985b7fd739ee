import ObjectStore

/// The classes inferred from the objects of a file.
struct InferredSchema {
  /// The class of the file's objects, followed by the classes that it links to.
  let classes: [ObjectSchema]
  /// The synthetic key attribute of the first class, a hash of an object's content. Nil if a member is the key.
  let syntheticKey: String?
  /// Attributes, as `Class.attribute`, with only nulls or only empty collections or objects: their type is unknown.
  let vague: Set<String>
  /// Further facts about the values of each attribute, by `Class.attribute`.
  let values: [ExactString: FoundValues]
  /// The byte offset in the file of the first object of each class.
  let firstOffsets: [String: Int]
  /// The shape of each class.
  let shapes: [String: ObjectShape]
  /// The pointers to the objects of lists whose elements wrap them, by `Class.attribute`: `/friends/edges/*/node`.
  let wrapperPaths: [String: String]

  var root: ObjectSchema { classes[0] }
}
