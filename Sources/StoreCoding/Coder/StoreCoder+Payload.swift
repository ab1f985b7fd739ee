import Foundation
import JSONText
import ObjectStore

// The shared implementation of the decoding calls: reads the payload into a batch, then applies the batch.

extension StoreCoder {
  /// The path to the content of a payload: `path`, or the declared envelope if it is nil. Returns nil if the payload is
  /// the content.
  /// - Throws: `invalidDeclarations`.
  func envelope(
    _ path: String?, or declared: JSONPath?, isList: Bool = false
  ) throws(StoreCodingError) -> JSONPath? {
    guard let path else { return declared }
    if path.isEmpty { return nil }
    do throws(JSONPath.Mistake) {
      return try JSONPath(checking: path, isList: isList)
    } catch {
      throw StoreCodingError(.invalidDeclarations(["at: \(error.sentence)"]))
    }
  }

  /// The part of a payload with one object.
  ///
  /// - Parameter className: The name of the class of dynamic objects; nil for a declared class.
  /// - Throws: `invalidDeclarations`; `StoreError.unknownClass`, `embeddedAlone`.
  func part<T: Object>(
    _ type: T.Type, dynamic className: String?, at path: String?, key: (any ObjectKey)? = nil,
    absent: AbsentAttributes = .keep, asOf version: StoreVersion? = nil
  ) throws -> PayloadPart {
    let plan = try codingPlan(type, dynamic: className)
    var part = PayloadPart(.one(plan), at: try envelope(path, or: plan.objectEnvelope))
    part.key = key
    part.absent = absent
    part.version = version
    return part
  }

  /// The part of a payload with a list of objects; see ``part(_:dynamic:at:key:absent:asOf:)``.
  func listPart<T: Object>(
    _ type: T.Type, dynamic className: String?, at path: String?, absent: AbsentAttributes = .keep,
    asOf version: StoreVersion? = nil
  ) throws -> PayloadPart {
    let plan = try codingPlan(type, dynamic: className)
    let envelope = try envelope(path, or: plan.listEnvelope, isList: true)
    var part = PayloadPart(.list(plan), at: envelope)
    part.absent = absent
    part.version = version
    return part
  }

  /// The part of a payload with a list of primary keys; see ``part(_:dynamic:at:key:absent:asOf:)``.
  /// - Throws: `invalidDeclarations` also for a class without a primary key of one attribute.
  func keysPart<T: Object>(
    _ type: T.Type, dynamic className: String?, at path: String?, asOf version: StoreVersion? = nil
  ) throws -> PayloadPart {
    let plan = try codingPlan(type, dynamic: className)
    if let mistake = plan.codingClass.schema.singleKeyMistake {
      throw StoreCodingError(.invalidDeclarations(["'readKeys' \(mistake)"]))
    }
    var part = PayloadPart(
      .keys(plan), at: try envelope(path, or: plan.listEnvelope, isList: true))
    part.version = version
    return part
  }

  /// Reads the part of a payload.
  /// - Throws: `StoreError` for a key that does not fit the class: `noPrimaryKey`, `typeMismatch`, `outOfRange`,
  ///   `valueTooLarge`; the errors of the payload.
  private func read(_ part: PayloadPart, _ walk: inout PayloadWalk) throws {
    if let key = part.key {
      let cells = try store.keyCells(of: key, part.plan.codingClass, in: walk.objects.batch)
      walk.givenKey = GivenKey(cells: cells, source: .call)
    }
    try walk.read(part)
  }

  func decodeObject<T: Object>(
    _ data: Data, _ part: PayloadPart, isCallersText: Bool = true
  ) throws -> T {
    if isCallersText { sample(data, PartNode(part)) }
    return try decoding(data, isCallersText: isCallersText) {
      $0.refusesNull = true
      try read(part, &$0)
    } finish: { batch, payload in
      try store.apply(batch, depth: payload.depth, as: valueAuthor)
      let (row, plan) = (batch.topRow(at: 0), part.plan)
      if row.isWithheld {
        throw StoreError(
          .pendingDeletion(
            className: plan.className, key: "\(store.key(of: row, plan.codingClass))"))
      }
      return store.object(T.self, of: row, plan.codingClass)
    }
  }

  func decodeList<T: Object>(
    _ data: Data, _ part: PayloadPart, isCallersText: Bool = true
  ) throws -> [T] {
    if isCallersText { sample(data, PartNode(part)) }
    return try decoding(data, isCallersText: isCallersText) {
      try read(part, &$0)
    } finish: { batch, payload in
      try store.applied(
        T.self, batch, depth: payload.depth, part.plan.codingClass, as: valueAuthor)
    }
  }

