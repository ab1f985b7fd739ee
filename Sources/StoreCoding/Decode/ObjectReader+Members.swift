import JSONText
import ObjectStore

// The decode loop: the members of an object, and the values along dotted paths. The calls to the reader are wrapped
// to convert its errors to coding errors.

extension ObjectReader {
  /// Reads the members of an object into a row and returns the number of known keys.
  ///
  /// - Parameters:
  ///   - isInArray: True for an object in an array along a path, whose attributes have no value if the object lacks them.
  ///   - failure: The strictest failure of a member.
  mutating func members(
    _ node: PlanNode, _ row: BatchRow, _ plan: CodingPlan, isInArray: Bool,
    _ failure: inout Failure?
  ) throws -> Int {
    guard try beginObject() else {
      if isInArray { try assignMissing(node, row, plan) { _ in true } }
      return 0
    }
    let depth = reader.depth
    let steps = node.steps
    let keys = node.keys
    var known = 0
    var predicted = 0
    var seen = SeenKeys()
    var issueCount = issues.count
    var issueRanges: IssueRanges?
    repeat {
      let index = try key(keys, predicted, node)
      if index < 0 {
        // A pointer keeps nothing of the elements of an array.
        if plan.unreadField == nil || isInArray {
          try skipMember()
        } else {
          try unreadMember(of: node)
        }
        continue
      }
      predicted = index + 1
      known += 1
      if !seen.insert(index) {
        replace(node, index, row, &issueRanges)
        issueCount = issues.count
      }
      let start = reader.byteOffset
      do {
        try member(steps + index, row, plan, isInArray: isInArray)
        if issues.count > issueCount {
          issues.label(from: issueCount, .key(node.names[index]))
          issueRanges = issueRanges ?? [:]
          issueRanges?[index] = issueCount..<issues.count
          issueCount = issues.count
        }
      } catch {
        try record(
          prefixed(error, node, index), rank: node.ranks[index], from: start, depth: depth,
          in: &failure)
      }
    } while try objectContinues()
    if isInArray {
      // A copy, because a captured variable would be in memory during the loop.
      let seen = seen
      try assignMissing(node, row, plan) { !seen.contains($0) }
    }
    return known
  }

  @inline(__always)
  private mutating func member(
    _ step: UnsafeMutablePointer<DecodeStep>, _ row: BatchRow, _ plan: CodingPlan, isInArray: Bool
  ) throws {
    let attribute = step.pointee.attribute
    let operation = step.pointee.operation
    if operation == .node || operation == .alias || operation == .constant || reader.peeksNull {
      try unusualMember(step, row, plan, isInArray: isInArray)
      return
    }
    switch operation {
    case .int: row[attribute] = .word(UInt64(bitPattern: try reader.int64()))
    case .string: row[attribute] = try text(try reader.string())
    case .double: row[attribute] = .word(try reader.double().bitPattern)
    case .bool: row[attribute] = .word(try reader.bool() ? 1 : 0)
    case .isoDate:
      row[attribute] = .word(try date(DateText.parseISO8601).bitPattern)
    case .day:
      row[attribute] = .word(try date(DateText.parseDay).bitPattern)
    case .object:
      guard reader.kind() == .object, let field = step.pointee.field,
        let target = field._withUnsafeGuaranteedRef({ $0.linkedPlan })
      else {
        try unusualMember(step, row, plan, isInArray: isInArray)
        return
      }
      row[attribute] = .row(try object(target, of: field))
    case .other, .alias, .node, .constant:
      try unusualMember(step, row, plan, isInArray: isInArray)
    }
  }

  /// Reads nulls, values along dotted paths, and values with special rules.
  @inline(never)
  private mutating func unusualMember(
    _ step: UnsafeMutablePointer<DecodeStep>, _ row: BatchRow, _ plan: CodingPlan, isInArray: Bool
  ) throws {
    if let node = step.pointee.node {
      try node._withUnsafeGuaranteedRef { try nested($0, row, plan, isInArray: isInArray) }
    } else if let alias = step.pointee.alias {
      try alias._withUnsafeGuaranteedRef {
        try self.attribute($0.field, at: $0.rank, row, plan)
      }
    } else if let field = step.pointee.field {
      try field._withUnsafeGuaranteedRef { try member($0, row, plan) }
    } else if let type = plan.resourceType {
      try checkType(type, plan)
    }
  }

  /// Reads the type of a resource, which is the only constant of a class.
  private mutating func checkType(_ type: String, _ plan: CodingPlan) throws {
    let start = reader.byteOffset
    hasType = true
    if reader.kind() == .string, try reader.string().bytes.elementsEqual(type.utf8) { return }
    throw StoreCodingError(
      .typeMismatch, attribute: "\(plan.className).codableShape",
      expected: "the type \(MessageText.clipped(type))", valueAt: start, policy: nil)
  }

