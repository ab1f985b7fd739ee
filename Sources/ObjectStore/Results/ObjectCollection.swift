public import Foundation

// The query API of `Results`, for lists, sets and inverse links.

/// A ``List``, ``MutableSet`` or ``LinkingObjects`` of objects. It has the query API of ``Results``.
public protocol _ObjectCollection: Sequence where Element: ObjectBase {
  /// The objects as results, in the order of the collection. Accessing it for a collection outside a store is misuse.
  var _results: Results<Element> { get }
}

extension List: _ObjectCollection where Element: ObjectBase {
  public var _results: Results<Element> { results(of: "List") }
}

extension MutableSet: _ObjectCollection where Element: ObjectBase {
  public var _results: Results<Element> { results(of: "MutableSet") }
}

extension LinkingObjects: _ObjectCollection {
  public var _results: Results<Element> {
    guard let (object, column) = row, let handle = object.handle, let storage = object.storage
    else { unmanaged("LinkingObjects") }
    let cell = ResultsSource.Cell(
      table: storage.pointee.table, slot: object.slot, column: column)
    guard let origins = handle.origins(object, column) else { unmanaged("LinkingObjects") }
    return Results(handle, origins.entry, ResultsQuery(of: .origins(of: cell)))
  }
}

extension Map {
  /// Returns the objects of the map as live results, in the order of their keys. An object occurs as often as in the map.
  /// Calling it on a map outside a store is misuse.
  public func objects() -> Results<Value> where Value: ObjectBase { results(of: "Map") }

  /// Returns the objects of the map as live results, in the order of their keys, without the keys whose value is nil. An
  /// object occurs as often as in the map. Calling it on a map outside a store is misuse.
  public func objects<T: ObjectBase>() -> Results<T> where Value == T? { results(of: "Map") }
}

extension _BoxedCollection {
  fileprivate func results<T: ObjectBase>(of name: String) -> Results<T> {
    guard let (object, column) = _storageBox?.row, let handle = object.handle,
      let storage = object.storage
    else { unmanaged(name) }
    let table = storage.pointee.table
    return Results(
      handle, handle.entry(ofTable: handle.layout(table).columns[column].targetTable),
      ResultsQuery(
        of: .elements(
          of: ResultsSource.Cell(table: table, slot: object.slot, column: column))))
  }
}

private func unmanaged(_ name: String) -> Never {
  misuse(
    "\(name): this collection is not in a store and cannot be queried; add its object to a store "
      + "first, or loop over the collection")
}

extension _ObjectCollection {
  // MARK: - Conditions

  /// Returns live results with the objects that match a condition on their attributes, in the order of the collection.
  ///
  ///     farm.animals.where { $0.legs > 2 }
  ///
  /// An object occurs as often as in the collection. The results are empty after the object of the collection is
  /// deleted. Calling it on an unmanaged collection is misuse, as is a condition that is misuse for
  /// ``Results/where(_:)``.
  public func `where`(
    _ condition: (QueryPath<Element>) -> some _QueryCondition
  ) -> Results<Element> { _results.where(condition) }

  /// Returns live results with the objects that match a predicate, in the order of the collection.
  /// - Throws: The errors of ``Results/filter(_:)-(StorePredicate)``.
  public func filter(_ predicate: StorePredicate) throws -> Results<Element> {
    try _results.filter(predicate)
  }

  /// Returns live results with the objects that match a condition in the format syntax, in the order of the collection.
  /// - Throws: The errors of ``Results/filter(_:_:)``.
  public func filter(_ format: String, _ arguments: Any?...) throws -> Results<Element> {
    try _results.filter(StorePredicate(format, arguments: arguments))
  }

  // MARK: - Sorting and limiting

  /// Returns live results sorted by an attribute of the objects, or by one reached over links. See
  /// ``Results/sorted(by:ascending:)``.
  public func sorted<Value>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> { _results.sorted(by: keyPath, ascending: ascending) }

  /// Returns live results sorted by several attributes, the most significant first.
  /// - Throws: `unknownAttribute`, `invalidQuery`.
  public func sorted(by descriptors: [StoreSortDescriptor]) throws -> Results<Element> {
    try _results.sorted(by: descriptors)
  }