  /// Reads an object or a list, applies it, and reports the outcomes.
  ///
  /// - Parameters:
  ///   - makesObjects: False for a result without objects.
  ///   - inspect: Checks the applied rows in their transaction.
  func read<T: Object>(
    _ data: Data, _ part: PayloadPart, makesObjects: Bool = true,
    inspecting inspect: (ReadResult<T>, RowBatch) throws -> Void = { _, _ in }
  ) throws -> ReadResult<T> {
    sample(data, PartNode(part))
    return try decoding(data, issueLimit: IssueLog.resultLimit) {
      try read(part, &$0)
    } finish: { batch, payload in
      let result: ReadResult<T> = try result(
        part, batch, payload, byteCount: data.count, makesObjects: makesObjects)
      try inspect(result, batch)
      return result
    }
  }

  /// Finds the list in the first part of a payload.
  func listStart(in text: UnsafeRawBufferPointer, _ part: PayloadPart) throws -> ListStart {
    var start = ListStart(byteOffset: 0)
    try decoding(text, encoding: .utf8) {
      start = try $0.listStart(of: part)
    } finish: { _, _ in
    }
    return start
  }

  /// Reads a piece of a list without applying it.
  func check(
    _ piece: ListPiece, _ text: UnsafeRawBufferPointer, of part: PayloadPart
  ) throws {
    try decoding(text, encoding: .utf8, gap: piece.gap) {
      try $0.read(piece, of: part)
    } finish: { _, _ in
    }
  }

  /// Reads a piece of a list and applies it.
  func read<T: Object>(
    _ piece: ListPiece, _ text: UnsafeRawBufferPointer, of part: PayloadPart,
    inspecting inspect: (ReadResult<T>, RowBatch) throws -> Void = { _, _ in }
  ) throws -> ReadResult<T> {
    try decoding(text, encoding: .utf8, gap: piece.gap, issueLimit: IssueLog.resultLimit) {
      try $0.read(piece, of: part)
    } finish: { batch, payload in
      let result: ReadResult<T> = try result(
        part, batch, payload, piece, byteCount: piece.byteCount, makesObjects: piece.makesObjects)
      try inspect(result, batch)
      return result
    }
  }

  /// Reads an object or a list without applying it.
  func decodeUpdates(_ data: Data, _ part: PayloadPart) throws -> [UpdateDictionary] {
    try decoding(data, limits: configuration.limits.ofUpdates, keepsRows: true) {
      $0.refusesNull = true
      try read(part, &$0)
    } finish: { batch, payload in
      store.updates(of: batch.topRows, batch, text: payload.text.input)
    }
  }

  private func result<T: Object>(
    _ part: PayloadPart, _ batch: RowBatch, _ payload: PayloadFacts, _ piece: ListPiece? = nil,
    byteCount: Int, makesObjects: Bool
  ) throws -> ReadResult<T> {
    let conflicts = try store.apply(
      batch, depth: payload.depth, as: valueAuthor, asOf: part.version)
    let plan = part.plan
    let firstIndex = piece?.firstIndex ?? 0
    let topRows = batch.topRows
    let deleted = topRows.filter(\.isWithheld)
    let rows = deleted.isEmpty ? topRows : topRows.filter { !$0.isWithheld }
    var log = payload.issues
    let merged = batch.mergedElements()
    for (row, index) in merged {
      log.append(
        mergedIssue(
          row, plan,
          (part.path?.components ?? [])
            + [payload.contents[0].component(ofElement: firstIndex + index)] + part.elementPath))
    }
    for row in batch.rowsWithoutEarlierMembers { log.append(droppedMembersIssue(row)) }
    let hasMetadata = part.path != nil && piece.map { $0.hasMetadata && !$0.isSequence } ?? true
    let outcomes = batch.outcomes(of: rows)
    var counts = ReadResult<T>.Counts()
    counts.count(outcomes, merged: merged.count)
    counts.elementCount = part.content.isArray ? firstIndex + batch.topElementCount : 0
    counts.byteCount = byteCount
    counts.issues = log.located(in: payload.text)
    counts.issueCount = log.reportedCount
    counts.conflicts = conflicts
    counts.payloadMetadata = PayloadMetadata(
      of: hasMetadata ? payload.ranges : nil, in: payload.text.input,
      part.path.map { [$0] } ?? [], configuration)
    var result = ReadResult<T>(
      objects: makesObjects
        ? rows.map { store.object(T.self, of: $0, plan.codingClass) } : [],
      outcomes: makesObjects ? outcomes.map { .init($0) } : [], counts: counts)
    result.deletedLocally = deleted.map { store.key(of: $0, plan.codingClass) }
    return result
  }

  /// The author of decoded values.
  var valueAuthor: ValueAuthor {
    switch configuration.decodesAs {
    case .user: .user
    case .server: .server(configuration.resolveConflict)
    }
  }

