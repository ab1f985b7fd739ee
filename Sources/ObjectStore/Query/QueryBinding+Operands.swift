extension QueryBinding {
  mutating func reader(_ operand: QueryOperand) throws -> OperandReader {
    switch operand {
    case .value:
      throw StoreError(.invalidQuery("expected an attribute, found a value"))
    case .attribute(let attribute):
      return try attributeReader(attribute)
    case .count(let attribute):
      let (collection, _, rest) = try collection(attribute)
      guard rest.isEmpty else { throw throughCollection(attribute) }
      return CountReader(collection, where: nil)
    case .countWhere(let attribute, let node):
      let (collection, scope, rest) = try collection(attribute)
      guard rest.isEmpty else { throw throughCollection(attribute) }
      scopes.append(scope)
      defer { scopes.removeLast() }
      return CountReader(collection, where: try filter(node))
    case .aggregate(let aggregate, let attribute, let names):
      let (collection, scope, rest) = try collection(attribute)
      guard rest.isEmpty else { throw throughCollection(attribute) }
      scopes.append(scope)
      defer { scopes.removeLast() }
      let value = try attributeReader(QueryAttribute(names))
      let isSupported =
        value.family == .number
        || value.family == .date && (aggregate == .min || aggregate == .max)
      guard isSupported else {
        throw StoreError(
          .invalidQuery(
            "\((attribute.names + names).joined(separator: ".")) is \(value.family.name), "
              + "which does not support @\(aggregate.rawValue)"))
      }
      return AggregateReader(aggregate, collection, value)
    case .known(let attribute):
      return try knownReader(attribute)
    }
  }

  private func knownReader(_ attribute: QueryAttribute) throws -> KnownReader {
    guard attribute.json.isEmpty, !attribute.names.isEmpty,
      let start = try scope(attribute.scope).table
    else {
      throw StoreError(
        .invalidQuery(
          "\(text(.attribute(attribute))) is no attribute; @known applies to the attributes of objects"
        ))
    }
    let (path, table, rest) = try follow(attribute, start)
    let (schema, layout) = catalog.table(table)
    let property = try property(rest[0], schema)
    guard rest.count == 1 else { throw throughCollection(attribute) }
    let index = property.column - layout.firstAttribute
    let canBeMissing = property.isStored && catalog.payloadAttributes(table).has(index)
    return KnownReader(path, canBeMissing ? index : nil, layout)
  }

  private func throughCollection(_ attribute: QueryAttribute) -> StoreError {
    StoreError(
      .invalidQuery("\(attribute.names.joined(separator: ".")) passes through a collection"))
  }

  func scope(_ scope: Int) throws -> Scope {
    guard scope < scopes.count else {
      throw StoreError(.invalidQuery("an attribute has no enclosing object"))
    }
    return scopes[scopes.count - 1 - scope]
  }

  private func attributeReader(_ attribute: QueryAttribute) throws -> OperandReader {
    let reader = try wholeReader(attribute)
    if attribute.json.isEmpty { return reader }
    guard reader.family == .json else {
      var whole = attribute
      whole.json = []
      throw StoreError(
        .invalidQuery(
          "\(text(.attribute(whole))) is \(reader.family.name), not JSON: "
            + "\(QueryText.text(attribute.json)) cannot be read"))
    }
    return JSONMemberReader(reader, attribute.json)
  }

  /// Returns a reader of the attribute without the path inside its JSON.
  private func wholeReader(_ attribute: QueryAttribute) throws -> OperandReader {
    switch try scope(attribute.scope) {
    case .value(let kind):
      guard attribute.names.isEmpty else {
        throw StoreError(
          .invalidQuery(
            "\(attribute.names.joined(separator: ".")): an element is \(kind.name), which has no attributes"
          ))
      }
      return ElementReader(scope: attribute.scope, QueryFamily(kind), kind)
    case .row(let table):
      let (path, end, rest) = try follow(attribute, table)
      guard let name = rest.first else { return ObjectReader(path, table: end) }
      let (schema, layout) = catalog.table(end)
      let property = try property(name, schema)
      let fullName = "\(schema.className).\(name)"
      guard rest.count == 1, !property.shape.isCollection, property.isStored else {
        throw StoreError(
          .invalidQuery(
            "\(fullName) is \(property.shape.name); use ANY, ALL or NONE with its elements, "
              + "or @count"))
      }
      let column = layout.columns[property.column]
      if property.shape.form == .link {
        return AttributeReader(path, property.column, column, .link(column.targetTable), nil)
      }
      let kind = property.shape.scalar?.kind ?? .int
      return AttributeReader(path, property.column, column, QueryFamily(kind), kind)
    }
  }

  func property(_ name: String, _ schema: ObjectSchema) throws -> Property {
    if let property = schema[name] { return property }
    throw StoreError(
      .unknownAttribute(
        className: schema.className, name: name,
        suggestion: Suggestion.nearest(to: name, among: schema.properties.map(\.name))))
  }

  /// Follows the links of a path up to its last name or its first collection.
  func follow(
    _ attribute: QueryAttribute, _ table: Int
  ) throws -> (LinkPath, table: Int, rest: [String]) {
    var path = LinkPath(scope: attribute.scope)
    var table = table
    var rest = attribute.names[...]
    while rest.count > 1 {
      let (schema, layout) = catalog.table(table)
      let property = try property(rest[rest.startIndex], schema)
      if property.shape.isCollection || !property.isStored { break }
      guard property.shape.form == .link else {
        throw StoreError(
          .invalidQuery(
            "\(schema.className).\(property.name) is \(property.shape.name), "
              + "which has no attribute '\(rest[rest.startIndex + 1])'"
              + (property.shape.scalar?.kind == .json
                ? "; a member is written \(property.name)['\(rest[rest.startIndex + 1])']" : "")))
      }
      let target = layout.columns[property.column].targetTable
      path.components.append(LinkPath.Component(column: property.column, targetTable: target))
      table = target
      rest.removeFirst()
    }
    return (path, table, Array(rest))
  }

  /// Returns the first collection on a path, the type of its elements, and the names after it.
  func collection(
    _ attribute: QueryAttribute
  ) throws -> (CollectionReader, Scope, rest: [String]) {
    guard attribute.json.isEmpty else {
      throw StoreError(
        .invalidQuery("\(text(.attribute(attribute))) is a value inside JSON, not a collection"))
    }
    guard let start = try scope(attribute.scope).table, !attribute.names.isEmpty else {
      throw StoreError(.invalidQuery("an element that is a value has no collections"))
    }
    let (path, table, rest) = try follow(attribute, start)
    let (schema, layout) = catalog.table(table)
    let property = try property(rest[0], schema)
    let names = Array(rest.dropFirst())
    if property.isStored, property.shape.isCollection {
      let column = layout.columns[property.column]
      let reader = CollectionReader(path, .elements(column: property.column, column))
      guard column.elementKind == .link else {
        return (reader, .value(property.shape.scalar?.kind ?? .int), names)
      }
      return (reader, .row(column.targetTable), names)
    }
    guard !property.isStored, let source = property.shape.target.flatMap(catalog.tableOf),
      let origin = property.originPropertyName
    else {
      throw StoreError(
        .invalidQuery(
          "\(schema.className).\(property.name) is \(property.shape.name), not a collection"))
    }
    let (sourceSchema, sourceLayout) = catalog.table(source)
    let link = try self.property(origin, sourceSchema)
    return (
      CollectionReader(
        path,
        .origins(
          table: source, linkColumn: link.column, sourceLayout.columns[link.column])),
      .row(source), names
    )
  }

  /// Returns the operand for error messages, such as `Animal.owner.name`.
  func text(_ operand: QueryOperand) -> String {
    guard case .attribute(let attribute) = operand, let scope = try? scope(attribute.scope) else {
      return QueryText.text(operand)
    }
    let root = scope.table.map { catalog.table($0).0.className } ?? "element"
    return ([root] + attribute.names).joined(separator: ".") + QueryText.text(attribute.json)
  }
}
