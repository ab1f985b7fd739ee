public import Foundation

// Keeping a store small.

extension Store {
  /// Deletes the objects that the policies of their classes let go, and nothing that anybody needs.
  ///
  ///     let report = try store.evict()
  ///     print(report)   // Photo: 12 evicted, 1 kept, 0 observed, 3 linked
  ///
  /// An object stays if its class has no ``Object/cachePolicy``, if no limit of it asks for the object, if a rule
  /// keeps it, if it is observed, in whichever handle of the store, and if something that stays links to it, over
  /// any number of objects. See <doc:Eviction>.
  ///
  /// Asked are the classes that the store has met. Opens a write of its own, or joins the open one.
  ///
  /// - Parameters:
  ///   - date: The date from which ages count.
  ///   - dryRun: Whether to say only what would go.
  /// - Throws: `invalidQuery`, `unknownAttribute` and `typeMismatch` for a condition that the class cannot be
  ///   asked; `alreadyWriting`, and what a commit throws.
  /// - Complexity: O(n) of the objects of classes with policies and of those that link to them, and of the links;
  ///   O(n log n) of what goes, and for a maximum count by a date.
  @discardableResult
  public func evict(asOf date: Date = Date(), dryRun: Bool = false) throws -> EvictionReport {
    try evict(declaredPolicies, date, dryRun)
  }

  /// Deletes what policies of this call let go, as ``evict(asOf:dryRun:)`` does what those of the classes let go.
  ///
  ///     try store.evict(by: [.policy(.whileLinked, of: Photo.self)])   // memory is short
  ///
  /// The classes that no rule is for stay as they are; of several for one the last counts. What a class's own
  /// policy keeps stays also then.
  ///
  /// - Throws: as ``evict(asOf:dryRun:)``; `unknownClass`; `invalidDeclarations` for a policy that makes no sense
  ///   for its class.
  @discardableResult
  public func evict(
    by rules: [EvictionRule], asOf date: Date = Date(), dryRun: Bool = false
  ) throws -> EvictionReport {
    try evict(policies(rules), date, dryRun)
  }

  private func evict(
    _ policies: [(entry: ClassEntry, policy: CachePolicy)], _ date: Date, _ isDryRun: Bool
  ) throws -> EvictionReport {
    try evict(policies, isDryRun) { () throws(StoreError) in
      nil
    } find: { classes, _ in
      var eviction = Eviction(handle, classes, at: date.timeIntervalSinceReferenceDate)
      return try eviction.run()
    }
  }

  /// Deletes what ``evict(asOf:dryRun:)`` deletes, and then the oldest objects of all classes with a policy
  /// until what is left takes no more bytes of the file, by estimate.
  ///
  /// Counted is what the file holds, without room that was given up: ``compact(progress:)`` gives that back. The
  /// oldest are those without a date, in order of insertion, then those with the earliest. What is kept, observed
  /// or linked stays, also if it takes more. Inside a write what that changed before is not in the file yet.
  ///
  /// - Throws: as ``evict(asOf:dryRun:)``; `notInFile` for a store in memory, whose size is its number of objects:
  ///   declare a maximum count.
  @discardableResult
  public func evict(
    toBytes byteCount: Int, asOf date: Date = Date(), dryRun: Bool = false
  ) throws -> EvictionReport {
    guard let file = handle.core.file else { throw StoreError(.notInFile) }
    return try evict(declaredPolicies, dryRun) { [engine = handle.engine] () throws(StoreError) in
      try file.usedBytes(engine)
    } find: { classes, used in
      var eviction = Eviction(handle, classes, at: date.timeIntervalSinceReferenceDate)
      return try eviction.run(toBytes: byteCount, used: used ?? 0)
    }
  }

  /// Sets the date of the policy of the objects' classes, so that they count as used.
  ///
  ///     try store.noteUse(of: photo)   // somebody looks at it
  ///
  /// A date that is not older than a hundredth of the maximum age (a minute without one) stays as it is, so that
  /// noting costs a write only now and then. One that is later than the present by that much is set, too: the clock
  /// was wrong. Objects of classes whose policy names no date are left. Opens a write of its own if any date is to be
  /// set, or joins the open one.
  ///
  /// - Returns: How many dates were set.
  /// - Throws: `objectOfAnotherStore`, `objectInvalidated`, `alreadyWriting`.
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
    try handle.begin()
    return try handle.runWriteBlock {
      let transaction = try handle.writableTransaction()
      return uses.count { table, slot, date in
        let writer = transaction.writer(table)
        // Somebody else may have written since it was looked at.
        return writer.version.isLive(slot) && transaction.noteUse(writer, slot, date, time)
      }
    }
  }

  /// ``noteUse(of:at:)-(S,_)`` of one object.
  @discardableResult
  public func noteUse<T: Object>(of object: T, at date: Date = Date()) throws -> Bool {
    try noteUse(of: CollectionOfOne(object), at: date) > 0
  }

  private func evict(
    _ policies: [(entry: ClassEntry, policy: CachePolicy)], _ isDryRun: Bool,
    size: () throws(StoreError) -> Int?,
    find: ([EvictedClass], Int?) throws -> Eviction.Outcome
  ) throws -> EvictionReport {
    try handle.begin()
    var hasWatchers = false
    // Nobody is told by a commit if nothing goes.
    defer { if hasWatchers { handle.engine.tellListeners() } }
    return try handle.runWriteBlock {
      let transaction = try handle.writableTransaction()
      let catalog = handle.catalog
      let classes = try policies.map { try EvictedClass($0.entry, $0.policy, catalog) }
      let outcome = try find(classes, size())
      if !isDryRun {
        for watcher in outcome.watchers { watcher.didKeepRows() }
        hasWatchers = !outcome.watchers.isEmpty
        transaction.delete(outcome.rows, mayBeLinked: false)
      }
      return outcome.report
    }
  }

  private var declaredPolicies: [(entry: ClassEntry, policy: CachePolicy)] {
    handle.core.allEntries().compactMap { entry in entry.model.cachePolicy.map { (entry, $0) } }
  }

  /// The classes of rules, with the policies that hold.
  private func policies(
    _ rules: [EvictionRule]
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
    return policies.sorted { $0.key < $1.key }.map(\.value)
  }
}
