// Conditions, orders and cuts. Each call gives other results and leaves these alone; nothing is looked
// up before somebody reads them.

extension Results {
  /// Those for which a condition on their attributes holds; still live.
  ///
  ///     store.objects(Animal.self).where { $0.legs > 2 && $0.owner.name == "Jo" }
  ///
  /// To compare with what objects themselves compute, use `filter` with a closure, which gives an array.
  /// A key path that is no attribute is misuse.
  public func `where`(
    _ condition: (QueryPath<Element>) -> some _QueryCondition
  ) -> Results {
    do {
      return try filter(StorePredicate(Element.self, condition))
    } catch {
      misuse("Results.where: \(error)")
    }
  }

  /// Those for which the predicate holds; still live.
  /// - Throws: `unknownAttribute`, `invalidQuery`, `typeMismatch`, `objectOfAnotherStore`.
  public func filter(_ predicate: StorePredicate) throws -> Results {
    let test = try QueryBinding.test(predicate.node, handle.catalog, table: entry.table)
    return appending(.filter(test, predicate.node))
  }

  /// Those for which a condition in the format form holds; still live. See ``StorePredicate``.
  ///
  ///     try store.objects(Animal.self).filter("legs > %@ AND owner.name == %@", 2, "Jo")
  ///
  /// - Throws: as ``filter(_:)-(StorePredicate)``, and `invalidQuery` with the column for a text that is no query.
  public func filter(_ format: String, _ arguments: Any?...) throws -> Results {
    try filter(StorePredicate(format, arguments: arguments))
  }

  /// In the order of an attribute, or of one over links; those that are equal in the order they had.
  ///
  /// Null comes before all; texts are in the order of their bytes. A key path to anything but a stored
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

  /// In the order of several attributes, the first of which counts most.
  /// - Throws: `unknownAttribute`, `invalidQuery`.
  public func sorted(by descriptors: [StoreSortDescriptor]) throws -> Results {
    appending(
      .sort(
        try descriptors.map {
          try sortKey($0.keyPath.split(separator: ".").map(String.init), $0.ascending)
        }))
  }

  private func sortKey(_ names: [String], _ ascending: Bool) throws -> ResultsQuery.SortKey {
    ResultsQuery.SortKey(
      reader: try QueryBinding.reader(names, handle.catalog, table: entry.table),
      ascending: ascending)
  }

  /// The first object of each value of an attribute.
  public func distinct<Value>(by keyPath: KeyPath<Element, Value>) -> Results {
    do {
      let names = Element.attributeNames(for: keyPath)
      return appending(
        .distinct([try QueryBinding.reader(names, handle.catalog, table: entry.table)]))
    } catch {
      misuse("Results.distinct: \(error)")
    }
  }

  /// At most `count` objects, behind the first `offset`. Numbers below 0 are misuse.
  public func limit(_ count: Int, offset: Int = 0) -> Results {
    guard count >= 0, offset >= 0 else {
      misuse("Results.limit: count and offset must be 0 or more (were \(count) and \(offset))")
    }
    return appending(.limit(count, offset: offset))
  }

  /// Where the object stands; nil if it is none of these.
  ///
  /// - Complexity: O(n).
  public func index(of object: Element) -> Int? {
    guard let storage = object.storage, object.handle?.core === handle.core,
      storage.pointee.table == entry.table
    else { return nil }
    let slots = slots
    return (0..<slots.count).first { slots[$0] == object.slot }
  }

  /// Where the first object stands for which a condition holds; nil if there is none.
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

  /// Where the first object stands for which the predicate holds; nil if there is none.
  ///
  /// - Complexity: O(n).
  /// - Throws: as ``filter(_:)-(StorePredicate)``.
  public func index(matching predicate: StorePredicate) throws -> Int? {
    let test = try QueryBinding.test(predicate.node, handle.catalog, table: entry.table)
    let table = QueryTable(
      entry.table, entry.layout, QueryTables { [handle] in handle.tableVersion($0) },
      handle.transaction)
    noteSearch(reading: QueryDependencies(predicate.node).paths)
    let slots = slots
    return (0..<slots.count).first { test.matches(table.frame(slots[$0])) }
  }

  /// Where the first object stands for which a condition in the format form holds; nil if there is
  /// none.
  ///
  /// - Complexity: O(n).
  /// - Throws: as ``filter(_:_:)``.
  public func index(matching format: String, _ arguments: Any?...) throws -> Int? {
    try index(matching: StorePredicate(format, arguments: arguments))
  }

  private func appending(_ verb: ResultsQuery.Verb) -> Results {
    Results(handle, entry, (query ?? ResultsQuery()).appending(verb))
  }
}
