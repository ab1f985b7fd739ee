import JSONText
import ObjectStore

/// The mapping of one class to JSON for one coder, compiled once from the declarations and immutable
/// afterwards.
///
/// Decoding walks a tree of nodes. A node has a table of the keys of one object, and per key either a field (an
/// attribute) or another node (a component of a dotted path that is not its last):
///
///     codableKeys ["city": "address.city", "street": "address.street"]
///
///     root node ── "id"      ▶ field id
///               └─ "address" ▶ node ── "city"   ▶ field city
///                                    └─ "street" ▶ field street
final class CodingPlan {
  private(set) var codingClass: CodingClass
  /// The declarations from which the plan was built.
  let declarations: ClassDeclarations
  let className: String
  /// The fields in declared order, which is also the encoding order unless keys are sorted.
  let fields: [CodingField]
  let root: PlanNode
  let objectEnvelope: JSONPath?
  let listEnvelope: JSONPath?
  /// The type of a JSON:API resource; nil for another class.
  let resourceType: String?
  /// True if the class has neither a type nor an attribute for unread members.
  let hasPlainObjects: Bool
  /// The number of fields with aliases.
  let aliasCount: Int
  /// The field of the primary key, if any.
  let keyField: CodingField?
  /// The index of the primary key's cell in a row, or -1.
  let keyAttribute: Int
  /// The fields of a compound key, in order; empty otherwise.
  let keyParts: [CodingField]
  let hasCompoundKey: Bool
  /// The fields that identify an object: the primary key, or the parts of a compound key; empty without a key.
  let identifyingFields: [CodingField]
  /// The attribute that keeps the members that no attribute reads; nil without one.
  let unreadField: CodingField?
  /// The objects along paths, in which unread members are merged; nil without ``unreadField``.
  let mergedMembers: MergedMembers?
  /// The members in encoding order; nil until an object of the class is encoded.
  private(set) var encodeNode: EncodeNode?
  /// The members of an object that contains only the primary key; nil until one is encoded.
  var keyNode: EncodeNode?
  /// The fields with a path, by their names without the differences between key styles.
  private(set) lazy var similarFields = Dictionary(
    grouping: fields.compactMap { field in
      AttributeLetters(of: field.name).flatMap { field.hasPath ? (letters: $0, field: field) : nil }
    }, by: \.letters
  ).mapValues { $0.map(\.field) }
  /// Cached encode nodes of partial bodies.
  private var partialNodes: [AttributeSelection: EncodeNode] = [:]
  /// The maximum number of nodes in `partialNodes`. A program has few different bodies.
  private static var partialNodeLimit: Int { 64 }

  /// ``encodeNode`` of an earlier coder, valid if the defaults of the class are still the same.
  private var earlierNode: EncodeNode?

  init(
    _ codingClass: CodingClass, _ declarations: ClassDeclarations, fields: [CodingField],
    root: PlanNode,
    objectEnvelope: JSONPath?, listEnvelope: JSONPath?, resourceType: String?
  ) {
    self.resourceType = resourceType
    self.codingClass = codingClass
    self.declarations = declarations
    self.fields = fields
    self.root = root
    self.objectEnvelope = objectEnvelope
    self.listEnvelope = listEnvelope
    let aliased = fields.filter { !$0.aliases.isEmpty }
    for (slot, field) in aliased.enumerated() { field.aliasSlot = slot }
    aliasCount = aliased.count
    className = codingClass.schema.className
    keyField = fields.first { $0.property.isPrimaryKey }
    keyAttribute = keyField?.attribute ?? -1
    keyParts = codingClass.schema.keyParts.map { fields[$0] }
    hasCompoundKey = !keyParts.isEmpty
    unreadField = fields.first(where: \.isUnread)
    hasPlainObjects = unreadField == nil && resourceType == nil
    mergedMembers = unreadField.map {
      MergedMembers(attribute: $0.attribute, root: root.mergedMembers)
    }
    identifyingFields = hasCompoundKey ? keyParts : keyField.map { [$0] } ?? []
  }

  /// The attributes in every body, in declared order.
  private(set) lazy var alwaysEncodedFields: [CodingField] = {
    let names = declarations.alwaysEncodedNames
    return fields.filter { names[ExactString($0.name)] != nil }
  }()

