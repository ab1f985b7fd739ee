import JSONText
import ObjectStore

/// Reads a payload: descends to its parts, which may be in any order, and reads their objects into the top rows of a
/// batch.
///
///     walk                objects
///     paths, lists  ──▶   one object at a time, with all that is in it
struct PayloadWalk: ~Copyable {
  var objects: ObjectReader
  /// The content of each part so far, by the index of the part.
  var contents: [PartContent] = []
  /// The key of the only object of the payload; nil if the object contains it.
  var givenKey: GivenKey?
  /// True to refuse null in place of an object.
  var refusesNull = false
  /// The index of the first element in the text of a streamed list; nil if the text is a whole payload.
  var firstIndex: Int?
  /// True to end the walk at a list by throwing its ``ListStart``.
  var endsAtList = false

  init(_ objects: consuming ObjectReader) {
    self.objects = objects
  }

  /// Reads a payload with one part.
  mutating func read(_ part: PayloadPart) throws {
    guard part.path == nil else { return try read(PartNode(part)) }
    contents = [PartContent()]
    try content(part)
    try objects.finish()
  }

  /// Reads a payload with the parts at and below a node.
  mutating func read(_ root: PartNode) throws {
    contents = Array(repeating: PartContent(), count: root.parts.count)
    try node(root)
    try objects.finish()
  }

  // MARK: - Locations

  /// Reads the value at a node.
  private mutating func node(_ node: PartNode) throws {
    if let part = node.part { return try content(part) }
    switch objects.reader.kind() {
    case .object: try members(node)
    case .array where node.hasIndices: try elements(node)
    case .null where node.requiredPart == nil: try objects.consumeNull()
    case let kind:
      let start = objects.reader.byteOffset
      let found = objects.describeValue(at: start)
      let failure = missingPart(node, found: found, at: start, isAdvised: kind == .null)
      // If the value is malformed, throws that error instead.
      try objects.skip()
      throw failure
    }
  }

  private mutating func members(_ node: PartNode) throws {
    let start = objects.reader.byteOffset
    var found = FoundKeys()
    var seen = SeenKeys()
    var issueRanges: IssueRanges = [:]
    var seenCount = 0
    if try objects.beginObject() {
      repeat {
        let key = try objects.anyKey()
        found.append(key)
        let index = node.keys.index(of: key.bytes)
        guard index >= 0 else {
          try objects.skip()
          continue
        }
        if seen.insert(index) {
          seenCount += 1
        } else {
          let range = issueRanges.removeValue(forKey: index)
          try replace(node.children[index], Array(key.bytes), range)
        }
        let issueCount = objects.issues.count
        try child(node.children[index], .key(node.names[index]))
        if objects.issues.count > issueCount {
          issueRanges[index] = issueCount..<objects.issues.count
        }
      } while try objects.objectContinues()
    }
    guard seenCount < node.children.count else { return }
    for (index, child) in node.children.enumerated()
    where child.requiredPart != nil && seen.insert(index) {
      throw missingPart(child, found: found.text, found.first, at: start)
    }
  }

  private mutating func elements(_ node: PartNode) throws {
    let start = objects.reader.byteOffset
    var count = 0
    if try objects.beginArray() {
      repeat {
        if let child = node.indices.firstIndex(of: count) {
          try self.child(node.children[child], .index(count))
        } else {
          try objects.skip()
        }
        count += 1
      } while try objects.arrayContinues()
    }
    for (child, index) in zip(node.children, node.indices)
    where child.requiredPart != nil && index.map({ $0 >= count }) ?? true {
      throw missingPart(child, found: "an array of \(count)", at: start)
    }
  }

  private mutating func child(_ node: PartNode, _ component: JSONPath.Component) throws {
    let issueCount = objects.issues.count
    do {
      try self.node(node)
    } catch var error as StoreCodingError {
      error.prepend([component])
      throw error
    } catch var start as ListStart {
      start.path.insert(component, at: 0)
      throw start
    }
    if objects.issues.count > issueCount { objects.issues.label(from: issueCount, component) }
  }

