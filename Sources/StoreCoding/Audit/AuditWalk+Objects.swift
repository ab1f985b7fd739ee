import JSONText
import ObjectStore

// The objects of a payload: their members, and the attributes that they lack.

extension AuditWalk {
  /// Walks an object.
  ///
  /// - Parameters:
  ///   - holder: The attribute that holds the object; nil at the top of the payload.
  ///   - isKeyGiven: True if the object need not contain its key.
  ///   - isIdentifier: True if the object represents another and usually has no attributes except its key.
  mutating func object(
    _ plan: CodingPlan, of holder: CodingField?, isKeyGiven: Bool = false,
    isIdentifier: Bool = false
  ) throws {
    let offset = decoder.reader.byteOffset
    let object = AuditedObject(plan, depth: components.count, attributePaths(of: plan))
    try members(of: plan.root, object, keepsUnread: plan.unreadField != nil)
    for (attribute, found) in object.aliasValues.sorted(byNumber: \.key) {
      guard let skipped = found.skipped else { continue }
      let field = plan.fields[attribute]
      try revisit(skipped) { walk in
        if let expected = found.expected {
          walk.refuse([field], expected: expected, object)
        } else {
          try walk.value(field, rank: found.rank, object)
        }
      }
    }
    noteMissingKey(of: object, holder, isGiven: isKeyGiven, at: offset)
    if let type = plan.resourceType, !object.hasType {
      mismatch(
        at: offset, path, "\(plan.className).codableShape",
        holder?.outcomeOfBadElement ?? topOutcome,
        expected: "the type \(MessageText.clipped(type))", found: "an object without 'type'",
        isAbsent: true)
    }
    for field in plan.fields where field.hasPath && field.form != .linkingObjects {
      if isIdentifier, !field.isKey { continue }
      audit.attributeTable.update(object.ids[field.attribute]) {
        Audit.Attribute(path: object.paths[field.attribute], name: field.fullName)
      } _: {
        $0.objectCount += 1
        $0.valueCount += object.valueCounts[field.attribute]
        $0.nullCount += object.nullCounts[field.attribute]
      }
    }
  }

  /// - Parameter keepsUnread: True if an attribute keeps the members that no attribute reads.
  private mutating func members(
    of node: PlanNode, _ object: AuditedObject, keepsUnread: Bool
  ) throws {
    try members { walk, key in
      object.hasMembers = true
      let index = node.keys.index(of: key)
      if index < 0 {
        if object.plan.unreadField != nil { object.hasKnownKey = true }
        return try walk.unreadKey(of: object, isKept: keepsUnread)
      }
      object.hasKnownKey = true
      walk.decoder.reader.skipWhitespace()
      try walk.member(node.members[index], object, keepsUnread: keepsUnread)
    }
  }

  private mutating func member(
    _ member: PlanNode.Member, _ object: AuditedObject, keepsUnread: Bool
  ) throws {
    switch member {
    case .node(let node):
      try nested(node, object, keepsUnread: keepsUnread)
    case .field(let field):
      if !field.aliases.isEmpty {
        object.aliasValues[field.attribute] = AuditedObject.AliasValue(rank: 0)
      }
      try value(field, rank: 0, object)
    case .alias(let alias):
      try postpone(alias.field, rank: alias.rank, object)
    case .constant(let type):
      object.hasType = true
      try self.type(type, object.plan)
    }
  }

  /// Skips the next value and records it as that of an attribute, unless a value at an earlier path was found.
  private mutating func postpone(
    _ field: CodingField, rank: Int, expected: String? = nil, _ object: AuditedObject
  ) throws {
    let skipped = try skippingValue(from: object.depth)
    let known = object.aliasValues[field.attribute]?.rank ?? .max
    // A value in place of an object along the own path, after a value at that path: a key along it occurs again.
    let isReplaced = known == 0 && rank == AliasState.nullParent
    if rank <= known || isReplaced {
      object.aliasValues[field.attribute] = AuditedObject.AliasValue(
        rank: rank, skipped: skipped, expected: expected)
    }
  }

