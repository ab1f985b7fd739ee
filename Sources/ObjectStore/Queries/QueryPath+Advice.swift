// Compiler advice for conditions that exist in Swift or another database but not in a query. Nothing in this file
// can be called; the tests check the messages.

// MARK: - Strings

extension QueryPath
where Value: _QueryScalar, Value._QueryBase._QueryStored: _TextAttribute {
  @available(*, unavailable, renamed: "starts(with:)")
  public func hasPrefix(_ string: String) -> QueryPath<Bool> { misuse("unavailable") }

  @available(*, unavailable, renamed: "ends(with:)")
  public func hasSuffix(_ string: String) -> QueryPath<Bool> { misuse("unavailable") }

  @available(*, unavailable, message: "compare with the empty string: $0.name == \"\"")
  public var isEmpty: QueryPath<Bool> { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "a query cannot read the length of a string: store the length, or filter an array"
  )
  public var count: QueryPath<Int> { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "to ignore case, use equals(_:options:) or contains(_:options:) with .caseInsensitive"
  )
  public func lowercased() -> QueryPath<String> { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "to ignore case, use equals(_:options:) or contains(_:options:) with .caseInsensitive"
  )
  public func uppercased() -> QueryPath<String> { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "use contains(_:options:) with [.caseInsensitive, .diacriticInsensitive]"
  )
  public func localizedStandardContains(_ string: String) -> QueryTerm { misuse("unavailable") }
}

// MARK: - Numbers and dates

extension QueryPath where Value: _QueryScalar, Value._QueryBase: Comparable {
  @available(*, unavailable, message: "use between(1...3), which includes both ends")
  public func contains(_ range: ClosedRange<Value._QueryBase>) -> QueryTerm {
    misuse("unavailable")
  }

  @available(*, unavailable, message: "combine two comparisons: $0.age >= 1 && $0.age < 3")
  public func contains(_ range: Range<Value._QueryBase>) -> QueryTerm { misuse("unavailable") }

  @available(
    *, unavailable,
    message:
      "between(1...3) includes both ends; otherwise combine two comparisons: $0.age >= 1 && $0.age < 3"
  )
  @_disfavoredOverload
  public func between(_ range: Range<Value._QueryBase>) -> QueryTerm { misuse("unavailable") }
}

// MARK: - Collections

/// No type conforms; the name is the advice in the compiler's error.
public protocol _UseAnyAllOrNone {}

extension QueryPath where Value: _QueryCollection, Value: _UseAnyAllOrNone {
  // An unavailable subscript would also be reported for an error inside the closure of `any`; a missing conformance
  // is not (Swift 6.3.1). The compiler shows the documentation comment.
  /// Use `$0.dogs.any { $0.age > 3 }`, or `all` or `none`, for an attribute of the elements.
  @_disfavoredOverload
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value._QueryElement, Member>
  ) -> QueryPath<Member> where Value._QueryElement: ObjectProtocol { misuse("unavailable") }

  /// Use `$0.dogs.any { $0.age > 3 }`, or `all` or `none`, for an attribute of the elements.
  @_disfavoredOverload
  public subscript<Target: ObjectProtocol, Member>(
    dynamicMember keyPath: KeyPath<Target, Member>
  ) -> QueryPath<Member> where Value._QueryElement == Target? { misuse("unavailable") }
}

extension QueryPath where Value: _QueryCollection {
  @available(*, unavailable, message: "compare the number of elements: $0.tags.count == 0")
  public var isEmpty: QueryPath<Bool> { misuse("unavailable") }

  @available(
    *, unavailable, message: "elements have no index in a query: use any { … }"
  )
  public var first: QueryPath<Value._QueryElement> { misuse("unavailable") }

  @available(
    *, unavailable, message: "elements have no index in a query: use any { … }"
  )
  public var last: QueryPath<Value._QueryElement> { misuse("unavailable") }

  @available(
    *, unavailable, message: "elements have no index in a query: use any { … }"
  )
  public subscript(index: Int) -> QueryPath<Value._QueryElement> { misuse("unavailable") }

  @available(
    *, unavailable, message: "a map has no keys in a query: use any { … } on its values"
  )
  public subscript(key: String) -> QueryPath<Value._QueryElement> { misuse("unavailable") }

  @available(*, unavailable, renamed: "any(_:)")
  public func contains(
    where condition: (QueryPath<Value._QueryElement>) -> some _QueryCondition
  ) -> QueryTerm { misuse("unavailable") }

  @available(*, unavailable, renamed: "all(_:)")
  public func allSatisfy(
    _ condition: (QueryPath<Value._QueryElement>) -> some _QueryCondition
  ) -> QueryTerm { misuse("unavailable") }
}

// MARK: - Collections of the standard library

extension Sequence {
  @available(*, unavailable, message: "use the attribute: $0.id.in([1, 2])")
  @_disfavoredOverload
  public func contains<Value>(_ path: QueryPath<Value>) -> QueryTerm { misuse("unavailable") }
}

extension ClosedRange {
  @available(*, unavailable, message: "use the attribute: $0.age.between(1...3)")
  @_disfavoredOverload
  public func contains<Value>(_ path: QueryPath<Value>) -> QueryTerm { misuse("unavailable") }
}

extension Range {
  @available(*, unavailable, message: "combine two comparisons: $0.age >= 1 && $0.age < 3")
  @_disfavoredOverload
  public func contains<Value>(_ path: QueryPath<Value>) -> QueryTerm { misuse("unavailable") }
}

// MARK: - Operators of values

extension QueryPath {
  @available(*, unavailable, message: "compare objects with ==")
  public static func === (a: QueryPath, b: AnyObject?) -> QueryTerm { misuse("unavailable") }

  @available(*, unavailable, message: "calculate with the value instead: $0.price > 3 - 2")
  @_disfavoredOverload
  public static func + (a: QueryPath, b: Value) -> QueryPath { misuse("unavailable") }

  @available(*, unavailable, message: "calculate with the value instead: $0.price > 3 + 2")
  @_disfavoredOverload
  public static func - (a: QueryPath, b: Value) -> QueryPath { misuse("unavailable") }

  @available(*, unavailable, message: "calculate with the value instead: $0.price > 3 / 2")
  @_disfavoredOverload
  public static func * (a: QueryPath, b: Value) -> QueryPath { misuse("unavailable") }

  @available(*, unavailable, message: "calculate with the value instead: $0.price > 3 * 2")
  @_disfavoredOverload
  public static func / (a: QueryPath, b: Value) -> QueryPath { misuse("unavailable") }

  @available(
    *, unavailable,
    message: "a query does not calculate: filter the objects in Swift, or store the remainder"
  )
  @_disfavoredOverload
  public static func % (a: QueryPath, b: Value) -> QueryPath { misuse("unavailable") }
}
