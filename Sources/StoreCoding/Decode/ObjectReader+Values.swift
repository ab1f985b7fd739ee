import JSONText
import ObjectStore

// The value of an attribute: a single value, a nested object or a collection.

extension ObjectReader {
  /// Reads the value of an attribute that is not null.
  mutating func value(_ field: CodingField) throws -> BatchCell {
    switch field.form {
    case .scalar:
      return try scalar(field, isElement: false)
    case .link:
      guard let target = field.linkedPlan else { throw mismatch(field) }
      if field.isByKey, reader.kind() != .object {
        return .row(try keyed(target, of: field, isElement: false))
      }
      guard reader.kind() == .object else { throw mismatch(field) }
      let row = try object(target, of: .passUnretained(field))
      if field.isInPlace { row.setInPlace() }
      return .row(row)
    case .list, .set:
      if field.isKeyed {
        guard reader.kind() == .object else { throw mismatch(field) }
        return try map(field)
      }
      guard reader.kind() == .array else {
        if field.acceptsSingleValue { return try singleElement(field) }
        throw mismatch(field)
      }
      return try list(field)
    case .map:
      guard reader.kind() == .object else { throw mismatch(field) }
      return try map(field)
    case .linkingObjects:
      return .absent
    }
  }

  /// Reads the primary key that represents a linked object.
  private mutating func keyed(
    _ target: Unmanaged<CodingPlan>, of field: CodingField, isElement: Bool
  ) throws -> BatchRow {
    let plan = target.takeUnretainedValue()
    guard let key = plan.keyField else { throw mismatch(field, isElement: isElement) }
    let (start, depth) = (reader.byteOffset, reader.depth)
    do {
      return try keyRow(plan, key)
    } catch let error as StoreCodingError where error.kind == .typeMismatch {
      // The link is bad, so the policy of the link applies.
      reader.rewind(to: start, depth: depth)
      throw mismatch(field, isElement: isElement)
    }
  }

  /// Reads a primary key into a row that has no other values.
  mutating func keyRow(_ plan: CodingPlan, _ key: CodingField) throws -> BatchRow {
    let row = batch.makeRow(plan.codingClass.shape)
    row.source = reader.byteOffset
    row[key.attribute] = try scalar(key, isElement: false)
    batch.complete(row)
    return row
  }

  mutating func list(_ field: CodingField) throws -> BatchCell {
    let elementPath = field.hasElementPath ? elementPath(of: field) : []
    let mark = batch.beginElements()
    let listStart = reader.byteOffset
    var failure: Failure?
    guard try beginArray() else { return batch.endElements(mark) }
    var index = 0
    repeat {
      let start = checkpoint()
      do {
        // A statement of its own: evaluating this as an argument of `appendElement` would retain the batch.
        let cell =
          field.hasElementPath ? try nestedElement(field, at: elementPath) : try element(field)
        batch.appendElement(cell)
        if issues.count > start.issueCount { issues.label(from: start.issueCount, .index(index)) }
      } catch var error as StoreCodingError {
        if error.skipsElement(of: field) {
          try rollBack(start, error, .index(index))
        } else {
          error.prepend(index: index)
          // All bad values of one attribute are equally strict.
          guard field.target != nil else { throw error }
          try record(error, rank: index, from: start.byteOffset, depth: start.depth, in: &failure)
        }
      }
      index += 1
    } while try arrayContinues()
    if let failure { throw reject(failure, from: listStart) }
    return batch.endElements(mark)
  }

  /// Reads a value that is not an array as a collection of one element.
  private mutating func singleElement(_ field: CodingField) throws -> BatchCell {
    let elementPath = field.hasElementPath ? elementPath(of: field) : []
    let mark = batch.beginElements()
    let start = checkpoint()
    do {
      let cell =
        field.hasElementPath ? try nestedElement(field, at: elementPath) : try element(field)
      batch.appendElement(cell)
    } catch let error as StoreCodingError where error.skipsElement(of: field) {
      try rollBack(start, error)
    }
    return batch.endElements(mark)
  }

