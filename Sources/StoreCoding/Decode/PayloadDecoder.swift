import JSONText
import ObjectStore

/// Reads a payload into the rows of a batch. A single pass validates the JSON, looks up keys and writes typed
/// values, without intermediate objects.
///
/// An error gets its path while it propagates: each object prepends its key, each array its index. A payload
/// without errors pays nothing for paths.
struct PayloadDecoder: ~Copyable {
  var reader: JSONReader
  let input: JSONInput
  let batch: RowBatch
  let configuration: CodingConfiguration
  let limits: CodingConfiguration.Limits
  /// The values that were skipped or repaired, in order.
  var issues: IssueLog
  /// The maximum number of arrays and objects open on the current stack.
  var stackDepth: Int
  /// A buffer for the JSON value being read, reused for the next one.
  var json = StoredJSON()
  /// The byte range of the last object or collection that was rejected after being read to its end. It can be
  /// skipped without reading it again.
  var refused = 0..<0
  /// The enclosing scopes of the current object or collection that skip bad values.
  var places = PassingPlaces()
  /// The offsets of the keys of the open JSON objects, outermost first.
  var jsonKeyOffsets: [Int] = []

  init(
    _ input: JSONInput, _ batch: RowBatch, _ configuration: CodingConfiguration,
    _ limits: CodingConfiguration.Limits, issueLimit: Int
  ) {
    self.input = input
    self.batch = batch
    self.configuration = configuration
    self.limits = limits
    issues = IssueLog(limit: issueLimit)
    stackDepth = min(DeepStack.shallowDepth, limits.usedDepth)
    reader = JSONReader(
      input, dialect: configuration.dialect == .strict ? .strict : .default,
      depthLimit: limits.usedDepth,
      repairsUnicode: configuration.invalidUnicode == .repair,
      refusesDuplicateKeys: configuration.duplicateKeys == .fail)
  }

  // MARK: - Objects

  /// Reads an object into a new row.
  ///
  /// - Parameter field: The attribute that holds the object, or nil for a top-level object, which gets a row
  ///   even without a key.
  mutating func object(
    _ plan: Unmanaged<CodingPlan>, of field: Unmanaged<CodingField>?
  ) throws -> BatchRow {
    // The coder owns all plans and their fields, so no reference is counted.
    try plan._withUnsafeGuaranteedRef { try object($0, of: field) }
  }

  private mutating func object(
    _ plan: CodingPlan, of field: Unmanaged<CodingField>?
  ) throws -> BatchRow {
    let row = batch.makeRow(plan.codingClass.shape)
    row.source = reader.byteOffset
    guard reader.depth < stackDepth else { throw tooDeep() }
    let issueCount = issues.count
    do {
      let key = plan.keyAttribute
      var failure: Failure?
      let count = try members(plan.root, row, plan, &failure)
      // The object is skipped, so its key is neither synthesized nor required.
      if let failure { throw refuse(failure, from: row.source) }
      if key >= 0 {
        if count == 0 {
          throw refusal(of: row, .noKeysFound, expected: plan.className)
            .seeking(plan.root.names, of: plan.root.names)
        }
        if row[key].state == .absent || plan.hasCompoundKey {
          try makeKey(of: row, plan)
        }
        guard row[key].state == .value else {
          throw missingKey(of: row, plan.keyField, plan)
        }
        batch.complete(row)
      } else if field == nil {
        row.setInstance()
        batch.complete(row)
      }
      if key >= 0, issues.isKept(from: issueCount) {
        issues.name(from: issueCount, row: plan.keyText(of: row))
      }
      return row
    } catch var error as StoreCodingError {
      if plan.keyField != nil { error.settleKey(plan.keyText(of: row)) }
      // An object without a known key is a bad value of the attribute that holds it.
      if error.kind == .noKeysFound, error.attribute == nil {
        error.attribute = field?.takeUnretainedValue().fullName
      }
      throw error
    }
  }

