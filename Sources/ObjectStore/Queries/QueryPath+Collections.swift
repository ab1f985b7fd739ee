// Asking of the elements of a collection.

/// A ``List``, ``MutableSet``, ``Map`` or ``LinkingObjects`` in a query.
public protocol _QueryCollection {
  /// What its elements are; of a map the values.
  associatedtype _QueryElement
}

extension List: _QueryCollection {
  public typealias _QueryElement = Element
}

extension MutableSet: _QueryCollection {
  public typealias _QueryElement = Element
}

extension Map: _QueryCollection {
  public typealias _QueryElement = Value
}

extension LinkingObjects: _QueryCollection {
  public typealias _QueryElement = Element
}

extension QueryPath where Value: _QueryCollection {
  /// The number of elements.
  public var count: QueryPath<Int> { QueryPath<Int>(root, names, .count) }

  /// The condition holds for an element; of no elements it holds for none.
  public func any(
    _ condition: (QueryPath<Value._QueryElement>) -> some _QueryCondition
  ) -> QueryTerm { quantified(.any, condition) }

  /// The condition holds for every element; of no elements it holds.
  public func all(
    _ condition: (QueryPath<Value._QueryElement>) -> some _QueryCondition
  ) -> QueryTerm { quantified(.all, condition) }

  /// The condition holds for no element.
  public func none(
    _ condition: (QueryPath<Value._QueryElement>) -> some _QueryCondition
  ) -> QueryTerm { quantified(.none, condition) }

  private func quantified(
    _ quantifier: QueryQuantifier,
    _ condition: (QueryPath<Value._QueryElement>) -> some _QueryCondition
  ) -> QueryTerm {
    let element = QueryRoot()
    let term = condition(QueryPath<Value._QueryElement>(element))._term
    // Written out it is a subquery, maybe of what does not hold.
    return QueryTerm(around: (term, levels: 2)) {
      .quantified(quantifier, attribute($0), term.node($0 + [element]))
    }
  }

  fileprivate func figure<Result>(
    _ aggregate: QueryAggregate, _ keyPath: AnyKeyPath? = nil
  ) -> QueryPath<Result> {
    do {
      let attribute = try keyPath.map { try _KeyPathRecorder.names($0) } ?? []
      return QueryPath<Result>(root, names, .aggregate(aggregate, attribute))
    } catch {
      misuse("a query: \(error)")
    }
  }
}

extension QueryPath where Value: _QueryCollection, Value._QueryElement: ScalarValue {
  /// The value is one of the elements.
  public func contains(_ value: Value._QueryElement) -> QueryTerm {
    QueryTerm { .isElement(.value(QueryValue(value)), of: attribute($0), []) }
  }
}

extension QueryPath where Value: _QueryCollection, Value._QueryElement: _QueryScalar {
  /// The value is one of the elements; with nil: one of them is null.
  @_disfavoredOverload
  public func contains(_ value: Value._QueryElement._QueryBase?) -> QueryTerm {
    QueryTerm { .isElement(.value(QueryValue(value)), of: attribute($0), []) }
  }

}

extension QueryPath
where
  Value: _QueryCollection, Value._QueryElement: _QueryScalar,
  Value._QueryElement._QueryBase._QueryStored: _QueryMeasured
{
  /// The smallest element; null of none.
  public var min: QueryPath<Value._QueryElement._QueryBase?> { figure(.min) }
  /// The largest element; null of none.
  public var max: QueryPath<Value._QueryElement._QueryBase?> { figure(.max) }
}

extension QueryPath
where
  Value: _QueryCollection, Value._QueryElement: _QueryScalar,
  Value._QueryElement._QueryBase._QueryStored: AdditiveArithmetic
{
  /// The sum of the elements; 0 of none.
  public var sum: QueryPath<Value._QueryElement._QueryBase> { figure(.sum) }
  /// The average of the elements; null of none.
  public var average: QueryPath<Double?> { figure(.average) }
}

extension QueryPath where Value: _QueryCollection, Value._QueryElement: ObjectBase {
  /// The smallest of the objects' values; null of none.
  public func min<V: _QueryScalar>(
    _ keyPath: KeyPath<Value._QueryElement, V>
  ) -> QueryPath<V._QueryBase?> where V._QueryBase._QueryStored: _QueryMeasured {
    figure(.min, keyPath)
  }

  /// The largest of the objects' values; null of none.
  public func max<V: _QueryScalar>(
    _ keyPath: KeyPath<Value._QueryElement, V>
  ) -> QueryPath<V._QueryBase?> where V._QueryBase._QueryStored: _QueryMeasured {
    figure(.max, keyPath)
  }

  /// The sum of the objects' values; 0 of none.
  public func sum<V: _QueryScalar>(
    _ keyPath: KeyPath<Value._QueryElement, V>
  ) -> QueryPath<V._QueryBase> where V._QueryBase._QueryStored: AdditiveArithmetic {
    figure(.sum, keyPath)
  }

  /// The average of the objects' values; null of none.
  public func average<V: _QueryScalar>(
    _ keyPath: KeyPath<Value._QueryElement, V>
  ) -> QueryPath<Double?> where V._QueryBase._QueryStored: AdditiveArithmetic {
    figure(.average, keyPath)
  }
}

extension QueryPath where Value: _QueryCollection, Value._QueryElement: Object {
  /// The object is one of the elements. It must be managed; misuse otherwise.
  public func contains(_ object: Value._QueryElement) -> QueryTerm {
    QueryTerm { .isElement(.value(QueryValue(object: object)), of: attribute($0), []) }
  }
}

extension QueryPath where Value: _QueryCollection {
  /// True if the object is a value of the map, whose values are links. The object must be managed; misuse
  /// otherwise.
  public func contains<T: Object>(_ object: T) -> QueryTerm where Value._QueryElement == T? {
    QueryTerm { .isElement(.value(QueryValue(object: object)), of: attribute($0), []) }
  }
}
