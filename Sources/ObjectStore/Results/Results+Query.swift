// Conditions, sorts and limits. Each call returns new results, which are evaluated when they are first read.

extension Results {
  /// Returns live results with the objects that match a condition on their attributes.
  ///
  ///     store.objects(Animal.self).where { $0.legs > 2 && $0.owner.name == "Jo" }
  ///
  /// To test computed properties, use `filter` with a closure, which returns an array. A key path to anything but an
  /// attribute is misuse.
  public func `where`(
    _ condition: (QueryPath<Element>) -> some _QueryCondition
  ) -> Results {
    do {
      return try filter(StorePredicate(Element.self, condition))
    } catch {
      misuse("Results.where: \(error)")
    }
  }

  /// Returns live results with the objects that match a predicate.
  /// - Throws: `unknownAttribute`, `invalidQuery`, `typeMismatch`, `objectOfAnotherStore`.
  public func filter(_ predicate: StorePredicate) throws -> Results {
    let test = try QueryBinding.filter(predicate.node, handle.catalog, table: entry.table)
    return appending(.filter(test, predicate.node))
  }

  #if canImport(ObjectiveC)
    /// Returns live results with the objects that match an `NSPredicate`. It is translated once and never evaluated for
    /// objects.
    /// - Throws: The errors of ``StorePredicate/init(_:)-(NSPredicate)`` and ``filter(_:)-(StorePredicate)``.
    public func filter(_ predicate: NSPredicate) throws -> Results {
      try filter(StorePredicate(predicate))
    }
  #endif

  /// Returns live results with the objects that match a condition in the format syntax. See ``StorePredicate``.
  ///
  ///     try store.objects(Animal.self).filter("legs > %@ AND owner.name == %@", 2, "Jo")
  ///
  /// - Throws: The errors of ``filter(_:)-(StorePredicate)``; `invalidQuery` with the column of a syntax error.
  public func filter(_ format: String, _ arguments: Any?...) throws -> Results {
    try filter(StorePredicate(format, arguments: arguments))
  }

  /// Returns live results sorted by an attribute of the objects, or by one reached over links. The sort is stable.
  ///
  /// Null is less than any value. Strings are compared by their UTF-8 bytes. A key path to anything but a stored
  /// attribute is misuse.
  public func sorted<Value>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results {
    do {
      return appending(
        .sort([try sortKey(Element.attributeNames(for: keyPath), ascending)]))
    } catch {
      misuse("Results.sorted: \(error)")
    }
  }

  /// Returns live results sorted by several attributes, the most significant first:
  ///
  ///     try animals.sorted(by: [
  ///       StoreSortDescriptor(\Animal.species), StoreSortDescriptor(\Animal.age, ascending: false),
  ///     ])
  ///
  /// - Throws: `unknownAttribute`, `invalidQuery`.
  public func sorted(by descriptors: [StoreSortDescriptor]) throws -> Results {
    appending(
      .sort(
        try descriptors.map { try sortKey($0.names, $0.ascending) }))
  }

  private func sortKey(_ names: [String], _ ascending: Bool) throws -> ResultsQuery.SortKey {
    ResultsQuery.SortKey(
      reader: try QueryBinding.reader(names, handle.catalog, table: entry.table),
      ascending: ascending)
  }

  /// Returns live results with the first object for each distinct value of an attribute.
  public func distinct<Value>(by keyPath: KeyPath<Element, Value>) -> Results {
    distinct(by: [keyPath])
  }

  /// Returns live results with the first object for each distinct combination of the values of attributes. Without key
  /// paths, it is the first object.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results {
    do {
      return appending(
        .distinct(
          try keyPaths.map {
            try QueryBinding.reader(
              Element.attributeNames(for: $0), handle.catalog, table: entry.table)
          }))
    } catch {
      misuse("Results.distinct: \(error)")
    }
  }

  /// Returns live results with at most `count` objects, after skipping the first `offset`. Negative numbers count as 0.
  public func limit(_ count: Int, offset: Int = 0) -> Results {
    appending(.limit(Swift.max(0, count), offset: Swift.max(0, offset)))
  }

  /// Returns the index of the object, or nil if it is not in the results.
  ///
  /// - Complexity: O(n).
  public func index(of object: Element) -> Int? {
    guard let storage = object.storage, object.handle?.core === handle.core,
      storage.pointee.table == entry.table
    else { return nil }
    let slots = slots
    return (0..<slots.count).first { slots[$0] == object.slot }
  }

  /// Returns the index of the first object that matches a condition, or nil if there is none.
  ///
  /// - Complexity: O(n).
  public func index(
    matching condition: (QueryPath<Element>) -> some _QueryCondition
  ) -> Int? {
    do {
      return try index(matching: StorePredicate(Element.self, condition))
    } catch {
      misuse("Results.index(matching:): \(error)")
    }
  }

  /// Returns the index of the first object that matches a predicate, or nil if there is none.
  ///
  /// - Complexity: O(n).
  /// - Throws: The errors of ``filter(_:)-(StorePredicate)``.
  public func index(matching predicate: StorePredicate) throws -> Int? {
    let test = try QueryBinding.filter(predicate.node, handle.catalog, table: entry.table)
    let table = QueryTable(
      entry.table, entry.layout, QueryTables { [handle] in handle.tableVersion($0) },
      handle.transaction)
    noteSearch(reading: QueryDependencies(predicate.node).paths)
    let slots = slots
    return (0..<slots.count).first { test.matches(table.context(slots[$0])) }
  }

  /// Returns the index of the first object that matches a condition in the format syntax, or nil if there is none.
  ///
  /// - Complexity: O(n).
  /// - Throws: The errors of ``filter(_:_:)``.
  public func index(matching format: String, _ arguments: Any?...) throws -> Int? {
    try index(matching: StorePredicate(format, arguments: arguments))
  }

  private func appending(_ verb: ResultsQuery.Verb) -> Results {
    Results(handle, entry, (query ?? ResultsQuery()).appending(verb))
  }
}