  /// The issue of an object whose unread members are more than the limit together with those of earlier payloads.
  func droppedMembersIssue(_ row: BatchRow) -> StoreCodingError {
    let plan = codingPlan(ofTable: row.table)
    var issue = StoreCodingError(
      .limitExceeded, attribute: plan?.unreadField?.fullName,
      expected: "\(configuration.limits.unreadMemberCount ?? 0) unread members",
      byteOffset: row.source)
    issue.resolveKey(plan?.keyText(of: row))
    return issue.advising("the members of earlier payloads were dropped")
  }

  /// The issue of a list element that was merged into an earlier one.
  func mergedIssue(
    _ row: BatchRow, _ plan: CodingPlan, _ path: [JSONPath.Component]
  ) -> StoreCodingError {
    var issue = StoreCodingError(.mergedObject, byteOffset: row.source)
    issue.resolveKey(plan.keyText(of: row))
    issue.prepend(path)
    return issue
  }

  /// - Throws: `limitExceeded`.
  func checkByteCount(of data: Data) throws(StoreCodingError) {
    guard let limit = configuration.limits.byteCount, data.count > limit else { return }
    throw StoreCodingError(
      .limitExceeded, expected: "\(limit) bytes", found: "\(data.count) bytes")
  }

  /// Reads the payload with `parse`, which has no side effects, and passes the rows to `finish`.
  ///
  /// - Parameter isCallersText: True if the payload is the caller's own bytes, so that its encoding is detected and
  ///   errors have a position.
  func decoding<R>(
    _ data: Data, isCallersText: Bool = true, limits: Limits? = nil, keepsRows: Bool = false,
    issueLimit: Int = 0,
    _ parse: (inout PayloadWalk) throws -> Void,
    finish: (RowBatch, PayloadFacts) throws -> R
  ) throws -> R {
    try checkByteCount(of: data)
    return try data.withUnsafeBytes {
      try decoding(
        $0, encoding: isCallersText ? .detected : .utf8, hasPositions: isCallersText,
        limits: limits, keepsRows: keepsRows, issueLimit: issueLimit, parse, finish: finish)
    }
  }

  /// Reads a text with `parse`, which has no side effects, and passes the rows to `finish`.
  ///
  /// The text is read in place, and the cells of the batch point into it.
  ///
  /// - Parameters:
  ///   - gap: The place in the text at which a part of the payload is missing.
  ///   - hasPositions: True if errors have a byte offset, a line and a column.
  ///   - keepsRows: True if `finish` keeps the batch, which then owns a copy of the text.
  ///   - issueLimit: The maximum number of issues to collect.
  private func decoding<R>(
    _ bytes: UnsafeRawBufferPointer, encoding: JSONInput.Encoding, gap: PayloadText.Gap? = nil,
    hasPositions: Bool = true, limits: Limits? = nil, keepsRows: Bool = false, issueLimit: Int = 0,
    _ parse: (inout PayloadWalk) throws -> Void,
    finish: (RowBatch, PayloadFacts) throws -> R
  ) throws -> R {
    let input: JSONInput
    do throws(JSONError) {
      input =
        keepsRows
        ? try JSONInput(copying: bytes, encoding: encoding)
        : try JSONInput(borrowing: bytes, encoding: encoding)
    } catch {
      throw StoreCodingError(.syntax, expected: error.message, byteOffset: error.byteOffset)
    }
    let limits = limits ?? configuration.limits
    let text = PayloadText(input, configuration, limits, gap: gap)
    do {
      return try decodingOnSufficientStack(text, limits, keepsRows, issueLimit, parse, finish)
    } catch let error as StoreCodingError {
      let error = error.described(in: text)
      throw hasPositions ? error.located(in: text) : error.withoutOffset()
    }
  }

  /// Parses on the caller's stack. If the payload is nested too deeply, parses it again on a larger stack.
  private func decodingOnSufficientStack<R>(
    _ text: PayloadText, _ limits: Limits, _ keepsRows: Bool, _ issueLimit: Int,
    _ parse: (inout PayloadWalk) throws -> Void,
    _ finish: (RowBatch, PayloadFacts) throws -> R
  ) throws -> R {
    func parsed(_ batch: RowBatch, depth: Int) throws -> PayloadFacts {
      var reader = ObjectReader(text.input, batch, configuration, limits, issueLimit: issueLimit)
      if depth > 0 { reader.stackDepth = depth }
      reader.store = store
      var walk = PayloadWalk(reader)
      try parse(&walk)
      return PayloadFacts(
        text: text, issues: walk.objects.issues, contents: walk.contents, depth: depth)
    }
    do {
      return try store.withBatch(isKept: keepsRows) { try finish($0, parsed($0, depth: 0)) }
    } catch is TooDeep {
      let depth = limits.usedDepth
      return try store.withBatch(isKept: keepsRows) { batch in
        try finish(batch, DeepStack.run(depth: depth) { try parsed(batch, depth: depth) })
      }
    }
  }
}
