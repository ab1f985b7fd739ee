import Foundation
import JSONText
import ObjectStore

/// Builds the plans of a class and of all classes reachable from it, and finds mistakes in their declarations.
struct PlanBuilder {
  let store: Store
  let configuration: CodingConfiguration
  /// The new plans, by schema.
  private(set) var plans: [ObjectIdentifier: CodingPlan] = [:]
  private(set) var mistakes: [String] = []
  /// The class to build a plan for and the classes reachable from it.
  private var schemas: [ObjectSchema] = []

  init(_ store: Store, _ configuration: CodingConfiguration) {
    self.store = store
    self.configuration = configuration
  }

  /// Builds the missing plans of `schemas`; `known` are the coder's plans. Checks all classes and builds no
  /// plan if there are mistakes.
  mutating func build(
    _ schemas: [ObjectSchema], known: [ObjectIdentifier: CodingPlan]
  ) throws {
    self.schemas = schemas
    var drafts: [Draft] = []
    for schema in schemas where known[schema.schemaID] == nil {
      let declarations = schema.currentDeclarations
      mistakes += schema.mistakes(with: declarations).filter { !mistakes.contains($0) }
      drafts.append(draft(schema, declarations))
    }
    checkKeys(of: drafts)
    guard mistakes.isEmpty else { return }
    let classes = try store.codingClasses(drafts.map(\.schema))
    for (draft, codingClass) in zip(drafts, classes) {
      plans[draft.schema.schemaID] = CodingPlan(
        codingClass, draft.declarations, fields: draft.fields, root: draft.root,
        objectEnvelope: draft.objectEnvelope, listEnvelope: draft.listEnvelope,
        resourceType: draft.resourceType)
    }
    let identities = Dictionary(
      schemas.map { ($0.id, $0.schemaID) }, uniquingKeysWith: { first, _ in first })
    for plan in plans.values {
      for field in plan.fields {
        guard let target = field.shape.target.flatMap({ identities[$0] }) else { continue }
        field.target = plans[target] ?? known[target]
      }
    }
  }

  /// Finds links by key and keyed collections of classes without a usable key, and options that exclude each other.
  private mutating func checkKeys(of drafts: [Draft]) {
    for field in drafts.flatMap(\.fields) where field.isByKey || field.isKeyed {
      guard let target = target(of: field.shape) else { continue }
      let option = field.isByKey ? "byKey" : "keyed"
      if field.isByKey || field.hasKeysAsNames, let mistake = target.singleKeyMistake {
        mistakes.append("\(field.fullName): '\(option)' \(mistake)")
      }
      if field.isKeyed, ([field.path] + field.aliases).contains(where: { $0.elementPath != nil }) {
        mistakes.append("\(field.fullName): 'keyed' cannot be combined with a '*' in the path")
      }
      if field.hasKeysAsNames, let key = target.primaryKeyProperty,
        key.options.contains(where: { if case .coding = $0 { true } else { false } })
      {
        mistakes.append(
          "\(field.fullName): 'keyed' cannot be combined with the 'coding' of the primary key "
            + "\(target.className).\(key.name)")
      }
      if field.isKeyed, field.isByKey || field.acceptsSingleValue {
        let other = field.isByKey ? "byKey" : "acceptsSingleValue"
        mistakes.append("\(field.fullName): 'keyed' cannot be combined with '\(other)'")
      }
    }
  }

  func target(of shape: AttributeShape) -> ObjectSchema? {
    shape.target.flatMap { id in schemas.first { $0.id == id } }
  }

  /// A plan whose class is not yet registered with the store.
  private struct Draft {
    let schema: ObjectSchema
    let declarations: ClassDeclarations
    let fields: [CodingField]
    let root: PlanNode
    let objectEnvelope: JSONPath?
    let listEnvelope: JSONPath?
    let resourceType: String?
  }