  /// Reads a map, or a keyed list or set.
  mutating func map(_ field: CodingField) throws -> BatchCell {
    let mark = batch.beginElements()
    var keyOffsets: [Int] = []
    var issueRanges: IssueRanges?
    var skipsAny = false
    let mapStart = reader.byteOffset
    var failure: Failure?
    var failedKey: [UInt8] = []
    let keyedPlan = field.hasKeysAsNames ? field.target : nil
    guard try beginObject() else { return batch.endElements(mark) }
    repeat {
      let key = try mapKey(field)
      let start = checkpoint()
      keyOffsets.append(reader.lastKeyOffset)
      let name = if let keyedPlan { canonicalName(key, of: keyedPlan) } else { key }
      batch.appendElement(name)
      do {
        let cell = field.hasKeysAsNames ? try keyedElement(field, key) : try element(field)
        batch.appendElement(cell)
        if issues.count > start.issueCount {
          issues.label(
            from: start.issueCount, .key(String(decoding: key.bytes, as: UTF8.self)))
        }
      } catch var error as StoreCodingError {
        if error.skipsElement(of: field) {
          try rollBack(start, error, .key(String(decoding: key.bytes, as: UTF8.self)))
          // A placeholder until all keys are known: the element may replace an earlier duplicate or be
          // replaced.
          batch.appendElement(name)
          batch.appendElement(.absent)
          skipsAny = true
        } else {
          error.prepend(key: String(decoding: key.bytes, as: UTF8.self))
          guard field.target != nil else { throw error }
          // Among equal failures, the one with the lowest key wins.
          let isLowest = key.bytes.lexicographicallyPrecedes(failedKey)
          let previous = failure
          try record(
            error, rank: isLowest ? -keyOffsets.count : keyOffsets.count, from: start.byteOffset,
            depth: start.depth, in: &failure)
          if failure !== previous { failedKey = Array(key.bytes) }
        }
      }
      if issues.count > start.issueCount {
        issueRanges = issueRanges ?? [:]
        issueRanges?[keyOffsets.count - 1] = start.issueCount..<issues.count
      }
    } while try objectContinues()
    if let failure { throw reject(failure, from: mapStart) }
    let map = batch.endElements(mark)
    var replaced: [Int] = []
    if configuration.duplicateKeys == .fail {
      // The reader refuses equal names, but UUIDs may differ in case.
      if field.hasKeysAsNames, !map.sortPairs(moves: false) {
        try refuseDuplicates(in: map, keyOffsets, field)
      }
    } else if !map.sortPairs(moves: field.form == .map) {
      replaced = recordDuplicates(
        keyOffsets[...], issueRanges, field, key: { Array(map.elements[2 * $0].bytes) })
      // Removes the rows of replaced values.
      for position in replaced { drop(map.elements[2 * position + 1], field) }
    }
    return skipsAny || field.form != .map
      ? pairs(of: map, without: Set(replaced), valuesOnly: field.form != .map) : map
  }

  /// The pairs or values of the map without the given pairs and without pairs whose values were skipped.
  private func pairs(
    of map: BatchCell, without positions: Set<Int>, valuesOnly: Bool
  ) -> BatchCell {
    let mark = batch.beginElements()
    let elements = map.elements
    for position in 0..<elements.count / 2
    where elements[2 * position + 1].state != .absent && !positions.contains(position) {
      if !valuesOnly { batch.appendElement(elements[2 * position]) }
      batch.appendElement(elements[2 * position + 1])
    }
    return batch.endElements(mark)
  }

  private mutating func mapKey(_ field: CodingField) throws -> BatchCell {
    let key = try anyKey(of: field)
    guard key.count < BatchExport.sizeLimit else {
      throw error(
        .outOfRange, attribute: field.fullName, expected: "a key of \(field.shape.name)",
        found: "a value of 16 MiB or more", at: reader.lastKeyOffset)
    }
    return bytes(key)
  }

  mutating func element(_ field: CodingField) throws -> BatchCell {
    if field.isOptional {
      reader.skipWhitespace()
      if try takeNull(or: field.emptyElements, of: field) { return .null }
    } else if reader.kind() == .null {
      if field.coding != nil, field.acceptsNull {
        try consumeNull()
        return jsonNull()
      }
      guard field.scalar == .json, field.linkedPlan == nil else {
        let start = reader.byteOffset
        try consumeNull()
        throw nullError(
          field, "an element of \(field.shape.name) that is not optional", at: start)
      }
    }
    if let target = field.linkedPlan {
      if field.isByKey, reader.kind() != .object {
        return .row(try keyed(target, of: field, isElement: true))
      }
      guard reader.kind() == .object else { throw mismatch(field, isElement: true) }
      return .row(try object(target, of: .passUnretained(field)))
    }
    return try scalar(field, isElement: true)
  }
}
