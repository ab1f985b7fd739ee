import ObjectStore

/// A column of the objects of a class: an attribute, or a path along links such as `customer.name`.
struct QueryColumn {
  /// The name or path as it was given.
  let name: String
  let attribute: Property
  /// The names of the links to the object that has the attribute.
  let links: [String]

  /// - Parameter schemas: The classes of the store.
  /// - Throws: `CommandError` for a path that leads to no attribute, or through more than one object.
  init(_ name: String, of schema: ObjectSchema, in schemas: [ObjectSchema]) throws {
    self.name = name
    // The name of an attribute may contain a dot.
    if let attribute = schema[name] {
      self.attribute = attribute
      links = []
      return
    }
    var parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = parts.removeLast()
    var owner = schema
    for part in parts {
      guard let link = owner[part] else {
        throw CommandError(text: "\(owner.className): \(owner.unknownName(part))")
      }
      guard link.shape.form == .link,
        let target = schemas.first(where: { $0.className == link.objectClassName })
      else {
        throw CommandError(
          text:
            "\(owner.className): '\(part)' is not a link to one object, so '\(name)' is not a column"
        )
      }
      owner = target
    }
    guard let attribute = owner[last] else {
      throw CommandError(text: "\(owner.className): \(owner.unknownName(last))")
    }
    self.attribute = attribute
    links = parts
  }

  /// Returns the columns for names that are separated by commas.
  /// - Throws: `CommandError`.
  static func columns(
    _ names: String, of schema: ObjectSchema, in schemas: [ObjectSchema]
  ) throws -> [QueryColumn] {
    let names = names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw CommandError(text: "'\(name)' is named twice")
    }
    return try names.map { try QueryColumn($0, of: schema, in: schemas) }
  }

  /// True if the values are numbers.
  var isNumeric: Bool {
    attribute.shape.form == .scalar
      && [.int, .float, .double, .decimal].contains(attribute.type)
  }

  /// Creates the column of an attribute.
  init(_ attribute: Property) {
    name = attribute.name
    self.attribute = attribute
    links = []
  }

  /// Returns the object that has the attribute; nil if a link to it is nil.
  func owner(from object: DynamicObject) -> DynamicObject? {
    links.reduce(object) { owner, link in owner?[link] as? DynamicObject }
  }

  /// Returns the value for an object; nil if it, or a link to it, is nil.
  func value(of object: DynamicObject) -> Any? { owner(from: object)?[attribute.name] }
}