  private mutating func draft(
    _ schema: ObjectSchema, _ declarations: ClassDeclarations
  ) -> Draft {
    let fields = schema.storedProperties.map { field($0, schema, declarations) }
    for field in fields { mistakes += field.mistakes.map { "\(field.fullName): \($0)" } }
    let read = fields.filter(\.hasPath)
    let root = node(
      read.flatMap { field in
        (0...field.aliases.count).map { Rest(AliasedField(field, rank: $0)) }
      }, schema, constant: declarations.shape.resourceType.map { ("type", $0) }, isRoot: true)
    let shape = declarations.shape
    if shape.resourceType != nil { checkResource(schema, fields) }
    return Draft(
      schema: schema, declarations: declarations, fields: fields, root: root,
      objectEnvelope: envelope(
        declarations.objectEnvelope ?? shape.envelope, "objectEnvelope", schema),
      listEnvelope: envelope(declarations.listEnvelope ?? shape.envelope, "listEnvelope", schema),
      resourceType: shape.resourceType)
  }

  private mutating func envelope(
    _ text: String?, _ declaration: String, _ schema: ObjectSchema
  ) -> JSONPath? {
    guard let text, !text.isEmpty else { return nil }
    return path(
      text, declaredAt: "\(schema.className).\(declaration)", isList: declaration == "listEnvelope")
  }

  /// Parses a declared path; records a mistake and returns nil if it is invalid.
  private mutating func path(
    _ text: String, declaredAt location: String, isList: Bool = false
  ) -> JSONPath? {
    do throws(JSONPath.Mistake) {
      return try JSONPath(checking: text, isList: isList)
    } catch {
      mistakes.append("\(location): \(error.sentence)")
      return nil
    }
  }

  mutating func report(_ mistake: String) { mistakes.append(mistake) }

  // MARK: - Fields

  private mutating func field(
    _ property: Property, _ schema: ObjectSchema, _ declarations: ClassDeclarations
  ) -> CodingField {
    let fullName = "\(schema.className).\(property.name)"
    var options = FieldOptions(property.options)
    if declarations.shape.resourceType != nil { adapt(&options, of: property, fullName) }
    if options.raw == nil, declarations.rawNames[ExactString(property.name)] != nil {
      options.raw = .minified
    }
    let keyShape = options.isByKey ? target(of: property.shape)?.primaryKeyProperty?.shape : nil
    let keepsEmptyText = (keyShape ?? property.shape).keepsEmptyText
    if let scalar = property.shape.scalar, scalar.kind == .json, scalar.coded == nil,
      property.shape.isCollection, property.isOptional
    {
      mistakes.append(
        "\(fullName): a null element is a JSON value, not nil; write "
          + property.shape.name.replacing("?", with: ""))
    }
    let isDeclared =
      property.declaredKey != nil || declarations.keys[ExactString(property.name)] != nil
      || declarations.rawNames[ExactString(property.name)] != nil || !options.aliases.isEmpty
    if options.isUnread, isDeclared {
      mistakes.append("\(fullName): an attribute for unread keys has no JSON key")
    } else if options.isLocal, isDeclared {
      let kind = property.options.contains(.placeholder) ? "placeholder" : "local"
      mistakes.append("\(fullName): a \(kind) attribute has no JSON key")
    }
    if options.isLocal {
      if schema.isEmbedded {
        mistakes.append(
          "\(fullName): a local attribute would be lost, because a decoded embedded object replaces "
            + "the old one; declare it in the class that owns the object")
      }
    }
    let (path, declaredBy) = path(property, declarations, fullName)
    let aliases = options.aliases.compactMap {
      let path = self.path(of: property, $0, declaredAt: "\(fullName).aliases")
      return $0.hasPrefix("/") ? path : path?.inside(surroundings(of: property, declarations.shape))
    }
    let isSynthesized =
      property.isPrimaryKey && !schema.keyParts.isEmpty && property.declaredKey == nil
      && declarations.keys[ExactString(property.name)] == nil
    if isSynthesized, !aliases.isEmpty {
      mistakes.append("\(fullName): a key that is made of other attributes has no aliases")
    }
    return CodingField(
      property, of: schema, path: path, aliases: isSynthesized ? [] : aliases,
      declaredBy: isSynthesized ? "\(declarations.compoundKeyClass).compoundKey" : declaredBy,
      dates: property.shape.scalar?.kind == .date ? codecs(options.dates, fullName) : [],
      options,
      readsEmptyText: keepsEmptyText,
      linksToKeys: target(of: property.shape)?.primaryKeyProperty != nil, configuration,
      isIgnoredInEncoding: declarations.ignoredNames[ExactString(property.name)] != nil,
      isSynthesized: isSynthesized)
  }

