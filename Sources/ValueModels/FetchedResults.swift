public import ObjectStore

/// The values of objects in a store, live: each is made when it is asked for, of what the object holds by
/// then.
///
///     let heroes = container.values(Character.self, matching: .publisherName("Marvel"))
///     print(heroes.count, heroes[0].name)
///
/// - Complexity: count O(1), a value what making it takes; no values are kept.
public struct FetchedResults<Value: Persistable>: RandomAccessCollection {
  /// The objects whose values these are.
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
  /// Whether there is none; a query is not run to its end.
  public var isEmpty: Bool { objects.isEmpty }
  /// The first value; nil if there is none; a query is not run to its end.
  public var first: Value? { objects.first.map(make) }

  /// The value at `index`, which is in `0..<count`; else misuse.
  public subscript(index: Int) -> Value { make(objects[index]) }

  /// The value at `index`, which is in `0..<count`; else misuse.
  public func value(at index: Int) -> Value { self[index] }

  /// The results of `transform` for the values of the objects that are there when it begins.
  public func map<T, E: Error>(_ transform: (Value) throws(E) -> T) throws(E) -> [T] {
    try mapByLoop(transform)
  }

  /// Walks over the values of the objects that are there now, also if some come or go meanwhile.
  public func makeIterator() -> Iterator { Iterator(objects.makeIterator(), make) }

  /// Walks the objects that were there when it began.
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

    /// The value of the next object; nil at the end.
    public mutating func next() -> Value? { objects.next().map(make) }
  }
}

@available(
  *, unavailable, message: "FetchedResults stay in the isolation of their store: pass frozen()"
)
extension FetchedResults: Sendable {}

// MARK: - Asking for some of them

extension FetchedResults {
  /// Those whose objects a condition holds for; live. See `Results.where`.
  @_disfavoredOverload
  public func `where`(
    _ condition: (QueryPath<Value.ManagedObject>) -> some _QueryCondition
  ) -> FetchedResults {
    FetchedResults(objects.where(condition))
  }

  /// Those whose objects the predicate holds for; live.
  /// - Throws: as `Results.filter`.
  public func filter(_ predicate: StorePredicate) throws -> FetchedResults {
    FetchedResults(try objects.filter(predicate))
  }

  /// In the order of an attribute of the objects; live. See `Results.sorted`.
  @_disfavoredOverload
  public func sorted<Attribute>(
    by keyPath: KeyPath<Value.ManagedObject, Attribute>, ascending: Bool = true
  ) -> FetchedResults {
    FetchedResults(objects.sorted(by: keyPath, ascending: ascending))
  }

  /// At most `count` values, behind the first `offset`; live.
  public func limit(_ count: Int, offset: Int = 0) -> FetchedResults {
    FetchedResults(objects.limit(count, offset: offset))
  }
}

// MARK: - Observing

extension FetchedResults {
  /// Calls `body` with the values, and then whenever others are among them, they come in another order, or
  /// an attribute of one's own object differs. See `Results.observe`.
  ///
  /// What the object of a value inside holds is not its own: name it by ``observe(keyPaths:_:)``.
  ///
  /// - Returns: The observation, which lasts as long as its token and the store do.
  public func observe(
    _ body: @escaping (CollectionChange<FetchedResults>) -> Void
  ) -> ObservationToken {
    objects.observe { body(Self.change($0)) }
  }

  /// Calls `body` as ``observe(_:)`` does, where a value counts as different only for what these key paths
  /// of the objects lead to: `[\.name, \.publisher?.name]`.
  public func observe(
    keyPaths: [PartialKeyPath<Value.ManagedObject>],
    _ body: @escaping (CollectionChange<FetchedResults>) -> Void
  ) -> ObservationToken {
    objects.observe(keyPaths: keyPaths) { body(Self.change($0)) }
  }

  /// What happens to the values, as ``observe(_:)`` tells it:
  ///
  ///     for await change in heroes.changes { … }
  ///
  /// It ends when the store goes and when the task is cancelled.
  public var changes: FetchedChanges<Value> { FetchedChanges(objects.changes) }

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

/// What happens to observed values, as a sequence to be awaited in the isolation of their store.
public struct FetchedChanges<Value: Persistable>: AsyncSequence {
  private let changes: ObservedChanges<CollectionChange<Results<Value.ManagedObject>>>

  init(_ changes: ObservedChanges<CollectionChange<Results<Value.ManagedObject>>>) {
    self.changes = changes
  }

  /// Begins to observe.
  public func makeAsyncIterator() -> Iterator { Iterator(changes.makeAsyncIterator()) }

  /// Waits for the changes, one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private var changes: ObservedChanges<CollectionChange<Results<Value.ManagedObject>>>.Iterator

    init(
      _ changes: ObservedChanges<CollectionChange<Results<Value.ManagedObject>>>.Iterator
    ) {
      self.changes = changes
    }

    /// The next change; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> CollectionChange<FetchedResults<Value>>? {
      await changes.next(isolation: actor).map { FetchedResults<Value>.change($0) }
    }
  }
}

@available(
  *, unavailable, message: "changes stay in the isolation of their store: begin the loop there"
)
extension FetchedChanges: Sendable {}