  /// Walks the type of a JSON:API resource.
  private mutating func type(_ type: String, _ plan: CodingPlan) throws {
    let offset = decoder.reader.byteOffset
    if decoder.reader.kind() == .string,
      try decoder.reader.string().bytes.elementsEqual(type.utf8)
    {
      return
    }
    mismatch(
      at: offset, path, "\(plan.className).codableShape", .refused,
      expected: "the type \(MessageText.clipped(type))")
    decoder.reader.rewind(to: offset, depth: decoder.reader.depth)
    try decoder.reader.skipValue()
  }

  /// Walks a value along a dotted path, with attributes below it.
  private mutating func nested(
    _ node: PlanNode, _ object: AuditedObject, keepsUnread: Bool
  ) throws {
    let (offset, depth) = (decoder.reader.byteOffset, decoder.reader.depth)
    switch decoder.reader.kind() {
    case .object:
      return try members(of: node, object, keepsUnread: keepsUnread)
    case .array where !node.indices.isEmpty:
      try refuse(along: node.objectFields, expected: "an object", object)
      return try elements { walk, index in
        if let position = node.indices.firstIndex(of: index) {
          try walk.member(node.members[position], object, keepsUnread: false)
        } else {
          try walk.unreadElement(of: object)
        }
      }
    case _ where try decoder.takeNull(or: node.emptyValues):
      // Null applies to all attributes below.
      decoder.reader.rewind(to: offset, depth: depth)
      for field in node.fields {
        if field.aliases.isEmpty {
          try value(field, rank: 0, object)
        } else {
          try postpone(field, rank: AliasState.nullParent, object)
        }
        decoder.reader.rewind(to: offset, depth: depth)
      }
    default:
      try refuse(along: node.objectFields, expected: "an object", object)
      try refuse(along: node.arrayFields, expected: "an array", object)
    }
    try decoder.reader.skipValue()
  }

  /// Records that the next value is in place of an object or array along the own paths of attributes.
  private mutating func refuse(
    along fields: [CodingField], expected: String, _ object: AuditedObject
  ) throws {
    let (offset, depth) = (decoder.reader.byteOffset, decoder.reader.depth)
    refuse(fields.filter(\.aliases.isEmpty), expected: expected, object)
    for field in fields where !field.aliases.isEmpty {
      try postpone(field, rank: AliasState.nullParent, expected: expected, object)
      decoder.reader.rewind(to: offset, depth: depth)
    }
  }

  private mutating func refuse(
    _ fields: [CodingField], expected: String, _ object: AuditedObject
  ) {
    for field in fields {
      object.valueCounts[field.attribute] += 1
      mismatch(
        at: decoder.reader.byteOffset, object.paths[field.attribute], field.fullName,
        field.outcomeOfBadValue, expected: expected)
    }
  }

  // MARK: - Unread keys

  /// The maximum size in bytes of a key that a suggestion declares.
  private static var declaredByteCount: Int { 200 }

  /// Records the key of the next value, which no attribute reads, and skips the value.
  private mutating func unreadKey(of object: AuditedObject, isKept: Bool) throws {
    if try isAroundTag() {
      // Only the tag is read, so the other members along its path are unread.
      if decoder.reader.kind() == .object {
        return try members { walk, _ in try walk.unreadKey(of: object, isKept: isKept) }
      }
      return try elements { walk, _ in
        try walk.named(.key("*")) { try $0.unreadKey(of: object, isKept: isKept) }
      }
    }
    let declared = object.plan.declaration(of: components[object.depth...])
    try record(
      object.plan.className, declared.utf8.count <= Self.declaredByteCount ? declared : nil,
      in: isKept ? \.kept : \.unread)
  }

  /// True if the next value contains the value that determines the class of the object.
  private mutating func isAroundTag() throws -> Bool {
    decoder.reader.skipWhitespace()
    let (offset, depth) = (decoder.reader.byteOffset, decoder.reader.depth)
    guard let tagOffset, offset < tagOffset else { return false }
    try decoder.reader.skipValue()
    defer { decoder.reader.rewind(to: offset, depth: depth) }
    return tagOffset < decoder.reader.byteOffset
  }

