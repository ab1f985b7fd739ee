import JSONText
import ObjectStore

// Payloads with several sections, in any order.

/// The content of a section, as read from a payload.
struct DecodedSection {
  struct Element {
    let row: BatchRow
    let plan: CodingPlan
    /// The index or the name in the section; nil for a section of one object.
    let component: JSONPath.Component?
  }

  var elements: [Element] = []
  /// The keys of the objects to delete.
  var deletedKeys: [BatchCell] = []
  /// The byte range of the section, and of each duplicate that it replaces.
  var ranges: [Range<Int>] = []
}

extension PayloadDecoder {
  /// Reads a payload with the sections of a document.
  ///
  /// - Returns: The content of each section, in the order of their indices.
  mutating func document(_ root: DocumentNode) throws -> [DecodedSection] {
    var sections = Array(repeating: DecodedSection(), count: root.sectionIndices.count)
    try part(root, &sections)
    try finish()
    contentRanges = sections.flatMap(\.ranges).sorted { $0.lowerBound < $1.lowerBound }
    return sections
  }

  /// Reads the value at a node.
  private mutating func part(_ node: DocumentNode, _ sections: inout [DecodedSection]) throws {
    if let section = node.section { return try content(section, &sections[section.index]) }
    switch reader.kind() {
    case .object: try members(node, &sections)
    case .array where node.hasIndices: try elements(node, &sections)
    case .null where node.requiredSection == nil: try consumeNull()
    case let kind:
      let start = reader.byteOffset
      var failure = missingSection(node, found: describeValue(at: start), at: start)
      if kind == .null { failure = failure.advisingOptionalSection }
      // If the value is malformed, throws that error instead.
      try skip()
      throw failure
    }
  }

  private mutating func members(_ node: DocumentNode, _ sections: inout [DecodedSection]) throws {
    let start = reader.byteOffset
    var found = FoundKeys()
    var seen = SeenKeys()
    var issueRanges: IssueRanges = [:]
    var seenCount = 0
    if try beginObject() {
      repeat {
        let key = try anyKey()
        found.append(key)
        let index = node.keys.index(of: key.bytes)
        guard index >= 0 else {
          try skip()
          continue
        }
        if seen.insert(index) {
          seenCount += 1
        } else {
          if let range = issueRanges.removeValue(forKey: index) { issues.remove(range) }
          recordDuplicate(Array(key.bytes), nil, at: reader.lastKeyOffset)
          for section in node.children[index].sectionIndices { discard(&sections[section]) }
        }
        let issueCount = issues.count
        try child(node.children[index], .key(node.names[index]), &sections)
        if issues.count > issueCount { issueRanges[index] = issueCount..<issues.count }
      } while try objectContinues()
    }
    if seenCount < node.children.count {
      for (index, child) in node.children.enumerated()
      where child.requiredSection != nil && seen.insert(index) {
        throw missingSection(child, found: found.text, found.first, at: start)
          .advisingOptionalSection
      }
    }
  }

  private mutating func elements(_ node: DocumentNode, _ sections: inout [DecodedSection]) throws {
    let start = reader.byteOffset
    var count = 0
    if try beginArray() {
      repeat {
        if let child = node.indices.firstIndex(of: count) {
          try self.child(node.children[child], .index(count), &sections)
        } else {
          try skip()
        }
        count += 1
      } while try arrayContinues()
    }
    for (child, index) in zip(node.children, node.indices)
    where child.requiredSection != nil && index.map({ $0 >= count }) ?? true {
      throw missingSection(child, found: "an array of \(count)", at: start)
        .advisingOptionalSection
    }
  }

  private mutating func child(
    _ node: DocumentNode, _ component: JSONPath.Component, _ sections: inout [DecodedSection]
  ) throws {
    let issueCount = issues.count
    do {
      try part(node, &sections)
      if issues.count > issueCount { issues.label(from: issueCount, component) }
    } catch var error as StoreCodingError {
      error.prepend([component])
      throw error
    }
  }

  private func missingSection(
    _ node: DocumentNode, found: String, _ keys: [String] = [], at byteOffset: Int
  ) -> StoreCodingError {
    error(
      .envelopeNotFound(found: keys),
      expected: (node.requiredSection ?? node.firstSection).path?.text,
      found: found, at: byteOffset)
  }

