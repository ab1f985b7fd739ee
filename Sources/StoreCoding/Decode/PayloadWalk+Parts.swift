import JSONText
import ObjectStore

// The lists and the keyed objects of a payload.

extension PayloadWalk {
  /// Runs `read` at each element of a list: at the elements of an array or, if the path of the list has a `*`, at the
  /// members of an object.
  @inline(__always)
  mutating func elements(
    of part: PayloadPart, _ read: (inout PayloadWalk, Int) throws -> Void
  ) throws {
    contents[part.index].isList = true
    if objects.reader.kind() == .object { return try members(of: part, read) }
    guard try objects.beginArray() else { return }
    var index = firstIndex ?? 0
    // Without its first elements, the list begins with the separator after them.
    if index > 0 { guard try objects.arrayContinues() else { return } }
    objects.scopes.enterTopElement(objects.configuration.mismatches)
    repeat {
      try objects.checkElementLimit(index)
      try read(&self, index)
      index += 1
    } while try objects.arrayContinues()
  }

  /// Runs `read` at each member of an object; of members with the same name, at the last one.
  @inline(never)
  private mutating func members(
    of part: PayloadPart, _ read: (inout PayloadWalk, Int) throws -> Void
  ) throws {
    let replaced = objects.replacedMembers()
    var replacedNames: Set<[UInt8]> = []
    guard try objects.beginObject() else { return }
    objects.scopes.enterTopElement(objects.configuration.mismatches)
    var count = 0
    repeat {
      try objects.checkElementLimit(count)
      let name = Array(try objects.anyKey().bytes)
      let keyOffset = objects.reader.lastKeyOffset
      if replacedNames.contains(name) { objects.recordDuplicate(name, nil, at: keyOffset) }
      if replaced.contains(keyOffset) {
        replacedNames.insert(name)
        try objects.skip()
        continue
      }
      contents[part.index].names.append(String(decoding: name, as: UTF8.self))
      try read(&self, count)
      count += 1
    } while try objects.objectContinues()
  }

  /// Reads an element of a part with `read`, which returns true if it has completed a row. Otherwise, or if the coder
  /// skips the element because of an error, the batch has no row for it.
  ///
  /// - Parameter didRead: Called for an element that is not skipped.
  @inline(__always)
  mutating func element(
    _ index: Int, of part: PayloadPart,
    _ read: (inout ObjectReader) throws -> Bool,
    didRead: (inout PayloadWalk) -> Void = { _ in }
  ) throws {
    let start = objects.checkpoint()
    var hasRow = false
    do {
      hasRow = try read(&objects)
      if objects.issues.count > start.issueCount {
        objects.issues.label(
          from: start.issueCount, contents[part.index].component(ofElement: index))
      }
      didRead(&self)
    } catch var error as StoreCodingError {
      let component = contents[part.index].component(ofElement: index)
      guard objects.skipsTopElement(error) else {
        error.prepend([component])
        throw error
      }
      try objects.rollBack(start, error, component)
    }
    if hasRow { objects.batch.noteTopRow() } else { objects.batch.noteLeftOutElement() }
  }

  /// Reads an element of a list that contains an object at a path.
  @inline(__always)
  mutating func element(
    _ index: Int, of part: PayloadPart, _ plan: CodingPlan, at path: ArraySlice<JSONPath.Component>
  ) throws {
    try element(index, of: part) { objects in
      if path.isEmpty {
        guard objects.reader.kind() == .object else { throw objects.elementError(plan) }
        _ = try objects.object(.passUnretained(plan), of: nil)
      } else {
        try objects.nestedRow(plan, at: path) { objects in
          guard objects.reader.kind() == .object else { throw objects.elementError(plan) }
          return try objects.object(.passUnretained(plan), of: nil)
        }
      }
      return true
    }
  }

  /// Reads a list of objects.
  mutating func list(_ part: PayloadPart, _ plan: CodingPlan) throws {
    let path = part.elementPath[...]
    try elements(of: part) { try $0.element($1, of: part, plan, at: path) }
  }

  /// Reads a list of primary keys, or of objects.
  mutating func keys(_ part: PayloadPart, _ plan: CodingPlan) throws {
    let path = part.elementPath[...]
    try elements(of: part) { walk, index in
      try walk.element(index, of: part) { objects in
        try objects.nestedRow(plan, at: path) { try $0.keyOrObject(plan) }
        return true
      }
    }
  }

  /// Reads a list of objects of several classes.
  mutating func mixedList(_ part: PayloadPart, _ classes: TaggedClasses) throws {
    let path = part.elementPath[...]
    try elements(of: part) { walk, index in
      var found: (row: BatchRow, plan: CodingPlan)?
      try walk.element(index, of: part) { objects in
        try objects.atElementPath(path, nil) { objects in
          if let found { objects.drop(found.row, found.plan) }
          found = nil
          found = try objects.taggedObject(classes)
        }
        return found != nil
      } didRead: { walk in
        if let found { walk.contents[part.index].plans.append(found.plan) }
      }
    }
  }