  /// Returns live results with the first object for each distinct value of an attribute.
  public func distinct<Value>(by keyPath: KeyPath<Element, Value>) -> Results<Element> {
    _results.distinct(by: keyPath)
  }

  /// Returns live results with the first object for each distinct combination of the values of attributes.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
    _results.distinct(by: keyPaths)
  }

  /// Returns live results with at most `count` objects, after skipping the first `offset`. Negative numbers
  /// count as 0.
  public func limit(_ count: Int, offset: Int = 0) -> Results<Element> {
    _results.limit(count, offset: offset)
  }

  /// Returns live sections of objects with equal values of an attribute. See ``Results/sectioned(by:ascending:)``.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> { _results.sectioned(by: keyPath, ascending: ascending) }

  // MARK: - Indices and assignment

  /// Returns the index of the first object that matches a condition, or nil if there is none.
  public func index(
    matching condition: (QueryPath<Element>) -> some _QueryCondition
  ) -> Int? { _results.index(matching: condition) }

  /// Assigns the attribute with this name in all objects. See ``Results/setValue(_:forKey:)``.
  public func setValue(_ value: Any?, forKey name: String) {
    _results.setValue(value, forKey: name)
  }

  // MARK: - Aggregates

  /// Returns the smallest value of an attribute, or nil if there is none.
  public func min<Value: ScalarValue & Comparable>(
    of keyPath: KeyPath<Element, Value>
  ) -> Value? { _results.min(of: keyPath) }

  /// Returns the smallest non-null value of an optional attribute, or nil if there is none.
  public func min<Value: ScalarValue & Comparable>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Value? { _results.min(of: keyPath) }

  /// Returns the largest value of an attribute, or nil if there is none.
  public func max<Value: ScalarValue & Comparable>(
    of keyPath: KeyPath<Element, Value>
  ) -> Value? { _results.max(of: keyPath) }

  /// Returns the largest non-null value of an optional attribute, or nil if there is none.
  public func max<Value: ScalarValue & Comparable>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Value? { _results.max(of: keyPath) }

  /// Returns the sum of an integer attribute, clamped to the range of its type.
  public func sum<Value: ScalarValue & FixedWidthInteger>(
    of keyPath: KeyPath<Element, Value>
  ) -> Value { _results.sum(of: keyPath) }

  /// Returns the sum of the non-null values of an optional integer attribute, clamped to the range of its type.
  public func sum<Value: ScalarValue & FixedWidthInteger>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Value { _results.sum(of: keyPath) }

  /// Returns the sum of a floating-point attribute.
  public func sum<Value: ScalarValue & BinaryFloatingPoint>(
    of keyPath: KeyPath<Element, Value>
  ) -> Value { _results.sum(of: keyPath) }

  /// Returns the sum of the non-null values of an optional floating-point attribute.
  public func sum<Value: ScalarValue & BinaryFloatingPoint>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Value { _results.sum(of: keyPath) }

  /// Returns the sum of a decimal attribute.
  public func sum(of keyPath: KeyPath<Element, Decimal>) -> Decimal {
    _results.sum(of: keyPath)
  }

  /// Returns the sum of the non-null values of an optional decimal attribute.
  public func sum(of keyPath: KeyPath<Element, Decimal?>) -> Decimal {
    _results.sum(of: keyPath)
  }

  /// Returns the average of a numeric attribute, or nil if there is no value.
  public func average<Value: ScalarValue & Numeric>(
    of keyPath: KeyPath<Element, Value>
  ) -> Double? { _results.average(of: keyPath) }

  /// Returns the average of the non-null values of an optional numeric attribute, or nil if there is none.
  public func average<Value: ScalarValue & Numeric>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Double? { _results.average(of: keyPath) }
}

// Declared on the types themselves, because every collection inherits a deprecated `index(of:)`.

extension List where Element: ObjectBase {
  /// Returns the index of the first occurrence of the object, or nil if it is not an element.
  public func index(of object: Element) -> Int? { _results.index(of: object) }
}

extension LinkingObjects {
  /// Returns the index of the object, or nil if it is not an element.
  public func index(of object: Element) -> Int? { _results.index(of: object) }
}