  /// Discards the content of a section that a later duplicate replaces.
  private func discard(_ section: inout DecodedSection) {
    for element in section.elements { drop(element.row, element.plan) }
    section.elements = []
    section.deletedKeys = []
  }

  // MARK: - Sections

  private mutating func content(
    _ section: DocumentNode.Section, _ decoded: inout DecodedSection
  ) throws {
    scopes = SkipScopes()
    let start = reader.byteOffset
    if reader.kind() == .null {
      guard section.isOptional || section.content.acceptsNull else { throw nullError(section) }
      try consumeNull()
    } else {
      switch section.content {
      case .one(let plan):
        guard reader.kind() == .object else { throw topError(.nonDictionaryTopLevelObject) }
        let row = try object(.passUnretained(plan), of: nil)
        decoded.elements.append(.init(row: row, plan: plan, component: nil))
      case .list(let plan):
        try list(section, &decoded) { decoder in
          guard decoder.reader.kind() == .object else { throw decoder.elementError(plan) }
          return (try decoder.object(.passUnretained(plan), of: nil), plan)
        }
      case .mixed(let classes) where classes.acceptsSingleObject && reader.kind() == .object:
        if let (row, plan) = try taggedObject(classes) {
          decoded.elements.append(.init(row: row, plan: plan, component: nil))
        }
      case .mixed(let classes):
        try list(section, &decoded) { try $0.taggedObject(classes) }
      case .keyed(let plan):
        try keyedSection(plan, &decoded)
      case .deleted(let plan):
        try deletedKeys(plan, section, &decoded)
      }
    }
    decoded.ranges.append(start..<reader.byteOffset)
  }

  /// The error for a section that is null and not optional.
  private mutating func nullError(_ section: DocumentNode.Section) -> StoreCodingError {
    let failure = topError(
      section.content.isArray ? .nonArrayTopLevelObject : .nonDictionaryTopLevelObject)
    return failure.kind == .syntax ? failure : failure.advisingOptionalSection
  }

  /// Reads an array of objects; `read` returns nil for an element that is skipped.
  private mutating func list(
    _ section: DocumentNode.Section, _ decoded: inout DecodedSection,
    _ read: (inout PayloadDecoder) throws -> (BatchRow, CodingPlan)?
  ) throws {
    guard reader.kind() == .array else { throw listError(isEnveloped: true) }
    try topElements { decoder, index in
      try decoder.topElement(index) { decoder in
        var element: (row: BatchRow, plan: CodingPlan)?
        try decoder.atElementPath(section.elementPath[...], nil) { decoder in
          if let element { decoder.drop(element.row, element.plan) }
          element = nil
          element = try read(&decoder)
        }
        guard let element else { return }
        decoded.elements.append(
          .init(row: element.row, plan: element.plan, component: .index(index)))
      }
    }
  }

  /// Reads an object whose tag determines its class. Returns nil and records an issue if the tag is unknown.
  private mutating func taggedObject(
    _ classes: TaggedClasses
  ) throws -> (BatchRow, CodingPlan)? {
    guard reader.kind() == .object else {
      throw shapeError(.typeMismatch, expected: "an object")
    }
    let start = reader.byteOffset
    let text = PayloadText(input, configuration, limits)
    let tagOffset = text.find(classes.tag.components, from: start)
    let tag = tagOffset.flatMap { text.index(ofScalarAt: $0, in: classes.tags) }
    if let plan = tag.map({ $0 < 0 ? classes.otherwise : classes.plans[$0] }) ?? classes.otherwise {
      return (try object(.passUnretained(plan), of: nil), plan)
    }
    // If the object is malformed, throws that error instead.
    try skip()
    rejectedRange = start..<reader.byteOffset
    guard let tagOffset else {
      throw error(
        .typeMismatch, expected: "the key '\(classes.tag)'", found: text.keys(at: start).text,
        at: start)
    }
    var failure = StoreCodingError(
      .typeMismatch, attribute: nil,
      expected: MessageText.clipped(
        "one of \(classes.quotedTags)", characterCount: 240, byteCount: 240),
      valueAt: tagOffset, policy: nil)
    failure.prepend(classes.tag.components)
    guard tag != nil else { throw failure }
    issues.append(failure)
    return nil
  }

