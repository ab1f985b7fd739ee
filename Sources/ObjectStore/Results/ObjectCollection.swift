public import Foundation

// Lists, sets and inverse links are asked as results are.

/// A ``List``, ``MutableSet`` or ``LinkingObjects`` of objects: it can be asked as ``Results`` can.
public protocol _ObjectCollection: Sequence where Element: ObjectBase {
  /// The objects as results, in the order of the collection. Misuse while they are in no store.
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

extension _BoxedCollection where BoxedElement: ObjectBase {
  fileprivate func results(of name: String) -> Results<BoxedElement> {
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
    "\(name): a query asks the store, and this collection is in none; add its object first, "
      + "or loop over it")
}

extension _ObjectCollection {
  // MARK: - Conditions

  /// Those for which a condition on their attributes holds, in the order of the collection; live.
  ///
  ///     farm.animals.where { $0.legs > 2 }
  ///
  /// An object stands there as often as in the collection. When the collection's object is deleted there
  /// are none. A collection that is in no store is misuse, as is what is for ``Results/where(_:)``.
  public func `where`(
    _ condition: (QueryPath<Element>) -> some _QueryCondition
  ) -> Results<Element> { _results.where(condition) }

  /// Those for which the predicate holds, in the order of the collection; live.
  /// - Throws: as ``Results/filter(_:)-(StorePredicate)``.
  public func filter(_ predicate: StorePredicate) throws -> Results<Element> {
    try _results.filter(predicate)
  }

  /// Those for which a condition in the format form holds, in the order of the collection; live.
  /// - Throws: as ``Results/filter(_:_:)``.
  public func filter(_ format: String, _ arguments: Any?...) throws -> Results<Element> {
    try _results.filter(StorePredicate(format, arguments: arguments))
  }

  // MARK: - Orders and cuts

  /// In the order of an attribute, or of one over links; live. See ``Results/sorted(by:ascending:)``.
  public func sorted<Value>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> { _results.sorted(by: keyPath, ascending: ascending) }

  /// In the order of several attributes, the first of which counts most; live.
  /// - Throws: `unknownAttribute`, `invalidQuery`.
  public func sorted(by descriptors: [StoreSortDescriptor]) throws -> Results<Element> {
    try _results.sorted(by: descriptors)
  }

  /// The first object of each value of an attribute; live.
  public func distinct<Value>(by keyPath: KeyPath<Element, Value>) -> Results<Element> {
    _results.distinct(by: keyPath)
  }

  /// At most `count` objects, behind the first `offset`; live.
  public func limit(_ count: Int, offset: Int = 0) -> Results<Element> {
    _results.limit(count, offset: offset)
  }

  /// In sections of objects that have the same value; live. See ``Results/sectioned(by:ascending:)``.
  public func sectioned<Key: Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> { _results.sectioned(by: keyPath, ascending: ascending) }

  // MARK: - Places

  /// Where the first object stands for which a condition holds; nil if there is none.
  public func index(
    matching condition: (QueryPath<Element>) -> some _QueryCondition
  ) -> Int? { _results.index(matching: condition) }

  /// Assigns the attribute of this name in all of them. See ``Results/setValue(_:forKey:)``.
  public func setValue(_ value: Any?, forKey name: String) {
    _results.setValue(value, forKey: name)
  }

  // MARK: - Figures

  /// The smallest value of an attribute; nil where there is none.
  public func min<Value: ScalarValue & Comparable>(
    of keyPath: KeyPath<Element, Value>
  ) -> Value? { _results.min(of: keyPath) }

  /// The smallest value of an optional attribute; nil where there is none.
  public func min<Value: ScalarValue & Comparable>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Value? { _results.min(of: keyPath) }

  /// The largest value of an attribute; nil where there is none.
  public func max<Value: ScalarValue & Comparable>(
    of keyPath: KeyPath<Element, Value>
  ) -> Value? { _results.max(of: keyPath) }

  /// The largest value of an optional attribute; nil where there is none.
  public func max<Value: ScalarValue & Comparable>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Value? { _results.max(of: keyPath) }

  /// The sum of a whole number; one that the type cannot hold is the nearest it can.
  public func sum<Value: ScalarValue & FixedWidthInteger>(
    of keyPath: KeyPath<Element, Value>
  ) -> Value { _results.sum(of: keyPath) }

  /// The sum of an optional whole number, without nulls; one that the type cannot hold is the nearest it
  /// can.
  public func sum<Value: ScalarValue & FixedWidthInteger>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Value { _results.sum(of: keyPath) }

  /// The sum of a floating-point number.
  public func sum<Value: ScalarValue & BinaryFloatingPoint>(
    of keyPath: KeyPath<Element, Value>
  ) -> Value { _results.sum(of: keyPath) }

  /// The sum of an optional floating-point number, without nulls.
  public func sum<Value: ScalarValue & BinaryFloatingPoint>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Value { _results.sum(of: keyPath) }

  /// The sum of a decimal number.
  public func sum(of keyPath: KeyPath<Element, Decimal>) -> Decimal {
    _results.sum(of: keyPath)
  }

  /// The sum of an optional decimal number, without nulls.
  public func sum(of keyPath: KeyPath<Element, Decimal?>) -> Decimal {
    _results.sum(of: keyPath)
  }

  /// The average of a number; nil where there is none.
  public func average<Value: ScalarValue & Numeric>(
    of keyPath: KeyPath<Element, Value>
  ) -> Double? { _results.average(of: keyPath) }

  /// The average of an optional number; nil where there is none.
  public func average<Value: ScalarValue & Numeric>(
    of keyPath: KeyPath<Element, Value?>
  ) -> Double? { _results.average(of: keyPath) }
}

// Of the types themselves, since every collection has a deprecated one.

extension List where Element: ObjectBase {
  /// Where the object stands first; nil if it is none of these.
  public func index(of object: Element) -> Int? { _results.index(of: object) }
}

extension LinkingObjects {
  /// Where the object stands; nil if it is none of these.
  public func index(of object: Element) -> Int? { _results.index(of: object) }
}
