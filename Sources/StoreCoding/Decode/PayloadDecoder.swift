import JSONText
import ObjectStore

/// Reads a payload into the rows of a batch: one pass that validates, finds the key and writes the
/// typed value; nothing is built that is thrown away.
///
/// An error is built where it happens and gets its path on the way out: each object puts its key,
/// each array its index in front. So a payload without errors pays nothing for paths.
struct PayloadDecoder: ~Copyable {
  var reader: JSONReader
  let input: JSONInput
  let batch: RowBatch
  let configuration: CodingConfiguration
  let limits: CodingConfiguration.Limits
  /// What was skipped or repaired, in order.
  var issues: IssueLog
  /// Arrays and objects that may be open on this stack.
  var stackDepth: Int
  /// The JSON value that is being read; its memory serves the next.
  var json = StoredJSON()
  /// The object or collection that was last refused at its end: it need not be read again to be
  /// passed over.
  var refused = 0..<0
  /// What passes over a bad value of the object or collection that is being read.
  var places = PassingPlaces()
  /// Where the keys of the JSON values that are open begin, outermost first.
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

  /// Reads an object into a row of its own.
  ///
  /// - Parameter field: the attribute it stands in; nil for one the caller asked for, which is a row
  ///   of its own even without a key.
  mutating func object(
    _ plan: Unmanaged<CodingPlan>, of field: Unmanaged<CodingField>?
  ) throws -> BatchRow {
    // The coder keeps all plans, and their fields: no reference is counted.
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
      // It is left out: no key is made for it, and none missed.
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
      // An object without a known key is a bad value of the attribute, and of its owner.
      if error.kind == .noKeysFound, error.attribute == nil {
        error.attribute = field?.takeUnretainedValue().fullName
      }
      throw error
    }
  }

  /// Gives a row its key, which is made of its parts or new for each object (`UUID()`); leaves it absent if it
  /// is neither. A key of parts that the payload has, too, must be the same.
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

  /// The error about an object without its primary key, or a part of it.
  @inline(never)
  private mutating func missingKey(
    of row: BatchRow, _ field: CodingField?, _ plan: CodingPlan
  ) -> StoreCodingError {
    refusal(
      of: row, .primaryKeyNotFound, attribute: field?.fullName, expected: field?.path.text ?? ""
    ).seeking(field?.path.components.first.map { [$0.key] } ?? [], of: plan.root.names)
  }

  /// The error about an object that was read to its end.
  @inline(never)
  private mutating func refusal(
    of row: BatchRow, _ kind: StoreCodingError.Kind, attribute: String? = nil, expected: String,
    found: String? = nil
  ) -> StoreCodingError {
    refused = row.source..<reader.byteOffset
    return error(kind, attribute: attribute, expected: expected, found: found, at: row.source)
  }

  /// Reads the members of an object as a node says; returns how many were known.
  ///
  /// - Parameter failure: the strictest failure of a member.
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

  /// Reads the value of one key.
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

  /// Nulls, parts of paths, and values with a rule of their own.
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

  /// A date of the one format that `parse` reads.
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

  /// The error with its key in front of the path.
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

  /// The value of a part of a dotted path: an object or array with fields below it.
  private mutating func nested(_ node: PlanNode, _ row: BatchRow, _ plan: CodingPlan) throws {
    let kind = reader.kind()
    let start = reader.byteOffset
    var failure: Failure?
    switch kind {
    case .object:
      // A pointer's number names a key where an object stands.
      _ = try members(node, row, plan, &failure)
    case .array where !node.indices.isEmpty:
      try elements(node, row, plan, &failure)
    case .null:
      // Everything below is null.
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

  /// Reads the value of an attribute, which passes over bad values in it as it declares.
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
      // What an attribute inside says of its value wins.
      guard error.isMismatch(of: field), error.policy == nil, field.passesOver else { throw error }
      try leaveOut(start, error)
      try passOver(error, field, row, plan)
    }
  }

  /// Goes on without the value of an attribute, as its policy says.
  private func passOver(
    _ failure: StoreCodingError, _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    // Nothing stands in for a key: what is told apart by it would become one.
    if field.isKey { throw keyError(field, failure) }
    if field.mismatches == .useDefault { try useDefault(field, row, plan) }
  }

  /// The error for a key whose value does not count, though its policy would pass over it, or put another one
  /// in its place.
  func keyError(_ field: CodingField, _ failure: StoreCodingError) -> StoreCodingError {
    let byteOffset = failure.byteOffset ?? reader.byteOffset
    return error(
      .primaryKeyNotFound, attribute: field.fullName, expected: field.path.text,
      found: failure.described(in: PayloadText(input, configuration, limits)).found ?? "null",
      at: byteOffset)
  }

  /// Passes a null, or with `orEmpty` what the field reads as one.
  mutating func takeNull(_ field: CodingField, orEmpty: Bool) throws -> Bool {
    if reader.peeksNull {
      try consumeNull()
      return true
    }
    return try orEmpty && field.emptyIsNull && takeEmptyText()
  }

  /// What a null that was passed does.
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

  /// Gives the attribute its declared default.
  private func useDefault(
    _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    try plan.codingClass.assignDefault(of: field.attribute, to: row, in: batch)
  }
}

extension StoreCodingError {
  /// Notes what the attribute says that it came up in, unless one further in said something.
  fileprivate mutating func settlePolicy(_ field: CodingField) {
    if policy == nil, let declared = field.errorPolicy { policy = declared }
  }

  /// Whether it is about the value of a field: what a lenient policy may pass over. A nested object
  /// of which nothing is known is no value for a link.
  func isMismatch(of field: CodingField) -> Bool {
    switch kind {
    case .typeMismatch, .outOfRange, .nullForNonOptional: true
    case .noKeysFound, .primaryKeyNotFound: field.passesForeignObjects
    default: false
    }
  }

  /// Whether its element may be left out: the text itself is sound.
  var isSkippable: Bool {
    switch kind {
    case .syntax, .limitExceeded, .duplicateKey: false
    default: true
    }
  }

  /// Whether the collection that the field is leaves out the element the error came up in: nothing
  /// inside that element says otherwise.
  func skipsElement(of field: CodingField) -> Bool {
    field.skipsElements && isSkippable && (policy ?? .skipElement) == .skipElement
  }
}