  /// The date formats of an attribute, or the coder's if nil. A mistake in the coder's formats is reported
  /// once.
  private mutating func codecs(_ declared: [DateFormat]?, _ fullName: String) -> [DateCodec] {
    let formats = declared ?? configuration.dates
    let location = declared == nil ? "the coder's dates" : fullName
    if formats.isEmpty { mistakes.append("\(fullName): no date format is given") }
    return formats.compactMap { format in
      if let codec = DateCodec(format) { return codec }
      if let timeZone = format.timeZone, TimeZone(identifier: timeZone) == nil {
        mistakes.append("\(location): '\(timeZone)' is not a known time zone")
        return nil
      }
      guard case .pattern(let pattern) = format.kind else { return nil }
      let reason = DateText.Pattern.mistake(in: pattern, hasTimeZone: format.timeZone != nil)
      let mistake =
        "\(location): '\(format.name)' is not a supported date pattern"
        + (reason.map { "; \($0)" } ?? "")
      if !mistakes.contains(mistake) { mistakes.append(mistake) }
      return nil
    }
  }

  private mutating func path(
    _ property: Property, _ declarations: ClassDeclarations, _ fullName: String
  ) -> (JSONPath, String) {
    let (text, declaredBy): (String, String)
    if let declared = property.declaredKey {
      (text, declaredBy) = (declared, "@Persisted")
    } else if let declared = declarations.keys[ExactString(property.name)] {
      (text, declaredBy) = (declared.text, "\(declared.className).codableKeys")
    } else {
      let path = JSONPath(key: configuration.keys.rule.key(property.name))
      return (path.inside(surroundings(of: property, declarations.shape)), configuration.keys.name)
    }
    guard let path = path(of: property, text, declaredAt: fullName) else {
      return (JSONPath(key: property.name), "name")
    }
    return (
      text.hasPrefix("/") ? path : path.inside(surroundings(of: property, declarations.shape)),
      declaredBy
    )
  }

  /// Parses a path of an attribute; records a mistake and returns nil if it is invalid.
  private mutating func path(
    of property: Property, _ text: String, declaredAt location: String
  ) -> JSONPath? {
    guard let path = path(text, declaredAt: location, isList: property.shape.isArray) else {
      return nil
    }
    if path.components.isEmpty {
      mistakes.append("\(location): '\(path)' needs a key before the '*'")
      return nil
    }
    return path.inObject
  }

  // MARK: - Nodes

  /// A path of an attribute, below the node that is being built.
  private struct Rest {
    let rest: ArraySlice<JSONPath.Component>
    let alias: AliasedField

    init(_ alias: AliasedField, from index: Int = 0) {
      self.alias = alias
      rest = alias.path.components[index...]
    }

    var field: CodingField { alias.field }
    var path: JSONPath { alias.path }
    var below: Rest { Rest(alias, from: rest.startIndex + 1) }
  }

  private mutating func node(
    _ fields: [Rest], _ schema: ObjectSchema, constant: (name: String, value: String)? = nil,
    isRoot: Bool = false
  ) -> PlanNode {
    // An index in a pointer is also a key: `/a/0` and `a.0` are the same location.
    let (order, groups) = fields.groupedByKey { $0.rest.first?.key }
    // Aliases are not encoded, so they may be found in an array as well as in an object.
    if !isRoot { checkShape(fields.filter { $0.alias.rank == 0 }, schema) }
    let children = zip(order, groups).map { key, group -> (JSONPath.Component, PlanNode.Member) in
      let component = group.first?.rest.first ?? .key(key)
      let leaves = group.filter { $0.rest.count == 1 }.map(\.alias)
      let below = group.filter { $0.rest.count > 1 }
      if leaves.count > 1 {
        let isOneAttribute = leaves.allSatisfy { $0.field === leaves[0].field }
        mistakes.append(
          isOneAttribute
            ? "\(leaves[0].field.fullName): the alias '\(leaves[1].path)' repeats a path"
            : "\(schema.className): the attributes "
              + (leaves.allSatisfy { $0.path.text == leaves[0].path.text }
                ? "\(quoted(leaves)) have the same key '\(leaves[0].path)'"
                : "\(withPaths(leaves)) have equivalent paths"))
      }
      if let leaf = leaves.first, !below.isEmpty {
        mistakes.append(
          "\(schema.className): the key '\(leaf.path)' of '\(leaf.field.name)' is the beginning of "
            + "the path of \(quoted(below.map(\.alias)))")
      }
      if let leaf = leaves.first {
        return (component, leaf.rank == 0 ? .field(leaf.field) : .alias(leaf))
      }
      return (component, .node(node(below.map(\.below), schema)))
    }
    let planNode = PlanNode(
      (constant.map { [(component: .key($0.name), member: .constant($0.value))] } ?? [])
        + children.map { (component: $0.0, member: $0.1) })
    if !isRoot { checkHoles(planNode) }
    return planNode
  }

