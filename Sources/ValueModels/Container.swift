public import ObjectStore

/// A store of values.
///
///     let container = try Container()
///     try container.write { transaction in
///       try transaction.add(ironMan)
///     }
///     for character in container.values(Character.self, matching: .publisherName("Marvel")) { … }
///
/// It is used in the isolation in which it was made, as its ``store`` is; values travel.
public final class Container {
  /// The store that keeps the values, for what is done with objects themselves.
  public let store: Store

  /// Values in memory alone, in a store of their own.
  public convenience init(isolation: isolated (any Actor)? = #isolation) throws {
    try self.init(configuration: .inMemory(), isolation: isolation)
  }

  /// Values in the store of the configuration.
  /// - Throws: as `Store(configuration:)`.
  public convenience init(
    configuration: StoreConfiguration, isolation: isolated (any Actor)? = #isolation
  ) throws {
    self.init(store: try Store(configuration: configuration, isolation: isolation))
  }

  /// Values in a store that is open.
  public init(store: Store) {
    self.store = store
  }

  // MARK: - Declarations

  /// Checks the mappings of types of values, and their classes, with all that they lead to.
  ///
  ///     @Test func `values are mapped soundly`() throws {
  ///       try Container().check(Character.self, Publisher.self)
  ///     }
  ///
  /// In a ``MappedPersistable/mapping`` each attribute stands once, of the value and of the object, the
  /// object's own and no computed one; the primary key is paired by ``Field/key(_:_:)``, and it alone. Where it is made of
  /// several attributes, each of them is paired by `.field`.
  ///
  /// So a container looks at each type when it first uses it.
  /// - Throws: `invalidDeclarations` with every mistake, all at once.
  public func check(_ types: any Persistable.Type...) throws {
    let mistakes = store.mistakes(of: types)
    guard mistakes.isEmpty else { throw StoreError(.invalidDeclarations(mistakes)) }
  }

  // MARK: - Writing

  /// Runs `block` as one transaction: commits what it did, or undoes it if it throws.
  ///
  /// Inside another write of the container's store it is a part of that: an error undoes this part alone.
  /// - Throws: what `block` throws, and as `Store.write`.
  @discardableResult
  public func write<R>(_ block: (WriteTransaction) throws -> R) throws -> R {
    try store.write { try block(WriteTransaction(store)) }
  }

  /// ``write(_:)`` that suspends instead of blocking while another handle of the store writes.
  /// - Throws: what `block` throws, and as `Store.asyncWrite`.
  @discardableResult
  public nonisolated(nonsending) func asyncWrite<R>(
    _ block: (WriteTransaction) throws -> R
  ) async throws -> R {
    try await store.asyncWrite { try block(WriteTransaction(store)) }
  }

  /// Runs `work` off the caller's isolation with a container of its own, then shows what it wrote.
  /// - Throws: what `work` throws.
  @discardableResult
  public nonisolated(nonsending) func inBackground<R: Sendable>(
    _ work: @Sendable @escaping (Container) throws -> R
  ) async throws -> R {
    try await store.inBackground { try work(Container(store: $0)) }
  }

  // MARK: - Reading

  /// All values of a type in the order of insertion; live.
  ///
  /// A type with mistakes is misuse; see ``check(_:)``.
  public func values<T: Persistable>(_ type: T.Type) -> FetchedResults<T> {
    do {
      try store.check(type)
    } catch {
      misuse("Container.values(\(T.self)): \(error)")
    }
    return FetchedResults(store.objects(T.ManagedObject.self))
  }

  /// The values that a query asks for, in its order; live.
  ///
  /// A query whose predicate or order names what is no attribute is misuse, as is a type with mistakes.
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

  /// The value with this primary key; nil if there is none.
  ///
  /// A key of another type than the class's is misuse, as is a type with mistakes.
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
