public import ObjectStore

/// A store of values.
///
///     let container = try Container()
///     try container.write { transaction in
///       try transaction.add(ironMan)
///     }
///     for character in container.values(Character.self, matching: .publisherName("Marvel")) { … }
///
/// Like its ``store``, a container is used in the isolation in which it was created. Values can be sent to other
/// isolations.
public final class Container {
  /// The store of the values, for direct access to objects.
  public let store: Store

  /// Creates a container with its own in-memory store.
  public convenience init(isolation: isolated (any Actor)? = #isolation) throws {
    try self.init(configuration: .inMemory(), isolation: isolation)
  }

  /// Creates a container with the store of a configuration.
  /// - Throws: The errors of `Store(configuration:)`.
  public convenience init(
    configuration: StoreConfiguration, isolation: isolated (any Actor)? = #isolation
  ) throws {
    self.init(store: try Store(configuration: configuration, isolation: isolation))
  }

  /// Creates a container with an open store.
  public init(store: Store) {
    self.store = store
  }

  // MARK: - Declarations

  /// Validates the mappings and classes of value types and of all types that are reachable from them.
  ///
  ///     @Test func `values are mapped soundly`() throws {
  ///       try Container().check(Character.self, Publisher.self)
  ///     }
  ///
  /// In a ``MappedPersistable/mapping``, each attribute of the value and each attribute of the object occurs at most
  /// once. The object's attribute is stored in the object itself. Only the primary key is paired by
  /// ``Field/key(_:_:)``; each part of a compound key is paired by `.field`.
  ///
  /// A container validates each type at its first use.
  /// - Throws: `invalidDeclarations` with all errors.
  public func check(_ types: any Persistable.Type...) throws {
    let mistakes = store.mistakes(of: types)
    guard mistakes.isEmpty else { throw StoreError(.invalidDeclarations(mistakes)) }
  }

  // MARK: - Writing

  /// Runs `block` in a transaction, which is committed, or rolled back if the block throws.
  ///
  /// Inside another write of the container's store, the block is a nested transaction: an error rolls back only this
  /// part.
  /// - Throws: The errors of `block` and of `Store.write`.
  @discardableResult
  public func write<R>(_ block: (WriteTransaction) throws -> R) throws -> R {
    try store.write { try block(WriteTransaction(store)) }
  }

  /// Runs a transaction like ``write(_:)``, but suspends instead of blocking while another handle of the store
  /// writes.
  /// - Throws: The errors of `block` and of `Store.asyncWrite`.
  @discardableResult
  public nonisolated(nonsending) func asyncWrite<R>(
    _ block: (WriteTransaction) throws -> R
  ) async throws -> R {
    try await store.asyncWrite { try block(WriteTransaction(store)) }
  }

  /// Runs `work` outside the caller's isolation with its own container, and refreshes this container afterwards.
  /// - Throws: The errors of `work`.
  @discardableResult
  public nonisolated(nonsending) func inBackground<R: Sendable>(
    _ work: @Sendable @escaping (Container) throws -> R
  ) async throws -> R {
    try await store.inBackground { try work(Container(store: $0)) }
  }

  // MARK: - Reading

  /// Returns a live collection of all values of a type, in the order of insertion.
  ///
  /// - Precondition: The type passes ``check(_:)``.
  public func values<T: Persistable>(_ type: T.Type) -> FetchedResults<T> {
    do {
      try store.check(type)
    } catch {
      misuse("Container.values(\(T.self)): \(error)")
    }
    return FetchedResults(store.objects(T.ManagedObject.self))
  }

  /// Returns a live collection of the values of a query, in its order.
  ///
  /// - Precondition: The type passes ``check(_:)``, and the predicate and the order use attributes of its managed
  ///   class.
  public func values<T: Persistable>(_ type: T.Type, matching query: T.Query) -> FetchedResults<T> {
    do {
      try store.check(type)
      var results = store.objects(T.ManagedObject.self)
      if let predicate = query.predicate { results = try results.filter(predicate) }
      let order = query.sortDescriptors
      if !order.isEmpty { results = try results.sorted(by: order) }
      return FetchedResults(results)
    } catch {
      misuse("Container.values(\(T.self)): \(error)")
    }
  }

  /// Returns the value with a primary key; nil if there is none. A key of another type than the class's is misuse in a
  /// debug build; in a release build the result is nil.
  ///
  /// - Precondition: The type passes ``check(_:)``.
  /// - Complexity: O(1).
  public func value<T: Persistable, Key: ObjectKey>(_ type: T.Type, forKey key: Key) -> T? {
    do {
      try store.check(type)
    } catch {
      misuse("Container.value(\(T.self)): \(error)")
    }
    return store.object(ofType: T.ManagedObject.self, forPrimaryKey: key).map(
      T.init(managedObject:))
  }
}
