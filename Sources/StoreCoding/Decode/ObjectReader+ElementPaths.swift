import JSONText
import ObjectStore

// Lists whose elements contain the values at a path, such as the edges of a GraphQL connection.

extension ObjectReader {
  /// The path from each element of a collection to its value, at the path or alias that is being read.
  @inline(__always)
  func elementPath(of field: CodingField) -> [JSONPath.Component] {
    currentPath(of: field).elementPath ?? []
  }

  /// Reads an element that contains the value of the collection at a path. A null element is a null value.
  @inline(never)
  mutating func nestedElement(
    _ field: CodingField, at path: [JSONPath.Component]
  ) throws -> BatchCell {
    guard reader.kind() != .null else { return try element(field) }
    var cell = BatchCell.absent
    try atElementPath(path[...], field) { decoder in
      decoder.drop(cell, field)
      cell = try decoder.element(field)
    }
    return cell
  }

  /// Reads an element of the payload's list that contains an object at a path, which `read` reads.
  mutating func nestedRow(
    _ plan: CodingPlan, at path: ArraySlice<JSONPath.Component>,
    _ read: (inout ObjectReader) throws -> BatchRow
  ) throws {
    var previous: BatchRow?
    try atElementPath(path, nil) { decoder in
      if let previous { decoder.drop(previous, plan) }
      previous = try read(&decoder)
    }
  }

  /// Reads a value up to its end and runs `body` at the part at a path; for duplicate keys, at each of them.
  ///
  /// - Parameter field: The collection; nil for the list of the payload.
  mutating func atElementPath(
    _ path: ArraySlice<JSONPath.Component>, _ field: CodingField?,
    _ body: (inout ObjectReader) throws -> Void
  ) throws {
    guard let component = path.first else { return try body(&self) }
    let start = reader.byteOffset
    // The first issue of the value that was read last.
    var firstIssue = issues.count
    var failure: Failure?
    var isFound = false
    var found = FoundKeys()
    var count = 0
    let isArray = reader.kind() == .array
    switch (reader.kind(), component) {
    case (.object, _):
      guard try beginObject() else { break }
      repeat {
        let key = try anyKey(of: field)
        guard key.bytes.elementsEqual(component.key.utf8) else {
          found.append(key)
          try skip()
          continue
        }
        if isFound {
          issues.removeAll(from: firstIssue)
          recordDuplicate(Array(key.bytes), field?.fullName, at: reader.lastKeyOffset)
          firstIssue = issues.count
        }
        isFound = true
        try part(.key(component.key), path, field, &failure, body)
      } while try objectContinues()
    case (.array, .index(let index)):
      guard try beginArray() else { break }
      repeat {
        if count == index {
          isFound = true
          try part(component, path, field, &failure, body)
        } else {
          try skip()
        }
        count += 1
      } while try arrayContinues()
    default:
      let expected = component.index == nil ? "an object" : "an array"
      throw error(
        .typeMismatch, attribute: field?.fullName, expected: expected,
        found: describeValue(at: start), at: start
      ).declaring(field?.errorPolicy)
    }
    if let failure { throw reject(failure, from: start) }
    guard isFound else {
      rejectedRange = start..<reader.byteOffset
      throw error(
        .typeMismatch, attribute: field?.fullName,
        expected: isArray ? "an element \(component.key)" : "the key '\(component.key)'",
        found: isArray ? "an array of \(count)" : found.text, at: start
      ).declaring(field?.errorPolicy)
    }
  }

  private mutating func part(
    _ component: JSONPath.Component, _ path: ArraySlice<JSONPath.Component>,
    _ field: CodingField?, _ failure: inout Failure?,
    _ body: (inout ObjectReader) throws -> Void
  ) throws {
    let (start, depth, issueCount) = (reader.byteOffset, reader.depth, issues.count)
    do {
      try atElementPath(path.dropFirst(), field, body)
      if issues.count > issueCount { issues.label(from: issueCount, component) }
    } catch var error as StoreCodingError {
      error.prepend([component])
      try record(error, rank: 0, from: start, depth: depth, in: &failure)
    }
  }
}

extension StoreCodingError {
  /// Returns the error with the policy of an attribute.
  fileprivate func declaring(_ policy: AttributePolicy.Mismatches?) -> StoreCodingError {
    var error = self
    error.policy = policy
    return error
  }
}