  /// Reads a date with the parser of its only format.
  @inline(__always)
  private mutating func date(
    _ parse: (UnsafePointer<UInt8>, Int) -> Moment?
  ) throws(JSONError) -> Double {
    let start = reader.byteOffset
    let text = try reader.string()
    guard let stored = parse(text.start, text.count)?.stored() else {
      reader.rewind(to: start, depth: reader.depth)
      throw JSONError(.notThatType, at: start)
    }
    guard Moment.stored.contains(stored) else {
      reader.rewind(to: start, depth: reader.depth)
      throw JSONError(.outOfRange, at: start)
    }
    return stored
  }

  /// Converts the error and prepends the key to its path.
  @inline(never)
  private func prefixed(_ error: any Error, _ node: PlanNode, _ index: Int) -> any Error {
    var prefixed: StoreCodingError
    switch error {
    case let error as StoreCodingError:
      prefixed = error
    case let error as JSONError:
      if let field = node.members[index].field {
        prefixed = valueError(error, field, isElement: false)
      } else {
        prefixed = syntax(error)
      }
    default:
      return error
    }
    if let field = node.members[index].field { prefixed.resolvePolicy(field) }
    prefixed.prepend(key: node.names[index])
    return prefixed
  }

  /// Reads an object or array along a dotted path, with fields below it.
  private mutating func nested(
    _ node: PlanNode, _ row: BatchRow, _ plan: CodingPlan, isInArray: Bool
  ) throws {
    let kind = reader.kind()
    let start = reader.byteOffset
    var failure: Failure?
    let recordsKinds = plan.aliasCount > 0
    if recordsKinds { openArrays.append(kind == .array) }
    defer { if recordsKinds { openArrays.removeLast() } }
    switch kind {
    case .object:
      // In an object, an index of a pointer is a key.
      if !node.indices.isEmpty, plan.unreadField != nil { hasObjectsInPlaceOfArrays = true }
      _ = try members(node, row, plan, isInArray: isInArray, &failure)
    case .array where !node.indices.isEmpty:
      try refuse(node.objectFields, row, plan)
      if !isInArray { removeUnreadMembers(of: node, .array, plan) }
      try elements(node, row, plan, &failure)
    case _ where try takeNull(or: node.emptyValues):
      // Null applies to all fields below.
      let depth = reader.depth
      if !isInArray { removeUnreadMembers(of: node, .removal, plan) }
      for field in node.fields {
        reader.rewind(to: start, depth: depth)
        do {
          if field.aliases.isEmpty {
            try member(field, row, plan)
          } else {
            try attribute(field, at: AliasState.nullParent, row, plan)
          }
        } catch {
          try record(error, rank: field.attribute, from: start, depth: depth, in: &failure)
        }
      }
    default:
      try refuse(node.objectFields, row, plan)
      try refuse(node.arrayFields, expected: "an array", row, plan)
      try skip()
    }
    if let failure { throw reject(failure, from: start) }
  }

  /// Applies the policies of attributes whose path leads through the next value, which is of another kind.
  private mutating func refuse(
    _ fields: [CodingField], expected: String = "an object", _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    for field in fields where !field.aliases.isEmpty {
      try noteMismatch(of: field, expected: expected, row, plan)
    }
    guard let field = strictestField(of: fields.filter(\.aliases.isEmpty)) else { return }
    let mismatch = self.mismatch(field, expected: expected)
    if !field.skipsBadValue { throw mismatch }
    issues.append(mismatch)
    for field in fields where field.aliases.isEmpty {
      try applyPolicy(mismatch, field, row, plan)
    }
  }

  private mutating func elements(
    _ node: PlanNode, _ row: BatchRow, _ plan: CodingPlan, _ failure: inout Failure?
  ) throws {
    var index = 0
    guard try beginArray() else {
      return try assignMissing(node, row, plan) { node.indices[$0] >= 0 }
    }
    let depth = reader.depth
    repeat {
      if let position = node.indices.firstIndex(of: index) {
        let issueCount = issues.count
        reader.skipWhitespace()
        let start = reader.byteOffset
        do {
          switch node.members[position] {
          case .field(let field):
            try member(field, row, plan)
            if row[field.attribute].state == .null, !writesNull(field, plan) {
              // The null may stand for a position that a body had to fill.
              row.setMissing(.null, of: field.attribute, keepsGiven: true)
            }
          case .alias(let alias): try attribute(alias.field, at: alias.rank, row, plan)
          case .node(let child): try nested(child, row, plan, isInArray: true)
          case .constant: try skip()
          }
          if issues.count > issueCount { issues.label(from: issueCount, .index(index)) }
        } catch var error as StoreCodingError {
          if let field = node.members[position].field { error.resolvePolicy(field) }
          error.prepend(index: index)
          try record(error, rank: node.ranks[position], from: start, depth: depth, in: &failure)
        }
      } else {
        try skip()
      }
      index += 1
    } while try arrayContinues()
    try assignMissing(node, row, plan) { node.indices[$0] >= index }
  }