  /// Reads a list of primary keys, or of objects that contain them.
  mutating func deletedKeys(_ part: PayloadPart, _ plan: CodingPlan) throws {
    let path = part.elementPath[...]
    try elements(of: part) { walk, index in
      var key: BatchCell?
      try walk.element(index, of: part) { objects in
        try objects.atElementPath(path, nil) { key = try $0.deletedKey(plan) }
        return false
      } didRead: { walk in
        if let key { walk.contents[part.index].deletedKeys.append(key) }
      }
    }
  }

  /// Reads the members of an object as objects whose primary keys are the names of the members.
  mutating func keyedObjects(_ part: PayloadPart, _ plan: CodingPlan) throws {
    contents[part.index].isList = true
    guard try objects.beginObject() else { return }
    objects.scopes.enterTopElement(objects.configuration.mismatches)
    var members: [[UInt8]: (row: BatchRow?, issues: Range<Int>)] = [:]
    var count = 0
    repeat {
      try objects.checkElementLimit(count)
      let name = objects.bytes(try objects.anyKey())
      let keyOffset = objects.reader.lastKeyOffset
      guard name.bytes.count < BatchExport.sizeLimit else {
        throw objects.error(
          .outOfRange, expected: "a name", found: "a value of 16 MiB or more", at: keyOffset)
      }
      let canonical = Array(objects.canonicalName(name, of: plan).bytes)
      if let earlier = members[canonical] {
        objects.issues.remove(earlier.issues)
        try objects.recordDuplicateName(name, at: keyOffset)
        if let row = earlier.row { objects.drop(row, plan) }
      }
      contents[part.index].names.append(String(decoding: name.bytes, as: UTF8.self))
      let issueCount = objects.issues.count
      var row: BatchRow?
      try element(count, of: part) { objects in
        guard objects.reader.kind() == .object else { throw objects.elementError(plan) }
        row = try objects.keyedObject(plan, of: nil, name)
        return true
      }
      members[canonical] = (row, issueCount..<objects.issues.count)
      count += 1
    } while try objects.objectContinues()
  }
}

extension ObjectReader {
  /// Reads an object whose tag determines its class. Returns nil and records an issue if the tag is unknown.
  mutating func taggedObject(
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

  /// Consumes the next value if it is an empty array, which PHP writes for an empty map.
  mutating func takesEmptyArray() throws -> Bool {
    guard reader.kind() == .array else { return false }
    let (start, depth) = (reader.byteOffset, reader.depth)
    guard try beginArray() else { return true }
    reader.rewind(to: start, depth: depth)
    return false
  }

  /// Records the duplicate name of a member, or throws it as an error if the configuration refuses duplicates. The
  /// reader refuses equal names, but UUIDs may differ in case.
  mutating func recordDuplicateName(_ name: BatchCell, at byteOffset: Int) throws {
    if configuration.duplicateKeys == .fail {
      throw duplicate(Array(name.bytes), nil, at: byteOffset)
    }
    recordDuplicate(Array(name.bytes), nil, at: byteOffset)
  }

  /// The offsets of the names of the next object that a later member has again. Empty if the reader refuses these.
  ///
  /// - Complexity: O(*n*) in the length of the object.
  func replacedMembers() -> Set<Int> {
    if configuration.duplicateKeys == .fail { return [] }
    var replaced: Set<Int> = []
    var offsets: [[UInt8]: Int] = [:]
    var probe = JSONReader(input, depthLimit: limits.usedDepth, repairsUnicode: true)
    probe.rewind(to: reader.byteOffset, depth: reader.depth)
    do throws(JSONError) {
      guard try probe.beginObject() else { return [] }
      repeat {
        let name = Array(try probe.key().bytes)
        if let earlier = offsets.updateValue(probe.lastKeyOffset, forKey: name) {
          replaced.insert(earlier)
        }
        try probe.skipValue()
      } while try probe.objectContinues()
    } catch {
      // The object is malformed, and is refused when it is read.
    }
    return replaced
  }

  /// Reads a primary key as an object of which nothing else is known, or reads an object.
  mutating func keyOrObject(_ plan: CodingPlan) throws -> BatchRow {
    if reader.kind() == .object { return try object(.passUnretained(plan), of: nil) }
    let (start, depth) = (reader.byteOffset, reader.depth)
    if reader.kind() != .null, let key = plan.keyField {
      do {
        return try keyRow(plan, key)
      } catch let error as StoreCodingError where error.kind == .typeMismatch {
        reader.rewind(to: start, depth: depth)
      }
    }
    throw shapeError(.typeMismatch, expected: plan.expectedKeyOrObject)
  }

  /// Reads a primary key, or an object that contains it.
  mutating func deletedKey(_ plan: CodingPlan) throws -> BatchCell {
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
