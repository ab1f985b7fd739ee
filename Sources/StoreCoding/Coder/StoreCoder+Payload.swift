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

  /// The cells of a key from the call; nil if there is none.
  /// - Throws: `StoreError`: `noPrimaryKey`, `typeMismatch`, `outOfRange`, `valueTooLarge`.
  private func givenKey(
    _ key: (any ObjectKey)?, _ plan: CodingPlan, in batch: RowBatch
  ) throws -> GivenKey? {
    try key.map {
      GivenKey(cells: try store.keyCells(of: $0, plan.codingClass, in: batch), source: .call)
    }
  }

  func decodeObject<T: Object>(
    _ data: Data, _ plan: CodingPlan, in envelope: JSONPath?, key: (any ObjectKey)?,
    isCallersText: Bool = true
  ) throws -> T {
    if isCallersText {
      sample(data) { try $0.object(in: envelope, plan, isKeyGiven: key != nil) }
    }
    return try decoding(data, isCallersText: isCallersText) {
      try $0.topObject(plan, in: envelope, key: givenKey(key, plan, in: $0.batch))
    } finish: { row, batch, payload in
      try store.apply(batch, depth: payload.depth, from: valueSource)
      if row.isWithheld {
        throw StoreError(
          .pendingDeletion(
            className: plan.className, key: "\(store.key(of: row, plan.codingClass))"))
      }
      return store.object(T.self, of: row, plan.codingClass)
    }
  }

  func decodeList<T: Object>(
    _ data: Data, _ plan: CodingPlan, in envelope: JSONPath?, isCallersText: Bool = true
  ) throws -> [T] {
    if isCallersText { sample(data) { try $0.list(in: envelope, plan) } }
    return try decoding(data, isCallersText: isCallersText) {
      try $0.topList(plan, in: envelope)
    } finish: { _, batch, payload in
      try store.applied(
        T.self, batch, depth: payload.depth, plan.codingClass, from: valueSource)
    }
  }

  func readObject<T: Object>(
    _ data: Data, _ plan: CodingPlan, in envelope: JSONPath?, key: (any ObjectKey)?,
    asOf version: StoreVersion? = nil
  ) throws -> ReadResult<T> {
    sample(data) { try $0.object(in: envelope, plan, isKeyGiven: key != nil) }
    return try decoding(data, issueLimit: IssueLog.resultLimit) {
      // A document of JSON:API with an empty relationship to one resource has null data.
      try $0.topObject(
        plan, in: envelope, key: givenKey(key, plan, in: $0.batch),
        acceptsNull: plan.resourceType != nil)
    } finish: { row, batch, payload in
      try result(
        row.map { [$0] } ?? [], plan, in: envelope, batch, payload, byteCount: data.count,
        asOf: version)
    }
  }

  func readList<T: Object>(
    _ data: Data, _ plan: CodingPlan, in envelope: JSONPath?, asOf version: StoreVersion? = nil,
    makesObjects: Bool = true,
    inspecting inspect: (ReadResult<T>, RowBatch) throws -> Void = { _, _ in }
  ) throws -> ReadResult<T> {
    sample(data) { try $0.list(in: envelope, plan) }
    return try decoding(data, issueLimit: IssueLog.resultLimit) {
      try $0.topList(plan, in: envelope)
    } finish: { _, batch, payload in
      let result: ReadResult<T> = try result(
        batch.topRows, plan, in: envelope, batch, payload, byteCount: data.count, asOf: version,
        makesObjects: makesObjects)
      try inspect(result, batch)
      return result
    }
  }

  /// Finds the list in the first part of a payload.
  func listStart(in text: UnsafeRawBufferPointer, _ envelope: JSONPath?) throws -> ListStart {
    try decoding(text, encoding: .utf8) {
      try $0.listStart(in: envelope)
    } finish: { start, _, _ in
      start
    }
  }

  /// Reads a part of a list without applying it.
  func checkPart(
    _ part: ListPart, _ text: UnsafeRawBufferPointer, _ plan: CodingPlan, in envelope: JSONPath?
  ) throws {
    try decoding(text, encoding: .utf8, gap: part.gap) {
      try $0.topPart(part, plan, in: envelope)
    } finish: { _, _, _ in
    }
  }

  /// Reads a part of a list and applies it.
  func readPart<T: Object>(
    _ part: ListPart, _ text: UnsafeRawBufferPointer, _ plan: CodingPlan, in envelope: JSONPath?,
    inspecting inspect: (ReadResult<T>, RowBatch) throws -> Void = { _, _ in }
  ) throws -> ReadResult<T> {
    try decoding(text, encoding: .utf8, gap: part.gap, issueLimit: IssueLog.resultLimit) {
      try $0.topPart(part, plan, in: envelope)
    } finish: { _, batch, payload in
      let result: ReadResult<T> = try result(
        batch.topRows, plan, in: envelope, batch, payload, part, byteCount: part.byteCount,
        makesObjects: part.makesObjects)
      try inspect(result, batch)
      return result
    }
  }

  /// Reads one object without applying it.
  func decodeUpdate(
    _ data: Data, _ plan: CodingPlan, in envelope: JSONPath?, key: (any ObjectKey)?
  ) throws -> UpdateDictionary {
    try decoding(data, limits: configuration.limits.ofUpdates, keepsRows: true) {
      try $0.topObject(plan, in: envelope, key: givenKey(key, plan, in: $0.batch))
    } finish: { row, batch, payload in
      store.updates(of: [row], batch, text: payload.text.input)[0]
    }
  }

  /// Reads a list without applying it.
  func decodeUpdates(
    _ data: Data, _ plan: CodingPlan, in envelope: JSONPath?
  ) throws -> [UpdateDictionary] {
    try decoding(data, limits: configuration.limits.ofUpdates, keepsRows: true) {
      try $0.topList(plan, in: envelope)
    } finish: { _, batch, payload in
      store.updates(of: batch.topRows, batch, text: payload.text.input)
    }
  }

  private func result<T: Object>(
    _ rows: [BatchRow], _ plan: CodingPlan, in envelope: JSONPath?, _ batch: RowBatch,
    _ payload: PayloadFacts, _ part: ListPart? = nil, byteCount: Int,
    asOf version: StoreVersion? = nil, makesObjects: Bool = true
  ) throws -> ReadResult<T> {
    let conflicts = try store.apply(
      batch, depth: payload.depth, from: valueSource, asOf: version)
    let firstIndex = part?.firstIndex ?? 0
    let deleted = rows.filter(\.isWithheld)
    let rows = deleted.isEmpty ? rows : rows.filter { !$0.isWithheld }
    let outcomes = batch.outcomes(of: rows)
    var log = payload.issues
    let merged = batch.mergedElements()
    for (row, index) in merged {
      log.append(
        mergedIssue(
          row, plan,
          (envelope?.components ?? []) + [.index(firstIndex + index)]
            + (envelope?.elementPath ?? [])))
    }
    for row in batch.rowsWithoutEarlierMembers { log.append(droppedMembersIssue(row)) }
    let hasMetadata = part?.hasMetadata ?? true && !payload.contentRanges.isEmpty
    var result = ReadResult<T>(
      objects: makesObjects
        ? rows.map { store.object(T.self, of: $0, plan.codingClass) } : [],
      outcomes: outcomes.map { .init($0) }, issues: log.located(in: payload.text),
      issueCount: log.reportedCount,
      merged: merged.count, elementCount: firstIndex + batch.topElementCount,
      byteCount: byteCount, inserted: outcomes.count { $0 == .inserted },
      updated: outcomes.count { $0 == .updated },
      payloadMetadata: PayloadMetadata(
        of: hasMetadata ? payload.contentRanges : nil, in: payload.text.input,
        envelope.map { [$0] } ?? [], configuration))
    result.deletedLocally = deleted.map { store.key(of: $0, plan.codingClass) }
    result.conflicts = conflicts
    return result
  }

  /// The author of decoded values.
  var valueSource: ValueSource {
    switch configuration.decodesAs {
    case .user: .user
    case .server: .server(configuration.conflictResolver)
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
  func decoding<Rows, R>(
    _ data: Data, isCallersText: Bool = true, limits: Limits? = nil, keepsRows: Bool = false,
    issueLimit: Int = 0,
    _ parse: (inout PayloadDecoder) throws -> Rows,
    finish: (Rows, RowBatch, PayloadFacts) throws -> R
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
  private func decoding<Rows, R>(
    _ bytes: UnsafeRawBufferPointer, encoding: JSONInput.Encoding, gap: PayloadText.Gap? = nil,
    hasPositions: Bool = true, limits: Limits? = nil, keepsRows: Bool = false, issueLimit: Int = 0,
    _ parse: (inout PayloadDecoder) throws -> Rows,
    finish: (Rows, RowBatch, PayloadFacts) throws -> R
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
  private func decodingOnSufficientStack<Rows, R>(
    _ text: PayloadText, _ limits: Limits, _ keepsRows: Bool, _ issueLimit: Int,
    _ parse: (inout PayloadDecoder) throws -> Rows,
    _ finish: (Rows, RowBatch, PayloadFacts) throws -> R
  ) throws -> R {
    do {
      return try store.withBatch(isKept: keepsRows) { batch in
        var decoder = PayloadDecoder(
          text.input, batch, configuration, limits, issueLimit: issueLimit)
        decoder.store = store
        let rows = try parse(&decoder)
        return try finish(
          rows, batch,
          PayloadFacts(
            text: text, issues: decoder.issues, contentRanges: decoder.contentRanges, depth: 0))
      }
    } catch is TooDeep {
      let depth = limits.usedDepth
      return try store.withBatch(isKept: keepsRows) { batch in
        let (rows, facts) = try DeepStack.run(depth: depth) {
          var decoder = PayloadDecoder(
            text.input, batch, configuration, limits, issueLimit: issueLimit)
          decoder.stackDepth = depth
          decoder.store = store
          let rows = try parse(&decoder)
          return (
            rows,
            PayloadFacts(
              text: text, issues: decoder.issues, contentRanges: decoder.contentRanges,
              depth: depth)
          )
        }
        return try finish(rows, batch, facts)
      }
    }
  }
}
