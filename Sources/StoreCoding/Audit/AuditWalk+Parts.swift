import JSONText
import ObjectStore

// The parts of a payload.

extension AuditWalk {
  /// Walks the value at a node.
  mutating func node(_ node: PartNode) throws {
    if let part = node.part { return try content(of: part) }
    let offset = decoder.reader.byteOffset
    var found: Set<Int> = []
    func child(_ index: Int?, _ walk: inout AuditWalk) throws {
      guard let index else { return try walk.decoder.reader.skipValue() }
      found.insert(index)
      walk.decoder.reader.skipWhitespace()
      try walk.node(node.children[index])
    }
    switch decoder.reader.kind() {
    case .object:
      try members { walk, key in
        let index = node.keys.index(of: key)
        try child(index < 0 ? nil : index, &walk)
      }
    case .array where node.hasIndices:
      try elements { walk, position in
        try child(node.indices.firstIndex(of: position), &walk)
      }
    case .null:
      try decoder.reader.skipValue()
    default:
      if node.parts[0].isSection {
        mismatch(at: offset, "", nil, .refused, expected: "an object with sections")
        return try decoder.reader.skipValue()
      }
      try decoder.reader.skipValue()
    }
    for (index, child) in node.children.enumerated() where !found.contains(index) {
      guard let part = child.requiredPart else { continue }
      mismatch(
        at: offset, "", nil, .refused,
        expected: "the \(part.isSection ? "section" : "envelope") '\(part.path?.text ?? "")'",
        isAbsent: true)
    }
  }

  private mutating func content(of part: PayloadPart) throws {
    if part.isOptional || part.content.acceptsNull, decoder.reader.kind() == .null {
      return try decoder.reader.skipValue()
    }
    switch part.content {
    case .one(let plan):
      try topObject(plan, isKeyGiven: part.key != nil)
    case .list(let plan):
      try list(part) { try $0.topObject(plan) }
    case .mixed(let classes)
    where classes.acceptsSingleObject && decoder.reader.kind() == .object && !part.entersMembers:
      try taggedObject(classes)
    case .mixed(let classes):
      try list(part) { try $0.taggedObject(classes) }
    case .keys(let plan), .deleted(let plan):
      try list(part) { try $0.keyOrObject(plan) }
    case .keyed(let plan):
      if try skipsEmptyArray() { return }
      guard decoder.reader.kind() == .object else { return try refuseTop(expected: "an object") }
      isInList = true
      try members { walk, name in
        walk.decoder.reader.skipWhitespace()
        walk.checkKey(
          UnsafeRawBufferPointer(name), of: plan, "", plan.keyField?.fullName, walk.topOutcome)
        try walk.topObject(plan, isKeyGiven: true)
      }
      isInList = false
    }
  }

  /// Skips the next value if it is an empty array.
  private mutating func skipsEmptyArray() throws -> Bool {
    guard decoder.reader.kind() == .array else { return false }
    let (offset, depth) = (decoder.reader.byteOffset, decoder.reader.depth)
    guard try decoder.reader.beginArray() else { return true }
    decoder.reader.rewind(to: offset, depth: depth)
    return false
  }

  /// Walks an object whose tag determines its class.
  private mutating func taggedObject(_ classes: TaggedClasses) throws {
    let offset = decoder.reader.byteOffset
    guard decoder.reader.kind() == .object else { return try refuseTop(expected: "an object") }
    tagOffset = text.find(classes.tag.components, from: offset)
    let tag = tagOffset.flatMap { text.index(ofScalarAt: $0, in: classes.tags) }
    if let plan = tag.map({ $0 < 0 ? classes.otherwise : classes.plans[$0] }) ?? classes.otherwise {
      return try topObject(plan)
    }
    mismatch(
      at: tagOffset ?? offset, JSONPath.text(of: classes.tag.components), nil,
      tag == nil ? topOutcome : .skipped, expected: "one of \(classes.quotedTags)",
      isAbsent: tagOffset == nil)
    try decoder.reader.skipValue()
  }

  /// Walks a primary key, or an object that contains it.
  private mutating func keyOrObject(_ plan: CodingPlan) throws {
    let kind = decoder.reader.kind()
    if kind == .object { return try topObject(plan, isIdentifier: true) }
    guard let field = plan.keyField, !plan.hasCompoundKey, kind != .null else {
      return try refuseTop(expected: plan.expectedKeyOrObject)
    }
    try test(field, plan, at: JSONPath.text(of: field.path.components)) { decoder, _ in
      _ = try decoder.scalar(field, isElement: false)
    }
  }
}
