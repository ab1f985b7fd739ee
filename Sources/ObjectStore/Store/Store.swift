public import Dispatch

/// A handle of an object store: the way to its objects.
///
///     let store = try Store()
///     try store.write {
///       try store.add(animal)
///       animal.name = "Bella"
///     }
///     let bella = store.object(ofType: Animal.self, forPrimaryKey: 7)
///
/// A handle is used in the isolation that opened it (an actor, the main actor, one task) together
/// with the objects it gives out. In the Swift 6 language mode the compiler refuses anything else; in
/// Swift 5 mode it warns of it with `-strict-concurrency=complete`. Handles of one configuration share
/// one store; opening another handle costs about a microsecond.
///
/// A handle shows one version of the store. It advances when it writes and in ``refresh()``; one
/// opened on an actor also advances by itself, in a later turn of that actor, after another handle
/// committed.
public final class Store {
  let handle: StoreHandle
  private var follower: StoreFollower?

  /// A store in memory of its own.
  public convenience init(isolation: isolated (any Actor)? = #isolation) throws {
    try self.init(configuration: .inMemory(), isolation: isolation)
  }

  /// The store of the configuration; the first handle opens it.
  ///
  /// `isolation` is the actor the handle follows, the caller's by default. With nil the handle
  /// advances only when it writes and in ``refresh()``.
  ///
  /// `schemas` are classes that no source declares; see ``objects(dynamic:_:)``. A further handle may name
  /// them again, or not.
  ///
  /// Swift knows no caller's actor where a stored property gets its initial value, in a `lazy var` or a
  /// `static let`, and in the `init` of an actor: there `isolation` is nil. On the main actor say
  /// `isolation: MainActor.shared`; on another actor call ``follow(isolation:)`` in a method.
  /// - Throws: `invalidDeclarations` with every mistake in the schemas; `tableNameClash` for one whose
  ///   name the store has already, for something else. Of a file: `fileInUse`, `fileFailed`,
  ///   `fileDamaged`, `notAStore`, `fileTooNew`, `schemaTooNew`, `otherConfiguration`, and `migrationNeeded` for
  ///   the configuration's classes; `migrationFailed`, and what the block of a migration throws.
  public init(
    configuration: StoreConfiguration, schemas: [ObjectSchema] = [],
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    let core = try OpenStores.shared.core(configuration, schemas)
    try core.enter(checked: configuration.classes)
    if !schemas.isEmpty { try core.enter(schemas) }
    let handle = StoreHandle(core)
    self.handle = handle
    follower = isolation.map { StoreFollower(handle, .actor($0)) }
    handle.tracker = TrackedReads(handle)
    handle.accessTables.tracksReads = isolation === MainActor.shared
  }

  /// A handle for another isolation.
  init(core: StoreCore) {
    handle = StoreHandle(core)
    follower = nil
  }

  /// What the store was opened with; opening it again gives another handle of the same store.
  public var configuration: StoreConfiguration { handle.core.configuration }

  /// The types of values that its store has looked at.
  package var checkedTypes: CheckedTypes { handle.core.checkedTypes }

  /// Whether each read of an object's attribute through this handle is seen by `withObservationTracking`.
  ///
  /// So it is on the main actor and the main queue. On another handle it becomes so by the first tracking
  /// that looks for objects: a program that tracks nothing reads faster, a number in 3 ns instead of 13. Say
  /// true where objects that are at hand already are the first thing tracked. In `inBackground`
  /// nothing is tracked.
  public var tracksReads: Bool {
    get { handle.accessTables.tracksReads }
    set { handle.accessTables.tracksReads = newValue }
  }

  /// Number of the version shown: counts the commits that changed something.
  public var version: UInt64 { handle.version.number }