  /// Assigns the value of each attribute at and below the members of a node that an array of the payload lacks. An array is
  /// a value, so its attributes do not keep those of the array that it replaces. Keys have no substitute, and a body lacks
  /// attributes that are never encoded.
  ///
  /// - Parameter isMissing: Returns true for the index of a member that the payload lacks.
  @inline(never)
  private mutating func assignMissing(
    _ node: PlanNode, _ row: BatchRow, _ plan: CodingPlan, where isMissing: (Int) -> Bool
  ) throws {
    for (index, member) in node.members.enumerated() where isMissing(index) {
      switch member {
      case .node(let child): try assignMissing(child, row, plan) { _ in true }
      case .constant: break
      case .field, .alias:
        guard let field = member.field, !field.isKey, !field.isIgnoredInEncoding else { continue }
        if field.aliases.isEmpty || noteMissing(field) {
          try plan.codingClass.assignMissing(
            field.attribute, to: row, in: batch, keepsGiven: true)
        }
      }
    }
  }

  /// True if a body contains nil as null although it need not fill a position.
  @inline(never)
  private func writesNull(_ field: CodingField, _ plan: CodingPlan) -> Bool {
    if plan.encodeNode == nil {
      // The members of a body record the defaults of the attributes.
      plan.codingClass.evaluating(in: batch) { _ = plan.makeEncodeNode(configuration) }
    }
    return field.writesNil
  }

  // MARK: - Steps of the reader

  @inline(__always)
  mutating func beginObject() throws -> Bool {
    do { return try reader.beginObject() } catch { throw syntax(error) }
  }

  @inline(__always)
  mutating func objectContinues() throws -> Bool {
    do { return try reader.objectContinues() } catch { throw syntax(error) }
  }

  /// Reads the next key and returns its index in `table`, the keys of `node`; -1 for an unknown key.
  @inline(__always)
  mutating func key(
    _ table: JSONKeySet, _ predicted: Int, _ node: PlanNode
  ) throws -> Int {
    do {
      return try reader.key(table, predicted: predicted)
    } catch {
      throw keySyntaxError(error, attribute: node.attribute(ofKey: reader.lastKey))
    }
  }

  /// Reads the next key of a map, a JSON value or an envelope.
  @inline(__always)
  mutating func anyKey(of field: CodingField? = nil) throws -> JSONString {
    do { return try reader.key() } catch { throw keySyntaxError(error, attribute: field?.fullName) }
  }

  @inline(__always)
  mutating func beginArray() throws -> Bool {
    do { return try reader.beginArray() } catch { throw syntax(error) }
  }

  @inline(__always)
  mutating func arrayContinues() throws -> Bool {
    do { return try reader.arrayContinues() } catch { throw syntax(error) }
  }

  /// Skips the value of the last key, which no attribute reads. An error has the key in its path.
  @inline(__always)
  mutating func skipMember() throws {
    let keyOffset = reader.lastKeyOffset
    do { try reader.skipValue() } catch { throw prefixed(error, keyAt: keyOffset) }
  }

  /// Converts the error and prepends the key at an offset to its path.
  @inline(never)
  private func prefixed(_ error: JSONError, keyAt byteOffset: Int) -> any Error {
    let error = syntax(error)
    var probe = JSONReader(input, repairsUnicode: true)
    probe.rewind(to: byteOffset, depth: 0)
    guard let key = try? probe.key() else { return error }
    return StoreCodingError.prefixed(error, .key(String(decoding: key.bytes, as: UTF8.self)))
  }

  mutating func skip() throws {
    do { try reader.skipValue() } catch { throw syntax(error) }
  }

  mutating func consumeNull() throws {
    do { _ = try reader.null() } catch { throw syntax(error) }
  }

  /// Consumes one of the empty values.
  mutating func take(_ empty: EmptyValues, _ field: CodingField?) throws -> Bool {
    let kind = reader.kind()
    let (start, depth) = (reader.byteOffset, reader.depth)
    do {
      if empty.contains(.listed), let field, try isListed(field.nilSpellings, kind) { return true }
      reader.rewind(to: start, depth: depth)
      switch kind {
      case .string where empty.contains(.string): if try reader.string().count == 0 { return true }
      case .bool where empty.contains(.boolean): if try !reader.bool() { return true }
      case .array where empty.contains(.array): if try !reader.beginArray() { return true }
      case .object where empty.contains(.object): if try hasOnlyNulls() { return true }
      default: return false
      }
    } catch {
      throw syntax(error)
    }
    reader.rewind(to: start, depth: depth)
    return false
  }

  /// Consumes a string, number or Boolean, and returns true if it is in a list.
  private mutating func isListed(
    _ spellings: NilSpellings, _ kind: JSONKind
  ) throws(JSONError) -> Bool {
    switch kind {
    case .string: spellings.contains(string: try reader.string().bytes)
    case .number: spellings.contains(number: try reader.numberText())
    case .bool: spellings.contains(try reader.bool())
    case .object, .array, .null, .invalid: false
    }
  }

  /// Consumes an object up to the first member that is not null, and returns true if there is none.
  private mutating func hasOnlyNulls() throws(JSONError) -> Bool {
    guard try reader.beginObject() else { return true }
    repeat {
      _ = try reader.key()
      guard try reader.null() else { return false }
    } while try reader.objectContinues()
    return true
  }

  mutating func finish() throws {
    do { try reader.finish() } catch { throw syntax(error) }
  }
}
