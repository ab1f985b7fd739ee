import JSONText
import ObjectStore

// The values of attributes.

extension AuditWalk {
  /// Walks the value of an attribute at one of its paths.
  mutating func value(_ field: CodingField, rank: Int, _ object: AuditedObject) throws {
    object.valueCounts[field.attribute] += 1
    let kind = decoder.reader.kind()
    let (offset, depth) = (decoder.reader.byteOffset, decoder.reader.depth)
    if try decoder.takeNull(or: field.emptyValues, of: field) {
      object.nullCounts[field.attribute] += 1
      decoder.reader.rewind(to: offset, depth: depth)
      return try test(field, object.plan, at: object.paths[field.attribute]) {
        try $0.attribute(field, $1, object.plan)
      }
    }
    let path = object.paths[field.attribute]
    let isList = field.form == .list || field.form == .set
    switch kind {
    case .object where field.form == .link:
      try element(field, object, path)
    case .object where field.form == .map || field.isKeyed:
      try members(isMap: true) { walk, name in
        walk.decoder.reader.skipWhitespace()
        if field.hasKeysAsNames, let target = field.target {
          walk.checkKey(
            UnsafeRawBufferPointer(name), of: target, path, field.fullName,
            field.outcomeOfBadElement)
        }
        try walk.element(field, object, path, isKeyGiven: field.hasKeysAsNames)
      }
    case .array where isList && !field.isKeyed:
      let elementPath = field.elementPath(rank)
      try elements { walk, _ in
        try walk.nestedElement(field, elementPath, object, path)
      }
    case _ where isList && field.acceptsSingleValue:
      try nestedElement(field, field.elementPath(rank), object, path)
    default:
      try test(field, object.plan, at: path) { try $0.attribute(field, $1, object.plan) }
    }
  }

  /// Records the name of a member with an object if the name cannot be the primary key of a class.
  mutating func checkKey(
    _ name: UnsafeRawBufferPointer, of plan: CodingPlan, _ path: String, _ attribute: String?,
    _ outcome: Audit.Outcome
  ) {
    guard decoder.reader.kind() == .object, let keyField = plan.keyField,
      decoder.key(named: name, keyField) == nil
    else { return }
    mismatch(
      at: decoder.reader.lastKeyOffset, path, attribute, outcome,
      expected: "\(keyField.article) as the name of the member", found: MessageText.quoted(name))
  }

  /// Walks an element that may contain the value at a path.
  private mutating func nestedElement(
    _ field: CodingField, _ elementPath: [JSONPath.Component], _ object: AuditedObject,
    _ path: String
  ) throws {
    // A null element is a null value.
    if elementPath.isEmpty || decoder.reader.kind() == .null {
      return try element(field, object, path)
    }
    try part(elementPath[...]) {
      try $0.element(field, object, path)
    } other: {
      try $0.unreadKey(around: field)
    } missing: { walk, offset in
      walk.mismatch(
        at: offset, path, field.fullName, field.outcomeOfBadElement,
        expected: "a value at \(JSONPath.text(of: elementPath))", isAbsent: true)
    }
  }

  /// Walks a value that is an object or a single value.
  private mutating func element(
    _ field: CodingField, _ object: AuditedObject, _ path: String, isKeyGiven: Bool = false
  ) throws {
    if let target = field.target, decoder.reader.kind() == .object, try !isNilElement(field) {
      return try self.object(
        target, of: field, isKeyGiven: isKeyGiven, isIdentifier: field.isByIdentifier)
    }
    try test(field, object.plan, at: path, isElement: true) { decoder, _ in
      _ = try decoder.element(field)
    }
  }

  /// True if the next value is an element that is read as nil.
  private mutating func isNilElement(_ field: CodingField) throws -> Bool {
    let (offset, depth) = (decoder.reader.byteOffset, decoder.reader.depth)
    defer { decoder.reader.rewind(to: offset, depth: depth) }
    return try field.isOptional && decoder.takeNull(or: field.emptyElements, of: field)
  }

