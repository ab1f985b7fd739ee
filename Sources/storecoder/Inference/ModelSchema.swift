import ObjectStore

/// Inferred classes with the types and options that only Swift declarations have. `import` does not use them, because a
/// later file may have other values.
struct ModelSchema {
  let classes: [ObjectSchema]
  /// Types other than those of `classes`, without `?`, by `Class.attribute`.
  private(set) var typeNames: [String: String] = [:]
  private(set) var enums: [ModelEnum] = []

  var root: ObjectSchema { classes[0] }

  /// - Parameter hasEnums: True to declare enums for strings that repeat.
  init(_ inferred: InferredSchema, hasEnums: Bool = false) {
    var typeNames: [String: String] = [:]
    var enums: [ModelEnum] = []
    let keys = Dictionary(
      inferred.classes.map { ($0.className, $0.primaryKeyProperty?.name) },
      uniquingKeysWith: { first, _ in first })
    var takenNames = Set(inferred.classes.map(\.className))
    classes = inferred.classes.map { schema in
      let properties = schema.properties.compactMap { property -> Property? in
        if property.name == inferred.syntheticKey, schema === inferred.root { return nil }
        let fullName = "\(schema.className).\(property.name)"
        guard let owner = inferred.shapes[schema.className], let member = owner[property.name]
        else {
          return property
        }
        var refined = RefinedAttribute(
          property, member, absent: owner.count - member.count,
          path: inferred.wrapperPaths[fullName])
        refined.setAliases { schema[$0] == nil }
        if let target = property.objectClassName {
          refined.setKeyed(by: keys[target] ?? nil)
        } else if !property.isPrimaryKey {
          refined.setType()
          if hasEnums, let found = ModelEnum(refined, in: schema.className, takenNames.contains) {
            takenNames.insert(found.name)
            enums.append(found)
            refined.typeName = found.name
          }
        }
        typeNames[fullName] = refined.typeName
        return refined.property
      }
      return ObjectSchema(schema.className, properties, isEmbedded: schema.isEmbedded)
    }
    self.typeNames = typeNames
    self.enums = enums
  }

  /// Returns the enum of an attribute; nil if its type is not an enum.
  func enumeration(of property: Property, in className: String) -> ModelEnum? {
    guard let name = typeNames["\(className).\(property.name)"] else { return nil }
    return enums.first { $0.name == name }
  }

  /// Returns the type of an attribute as in Swift: `List<Customer>`, `Date?`.
  func typeName(of property: Property, in className: String) -> String {
    guard let name = typeNames["\(className).\(property.name)"] else { return property.shape.name }
    return switch property.shape.form {
    case .list: "List<\(name)>"
    default: property.isOptional ? "\(name)?" : name
    }
  }
}
