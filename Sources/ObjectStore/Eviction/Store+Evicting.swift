public import Foundation

// Deletes cached objects.

extension Store {
  /// Deletes the objects that the policies of their classes select, except those that are in use.
  ///
  ///     let report = try store.evict()
  ///     print(report)   // Photo: 12 evicted, 1 kept, 0 observed, 3 linked
  ///
  /// An object stays if its class has no ``Object/cachePolicy``, if no limit of the policy selects the object, if a
  /// rule keeps it or it has unconfirmed edits (``Object/tracksEdits``), if it is observed in any handle of the store, or if a remaining object links to it, directly or
  /// through other objects. See <doc:Eviction>.
  ///
  /// Only classes that the store has used are considered. Opens a write of its own, or joins the open one.
  ///
  /// A date of use later than `date` counts as `date`, and is set to it, because the clock was wrong when the object was
  /// used. A maximum count treats the object as less recently used than those with earlier dates. The hundredth of the
  /// maximum age that ``noteUse(of:at:)-(S,_)`` tolerates (a minute without one) is tolerated here, too.
  ///
  /// - Parameters:
  ///   - date: The date at which ages are measured, and which replaces later dates of use: the current one, except in
  ///     tests and dry runs.
  ///   - dryRun: A Boolean value that indicates whether to report the objects without deleting them.
  /// - Throws: `invalidQuery`, `unknownAttribute` and `typeMismatch` for a condition that does not fit the class;
  ///   `alreadyWriting`; errors of the commit.
  /// - Complexity: O(n) in the objects of classes with policies, the objects that link to them, and the links;
  ///   O(n log n) in the deleted objects, and for a maximum count by a date.
  @discardableResult
  public func evict(asOf date: Date = Date(), dryRun: Bool = false) throws -> CachePolicy.Report {
    try evict(declaredPolicies, date, dryRun)
  }

  /// Deletes the objects that the policies of this call select, as ``evict(asOf:dryRun:)`` does with the policies of
  /// the classes.
  ///
  ///     try store.evict(by: [.policy(.whileLinked, of: Photo.self)])   // memory is low
  ///
  /// Objects of classes without a rule are not deleted. If several rules are for the same class, the last one applies.
  /// Objects that the class's own policy keeps are never deleted.
  ///
  /// - Throws: The errors of ``evict(asOf:dryRun:)``; `unknownClass`; `invalidDeclarations` for a policy that is
  ///   invalid for its class.
  @discardableResult
  public func evict(
    by rules: [CachePolicy.Rule], asOf date: Date = Date(), dryRun: Bool = false
  ) throws -> CachePolicy.Report {
    try evict(policies(rules), date, dryRun)
  }

  private func evict(
    _ policies: [(entry: ClassEntry, policy: CachePolicy)], _ date: Date, _ isDryRun: Bool
  ) throws -> CachePolicy.Report {
    try evict(policies, date, isDryRun) { () throws(StoreError) in
      nil
    } find: { classes, _ in
      var eviction = Eviction(handle, classes)
      return try eviction.run()
    }
  }

  /// Deletes the objects that ``evict(asOf:dryRun:)`` deletes, and then the oldest objects of all classes with a
  /// policy, until the rest is estimated to use no more than `byteCount` bytes of the file.
  ///
  /// Unused space in the file does not count: ``compact(progress:)`` releases it. The oldest objects are those without
  /// a date, in order of insertion, then those with dates in the future, then those with the earliest dates. Objects that are kept, observed or linked stay
  /// even if the limit is then exceeded. Inside a write, the file does not yet contain the write's earlier changes.
  ///
  /// - Throws: The errors of ``evict(asOf:dryRun:)``; `notInFile` for an in-memory store. Limit its number of objects
  ///   with a maximum count instead.
  @discardableResult
  public func evict(
    toBytes byteCount: Int, asOf date: Date = Date(), dryRun: Bool = false
  ) throws -> CachePolicy.Report {
    guard let file = handle.core.file else { throw StoreError(.notInFile) }
    return try evict(declaredPolicies, date, dryRun) {
      [engine = handle.engine] () throws(StoreError) in
      try file.usedBytes(engine)
    } find: { classes, used in
      var eviction = Eviction(handle, classes)
      return try eviction.run(toBytes: byteCount, used: used ?? 0)
    }
  }

