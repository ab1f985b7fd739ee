extension ObjectSchema {
  /// The suffix of the names of base tables. No class can have such a name.
  static let baseSuffix = ".base"
  /// The suffix of the names of columns with marks.
  static let marksSuffix = ".edit"

  /// The data of the rows of a base table, in the order of ``BaseLayout/Own``.
  private static let baseProperties = [
    Property(".state", .int), Property(".serial", .int), Property(".confirmed", .int),
    Property(".session", .int), Property(".order", .int),
    Property(".rejection", .string, isOptional: true),
    Property(".references", .string, isOptional: true),
  ]

  /// The number of attributes that the base table of a class has if all attributes of the class are tracked.
  static func baseAttributeLimit(of count: Int) -> Int { 2 * count + baseProperties.count }

  /// Returns the indexes of the attributes that payloads contain, except the key: they can be missing from an object.
  ///
  /// - Parameter useDate: The attribute that updates set to the date of use; nil if they set none.
  func payloadAttributes(useDate: String?) -> [Int] {
    storedProperties.indices.filter { index in
      let property = storedProperties[index]
      return !property.isPrimaryKey && !keyParts.contains(index)
        && !property.options.contains(where: \.preventsDecoding)
        && !(useDate.map { property.name.hasSameBytes(as: $0) } ?? false)
    }
  }

  /// True if bodies contain a stored attribute, so that its changes are edits.
  func isEncoded(_ index: Int) -> Bool {
    let property = storedProperties[index]
    return declarations.ignoredNames[ExactString(property.name)] == nil
      && !property.options.contains(where: \.preventsEncoding)
  }

  /// Returns the schema of the class's base table (see ``BaseLayout``): the attributes, which may be null, then the marks
  /// of each tracked attribute, then the data of the row.
  ///
  /// - Parameter tracked: The tracked attributes.
  func baseSchema(tracked: [Int]) -> ObjectSchema {
    let values = storedProperties.map { property in
      var shape = property.shape
      if let kind = shape.scalar?.kind { shape.scalar = ScalarType(kind) }
      return Property(
        property.name, shape, isPrimaryKey: property.isPrimaryKey,
        isOptional: shape.form == .scalar && !property.isPrimaryKey)
    }
    let marks = tracked.map { Property(storedProperties[$0].name + Self.marksSuffix, .int) }
    let name = className + Self.baseSuffix
    return ObjectSchema(
      ClassID(name: name), tableName: tableName + Self.baseSuffix, isEmbedded: false,
      values + marks + Self.baseProperties, ClassDeclarations(), bitCount: bitCount
    ) { _ in ([], []) }
  }
}
