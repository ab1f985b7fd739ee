import ObjectStore

// Classes whose objects are resources of JSON:API (version 1.1).

extension PlanBuilder {
  /// Finds mistakes that concern the class of a resource as a whole.
  mutating func checkResource(_ schema: ObjectSchema, _ fields: [CodingField]) {
    for field in fields where field.hasPath && field.path.components.first?.key == "type" {
      report(
        "\(schema.className): the attribute '\(field.name)' has the key 'type', which is that of the "
          + "resource's type")
    }
    if schema.isEmbedded {
      report("\(schema.className).codableShape: an embedded object cannot be a JSON:API resource")
    } else if let mistake = schema.singleKeyMistake {
      report("\(schema.className).codableShape: a JSON:API resource \(mistake)")
    }
  }

  /// Sets the options that the shape of a resource implies, and finds those that contradict it.
  mutating func adapt(_ options: inout FieldOptions, of property: Property, _ fullName: String) {
    if property.isPrimaryKey, property.shape.scalar?.kind.isNumber ?? false {
      // The id of a resource is a string.
      options.stringFractionDigits = options.stringFractionDigits ?? 0
    }
    guard isRelationship(property) else { return }
    options.isByIdentifier = true
    let excluded = [("byKey", options.isByKey), ("keyed", options.keyed != nil)]
    for (name, isDeclared) in excluded where isDeclared {
      report("\(fullName): '\(name)' cannot be combined with the shape of JSON:API")
    }
    if property.shape.form == .map {
      report("\(fullName): a relationship of a JSON:API resource is a link, a list or a set")
    }
    if let target = target(of: property.shape), target.currentDeclarations.shape.resourceType == nil
    {
      report("\(fullName): the class \(target.className) is not a JSON:API resource")
    }
  }

  /// The keys around and below the key of an attribute.
  func surroundings(
    of property: Property, _ shape: CodableShape
  ) -> (before: [String], after: [String]) {
    guard shape.resourceType != nil, !property.isPrimaryKey else { return ([], []) }
    return isRelationship(property) ? (["relationships"], ["data"]) : (["attributes"], [])
  }

  /// True for a link to objects that exist on their own.
  private func isRelationship(_ property: Property) -> Bool {
    target(of: property.shape).map { !$0.isEmbedded } ?? false
  }
}

extension CodableShape {
  /// The envelope of objects and lists, unless the class declares one.
  var envelope: String? { resourceType == nil ? nil : "data" }
}