  /// Marks objects as used: sets the date attribute that the policies of their classes name.
  ///
  ///     try store.noteUse(of: photo)   // shown to the user
  ///
  /// A date stays unchanged if it is not older than a hundredth of the maximum age (a minute without one), so that most
  /// calls write nothing. A date that is in the future by more than that is also set, because the clock was wrong when
  /// it was stored. Objects of classes whose policy names no date are ignored. Opens a write of its own if any date
  /// must be set, or joins the open one.
  ///
  /// - Returns: The number of dates that were set.
  /// - Throws: `objectOfAnotherStore`, `objectInvalidated`, and the errors of ``Store/write(_:)``.
  @discardableResult
  public func noteUse<S: Sequence>(
    of objects: S, at date: Date = Date()
  ) throws -> Int where S.Element: Object {
    let time = date.timeIntervalSinceReferenceDate
    let now = Date().timeIntervalSinceReferenceDate
    var uses: [(table: Int, slot: Int, date: UseDate)] = []
    for object in objects {
      let slot = try handle.slot(of: object)
      let entry = try handle.entry(of: object)
      guard let policy = entry.model.cachePolicy,
        let column = policy.dateColumn(in: entry.schema)
      else { continue }
      let date = UseDate(column: column, granularity: policy.granularity)
      if date.isDue(handle.tableVersion(entry.table), slot, time, now: now) {
        uses.append((entry.table, slot, date))
      }
    }
    if uses.isEmpty { return 0 }
    return try handle.write {
      let transaction = try handle.writableTransaction()
      // A use is no edit.
      return transaction.run(as: .server, isApplying: true) {
        uses.count { table, slot, date in
          let writer = transaction.writer(table)
          // Another thread may have written since the check above.
          return writer.version.isLive(slot) && transaction.noteUse(writer, slot, date, time)
        }
      }
    }
  }

  /// Marks one object as used, like ``noteUse(of:at:)-(S,_)``. Returns true if its date was set.
  @discardableResult
  public func noteUse<T: Object>(of object: T, at date: Date = Date()) throws -> Bool {
    try noteUse(of: CollectionOfOne(object), at: date) > 0
  }

  private func evict(
    _ policies: [(entry: ClassEntry, policy: CachePolicy)], _ date: Date, _ isDryRun: Bool,
    size: () throws(StoreError) -> Int?,
    find: ([ClassEviction], Int?) throws -> Eviction.Outcome
  ) throws -> CachePolicy.Report {
    let time = date.timeIntervalSinceReferenceDate
    try handle.begin()
    var hasWatchers = false
    // A commit that deletes nothing does not notify listeners.
    defer { if hasWatchers { handle.engine.notifyListeners() } }
    return try handle.runWriteBlock {
      let transaction = try handle.writableTransaction()
      transaction.settlePhase()
      let catalog = handle.catalog
      let classes = try policies.map {
        try ClassEviction($0.entry, $0.policy, catalog, at: time)
      }
      let outcome = try find(classes, size())
      if !isDryRun {
        for watcher in outcome.watchers { watcher.didKeepRows() }
        hasWatchers = !outcome.watchers.isEmpty
        // Neither a deletion from the cache nor a corrected date is an edit.
        transaction.run(as: .server, isApplying: true) {
          transaction.delete(outcome.rows, mayBeLinked: false)
          for use in outcome.futureUses {
            let writer = transaction.writer(use.table)
            if writer.version.isLive(use.slot) {
              writer.setWord(use.slot, use.dateColumn, time.bitPattern)
            }
          }
        }
      }
      return outcome.report
    }
  }

  private var declaredPolicies: [(entry: ClassEntry, policy: CachePolicy)] {
    handle.core.allEntries().compactMap { entry in entry.model.cachePolicy.map { (entry, $0) } }
  }

  /// The classes of the rules, each with the policy that applies.
  private func policies(
    _ rules: [CachePolicy.Rule]
  ) throws -> [(entry: ClassEntry, policy: CachePolicy)] {
    var policies: [Int: (entry: ClassEntry, policy: CachePolicy)] = [:]
    var mistakes: [String] = []
    for rule in rules {
      let entry =
        try rule.id.objectType.map { try handle.entry($0) } ?? handle.entry(named: rule.id.name)
      mistakes += rule.policy.mistakes(
        in: entry.schema.className, entry.schema.properties, isEmbedded: entry.schema.isEmbedded)
      policies[entry.table] = (entry, rule.policy)
    }
    if !mistakes.isEmpty { throw StoreError(.invalidDeclarations(mistakes)) }
    return policies.sorted(byNumber: \.key).map(\.value)
  }
}
