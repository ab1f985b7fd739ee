import JSONText
import ObjectStore

/// Reads objects of a payload into the rows of a batch. A single pass validates the JSON, looks up keys and writes typed
/// values, without intermediate objects.
///
/// An error gets its path while it propagates: each object prepends its key, each array its index. A payload
/// without errors pays nothing for paths.
struct ObjectReader: ~Copyable {
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
  var rejectedRange = 0..<0
  /// The enclosing scopes of the current object or collection that skip bad values.
  var scopes = SkipScopes()
  /// The states of the attributes with aliases of all open objects, outermost first.
  var aliasStates: [AliasState] = []
  /// The part of `aliasStates` and `openArrays` that belongs to the current object.
  var aliasScope = AliasScope()
  /// The kinds of the open JSON values along dotted paths: true for an array. Recorded only for objects with aliases.
  var openArrays: [Bool] = []
  /// The keys of open objects that need not contain them, outermost first.
  var givenKeys: [GivenKey] = []
  /// True if the last of `givenKeys` belongs to the next object.
  var isKeyGiven = false
  /// True if the top-level objects are whole, so that absent attributes have no values.
  var clearsAbsent = false
  /// The number of bytes that searches for the values of wrong keys have read.
  var searchedByteCount = 0
  /// The members of the open objects that no attribute reads, for classes that keep them.
  var unreadMembers: [UnreadMember] = []
  /// True if a pointer with an index has found an object in place of an array, for classes that keep unread members.
  var hasObjectsInPlaceOfArrays = false
  /// The number of stored bytes that the comparison of unread members may still skip.
  var skippableByteCount = 0
  /// The index of the first of `unreadMembers` that belongs to the current object.
  var firstUnreadMember = 0
  /// The store, for values that are compared with stored ones; nil without one.
  var store: Store?
  /// The object with the last attribute of a Codable type.
  var codedRow: (row: BatchRow, plan: Unmanaged<CodingPlan>)?
  /// True if the current object, which is a resource, has its type.
  var hasType = false
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
    try plan._withUnsafeGuaranteedRef {
      try $0.hasPlainObjects ? readRow($0, of: field) : readSpecialRow($0, of: field)
    }
  }

  private mutating func readRow(
    _ plan: CodingPlan, of field: Unmanaged<CodingField>?
  ) throws -> BatchRow {
    let row = batch.makeRow(plan.codingClass.shape)
    row.source = reader.byteOffset
    guard reader.depth < stackDepth else { throw tooDeep() }
    let issueCount = issues.count
    let isKeyGiven = isKeyGiven
    self.isKeyGiven = false
    var hasAliases = plan.aliasCount > 0
    let outerAliases = hasAliases ? beginAliases(plan) : AliasScope()
    do {
      let key = plan.keyAttribute
      var failure: Failure?
      let count = try members(plan.root, row, plan, isInArray: false, &failure)
      if hasAliases {
        hasAliases = false
        try endAliases(plan, outerAliases, &failure)
      }
      // The object is skipped, so its key is neither synthesized nor required.
      if let failure { throw reject(failure, from: row.source) }
      if plan.unreadField != nil {
        try keepUnreadMembers(of: row, plan, isWhole: clearsAbsent && field == nil)
      }
      if key >= 0 {
        if count == 0, plan.unreadField == nil || unreadMembers.count == firstUnreadMember,
          !isKeyGiven || !isEmptyObject(at: row.source)
        {
          throw objectError(of: row, .noKeysFound, expected: plan.className)
            .expectingKeys(plan.root.names, of: plan.root.names)
        }
        if isKeyGiven { fillGivenKey(of: row, plan) }
        if row[key].state == .absent || plan.hasCompoundKey {
          try synthesizeKey(of: row, plan)
        }
        guard row[key].state == .value else {
          throw missingKey(of: row, plan.keyField, plan)
        }
        if field == nil { try completeTopRow(row, plan) }
        batch.complete(row)
      } else if field == nil {
        try completeTopRow(row, plan)
        batch.complete(row)
      }
      if key >= 0, issues.isKept(from: issueCount) {
        issues.name(from: issueCount, row: plan.keyText(of: row))
      }
      return row
    } catch var error as StoreCodingError {
      if hasAliases { cancelAliases(outerAliases) }
      if plan.keyField != nil { error.resolveKey(plan.keyText(of: row)) }
      // An object without a known key is a bad value of the attribute that holds it.
      if error.kind == .noKeysFound, error.attribute == nil {
        error.attribute = field?.takeUnretainedValue().fullName
      }
      throw error
    }
  }

  @inline(__always)
  private mutating func completeTopRow(_ row: BatchRow, _ plan: CodingPlan) throws {
    row.setInstance()
    if clearsAbsent { try clearAbsentAttributes(of: row, plan) }
  }

  /// Reads a resource, or an object of a class with an attribute for unread members.
  @inline(never)
  private mutating func readSpecialRow(
    _ plan: CodingPlan, of field: Unmanaged<CodingField>?
  ) throws -> BatchRow {
    let (outer, hadType) = (firstUnreadMember, hasType)
    firstUnreadMember = unreadMembers.count
    hasType = false
    defer {
      endUnreadMembers(outer)
      hasType = hadType
    }
    let row = try readRow(plan, of: field)
    guard let type = plan.resourceType, !hasType else { return row }
    var error = objectError(
      of: row, .typeMismatch, attribute: "\(plan.className).codableShape",
      expected: "the type \(MessageText.clipped(type))", found: "an object without 'type'")
    error.resolveKey(plan.keyText(of: row))
    throw error
  }

  /// True if the object at an offset has no members.
  @inline(never)
  private func isEmptyObject(at byteOffset: Int) -> Bool {
    var probe = JSONReader(input)
    probe.rewind(to: byteOffset, depth: 0)
    return (try? probe.beginObject()) == false
  }

  /// Sets the row's key if it is compound or has a new value per object (`UUID()`); otherwise leaves it absent.
  /// If the payload also contains the compound key, it must match.
  @inline(never)
  private mutating func synthesizeKey(of row: BatchRow, _ plan: CodingPlan) throws {
    guard plan.hasCompoundKey else {
      return try plan.codingClass.makeKey(plan.keyAttribute, of: row, in: batch)
    }
    for part in plan.keyParts where row[part.attribute].state != .value {
      throw missingKey(of: row, part, plan)
    }
    let schema = plan.codingClass.schema
    guard let key = try? schema.compoundKey(of: row, in: batch) else {
      throw objectError(
        of: row, .outOfRange, attribute: plan.keyField?.fullName,
        expected: plan.keyField?.expected() ?? "", found: "a value of 16 MiB or more")
    }
    let read = row[plan.keyAttribute]
    if read.state == .value, !read.bytes.elementsEqual(key.bytes) {
      throw objectError(
        of: row, .typeMismatch, attribute: plan.keyField?.fullName,
        expected: schema.expectedKey(key),
        found: "String \(KeyDescription.describe(read, .string))")
    }
    row[plan.keyAttribute] = key
  }

  /// The error for an object without its primary key or a part of it.
  @inline(never)
  private mutating func missingKey(
    of row: BatchRow, _ field: CodingField?, _ plan: CodingPlan
  ) -> StoreCodingError {
    // A `lid` identifies a resource that has no id yet (JSON:API, section 7.2.2).
    objectError(
      of: row, .primaryKeyNotFound, attribute: field?.fullName, expected: field?.path.text ?? ""
    ).expectingKeys(
      field?.path.components.first.map { [$0.key] } ?? [],
      of: plan.root.names + (plan.resourceType == nil ? [] : ["lid"]))
  }

  /// Returns the error for an object that was read to its end, and records the range of the object.
  @inline(never)
  private mutating func objectError(
    of row: BatchRow, _ kind: StoreCodingError.Kind, attribute: String? = nil, expected: String,
    found: String? = nil
  ) -> StoreCodingError {
    rejectedRange = row.source..<reader.byteOffset
    return error(kind, attribute: attribute, expected: expected, found: found, at: row.source)
  }
}
