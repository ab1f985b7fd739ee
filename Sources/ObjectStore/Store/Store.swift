public import Dispatch

/// A handle of an object store, which gives access to its objects.
///
///     let store = try Store()
///     try store.write {
///       try store.add(animal)
///       animal.name = "Bella"
///     }
///     let bella = store.object(ofType: Animal.self, forPrimaryKey: 7)
///
/// Use a handle and its objects only in the isolation that opened the handle: an actor, the main actor, or one task.
/// The Swift 6 language mode enforces this at compile time; Swift 5 mode warns with `-strict-concurrency=complete`.
/// Handles of one configuration share one store. Opening another handle takes about a microsecond.
///
/// A handle shows one version of the store. It advances to the newest version when it writes and in ``refresh()``. A
/// handle opened on an actor also advances on that actor by itself after another handle commits.
public final class Store {
  let handle: StoreHandle
  private var follower: StoreFollower?

  /// Creates a new store in memory.
  public convenience init(isolation: isolated (any Actor)? = #isolation) throws {
    try self.init(configuration: .inMemory(), isolation: isolation)
  }

  /// Opens a handle of the configuration's store. The first handle opens the store itself.
  ///
  /// The handle follows the actor `isolation`, by default the caller's. With nil it advances only when it writes and
  /// in ``refresh()``, until an observation begins on an actor, which it then follows.
  ///
  /// `schemas` are classes without a Swift declaration; see ``objects(dynamic:_:)``. Further handles need not repeat
  /// them.
  ///
  /// Swift does not provide the caller's actor for the initial value of a stored property (a `lazy var` or
  /// `static let`) or in the `init` of an actor: there `isolation` is nil. To follow the actor before the first observation,
  /// pass `isolation: MainActor.shared` on the main actor, or call ``follow(isolation:)`` in a method of another actor.
  /// - Throws: `invalidDeclarations` with all errors in the schemas; `tableNameClash` if the store has another class
  ///   of the same name. For a file: `fileInUse`, `fileFailed`, `fileDamaged`, `notAStore`, `fileTooNew`,
  ///   `schemaTooNew`, `otherConfiguration`; `migrationNeeded` for the configuration's classes; `migrationFailed`,
  ///   and any error of the migration block.
  public init(
    configuration: StoreConfiguration, schemas: [ObjectSchema] = [],
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    let core = try OpenStores.shared.core(configuration, schemas)
    try core.register(checked: configuration.classes)
    if !schemas.isEmpty { try core.register(schemas) }
    let handle = StoreHandle(core)
    self.handle = handle
    handle.tracker = TrackedReads(handle)
    handle.accessTables.tracksReads = isolation === MainActor.shared
    if let isolation {
      follower = StoreFollower(self, .actor(isolation))
    } else {
      handle.followObserver = { [weak self] in self?.followObserver($0) }
    }
  }

  /// Follows the actor of the first observation, which cannot be notified otherwise: the initial value of a stored property
  /// and the `init` of an actor do not have the actor.
  private func followObserver(_ actor: any Actor) {
    handle.followObserver = nil
    if follower != nil { return }
    if actor === MainActor.shared { handle.accessTables.tracksReads = true }
    // R26
    follower = StoreFollower(self, .actor(actor))
    // A commit may have preceded the follower.
    handle.requestDelivery?()
  }

  /// Creates a handle for another isolation.
  init(core: StoreCore) {
    handle = StoreHandle(core)
    follower = nil
  }

  /// The configuration of the store. Opening it again returns another handle of the same store.
  public var configuration: StoreConfiguration { handle.core.configuration }

  /// The value types that the store has found valid.
  package var checkedTypes: CheckedTypes { handle.core.checkedTypes }

  /// A Boolean value that indicates whether `withObservationTracking` sees reads of attributes through this handle.
  ///
  /// True on the main actor and the main queue. On any other handle it becomes true with the first tracked query.
  /// Without tracking, reads are faster: 3 ns instead of 13 for a number. Set it to true if the first reads to be
  /// tracked are of objects that were obtained earlier. Handles in `inBackground` never track.
  public var tracksReads: Bool {
    get { handle.accessTables.tracksReads }
    set { handle.accessTables.tracksReads = newValue }
  }

  /// The number of the version that this handle shows: the number of commits with changes up to that version.
  public var version: UInt64 { handle.version.number }

  /// Follows the current actor: shows the newest version now, and from now on advances on the actor by itself after
  /// another handle commits.
  ///
  ///     actor Barn {
  ///       let store: Store
  ///       init(_ configuration: StoreConfiguration) throws {
  ///         store = try Store(configuration: configuration)   // follows no actor yet
  ///       }
  ///       func open() { store.follow() }
  ///     }
  ///
  /// An observation that begins on an actor does the same if the handle follows none yet, but shows the newest version a
  /// little later. The call compiles only where there is an actor to follow. Repeated calls have no effect; if the handle was moved
  /// to another actor, it follows that actor from then on. Inside a write the handle continues to show the open
  /// transaction.
  public func follow(isolation: isolated any Actor = #isolation) {
    if isolation === MainActor.shared { handle.accessTables.tracksReads = true }
    follow(.actor(isolation))
  }

  /// Follows the current serial queue, for a store that is opened and used only in blocks of that queue.
  ///
  /// See ``follow(isolation:)``.
  ///
  ///     try queue.sync {
  ///       let store = try Store(configuration: configuration)
  ///       store.follow(on: queue)
  ///       token = store.objects(Animal.self).observe { … }   // notified on the queue
  ///     }
  ///
  /// Calling it on another queue is misuse and stops the program.
  public func follow(on queue: DispatchQueue) {
    dispatchPrecondition(condition: .onQueue(queue))
    if queue === DispatchQueue.main { handle.accessTables.tracksReads = true }
    follow(.queue(queue))
  }

