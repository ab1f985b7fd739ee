import JSONText
import ObjectStore

// Attributes with several paths: of those that are present, the first in declared order is read. A value is read when it
// is found; a value at an earlier path replaces it.

/// The state of an attribute with aliases in one object.
struct AliasState {
  /// The index of the path that was read among those of the field.
  var rank = AliasState.absent
  /// The issues of the value.
  var issues: Range<Int>?
  /// The error of the value. It counts only if no earlier path follows.
  var error: StoreCodingError?

  /// The rank before any path was found.
  static let absent = Int.max
  /// The rank if an array lacks the position of a path. Any value precedes it.
  static let missing = Int.max - 1
  /// The rank of a null or another value in place of an object along the field's own path. Any alias precedes it.
  static let nullParent = Int.max - 2
}

/// The part of the decoder's stacks that belongs to the current object with aliases.
struct AliasScope {
  /// The index of the first state of its attributes.
  var states = 0
  /// The index of the first of its values along dotted paths.
  var arrays = 0
}

extension ObjectReader {
  /// Adds the states of an object, and returns the scope of the enclosing one.
  @inline(never)
  mutating func beginAliases(_ plan: CodingPlan) -> AliasScope {
    let outer = aliasScope
    aliasScope = AliasScope(states: aliasStates.count, arrays: openArrays.count)
    aliasStates.append(contentsOf: repeatElement(AliasState(), count: plan.aliasCount))
    return outer
  }

  /// Removes the states of an object whose members were read, and records the errors of the values that count.
  @inline(never)
  mutating func endAliases(
    _ plan: CodingPlan, _ outer: AliasScope, _ failure: inout Failure?
  ) throws {
    let first = aliasScope.states
    var errors: [StoreCodingError?] = []
    for index in first..<aliasStates.count where aliasStates[index].error != nil {
      // A slice would still exist when the states are removed, and make that copy all of them.
      errors = (first..<aliasStates.count).map { aliasStates[$0].error }
      break
    }
    cancelAliases(outer)
    if errors.isEmpty { return }
    for field in plan.fields where !field.aliases.isEmpty {
      if let error = errors[field.aliasSlot] {
        try keep(error, rank: field.attribute, in: &failure)
      }
    }
  }

  /// Removes the states of an object that is discarded.
  @inline(never)
  mutating func cancelAliases(_ outer: AliasScope) {
    aliasStates.removeLast(aliasStates.count - aliasScope.states)
    aliasScope = outer
  }

  /// True if the value of the attribute in the current object is from an alias.
  func isReadFromAlias(_ field: CodingField) -> Bool {
    if field.aliases.isEmpty { return false }
    let rank = aliasStates[aliasScope.states + field.aliasSlot].rank
    return rank > 0 && rank < AliasState.nullParent
  }

  /// The path or alias at which the attribute is being read in the current object.
  func currentPath(of field: CodingField) -> JSONPath {
    guard isReadFromAlias(field) else { return field.path }
    return field.aliases[aliasStates[aliasScope.states + field.aliasSlot].rank - 1]
  }

  /// True if the value of the attribute is from this alias.
  private func isRead(_ alias: AliasedField) -> Bool { rank(of: alias.field) == alias.rank }

  /// The index of the path that was read of an attribute of the current object.
  private func rank(of field: CodingField) -> Int {
    aliasStates[aliasScope.states + field.aliasSlot].rank
  }

  /// Records that an array lacks the position of an attribute with aliases. Returns false if another of its paths was
  /// found.
  mutating func noteMissing(_ field: CodingField) -> Bool {
    guard rank(of: field) == AliasState.absent else { return false }
    aliasStates[aliasScope.states + field.aliasSlot].rank = AliasState.missing
    return true
  }

  /// Drops the value of an alias, because a key along its path occurs again.
  mutating func forget(_ alias: AliasedField, _ row: BatchRow) {
    guard isRead(alias) || rank(of: alias.field) == AliasState.missing else { return }
    dropValue(of: alias.field, row)
    aliasStates[aliasScope.states + alias.field.aliasSlot] = AliasState()
  }

  /// Forgets that the attribute was found at its own path, because a key along it occurs again.
  mutating func forgetOwnPath(of field: CodingField) {
    aliasStates[aliasScope.states + field.aliasSlot] = AliasState()
  }

  private mutating func dropValue(of field: CodingField, _ row: BatchRow) {
    drop(row[field.attribute], field)
    row[field.attribute] = .absent
    if let range = aliasStates[aliasScope.states + field.aliasSlot].issues { issues.remove(range) }
  }

  /// Reads the value of an attribute at one of its paths, unless an earlier path was found.
  @inline(never)
  mutating func attribute(
    _ field: CodingField, at rank: Int, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    let slot = aliasScope.states + field.aliasSlot
    guard rank <= aliasStates[slot].rank else { return try skip() }
    if aliasStates[slot].rank != AliasState.absent { dropValue(of: field, row) }
    aliasStates[slot] = AliasState(rank: rank)
    let start = checkpoint()
    do {
      try attribute(field, row, plan)
      if issues.count > start.issueCount {
        aliasStates[slot].issues = start.issueCount..<issues.count
      }
    } catch {
      // No path precedes the attribute's own.
      guard rank > 0, let located = located(error, field, rank), located.isSkippable else {
        throw error
      }
      batch.truncate(toRowCount: start.rowCount)
      batch.cancelElements(start.elementMark)
      issues.removeAll(from: start.issueCount)
      row[field.attribute] = .absent
      aliasStates[slot].error = located
      if isPast(from: start.byteOffset, depth: start.depth) { return }
      reader.rewind(to: start.byteOffset, depth: start.depth)
      try skip()
    }
  }

  /// Records that a value other than an object is in place of one along the own path of an attribute with aliases.
  mutating func noteMismatch(
    of field: CodingField, expected: String, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    let slot = aliasScope.states + field.aliasSlot
    guard aliasStates[slot].rank >= AliasState.missing else { return }
    if aliasStates[slot].rank == AliasState.missing { dropValue(of: field, row) }
    aliasStates[slot].rank = AliasState.nullParent
    let mismatch = mismatch(field, expected: expected)
    guard field.skipsBadValue, !field.isKey else {
      let error = field.skipsBadValue ? keyError(field, mismatch) : mismatch
      aliasStates[slot].error = located(error, field, AliasState.nullParent)
      return
    }
    let issueCount = issues.count
    issues.append(mismatch)
    try applyPolicy(mismatch, field, row, plan)
    aliasStates[slot].issues = issueCount..<issues.count
  }

  /// The error with its path from the current object; nil for an error that is not about the value.
  private func located(
    _ error: any Error, _ field: CodingField, _ rank: Int
  ) -> StoreCodingError? {
    var located: StoreCodingError
    switch error {
    case let error as StoreCodingError: located = error
    case let error as JSONError: located = valueError(error, field, isElement: false)
    default: return nil
    }
    located.resolvePolicy(field)
    let arrays = openArrays[aliasScope.arrays...]
    let isParent = rank == AliasState.nullParent
    let path = isParent || rank == 0 ? field.path : field.aliases[rank - 1]
    // In place of an object along a path, the value has the path of that object.
    let components = path.components.prefix(isParent ? arrays.count : path.components.count)
    located.prepend(
      components.enumerated().map { index, component in
        // In an object, an index of a pointer is a key.
        index > 0 && arrays[arrays.startIndex + index - 1] ? component : .key(component.key)
      })
    return located
  }
}