  /// Follows the actor it is called on: shows the newest version now, and from now on advances by
  /// itself, in a later turn of the actor, after another handle committed.
  ///
  ///     actor Barn {
  ///       let store: Store
  ///       init(_ configuration: StoreConfiguration) throws {
  ///         store = try Store(configuration: configuration)   // follows nobody yet
  ///       }
  ///       func open() { store.follow() }
  ///     }
  ///
  /// It compiles only where there is an actor to follow. Calling it again changes nothing; called on
  /// another actor, which the handle was moved to, it follows that one instead. Inside a write the
  /// handle goes on showing what it writes.
  public func follow(isolation: isolated any Actor = #isolation) {
    if isolation === MainActor.shared { handle.accessTables.tracksReads = true }
    follow(.actor(isolation))
  }

  /// Follows the serial queue it is called on, as ``follow(isolation:)`` follows an actor: for a store that is opened
  /// and used in blocks of that queue alone.
  ///
  ///     try queue.sync {
  ///       let store = try Store(configuration: configuration)
  ///       store.follow(on: queue)
  ///       token = store.objects(Animal.self).observe { … }   // told on the queue
  ///     }
  ///
  /// Calling it elsewhere stops the program.
  public func follow(on queue: DispatchQueue) {
    dispatchPrecondition(condition: .onQueue(queue))
    if queue === DispatchQueue.main { handle.accessTables.tracksReads = true }
    follow(.queue(queue))
  }

  private func follow(_ isolation: StoreFollower.Isolation) {
    // R26
    if follower?.follows(isolation) != true { follower = StoreFollower(handle, isolation) }
    // Now that it will be told of later commits, none in between is missed.
    handle.advance()
    if handle.delivery != nil { handle.requestDelivery?() }
  }

  /// Shows the newest version, and tells the observers of this handle what is different since they were
  /// told last. Inside a write nothing happens: it began from the newest one. A write that an observer leaves open is
  /// undone.
  public func refresh() {
    try? handle.advanceAndDeliver()
  }

  deinit {
    handle.end()
  }
}

@available(
  *, unavailable,
  message:
    "a Store stays in its isolation: open one there with its configuration, or use inBackground"
)
extension Store: Sendable {}

// MARK: - Adding and deleting

extension Store {
  /// Adds the object and all unmanaged objects it refers to; they show their rows from now on.
  ///
  /// An object that is managed here already is left as it is. With a policy other than `.error` an
  /// existing object with the same key takes *all* values of the given one; to update a part, see
  /// ``create(_:value:update:)-(_,UpdateDictionary,_)`` and ``update(_:key:_:missing:)``.
  ///
  /// Either the whole graph is added or nothing of it.
  /// - Throws: `duplicatePrimaryKey`, `noPrimaryKey`, `objectOfAnotherStore`,
  ///   `objectInvalidated`, `notWriting`.
  public func add<T: Object>(_ object: T, update: UpdatePolicy = .error) throws {
    try add([object], update: update)
  }

  /// Adds several objects in one step: all of them, or, if one is refused, none.
  /// - Throws: as ``add(_:update:)-(T,_)``.
  public func add<S: Sequence>(
    _ objects: S, update: UpdatePolicy = .error
  ) throws where S.Element: Object {
    _ = try handle.writableTransaction()
    try handle.withBatch { batch in
      let export = BatchExport(batch, for: handle)
      for object in objects {
        if object.isManaged {
          // R24
          _ = try handle.slot(of: object)
          continue
        }
        let schema = try handle.entry(of: object).schema
        if update != .error, schema.primaryKeyProperty == nil {
          throw StoreError(.noPrimaryKey(className: schema.className))
        }
        try export.add(object)
      }
      try handle.apply(batch, update)
      handle.attachInstances(of: export)
    }
  }

