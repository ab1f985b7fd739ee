import ObjectStore

/// The total number of elements that the pages of a list state, and the elements that were read.
private struct StatedTotal {
  let path: String
  private var largest: Int?
  /// A stated total that is not a whole number of 0 or more.
  private var mistake: JSONValue?
  /// The exact keys of the elements. An element may be deleted locally, or created again in another slot, between two pages.
  private var keys: Set<UpdateValue> = []

  init(path: String) { self.path = path }

  mutating func add<T: Object>(
    _ batch: RowBatch, _ rows: ScopeRows<T>, _ result: ReadResult<T>
  ) throws {
    for row in batch.topRows { keys.insert(rows.key(of: row).exactKey) }
    guard let value = try result.metadata(path) else { return }
    if let total = value.intValue, total >= 0 {
      largest = max(largest ?? 0, total)
    } else {
      mistake = mistake ?? value
    }
  }

  /// The reason why the list may be incomplete; nil if all elements were read.
  var refusal: String? {
    if let mistake {
      return
        "'\(path)' is \(MessageText.clipped(mistake.jsonText)), not a whole number of 0 or more"
    }
    guard let largest else { return "it states no total at '\(path)'" }
    return keys.count < largest
      ? "it has \(keys.count) of the \(largest) elements at '\(path)'" : nil
  }
}

/// A complete list that is being read, as one payload or page by page.
struct CompleteList<T: Object> {
  private let scope: ListScope<T>
  private let missing: ListScope<T>.Missing
  private let limits: ListGuard
  private var rows: ScopeRows<T>
  private let schema: ObjectSchema
  private let requestVersion: StoreVersion?
  /// The number of elements so far.
  private var elementCount = 0
  /// The elements so far that were deleted locally; see ``ListElements``.
  private var withheld: [(index: Int, tombstone: Int)] = []
  /// The number of distinct elements so far.
  private var rowCount = 0
  private var total: StatedTotal?

  /// Records the objects that are in the scope now.
  ///
  /// - Parameter part: The list. Objects that were inserted or changed since its version are not missing.
  init(
    _ part: PayloadPart, _ scope: ListScope<T>, _ missing: ListScope<T>.Missing,
    _ limits: ListGuard, in store: Store
  ) throws {
    self.scope = scope
    self.missing = missing
    self.limits = limits
    schema = part.plan.codingClass.schema
    requestVersion = part.version
    for path in limits.morePaths { try Self.check(path, "morePaths") }
    if let path = limits.totalPath {
      try Self.check(path, "totalPath")
      total = StatedTotal(path: path)
    }
    let all: Results<T> = store.objects(of: part.plan.codingClass)
    rows = try ScopeRows(
      scope.results(all), in: store, since: part.version, ownerName: scope.ownerName)
  }

  private static func check(_ path: String, _ name: String) throws(StoreCodingError) {
    do throws(JSONPath.Mistake) {
      _ = try JSONPath(checking: path)
    } catch {
      throw StoreCodingError(.invalidDeclarations(["\(name): \(error.sentence)"]))
    }
  }

  /// Records the objects of an applied payload.
  ///
  /// - Parameter isLast: True if no more pages follow.
  /// - Throws: `incompleteList` if the payload has an issue, an element is outside the scope, or more pages follow.
  mutating func add(_ batch: RowBatch, _ result: ReadResult<T>, isLast: Bool) throws {
    elementCount += batch.topElementCount
    rows.name(rowsOf: batch)
    try total?.add(batch, rows, result)
    if scope.assign != nil {
      for (index, row) in batch.topRows.enumerated() {
        if let tombstone = row.tombstone { withheld.append((rowCount + index, tombstone)) }
      }
      rowCount += batch.topRows.count
    }
    if let issue = result.issues.first(where: { $0.kind != .mergedObject }) {
      throw refusal("it has an issue: \(issue)")
    }
    if scope.assign == nil {
      for row in batch.topRows where !row.isWithheld && !rows.allows(row.slot) {
        throw refusal("\(rows.name(of: row.slot)) is outside the scope")
      }
    }
    if isLast { try checkMore(result) }
  }

  /// Records that objects that commits have inserted or changed since the version of the request are not missing.
  mutating func nameChanges() {
    if let requestVersion { rows.name(rowsChangedSince: requestVersion) }
  }

  /// True if the elements must be kept until the end.
  var assignsElements: Bool { scope.assign != nil }

  /// Throws an error if the payload indicates that more pages follow.
  func checkMore(_ result: ReadResult<T>) throws {
    for path in limits.morePaths {
      switch try result.metadata(path) {
      case nil, .null, .bool(false), .string(""), .array([]): continue
      case .object(let members) where members.isEmpty: continue
      case let value?:
        throw refusal("'\(path)' is \(MessageText.clipped(value.jsonText))")
      }
    }
  }

  /// Removes the missing objects in the open write.
  ///
  /// - Parameters:
  ///   - elements: The elements in the order of the payload.
  ///   - author: The author of the list.
  /// - Returns: The number of missing objects, the keys of those that are kept because they have unconfirmed edits, and the
  ///   conflict with an edit of the owner's list.
  /// - Throws: `incompleteList`.
  func finish(
    _ store: Store, _ elements: [T], as author: ValueAuthor
  ) throws -> (missing: Int, kept: [UpdateValue], conflicts: [Edit.Conflict]) {
    if let reason = total?.refusal { throw refusal(reason) }
    let conflicts =
      try scope.assign?(
        store, ListElements(objects: elements, withheld: withheld), author, requestVersion) ?? []
    var missing = rows.missing()
    var kept = rows.kept()
    if case .update = self.missing {
      // An attribute without an edit changes; one with an edit gets another base value.
      let edited = rows.edited()
      missing += edited
      let keys = Set(rows.keys(of: edited))
      kept.removeAll { keys.contains($0) }
    }
    if scope.assign != nil { missing = try rows.unlinked(missing) }
    if missing.isEmpty { return (0, kept, conflicts) }
    let reason = limits.refusal(
      elementCount: elementCount, missingCount: missing.count, scopeCount: rows.count)
    if let reason { throw refusal(reason, missing) }
    switch self.missing {
    case .delete: try rows.delete(missing)
    case .update(let assignments): try rows.update(missing, assignments)
    }
    return (missing.count, kept, conflicts)
  }

  // MARK: - Errors

  /// - Parameter missing: The objects that the list would remove; those that are missing now if nil. For the list of an
  ///   owner, they are known only once the list is assigned.
  private func refusal(_ reason: String, _ missing: [Int]? = nil) -> StoreCodingError {
    let missing = missing ?? (scope.assign == nil ? rows.missing() : [])
    return StoreCodingError(
      .incompleteList, attribute: schema.className, expected: rows.refusal(reason, missing))
  }
}