  private func follow(_ isolation: StoreFollower.Isolation) {
    // R26
    if follower?.follows(isolation) != true { follower = StoreFollower(self, isolation) }
    // The follower is already registered, so no later commit is missed.
    handle.advance()
    if handle.delivery != nil { handle.requestDelivery?() }
  }

  /// Advances to the newest version and notifies the observers of this handle of the changes.
  ///
  /// A read-only store of a file also shows the newest commit of the process that writes it. If that cannot be read, for
  /// example because its classes have changed, the store keeps the state that it shows, and ``damage`` has the reason. The
  /// call waits while another handle of the reader has a write open.
  ///
  /// Inside a write it does nothing, because the write began from the newest version. It also does nothing in code that
  /// the store evaluates: defaults, initializers and conversions for encoding. If an observer leaves a write
  /// open, that write is rolled back.
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
  /// Adds the object and all unmanaged objects it refers to. They become managed objects of this store.
  ///
  /// An object that this store already manages is not changed. With a policy other than `.error`, an existing object
  /// with the same key takes *all* values of the given one; for partial updates, see
  /// ``create(_:value:update:)-(_,UpdateDictionary,_)`` and ``update(_:key:_:missing:)``.
  ///
  /// If the call throws, no object is added.
  /// - Throws: `duplicatePrimaryKey`, `noPrimaryKey`, `objectOfAnotherStore`,
  ///   `objectInvalidated`, `notWriting`.
  public func add<T: Object>(_ object: T, update: UpdatePolicy = .error) throws {
    try add([object], update: update)
  }

  /// Adds several objects. If the call throws, no object is added.
  /// - Throws: The errors of ``add(_:update:)-(T,_)``.
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

  /// Creates an object from the values of an update, or updates the existing object with the same key.
  ///
  /// An update of an existing object changes only the named attributes.
  ///
  ///     try store.create(Animal.self, value: ["id": 7, "owner": ["id": 1]], update: .modified)
  ///
  /// Nested dictionaries are objects, which are found by key and updated, or created, in the same way. Attributes
  /// that a new object lacks take their defaults. If the call throws, nothing is applied.
  /// - Throws: `unknownAttribute`, `typeMismatch`, `outOfRange`, `nullForNonOptional`,
  ///   `primaryKeyNotFound`, `duplicatePrimaryKey`, `noPrimaryKey`, `notWriting`.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: UpdateDictionary = [:], update: UpdatePolicy = .error
  ) throws -> T {
    try handle.create(in: handle.entry(type), value, update)
  }

  /// A variant of ``create(_:value:update:)-(_,UpdateDictionary,_)`` for values whose types are known only at run time.
  @_disfavoredOverload @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: [String: Any?], update: UpdatePolicy = .error
  ) throws -> T {
    var dictionary = UpdateDictionary()
    // Sorted, so that the result does not depend on the order of the dictionary, for example which error is reported.
    for (name, element) in value.sorted(byBytesOf: \.key) {
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

  /// Deletes the object, its embedded objects, the links to it, and its entries in collections.
  ///
  /// Calling it outside a write, or with an unmanaged object or an object of another store, is misuse. Does nothing for
  /// a deleted object.
  public func delete<T: Object>(_ object: T) {
    delete(CollectionOfOne(object))
  }

  /// Deletes all objects of the sequence. See ``delete(_:)-(T)``.
  ///
  /// - Complexity: O(n log n) in the objects and the links to and from them, plus O(length) for each collection that
  ///   loses elements.
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

  /// Deletes all objects of all classes, with their unconfirmed edits, also those of classes in the file that this store has
  /// not used. No deletion is sent to a server.
  ///
  /// Calling it outside a write is misuse.
  /// - Complexity: O(n log n) in the rows and links.
  public func deleteAll() {
    let transaction = transaction(for: "Store.deleteAll")
    // Deletions before this one in the same write leave base rows.
    transaction.settlePhase()
    transaction.dropOtherClasses()
    var rows: [(table: Int, slot: Int)] = []
    for table in handle.engine.allTables() {
      handle.tableVersion(table.index).forEachLive {
        rows.append((table.index, $0))
        return true
      }
    }
    // Logging out must not delete everything on the server.
    transaction.run(as: .server, isApplying: true) { transaction.delete(rows) }
  }
}

// MARK: - Reading

extension Store {
  /// Returns the object with this primary key, or nil if there is none.
  ///
  /// The key may also be the ``UpdateValue`` that changes, edits and conflicts have as their key. Integer types of all
  /// widths count as one type. A key whose type differs from that of the class's key, or a class without a primary key, is
  /// misuse in a debug build; in a release build the result is nil, because the key may come from a request. A class with
  /// invalid declarations is misuse in both.
  /// - Complexity: O(1).
  public func object<T: Object, Key: ObjectKey>(
    ofType type: T.Type, forPrimaryKey key: Key
  ) -> T? {
    let entry = handle.trustedEntry(type)
    if let error = entry.mismatch(ofKey: key) {
      debugMisuse("\(error)")
      return nil
    }
    return handle.object(of: key, entry)
  }

  /// Returns the object with this primary key, or nil if there is none; see ``object(ofType:forPrimaryKey:)``.
  public func object<T: Object, Key: ObjectKey>(_ type: T.Type, key: Key) -> T? {
    object(ofType: type, forPrimaryKey: key)
  }

  /// Returns live results with all objects of exactly this class, in order of insertion.
  ///
  /// The nested objects of a payload are inserted before the objects that contain them. A class with invalid
  /// declarations is misuse.
  /// - Complexity: O(1).
  public func objects<T: Object>(_ type: T.Type) -> Results<T> {
    Results(handle, handle.trustedEntry(type))
  }
}