  /// An object with the values of an update: a new one, or, by its key, the existing one with just
  /// the named attributes changed.
  ///
  ///     try store.create(Animal.self, value: ["id": 7, "owner": ["id": 1]], update: .modified)
  ///
  /// Nested dictionaries are objects: found by key and updated in the same way, or made. Absent
  /// attributes of a new object take their defaults. Either all of it is applied or nothing.
  /// - Throws: `unknownAttribute`, `typeMismatch`, `outOfRange`, `nullForNonOptional`,
  ///   `primaryKeyNotFound`, `duplicatePrimaryKey`, `noPrimaryKey`, `notWriting`.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: UpdateDictionary = [:], update: UpdatePolicy = .error
  ) throws -> T {
    try handle.create(in: handle.entry(type), value, update)
  }

  /// ``create(_:value:update:)-(_,UpdateDictionary,_)`` from values whose types are known only at
  /// run time.
  @_disfavoredOverload @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: [String: Any?], update: UpdatePolicy = .error
  ) throws -> T {
    var dictionary = UpdateDictionary()
    // In an order: of several mistakes the same one is told, and of several values the same one counts.
    for (name, element) in value.sorted(by: { $0.key.precedesByBytes($1.key) }) {
      guard let element = UpdateValue(any: element) else {
        let found = element.map { "\(Swift.type(of: $0))" } ?? "nil"
        throw StoreError(
          .typeMismatch(
            attribute: "\(T.self).\(name)", expected: "a value an attribute can hold",
            found: found))
      }
      dictionary.append(name, element)
    }
    return try create(type, value: dictionary, update: update)
  }

  /// Deletes the object: links to it are cleared, collections lose it, embedded objects go with it.
  ///
  /// Misuse outside a write and for an object of another store; an object deleted already is left.
  public func delete<T: Object>(_ object: T) {
    delete(CollectionOfOne(object))
  }

  /// Deletes all objects of the sequence in one step; see ``delete(_:)-(T)``.
  ///
  /// - Complexity: O(n log n) of the objects and of the links to and from them, and O(length) for
  ///   each collection that loses some.
  public func delete<S: Sequence>(_ objects: S) where S.Element: Object {
    let transaction = transaction(for: "Store.delete")
    let rows = objects.map { object in
      guard let storage = object.storage, let owner = object.handle, owner.core === handle.core,
        !owner.isFrozen
      else {
        misuse("Store.delete: this \(S.Element.self) is not managed by this store")
      }
      return (storage.pointee.table, object.slot)
    }
    transaction.delete(rows)
  }

  private func transaction(for call: String) -> Transaction {
    guard let transaction = handle.transaction else {
      misuse("\(call): objects are deleted only inside `write`")
    }
    if handle.evaluation.isRunning { misuse("\(call): \(StoreError(.writeInDefault))") }
    return transaction
  }

  /// Deletes all objects of all classes this store has met; those of a file's other classes stay. Misuse
  /// outside a write.
  ///
  /// - Complexity: O(n log n) of the rows and links.
  public func deleteAll() {
    let transaction = transaction(for: "Store.deleteAll")
    var rows: [(table: Int, slot: Int)] = []
    for table in handle.engine.allTables() {
      handle.tableVersion(table.index).forEachLive {
        rows.append((table.index, $0))
        return true
      }
    }
    transaction.delete(rows)
  }
}

// MARK: - Reading

extension Store {
  /// The object with this primary key; nil if there is none.
  ///
  /// A key of another type than the class's is misuse, as is a class without a primary key or with
  /// wrong declarations; integers of all widths are one type.
  /// - Complexity: O(1).
  public func object<T: Object, Key: ObjectKey>(
    ofType type: T.Type, forPrimaryKey key: Key
  ) -> T? {
    let entry = handle.trustedEntry(type)
    if let error = entry.mismatch(ofKey: key) { misuse("\(error)") }
    return handle.object(of: key, entry)
  }

  /// All objects of exactly this class, live, in order of insertion: of a payload, objects inside of others
  /// come before these.
  ///
  /// A class whose declarations are wrong is misuse.
  /// - Complexity: O(1).
  public func objects<T: Object>(_ type: T.Type) -> Results<T> {
    Results(handle, handle.trustedEntry(type))
  }
}
