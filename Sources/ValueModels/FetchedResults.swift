public import ObjectStore

/// A live collection of the values of objects in a store. Each value is created from the object's current attributes
/// when it is accessed.
///
///     let heroes = container.values(Character.self, matching: .publisherName("Marvel"))
///     print(heroes.count, heroes[0].name)
///
/// - Complexity: O(1) for the count; accessing a value takes the time to create it. Values are not cached.
public struct FetchedResults<Value: Persistable>: RandomAccessCollection {
  /// The objects of the values.
  public let objects: Results<Value.ManagedObject>
  private let make: (Value.ManagedObject) -> Value

  init(_ objects: Results<Value.ManagedObject>) {
    self.objects = objects
    make = Value._reader
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of values.
  public var endIndex: Int { objects.count }
  /// The number of values.
  public var count: Int { objects.count }
  /// A Boolean value that indicates whether the collection is empty. The query stops at the first match.
  public var isEmpty: Bool { objects.isEmpty }
  /// The first value; nil if there is none. The query stops at the first match.
  public var first: Value? { objects.first.map(make) }

  /// The value at an index.
  /// - Precondition: `index` is in `0..<count`.
  public subscript(index: Int) -> Value { make(objects[index]) }

  /// Returns the value at an index.
  /// - Precondition: `index` is in `0..<count`.
  public func value(at index: Int) -> Value { self[index] }

  /// Returns the results of `transform` for the values of the objects that exist at the start.
  public func map<T, E: Error>(_ transform: (Value) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Creates an iterator over the values of the objects that exist now. Later insertions and deletions do not affect
  /// it.
  public func makeIterator() -> Iterator { Iterator(objects.makeIterator(), make) }

  /// An iterator over the values of the objects that existed when it was created.
  public struct Iterator: IteratorProtocol {
    private var objects: Results<Value.ManagedObject>.Iterator
    private let make: (Value.ManagedObject) -> Value

    init(
      _ objects: Results<Value.ManagedObject>.Iterator,
      _ make: @escaping (Value.ManagedObject) -> Value
    ) {
      self.objects = objects
      self.make = make
    }

    /// Returns the value of the next object; nil at the end.
    public mutating func next() -> Value? { objects.next().map(make) }
  }
}

@available(
  *, unavailable, message: "FetchedResults stay in the isolation of their store: pass frozen()"
)
extension FetchedResults: Sendable {}

// MARK: - Filtering and sorting

extension FetchedResults {
  /// Returns a live collection of the values whose objects satisfy a condition. See `Results.where`.
  @_disfavoredOverload
  public func `where`(
    _ condition: (QueryPath<Value.ManagedObject>) -> some _QueryCondition
  ) -> FetchedResults {
    FetchedResults(objects.where(condition))
  }

  /// Returns a live collection of the values whose objects satisfy a predicate.
  /// - Throws: The errors of `Results.filter`.
  public func filter(_ predicate: StorePredicate) throws -> FetchedResults {
    FetchedResults(try objects.filter(predicate))
  }

  /// Returns a live collection sorted by an attribute of the objects. See `Results.sorted`.
  @_disfavoredOverload
  public func sorted<Attribute>(
    by keyPath: KeyPath<Value.ManagedObject, Attribute>, ascending: Bool = true
  ) -> FetchedResults {
    FetchedResults(objects.sorted(by: keyPath, ascending: ascending))
  }

  /// Returns a live collection of at most `count` values after the first `offset`. Negative numbers count as 0.
  public func limit(_ count: Int, offset: Int = 0) -> FetchedResults {
    FetchedResults(objects.limit(count, offset: offset))
  }
}

// MARK: - Observing

extension FetchedResults {
  /// Calls `body` with the values, and again when values are inserted, deleted or reordered, or when an attribute of
  /// a value's own object changes. See `Results.observe`.
  ///
  /// Changes in the objects of nested values are not reported. Name their attributes with ``observe(keyPaths:isolation:_:)``.
  ///
  /// - Returns: A token. The observation ends with its token or with the store.
  public func observe(
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<FetchedResults>) -> Void
  ) -> ObservationToken {
    objects.observe(isolation: isolation) { body(Self.change($0)) }
  }

  /// Calls `body` like ``observe(isolation:_:)``, but considers a value changed only if attributes at these key paths of the
  /// object changed: `[\.name, \.publisher?.name]`.
  public func observe(
    keyPaths: [PartialKeyPath<Value.ManagedObject>],
    isolation: (any Actor)? = #isolation,
    _ body: @escaping (CollectionChange<FetchedResults>) -> Void
  ) -> ObservationToken {
    objects.observe(keyPaths: keyPaths, isolation: isolation) { body(Self.change($0)) }
  }

  /// The changes that ``observe(isolation:_:)`` reports, as an asynchronous sequence:
  ///
  ///     for await change in heroes.changes { … }
  ///
  /// The sequence ends when the store is released or the task is cancelled.
  public var changes: Changes { Changes(objects.changes) }

  static func change(
    _ change: CollectionChange<Results<Value.ManagedObject>>
  ) -> CollectionChange<FetchedResults> {
    switch change {
    case .initial(let objects): .initial(FetchedResults(objects))
    case .update(let objects, let deletions, let insertions, let modifications):
      .update(
        FetchedResults(objects), deletions: deletions, insertions: insertions,
        modifications: modifications)
    case .error(let error): .error(error)
    }
  }
}

extension FetchedResults {
  /// An asynchronous sequence of changes, for use in the isolation of the store.
  public struct Changes: AsyncSequence {
    private let changes: ObservedChanges<CollectionChange<Results<Value.ManagedObject>>>

    init(_ changes: ObservedChanges<CollectionChange<Results<Value.ManagedObject>>>) {
      self.changes = changes
    }

    /// Starts the observation.
    public func makeAsyncIterator() -> Iterator { Iterator(changes.makeAsyncIterator()) }

    /// An iterator over the changes.
    public struct Iterator: AsyncIteratorProtocol {
      private var changes: ObservedChanges<CollectionChange<Results<Value.ManagedObject>>>.Iterator

      init(
        _ changes: ObservedChanges<CollectionChange<Results<Value.ManagedObject>>>.Iterator
      ) {
        self.changes = changes
      }

      /// Waits for the next change; nil at the end.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async -> CollectionChange<FetchedResults<Value>>? {
        await changes.next(isolation: actor).map { FetchedResults<Value>.change($0) }
      }
    }
  }
}

@available(
  *, unavailable, message: "changes stay in the isolation of their store: begin the loop there"
)
extension FetchedResults.Changes: Sendable {}

@available(*, unavailable, renamed: "FetchedResults.Changes")
public typealias FetchedChanges<Value: Persistable> = FetchedResults<Value>.Changes