  /// Sets the row's key if it is compound or has a new value per object (`UUID()`); otherwise leaves it absent.
  /// If the payload also contains the compound key, it must match.
  @inline(never)
  private mutating func makeKey(of row: BatchRow, _ plan: CodingPlan) throws {
    guard plan.hasCompoundKey else {
      return try plan.codingClass.makeKey(plan.keyAttribute, of: row, in: batch)
    }
    for part in plan.keyParts where row[part.attribute].state != .value {
      throw missingKey(of: row, part, plan)
    }
    let schema = plan.codingClass.schema
    guard let made = try? schema.compoundKey(of: row, in: batch) else {
      throw refusal(
        of: row, .outOfRange, attribute: plan.keyField?.fullName,
        expected: plan.keyField?.expected() ?? "", found: "a value of 16 MiB or more")
    }
    let read = row[plan.keyAttribute]
    if read.state == .value, !read.bytes.elementsEqual(made.bytes) {
      throw refusal(
        of: row, .typeMismatch, attribute: plan.keyField?.fullName,
        expected: schema.expectedKey(made),
        found: "String \(KeyDescription.describe(read, .string))")
    }
    row[plan.keyAttribute] = made
  }

  /// The error for an object without its primary key or a part of it.
  @inline(never)
  private mutating func missingKey(
    of row: BatchRow, _ field: CodingField?, _ plan: CodingPlan
  ) -> StoreCodingError {
    refusal(
      of: row, .primaryKeyNotFound, attribute: field?.fullName, expected: field?.path.text ?? ""
    ).seeking(field?.path.components.first.map { [$0.key] } ?? [], of: plan.root.names)
  }

  /// The error for an object that was read to its end.
  @inline(never)
  private mutating func refusal(
    of row: BatchRow, _ kind: StoreCodingError.Kind, attribute: String? = nil, expected: String,
    found: String? = nil
  ) -> StoreCodingError {
    refused = row.source..<reader.byteOffset
    return error(kind, attribute: attribute, expected: expected, found: found, at: row.source)
  }

  /// Reads the members of an object into a row and returns the number of known keys.
  ///
  /// - Parameter failure: The strictest failure of a member.
  private mutating func members(
    _ node: PlanNode, _ row: BatchRow, _ plan: CodingPlan, _ failure: inout Failure?
  ) throws -> Int {
    guard try beginObject() else { return 0 }
    let depth = reader.depth
    let steps = node.steps
    let keys = node.keys
    var known = 0
    var predicted = 0
    var seen = SeenKeys()
    var issueCount = issues.count
    var noted: NotedIssues?
    repeat {
      let index = try key(keys, predicted, node)
      if index < 0 {
        try skip()
        continue
      }
      predicted = index + 1
      known += 1
      if !seen.insert(index) {
        replace(node, index, row, &noted)
        issueCount = issues.count
      }
      let start = reader.byteOffset
      do {
        try member(steps + index, row, plan)
        if issues.count > issueCount {
          issues.label(from: issueCount, .key(node.names[index]))
          noted = noted ?? [:]
          noted?[index] = issueCount..<issues.count
          issueCount = issues.count
        }
      } catch {
        try note(
          placed(error, node, index), rank: index, from: start, depth: depth, in: &failure)
      }
    } while try objectContinues()
    return known
  }