  /// Discards the parts at a node, because a key along their paths occurs again: the last value wins.
  ///
  /// - Parameter issues: The issues of the earlier value.
  private mutating func replace(_ node: PartNode, _ key: [UInt8], _ issues: Range<Int>?) throws {
    if firstIndex != nil {
      // Elements of the earlier value may already be in the store.
      throw objects.keySyntaxError(
        JSONError(.duplicateKey, at: objects.reader.lastKeyOffset), attribute: nil)
    }
    if let issues {
      // Without other parts, the issues are the last ones, and others can be kept in their place.
      if contents.count == 1 {
        objects.issues.removeAll(from: issues.lowerBound)
      } else {
        objects.issues.remove(issues)
      }
    }
    objects.recordDuplicate(key, nil, at: objects.reader.lastKeyOffset)
    for part in node.parts {
      // Without other parts, the rows are removed from the list of top rows as well.
      let elements =
        contents.count == 1 ? [] : contents[part.index].elements(of: part, in: objects.batch)
      for element in elements { objects.drop(element.row, element.plan) }
      contents[part.index].removeAll()
    }
    if contents.count == 1 { objects.batch.dropList() }
  }

  private func missingPart(
    _ node: PartNode, found: String, _ keys: [String] = [], at byteOffset: Int,
    isAdvised: Bool = true
  ) -> StoreCodingError {
    let part = node.requiredPart ?? node.parts[0]
    let failure = objects.error(
      .envelopeNotFound(found: keys), expected: part.path?.text, found: found, at: byteOffset)
    return isAdvised && part.isSection ? failure.advisingOptionalSection : failure
  }

  // MARK: - Parts

  /// Reads the value at the location of a part.
  private mutating func content(_ part: PayloadPart) throws {
    if endsAtList, objects.reader.kind() == .array {
      throw ListStart(byteOffset: objects.reader.byteOffset)
    }
    objects.scopes = SkipScopes()
    objects.clearsAbsent = part.absent == .clear
    let start = objects.reader.byteOffset
    contents[part.index].begin(objects.batch)
    if objects.reader.kind() == .null, part.isOptional || part.content.acceptsNull, !refusesNull {
      try objects.consumeNull()
    } else {
      try objects(of: part)
    }
    contents[part.index].end(start..<objects.reader.byteOffset, objects.batch)
  }

  private mutating func objects(of part: PayloadPart) throws {
    let kind = objects.reader.kind()
    // A stream needs an array.
    let isList = kind == .array || kind == .object && part.entersMembers && !endsAtList
    switch part.content {
    case .one(let plan):
      guard kind == .object else { throw shapeError(of: part) }
      if let givenKey {
        _ = try objects.object(plan, of: nil, key: givenKey)
      } else {
        _ = try objects.object(.passUnretained(plan), of: nil)
      }
      objects.batch.noteTopRow()
    case .list(let plan):
      guard isList else { throw shapeError(of: part) }
      try list(part, plan)
    case .keys(let plan):
      guard isList else { throw shapeError(of: part) }
      try keys(part, plan)
    case .mixed(let classes)
    where classes.acceptsSingleObject && kind == .object && !part.entersMembers:
      if let (_, plan) = try objects.taggedObject(classes) {
        contents[part.index].plans.append(plan)
        objects.batch.noteTopRow()
      }
    case .mixed(let classes):
      guard isList else { throw shapeError(of: part) }
      try mixedList(part, classes)
    case .keyed(let plan):
      guard try kind == .object || objects.takesEmptyArray() else { throw shapeError(of: part) }
      if kind == .object { try keyedObjects(part, plan) }
    case .deleted(let plan):
      guard isList else { throw shapeError(of: part) }
      try deletedKeys(part, plan)
    }
  }

  /// The error for a part whose JSON has another type.
  private mutating func shapeError(of part: PayloadPart) -> StoreCodingError {
    let isNull = objects.reader.kind() == .null
    let isStreamedObject =
      endsAtList && part.entersMembers && objects.reader.kind() == .object
    let failure =
      part.content.isArray
      ? objects.listError(
        expected: endsAtList ? nil : part.expectedList,
        isEnveloped: part.isSection || part.path != nil)
      : objects.topError(.nonDictionaryTopLevelObject)
    if isStreamedObject, failure.kind != .syntax {
      return failure.advising("a stream cannot enter the members of an object")
    }
    let isAdvised = part.isSection && isNull && failure.kind != .syntax
    return isAdvised ? failure.advisingOptionalSection : failure
  }
}

extension StoreCodingError {
  /// The error of a section that is absent or null, with the suggestion to make the section optional.
  fileprivate var advisingOptionalSection: StoreCodingError {
    advising("a section that may be absent or null needs '.optional'")
  }
}