  /// Records the next element of an array, which no pointer reads, and skips it.
  private mutating func unreadElement(of object: AuditedObject) throws {
    try named(.key("*")) { try $0.record(object.plan.className, nil, in: \.unread) }
  }

  /// Records a key that wraps an element's value and that no attribute reads, and skips its value.
  mutating func unreadKey(around field: CodingField) throws {
    let className = field.fullName.prefix { $0 != "." }
    try record(String(className), nil, in: \.unread)
  }

  /// - Parameter declaredPath: The key as in the option `json:` of an attribute; nil if there is no suggestion for it.
  private mutating func record(
    _ className: String, _ declaredPath: String?,
    in table: WritableKeyPath<Audit, AuditTable<Audit.Key>>
  ) throws {
    decoder.reader.skipWhitespace()
    let offset = decoder.reader.byteOffset
    if offset == tagOffset { return try decoder.reader.skipValue() }
    var elementKinds: [Audit.Kind: Int] = [:]
    let kind = text.auditKind(at: offset)
    if kind == .array {
      try elements { walk, _ in
        elementKinds[walk.text.auditKind(at: walk.decoder.reader.byteOffset), default: 0] += 1
        try walk.decoder.reader.skipValue()
      }
    } else {
      try decoder.reader.skipValue()
    }
    let path = path
    let first = { [text, components] in
      Audit.Key(
        path: path, className: className, declaredPath: declaredPath,
        found: text.describeValue(at: offset),
        first: Audit.Place(at: components, byteOffset: offset))
    }
    audit[keyPath: table].update(Audit.Key.id(path, className, declaredPath), first) { key in
      key.count += 1
      key.kinds[kind, default: 0] += 1
      key.elementKinds.merge(elementKinds, uniquingKeysWith: +)
    }
  }

  // MARK: - Primary keys

  /// Records an object without a key that belongs to its class, and one without its primary key or a part of it.
  private mutating func noteMissingKey(
    of object: AuditedObject, _ holder: CodingField?, isGiven: Bool, at offset: Int
  ) {
    let plan = object.plan
    let outcome =
      holder.map { $0.skipsForeignObjects ? $0.outcomeOfBadElement : .refused } ?? topOutcome
    var missing = isGiven ? [] : plan.identifyingFields
    var expected = "a primary key"
    if let field = plan.keyField, !object.hasKnownKey, !isGiven || object.hasMembers {
      missing = [field]
      expected = "a key of \(plan.className)"
    } else if !plan.hasCompoundKey, !missing.isEmpty, object.valueCounts[missing[0].attribute] == 0,
      makesKey(plan)
    {
      return
    }
    for field in missing where object.valueCounts[field.attribute] == 0 {
      mismatch(
        at: offset, object.paths[field.attribute], field.fullName, outcome, expected: expected,
        found: "an object without it", isAbsent: true)
    }
  }

  /// True if objects of the class get a new primary key, such as `UUID()`.
  private func makesKey(_ plan: CodingPlan) -> Bool {
    let rowCount = decoder.batch.rowCount
    defer { decoder.batch.truncate(toRowCount: rowCount) }
    let row = decoder.batch.makeRow(plan.codingClass.shape)
    let batch = decoder.batch
    try? DeepStack.onCaller {
      try plan.codingClass.makeKey(plan.keyAttribute, of: row, in: batch)
    }
    return row[plan.keyAttribute].state == .value
  }
}

extension CodingPlan {
  /// The path of a key in an object as in the option `json:`: dotted if possible, otherwise a pointer.
  fileprivate func declaration(of path: ArraySlice<JSONPath.Component>) -> String {
    var dotted = path
    if resourceType != nil {
      // Dotted paths of a JSON:API resource begin at its attributes.
      dotted = path.first == .key("attributes") ? path.dropFirst() : []
    }
    let isDotted = dotted.allSatisfy {
      $0.index == nil && !$0.key.isEmpty && !$0.key.contains(".")
    }
    if isDotted, let first = dotted.first, !first.key.hasPrefix("/") {
      return dotted.map(\.key).joined(separator: ".")
    }
    return path.map {
      "/" + $0.key.replacing("~", with: "~0").replacing("/", with: "~1")
    }.joined()
  }
}