  /// Reads the value of a key.
  @inline(__always)
  private mutating func member(
    _ step: UnsafeMutablePointer<DecodeStep>, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    let attribute = step.pointee.attribute
    let operation = step.pointee.operation
    if operation == .node || reader.peeksNull {
      try unusualMember(step, row, plan)
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
        try unusualMember(step, row, plan)
        return
      }
      row[attribute] = .row(try object(target, of: field))
    case .other, .node: try unusualMember(step, row, plan)
    }
  }

  /// Reads nulls, parts of paths, and values with special rules.
  @inline(never)
  private mutating func unusualMember(
    _ step: UnsafeMutablePointer<DecodeStep>, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    if let node = step.pointee.node {
      try node._withUnsafeGuaranteedRef { try nested($0, row, plan) }
    } else if let field = step.pointee.field {
      try field._withUnsafeGuaranteedRef { try member($0, row, plan) }
    }
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
  private func placed(_ error: any Error, _ node: PlanNode, _ index: Int) -> any Error {
    var placed: StoreCodingError
    switch error {
    case let error as StoreCodingError:
      placed = error
    case let error as JSONError:
      if case .field(let field) = node.members[index] {
        placed = valueError(error, field, isElement: false)
      } else {
        placed = syntax(error)
      }
    default:
      return error
    }
    if case .field(let field) = node.members[index] { placed.settlePolicy(field) }
    placed.prepend(key: node.names[index])
    return placed
  }

  /// Reads the value of a part of a dotted path: an object or array with fields below it.
  private mutating func nested(_ node: PlanNode, _ row: BatchRow, _ plan: CodingPlan) throws {
    let kind = reader.kind()
    let start = reader.byteOffset
    var failure: Failure?
    switch kind {
    case .object:
      // In an object, the number of a pointer is a key.
      _ = try members(node, row, plan, &failure)
    case .array where !node.indices.isEmpty:
      try elements(node, row, plan, &failure)
    case .null:
      // Null applies to all fields below.
      let depth = reader.depth
      for (rank, field) in node.fields.enumerated() {
        reader.rewind(to: start, depth: depth)
        do {
          try member(field, row, plan)
        } catch {
          try note(error, rank: rank, from: start, depth: depth, in: &failure)
        }
      }
    default:
      guard let field = strictestField(node) else { return try skip() }
      let mismatch = self.mismatch(field, expected: node.indices.isEmpty ? "an object" : "an array")
      if !field.passesOver { throw mismatch }
      issues.append(mismatch)
      try skip()
      for field in node.fields { try passOver(mismatch, field, row, plan) }
    }
    if let failure { throw refuse(failure, from: start) }
  }

  private mutating func elements(
    _ node: PlanNode, _ row: BatchRow, _ plan: CodingPlan, _ failure: inout Failure?
  ) throws {
    guard try beginArray() else { return }
    let depth = reader.depth
    var index = 0
    repeat {
      if let place = node.indices.firstIndex(of: index) {
        let issueCount = issues.count
        reader.skipWhitespace()
        let start = reader.byteOffset
        do {
          switch node.members[place] {
          case .field(let field): try member(field, row, plan)
          case .node(let child): try nested(child, row, plan)
          }
          if issues.count > issueCount { issues.label(from: issueCount, .index(index)) }
        } catch var error as StoreCodingError {
          if case .field(let field) = node.members[place] { error.settlePolicy(field) }
          error.prepend(index: index)
          try note(error, rank: place, from: start, depth: depth, in: &failure)
        }
      } else {
        try skip()
      }
      index += 1
    } while try arrayContinues()
  }

  // MARK: - Members

  /// Reads the value of an attribute.
  private mutating func member(
    _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    let start = reader.byteOffset
    if try takeNull(field, orEmpty: !field.shape.isCollection) {
      try null(field, row, plan, at: start)
      return
    }
    if field.mismatches == .throw {
      row[field.attribute] = try placedValue(field)
    } else {
      try lenientMember(field, row, plan)
    }
  }

  /// Reads the value of an attribute, within the scope of its policy for bad values.
  private mutating func placedValue(_ field: CodingField) throws -> BatchCell {
    guard field.decidesInside else { return try value(field) }
    let outer = places
    defer { places = outer }
    places.enter(field)
    return try value(field)
  }

  private mutating func lenientMember(
    _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    let start = checkpoint()
    do {
      row[field.attribute] = try placedValue(field)
    } catch let error as StoreCodingError {
      // A policy declared by an attribute inside the value takes precedence.
      guard error.isMismatch(of: field), error.policy == nil, field.passesOver else { throw error }
      try leaveOut(start, error)
      try passOver(error, field, row, plan)
    }
  }

  /// Continues without the value of an attribute, according to its policy.
  private func passOver(
    _ failure: StoreCodingError, _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    // A key has no substitute: a substitute would identify other objects.
    if field.isKey { throw keyError(field, failure) }
    if field.mismatches == .useDefault { try useDefault(field, row, plan) }
  }

  /// The error for an unusable key. Policies that skip or replace a bad value do not apply to keys.
  func keyError(_ field: CodingField, _ failure: StoreCodingError) -> StoreCodingError {
    let byteOffset = failure.byteOffset ?? reader.byteOffset
    return error(
      .primaryKeyNotFound, attribute: field.fullName, expected: field.path.text,
      found: failure.described(in: PayloadText(input, configuration, limits)).found ?? "null",
      at: byteOffset)
  }

  /// Consumes a null or, if `orEmpty`, an empty string that the field reads as null.
  mutating func takeNull(_ field: CodingField, orEmpty: Bool) throws -> Bool {
    if reader.peeksNull {
      try consumeNull()
      return true
    }
    return try orEmpty && field.emptyIsNull && takeEmptyText()
  }

  /// Applies the null policy of a field to a null that was consumed.
  @inline(never)
  private mutating func null(
    _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan, at start: Int
  ) throws {
    switch field.nulls {
    case .clear:
      if field.isOptional || field.shape.isCollection {
        row[field.attribute] = .null
      } else if field.keepsJSON {
        row[field.attribute] = field.raw == nil ? jsonNull() : batch.text("null")
      } else {
        let failure = nullError(field, "\(field.article) that is not optional", at: start)
        if !field.passesOver { throw failure }
        issues.append(failure)
        try passOver(failure, field, row, plan)
      }
    case .skip, .default:
      if field.isKey { throw keyError(field, nullError(field, nil, at: start)) }
      if field.nulls == .default {
        try useDefault(field, row, plan)
      } else if configuration.nulls == .skip, configuration.mismatches == .skipAttribute {
        issues.append(nullError(field, nil, at: start))
      }
    case .fail:
      var failure = nullError(field, "\(field.article) that refuses it", at: start)
      failure.policy = field.nullRefusalPolicy
      throw failure
    }
  }

  func nullError(
    _ field: CodingField, _ expected: String?, at start: Int
  ) -> StoreCodingError {
    var failure = error(
      .nullForNonOptional, attribute: field.fullName, expected: expected, at: start)
    failure.policy = field.errorPolicy
    return failure
  }

  /// Sets the attribute to its declared default.
  private func useDefault(
    _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    try plan.codingClass.assignDefault(of: field.attribute, to: row, in: batch)
  }
}

extension StoreCodingError {
  /// Sets the policy declared by the enclosing attribute, unless an inner attribute set one.
  fileprivate mutating func settlePolicy(_ field: CodingField) {
    if policy == nil, let declared = field.errorPolicy { policy = declared }
  }

  /// True if the error is about the value of a field, so that a lenient policy may skip the value. A nested
  /// object without known keys is not a valid link.
  func isMismatch(of field: CodingField) -> Bool {
    switch kind {
    case .typeMismatch, .outOfRange, .nullForNonOptional: true
    case .noKeysFound, .primaryKeyNotFound: field.passesForeignObjects
    default: false
    }
  }

  /// True if the JSON is valid, so that the enclosing element can be skipped.
  var isSkippable: Bool {
    switch kind {
    case .syntax, .limitExceeded, .duplicateKey: false
    default: true
    }
  }

  /// True if the field is a collection that skips the element with the error, and no declaration inside the
  /// element prevents this.
  func skipsElement(of field: CodingField) -> Bool {
    field.skipsElements && isSkippable && (policy ?? .skipElement) == .skipElement
  }
}