  /// The attributes that share an array with others, in declared order.
  ///
  /// - Requires: ``encodeNode`` exists.
  private(set) lazy var sharingFields: [CodingField] = fields.filter {
    (encodeNode?.attributes(completing: [$0.attribute]).count ?? 0) > 1
  }

  /// Prepares the plan for a new coder over a store that has the class.
  func reuse(for codingClass: CodingClass) {
    self.codingClass = codingClass
    earlierNode = encodeNode ?? earlierNode
    encodeNode = nil
    keyNode = nil
  }

  /// Sets ``encodeNode``, the members of an object in encoding order.
  func makeEncodeNode(_ configuration: CodingConfiguration) -> EncodeNode {
    let encoded = fields.filter { !$0.isIgnoredInEncoding }
    // One new object provides the defaults of all attributes.
    let newObject = codingClass.makeObject()
    var isSame = true
    for field in encoded {
      if field.recordDefault(of: newObject) { isSame = false }
    }
    // A default may have encoded an object of the class meanwhile, so an outdated node must not remain.
    if !isSame { earlierNode = nil }
    if earlierNode == nil { partialNodes.removeAll() }
    let node = earlierNode ?? EncodeNode(encoded, of: self, configuration)
    encodeNode = node
    return node
  }

  /// The members of a body with some of the attributes, in encoding order.
  ///
  /// An array that a pointer with an index leads to is written as a whole, because a shorter array would replace it.
  ///
  /// - Requires: ``encodeNode`` exists.
  /// - Throws: `notEncoded` if a name is not that of an attribute, or the attribute is never encoded.
  func encodeNode(
    of selection: AttributeSelection, _ configuration: CodingConfiguration
  ) throws(StoreCodingError) -> EncodeNode {
    if let known = partialNodes[selection] { return known }
    let missing = Set(
      fields.filter { selection.missingNames.contains($0.name) }.map(\.attribute))
    var named = Set(try encodedFields(named: selection.names).map(\.attribute))
    if selection.includesKey { named.formUnion(identifyingFields.map(\.attribute)) }
    var attributes = named.union(
      alwaysEncodedFields.map(\.attribute).filter { !missing.contains($0) })
    attributes = encodeNode?.attributes(completing: attributes) ?? attributes
    attributes = attributes.filter { named.contains($0) || !missing.contains($0) }
    let node = EncodeNode(
      fields.filter { !$0.isIgnoredInEncoding && attributes.contains($0.attribute) }, of: self,
      configuration)
    if partialNodes.count == Self.partialNodeLimit { partialNodes.removeAll() }
    partialNodes[selection] = node
    return node
  }

  /// Returns the attributes with some names.
  private func encodedFields(named names: [String]) throws(StoreCodingError) -> [CodingField] {
    var found: [CodingField] = []
    for name in names {
      guard let field = fields.first(where: { $0.name.hasSameBytes(as: name) }) else {
        let inverse = codingClass.schema[name]
        if let inverse, inverse.shape.form == .linkingObjects {
          throw StoreCodingError(
            .notEncoded, attribute: "\(className).\(name)",
            expected: "inverse links are never encoded")
        }
        throw StoreCodingError(
          .notEncoded, attribute: className,
          expected: codingClass.schema.unknownName(name))
      }
      if field.isIgnoredInEncoding {
        throw StoreCodingError(
          .notEncoded, attribute: field.fullName, expected: "the attribute is never encoded")
      }
      found.append(field)
    }
    return found
  }

  /// The primary key of a row for error messages, such as `id 7`; nil if it was not read.
  func keyText(of row: BatchRow) -> String? {
    guard !identifyingFields.isEmpty,
      identifyingFields.allSatisfy({ row[$0.attribute].state == .value })
    else { return nil }
    return identifyingFields.map {
      "\($0.path) \(KeyDescription.describe(row[$0.attribute], $0.scalar))"
    }
    .joined(separator: ", ")
  }
}

/// The attributes that a call encodes.
struct AttributeSelection: Hashable {
  /// The names of attributes, in any order.
  let names: [String]
  /// True if the body also contains the primary key.
  let includesKey: Bool
  /// The names of attributes that are left out, unless they are also in ``names``.
  var missingNames: [String] = []
}