  /// Reads an object whose members are objects, or an empty array, which PHP writes for an empty map.
  private mutating func keyedSection(_ plan: CodingPlan, _ decoded: inout DecodedSection) throws {
    switch reader.kind() {
    case .object:
      try keyedObjects(plan, &decoded)
    case .array:
      let (start, depth) = (reader.byteOffset, reader.depth)
      guard try beginArray() else { return }
      reader.rewind(to: start, depth: depth)
      throw topError(.nonDictionaryTopLevelObject)
    default:
      throw topError(.nonDictionaryTopLevelObject)
    }
  }

  /// Reads the members of an object as objects whose primary keys are the names of the members.
  private mutating func keyedObjects(_ plan: CodingPlan, _ decoded: inout DecodedSection) throws {
    guard try beginObject() else { return }
    scopes.enterTopElement(configuration.mismatches)
    var positions: [[UInt8]: Int] = [:]
    var elements: [DecodedSection.Element?] = []
    var issueRanges: IssueRanges = [:]
    repeat {
      try checkElementLimit(elements.count)
      let name = bytes(try anyKey())
      let keyOffset = reader.lastKeyOffset
      guard name.bytes.count < BatchExport.sizeLimit else {
        throw error(
          .outOfRange, expected: "a name", found: "a value of 16 MiB or more", at: keyOffset)
      }
      let component = JSONPath.Component.key(String(decoding: name.bytes, as: UTF8.self))
      let comparable = Array(comparableName(name, of: plan).bytes)
      if let earlier = positions.updateValue(elements.count, forKey: comparable) {
        if let range = issueRanges.removeValue(forKey: earlier) { issues.remove(range) }
        try recordDuplicateName(name, at: keyOffset)
        if let element = elements[earlier] { drop(element.row, plan) }
        elements[earlier] = nil
      }
      let start = checkpoint()
      var row: BatchRow?
      do {
        guard reader.kind() == .object else { throw elementError(plan) }
        row = try keyedObject(plan, of: nil, name)
        if issues.count > start.issueCount { issues.label(from: start.issueCount, component) }
      } catch var error as StoreCodingError {
        guard skipsTopElement(error) else {
          error.prepend([component])
          throw error
        }
        try rollBack(start, error, component)
      }
      if issues.count > start.issueCount {
        issueRanges[elements.count] = start.issueCount..<issues.count
      }
      elements.append(row.map { .init(row: $0, plan: plan, component: component) })
    } while try objectContinues()
    decoded.elements = elements.compactMap(\.self)
  }

  /// Records the duplicate name of a member, or throws it as an error if the configuration refuses duplicates. The
  /// reader refuses equal names, but UUIDs may differ in case.
  private mutating func recordDuplicateName(_ name: BatchCell, at byteOffset: Int) throws {
    if configuration.duplicateKeys == .fail {
      throw duplicate(Array(name.bytes), nil, at: byteOffset)
    }
    recordDuplicate(Array(name.bytes), nil, at: byteOffset)
  }

  /// Reads an array of primary keys, or of objects that contain them.
  private mutating func deletedKeys(
    _ plan: CodingPlan, _ section: DocumentNode.Section, _ decoded: inout DecodedSection
  ) throws {
    guard reader.kind() == .array else { throw listError(isEnveloped: true) }
    try topElements { decoder, index in
      try decoder.topElement(index) { decoder in
        var key = BatchCell.absent
        try decoder.atElementPath(section.elementPath[...], nil) { key = try $0.deletedKey(plan) }
        decoded.deletedKeys.append(key)
      }
    }
  }

  private mutating func deletedKey(_ plan: CodingPlan) throws -> BatchCell {
    if reader.kind() == .object {
      let row = try object(.passUnretained(plan), of: nil)
      drop(row, plan)
      return row[plan.keyAttribute]
    }
    guard reader.kind() != .null, !plan.hasCompoundKey, let keyField = plan.keyField else {
      throw shapeError(.typeMismatch, expected: plan.expectedKeyOrObject)
    }
    return try scalar(keyField, isElement: false)
  }
}

extension StoreCodingError {
  /// The error of a section that is absent or null, with the suggestion to make the section optional.
  fileprivate var advisingOptionalSection: StoreCodingError {
    advising("a section that may be absent or null needs '.optional'")
  }
}

extension DocumentNode.Section.Content {
  /// True if the section is an array.
  fileprivate var isArray: Bool {
    switch self {
    case .one, .keyed: false
    case .list, .mixed, .deleted: true
    }
  }
}
