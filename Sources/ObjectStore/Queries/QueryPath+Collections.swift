extension QueryPath where Value: _QueryCollection {
  /// The number of elements.
  public var count: QueryPath<Int> { QueryPath<Int>(root, names, .count) }

  /// Returns a condition that is true if at least one element satisfies `condition`.
  public func any(
    _ condition: (QueryPath<Value._QueryElement>) -> some _QueryCondition
  ) -> QueryTerm { quantified(.any, condition) }

  /// Returns a condition that is true if every element satisfies `condition`, or there are no elements.
  public func all(
    _ condition: (QueryPath<Value._QueryElement>) -> some _QueryCondition
  ) -> QueryTerm { quantified(.all, condition) }

  /// Returns a condition that is true if no element satisfies `condition`.
  public func none(
    _ condition: (QueryPath<Value._QueryElement>) -> some _QueryCondition
  ) -> QueryTerm { quantified(.none, condition) }

  private func quantified(
    _ quantifier: QueryQuantifier,
    _ condition: (QueryPath<Value._QueryElement>) -> some _QueryCondition
  ) -> QueryTerm {
    let element = QueryRoot()
    let term = condition(QueryPath<Value._QueryElement>(element))._term
    // Counts as two levels, because the text form is a subquery that may contain a negation.
    return QueryTerm(around: (term, levels: 2)) {
      .quantified(quantifier, attribute($0), term.node($0 + [element]))
    }
  }

  fileprivate func aggregate<Result>(
    _ function: QueryAggregate, _ keyPath: AnyKeyPath? = nil
  ) -> QueryPath<Result> {
    do {
      let attribute = try keyPath.map { try _KeyPathRecorder.names($0) } ?? []
      return QueryPath<Result>(root, names, .aggregate(function, attribute))
    } catch {
      misuse("a query: \(error)")
    }
  }
}

extension QueryPath where Value: _QueryCollection, Value._QueryElement: ScalarValue {
  /// Returns a condition that is true if the collection contains the value.
  public func contains(_ value: Value._QueryElement) -> QueryTerm {
    QueryTerm { .isElement(.value(QueryValue(value)), of: attribute($0), []) }
  }
}

extension QueryPath where Value: _QueryCollection, Value._QueryElement: _QueryScalar {
  /// Returns a condition that is true if the collection contains the value. Nil matches a null element.
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
  /// The smallest element, or null if there is none.
  public var min: QueryPath<Value._QueryElement._QueryBase?> { aggregate(.min) }
  /// The largest element, or null if there is none.
  public var max: QueryPath<Value._QueryElement._QueryBase?> { aggregate(.max) }
}

extension QueryPath
where
  Value: _QueryCollection, Value._QueryElement: _QueryScalar,
  Value._QueryElement._QueryBase._QueryStored: AdditiveArithmetic
{
  /// The sum of the elements, or 0 if there are none.
  public var sum: QueryPath<Value._QueryElement._QueryBase> { aggregate(.sum) }
  /// The average of the elements, or null if there are none.
  public var average: QueryPath<Double?> { aggregate(.average) }
}

extension QueryPath where Value: _QueryCollection, Value._QueryElement: ObjectBase {
  /// Returns the smallest value of an attribute of the objects, or null if there is none.
  public func min<V: _QueryScalar>(
    _ keyPath: KeyPath<Value._QueryElement, V>
  ) -> QueryPath<V._QueryBase?> where V._QueryBase._QueryStored: _QueryMeasured {
    aggregate(.min, keyPath)
  }

  /// Returns the largest value of an attribute of the objects, or null if there is none.
  public func max<V: _QueryScalar>(
    _ keyPath: KeyPath<Value._QueryElement, V>
  ) -> QueryPath<V._QueryBase?> where V._QueryBase._QueryStored: _QueryMeasured {
    aggregate(.max, keyPath)
  }

  /// Returns the sum of an attribute of the objects, or 0 if there are none.
  public func sum<V: _QueryScalar>(
    _ keyPath: KeyPath<Value._QueryElement, V>
  ) -> QueryPath<V._QueryBase> where V._QueryBase._QueryStored: AdditiveArithmetic {
    aggregate(.sum, keyPath)
  }

  /// Returns the average of an attribute of the objects, or null if there are none.
  public func average<V: _QueryScalar>(
    _ keyPath: KeyPath<Value._QueryElement, V>
  ) -> QueryPath<Double?> where V._QueryBase._QueryStored: AdditiveArithmetic {
    aggregate(.average, keyPath)
  }
}

extension QueryPath where Value: _QueryCollection, Value._QueryElement: Object {
  /// Returns a condition that is true if the collection contains the object. An unmanaged object is misuse.
  public func contains(_ object: Value._QueryElement) -> QueryTerm {
    QueryTerm { .isElement(.value(QueryValue(object: object)), of: attribute($0), []) }
  }
}

extension QueryPath where Value: _QueryCollection {
  /// Returns a condition that is true if the object is a value of the map. An unmanaged object is misuse.
  public func contains<T: Object>(_ object: T) -> QueryTerm where Value._QueryElement == T? {
    QueryTerm { .isElement(.value(QueryValue(object: object)), of: attribute($0), []) }
  }
}