  /// Reads a value with the decoder into a row that is discarded, and records the error and the issues.
  mutating func test(
    _ field: CodingField, _ plan: CodingPlan, at path: String, isElement: Bool = false,
    _ read: (inout ObjectReader, BatchRow) throws -> Void
  ) throws {
    decoder.reader.skipWhitespace()
    let start = decoder.checkpoint()
    decoder.issues = IssueLog(limit: 8)
    let row = decoder.batch.makeRow(plan.codingClass.shape)
    var failure: StoreCodingError?
    do {
      try read(&decoder, row)
    } catch let error as StoreCodingError {
      failure = error
    } catch let error as JSONError {
      failure = decoder.valueError(error, field, isElement: isElement)
    }
    let issues = decoder.issues.kept
    decoder.batch.truncate(toRowCount: start.rowCount)
    decoder.batch.cancelElements(start.elementMark)
    if let failure {
      decoder.reader.rewind(to: start.byteOffset, depth: start.depth)
      // Throws if the text is not JSON.
      try decoder.reader.skipValue()
      record(
        failure, field, path, isElement ? field.outcomeOfBadElement : .refused, at: start.byteOffset
      )
      return
    }
    for issue in issues where issue.kind != .duplicateKey {
      let isSkippedNull = issue.kind == .nullForNonOptional && field.nulls == .skip
      let outcome: Audit.Outcome =
        isSkippedNull ? .skipped : field.unknown != nil ? .replaced : field.outcomeOfBadValue
      record(issue, field, path, outcome, at: start.byteOffset)
    }
  }

  private mutating func record(
    _ error: StoreCodingError, _ field: CodingField, _ path: String, _ outcome: Audit.Outcome,
    at start: Int
  ) {
    let offset = error.byteOffset ?? start
    let kind = text.auditKind(at: offset)
    guard let rawValue = text.rawValue(at: offset, kind, of: field) else {
      let expected =
        error.expected.flatMap { error.kind == .primaryKeyNotFound ? nil : $0 }
        ?? field.expected(element: false)
      return mismatch(at: offset, path, field.fullName, outcome, expected: expected)
    }
    let first = { [components] in
      Audit.RawValues(
        path: path, attribute: field.fullName, outcome: outcome,
        expected: field.expected(element: field.shape.isCollection),
        first: Audit.Place(at: components, byteOffset: offset))
    }
    audit.rawValueTable.update(Audit.RawValues.id(path, field.fullName, outcome), first) {
      $0.count += 1
      $0.values.note(rawValue)
    }
  }
}

extension CodingField {
  /// The outcome of a bad value of the attribute.
  var outcomeOfBadValue: Audit.Outcome {
    if isKey || !skipsBadValue { return .refused }
    return mismatches == .useDefault ? .replaced : .skipped
  }

  /// The outcome of a bad element of the attribute: of the element, or of the collection that contains it.
  var outcomeOfBadElement: Audit.Outcome { skipsElements ? .skipped : outcomeOfBadValue }

  /// The path from each element to its value, at one of the attribute's paths.
  fileprivate func elementPath(_ rank: Int) -> [JSONPath.Component] {
    (aliases.indices.contains(rank - 1) ? aliases[rank - 1] : path).elementPath ?? []
  }
}

extension PayloadText {
  /// The text of the value at an offset, if it has the type of the raw values of an attribute's enum; nil otherwise.
  fileprivate func rawValue(
    at byteOffset: Int, _ kind: Audit.Kind, of field: CodingField
  ) -> String? {
    guard field.cases != nil else { return nil }
    let isString = field.scalar == .string
    guard kind == .string && (isString || field.isFlexible) || kind == .integer && !isString else {
      return nil
    }
    var probe = JSONReader(input, repairsUnicode: true)
    probe.rewind(to: byteOffset, depth: 0)
    let bytes = kind == .string ? (try? probe.string())?.bytes : try? probe.numberText()
    return bytes.map { MessageText.clipped(UnsafeRawBufferPointer($0)) }
  }
}
