import JSONText
import ObjectStore

// The policies of attributes: nulls, bad values and defaults.

extension ObjectReader {
  /// Reads the value of an attribute at its own path.
  mutating func member(
    _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    if field.aliases.isEmpty {
      try attribute(field, row, plan)
    } else {
      try attribute(field, at: 0, row, plan)
    }
  }

  /// Reads the value of an attribute.
  mutating func attribute(
    _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    let start = reader.byteOffset
    if try takeNull(or: field.emptyValues, of: field) {
      try null(field, row, plan, at: start)
      return
    }
    if field.coded != nil { codedRow = (row, .passUnretained(plan)) }
    if field.mismatches == .throw {
      row[field.attribute] = try scopedValue(field)
    } else {
      try lenientMember(field, row, plan)
    }
  }

  /// Reads the value of an attribute, within the scope of its policy for bad values.
  private mutating func scopedValue(_ field: CodingField) throws -> BatchCell {
    guard field.setsInnerPolicy else { return try value(field) }
    let outer = scopes
    defer { scopes = outer }
    scopes.enter(field)
    return try value(field)
  }

  private mutating func lenientMember(
    _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    let start = checkpoint()
    do {
      row[field.attribute] = try scopedValue(field)
    } catch let error as StoreCodingError {
      // A policy declared by an attribute inside the value takes precedence.
      guard error.isMismatch(of: field), error.policy == nil, field.skipsBadValue else {
        throw error
      }
      try rollBack(start, error)
      try applyPolicy(error, field, row, plan)
    }
  }

  /// Continues without the value of an attribute, according to its policy.
  func applyPolicy(
    _ failure: StoreCodingError, _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    // A key is never replaced by a substitute, which would identify a different object.
    if field.isKey { throw keyError(field, failure) }
    if field.mismatches == .useDefault {
      try useDefault(field, row, plan)
    } else {
      noteSkipped(field, row)
    }
  }

  /// Records that the payload has a value of an attribute that a policy skips.
  private func noteSkipped(_ field: CodingField, _ row: BatchRow) {
    if row[field.attribute].state == .absent { row[field.attribute] = .skipped }
  }

  /// The error for an unusable key. Policies that skip or replace a bad value do not apply to keys.
  func keyError(_ field: CodingField, _ failure: StoreCodingError) -> StoreCodingError {
    let byteOffset = failure.byteOffset ?? reader.byteOffset
    return error(
      .primaryKeyNotFound, attribute: field.fullName, expected: field.path.text,
      found: failure.described(in: PayloadText(input, configuration, limits)).found ?? "null",
      at: byteOffset)
  }

  /// Consumes a null, or another value that is read as null.
  ///
  /// - Parameter field: The attribute; nil in place of an object along a path.
  mutating func takeNull(or empty: EmptyValues, of field: CodingField? = nil) throws -> Bool {
    if reader.peeksNull {
      try consumeNull()
      return true
    }
    return try !empty.isEmpty && take(empty, field)
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
        if !field.skipsBadValue { throw failure }
        issues.append(failure)
        try applyPolicy(failure, field, row, plan)
      }
    case .skip, .default:
      if field.isKey { throw keyError(field, nullError(field, nil, at: start)) }
      if field.nulls == .default { return try useDefault(field, row, plan) }
      noteSkipped(field, row)
      if configuration.nulls == .skip, configuration.mismatches == .skipAttribute {
        issues.append(nullError(field, nil, at: start))
      }
    case .fail:
      var failure = nullError(field, "\(field.article) that rejects it", at: start)
      failure.policy = field.nullRejectionPolicy
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

  private func useDefault(
    _ field: CodingField, _ row: BatchRow, _ plan: CodingPlan
  ) throws {
    try plan.codingClass.assignDefault(of: field.attribute, to: row, in: batch)
  }
}

extension StoreCodingError {
  /// Sets the policy declared by the enclosing attribute, unless an inner attribute set one.
  mutating func resolvePolicy(_ field: CodingField) {
    if policy == nil, let declared = field.errorPolicy { policy = declared }
  }

  /// True if the error is about the value of a field, so that a lenient policy may skip the value. A nested
  /// object without known keys is not a valid link.
  func isMismatch(of field: CodingField) -> Bool {
    switch kind {
    case .typeMismatch, .outOfRange, .nullForNonOptional: true
    case .noKeysFound, .primaryKeyNotFound: field.skipsForeignObjects
    default: false
    }
  }

  /// True if the enclosing element can be skipped instead of rejecting the payload.
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