  /// Finds path prefixes that are used both as an array and as an object, which cannot be encoded.
  private mutating func checkShape(_ fields: [Rest], _ schema: ObjectSchema) {
    guard let numbered = fields.first(where: { $0.rest.first?.index != nil }),
      let keyed = fields.first(where: {
        $0.rest.first?.index == nil
          && ($0.rest.first?.key != numbered.rest.first?.key || $0.rest.count > 1)
      })
    else { return }
    mistakes.append(
      "\(schema.className): '\(numbered.field.name)' ('\(numbered.path)') needs an array "
        + "where '\(keyed.field.name)' ('\(keyed.path)') needs an object")
  }

  /// Finds array elements that may be omitted before others. They are encoded as null, which must read back as
  /// an omitted attribute.
  private mutating func checkHoles(_ node: PlanNode) {
    let elements = zip(node.indices, node.members).sorted(byNumber: \.0)
    guard
      let last = elements.last(where: {
        $0.0 >= 0 && $0.1.fields.contains { !$0.isIgnoredInEncoding }
      }),
      let after = last.1.fields.first(where: { !$0.isIgnoredInEncoding })
    else { return }
    for (index, member) in elements where index < last.0 {
      // The null before another attribute must read as an omitted one, also at an alias.
      for alias in member.aliases where alias.field.mayBeOmitted {
        if alias.field.mayBeNullInArray, [.clear, .skip].contains(alias.field.nulls) { continue }
        mistakes.append(
          "\(alias.field.fullName): null would be written at the alias '\(alias.path)' before "
            + "'\(after.name)' ('\(after.path)'); remove the alias, or accept null")
      }
      guard index >= 0, member.fields.allSatisfy(\.mayBeOmitted),
        let field = member.fields.first(where: { !$0.mayBeNullInArray })
      else { continue }
      mistakes.append(
        "\(field.fullName): \(field.isIgnoredInEncoding ? "is not encoded" : "may be omitted"), "
          + "so null would be written at '\(field.path)' before '\(after.name)' ('\(after.path)')")
    }
  }

  /// A list of attributes with paths: `'a' ('/a/0') and 'b' ('a.0')`.
  private func withPaths(_ fields: [AliasedField]) -> String {
    fields.map { "'\($0.field.name)' ('\($0.path)')" }.joined(separator: " and ")
  }

  private func quoted(_ fields: [AliasedField]) -> String {
    fields.map { "'\($0.field.name)'" }.joined(separator: ", ")
  }
}

extension ObjectSchema {
  /// The reason why one JSON value cannot be the key of an object; nil if it can.
  var singleKeyMistake: String? {
    if primaryKeyProperty == nil {
      return "needs a primary key, which \(className) does not have"
    }
    return compoundKey.isEmpty
      ? nil
      : "needs a primary key of one attribute, but that of \(className) is made of "
        + compoundKey.joined(separator: ", ")
  }
}

extension AttributeShape {
  /// True for a list and a set.
  fileprivate var isArray: Bool { form == .list || form == .set }

  /// True if an empty string is an ordinary value.
  fileprivate var keepsEmptyText: Bool {
    switch scalar?.kind {
    case .json, .data: true
    case .string: scalar?.cases == nil
    default: false
    }
  }
}
