// Comparisons of an attribute with a value or with another attribute of its type. Both may be optional.

extension QueryPath {
  func compared(
    _ operation: QueryComparison.Operation, _ value: QueryValue, _ options: TextOptions = []
  ) -> QueryTerm {
    QueryTerm {
      .comparison(operand($0), QueryComparison(operation, options), .value(value))
    }
  }

  func compared<Other>(
    _ operation: QueryComparison.Operation, _ other: QueryPath<Other>
  ) -> QueryTerm {
    QueryTerm { .comparison(operand($0), QueryComparison(operation), other.operand($0)) }
  }
}

// There are two overloads for values, and the optional one is disfavored: for an enum with a case `none`, `.none` is
// that case and not null.

extension QueryPath where Value: ScalarValue {
  /// Returns a condition that is true if the attribute equals the value.
  public static func == (path: Self, value: Value) -> QueryTerm {
    path.compared(.equal, QueryValue(value))
  }

  /// Returns a condition that is true if the attribute does not equal the value.
  public static func != (path: Self, value: Value) -> QueryTerm {
    path.compared(.notEqual, QueryValue(value))
  }
}

extension QueryPath where Value: _QueryScalar {
  /// Returns a condition that is true if the attribute equals the value. Nil matches null.
  @_disfavoredOverload
  public static func == (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.equal, QueryValue(value))
  }

  /// Returns a condition that is true if the attribute does not equal the value. Null does not equal any value except
  /// nil.
  @_disfavoredOverload
  public static func != (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.notEqual, QueryValue(value))
  }

  /// Returns a condition that is true if two attributes are equal. Two nulls are equal.
  public static func == <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.equal, b)
  }

  /// Returns a condition that is true if two attributes are not equal. Two nulls are equal.
  public static func != <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.notEqual, b)
  }
}

extension QueryPath where Value: ScalarValue & Comparable, Value._QueryStored: _QueryOrdered {
  /// Returns a condition that is true if the attribute is less than the value.
  public static func < (path: Self, value: Value) -> QueryTerm {
    path.compared(.less, QueryValue(value))
  }

  /// Returns a condition that is true if the attribute is less than or equal to the value.
  public static func <= (path: Self, value: Value) -> QueryTerm {
    path.compared(.lessOrEqual, QueryValue(value))
  }

  /// Returns a condition that is true if the attribute is greater than the value.
  public static func > (path: Self, value: Value) -> QueryTerm {
    path.compared(.greater, QueryValue(value))
  }

  /// Returns a condition that is true if the attribute is greater than or equal to the value.
  public static func >= (path: Self, value: Value) -> QueryTerm {
    path.compared(.greaterOrEqual, QueryValue(value))
  }
}

extension QueryPath
where
  Value: _QueryScalar, Value._QueryBase: Comparable,
  Value._QueryBase._QueryStored: _QueryOrdered
{
  /// Returns a condition that is true if the attribute is less than the value. False for null and nil.
  @_disfavoredOverload
  public static func < (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.less, QueryValue(value))
  }

  /// Returns a condition that is true if the attribute is less than or equal to the value. False for null and nil.
  @_disfavoredOverload
  public static func <= (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.lessOrEqual, QueryValue(value))
  }

  /// Returns a condition that is true if the attribute is greater than the value. False for null and nil.
  @_disfavoredOverload
  public static func > (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.greater, QueryValue(value))
  }

  /// Returns a condition that is true if the attribute is greater than or equal to the value. False for null and nil.
  @_disfavoredOverload
  public static func >= (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.greaterOrEqual, QueryValue(value))
  }

  /// Returns a condition that is true if one attribute is less than the other. False for null.
  public static func < <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.less, b)
  }

  /// Returns a condition that is true if one attribute is less than or equal to the other. False for null.
  public static func <= <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.lessOrEqual, b)
  }

  /// Returns a condition that is true if one attribute is greater than the other. False for null.
  public static func > <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.greater, b)
  }

  /// Returns a condition that is true if one attribute is greater than or equal to the other. False for null.
  public static func >= <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.greaterOrEqual, b)
  }
}

extension QueryPath {
  /// Returns a condition that is true if the link refers to this object, or the embedded object is this one. Nil
  /// matches a null link. An unmanaged object is misuse.
  public static func == <T: ObjectBase>(path: Self, object: T?) -> QueryTerm where Value == T? {
    path.compared(.equal, QueryValue(object: object))
  }

  /// Returns a condition that is true if the link does not refer to this object, or the embedded object is another
  /// one. With nil, the condition is true if the link is not null.
  public static func != <T: ObjectBase>(path: Self, object: T?) -> QueryTerm where Value == T? {
    path.compared(.notEqual, QueryValue(object: object))
  }
}

extension QueryPath where Value: _QueryScalar {
  /// Returns a condition that is true if the attribute equals one of the values.
  public func `in`(_ values: some Sequence<Value._QueryBase>) -> QueryTerm {
    let values = values.map { QueryValue($0) }
    return QueryTerm { .isIn(operand($0), values, []) }
  }

  /// Returns a condition that is true if the attribute equals one of the values. Nil matches null.
  @_disfavoredOverload
  public func `in`(_ values: some Sequence<Value._QueryBase?>) -> QueryTerm {
    let values = values.map { QueryValue($0) }
    return QueryTerm { .isIn(operand($0), values, []) }
  }
}

extension QueryPath
where
  Value: _QueryScalar, Value._QueryBase: Comparable,
  Value._QueryBase._QueryStored: _QueryOrdered
{
  /// Returns a condition that is true if the attribute is in the range, both ends included. False for null.
  public func between(_ range: ClosedRange<Value._QueryBase>) -> QueryTerm {
    QueryTerm {
      .between(operand($0), QueryValue(range.lowerBound), QueryValue(range.upperBound))
    }
  }
}

// MARK: - Strings

// These conditions also apply to enums and custom types that are stored as strings.

extension QueryPath
where Value: _QueryScalar, Value._QueryBase._QueryStored: _TextAttribute {
  /// Returns a condition that is true if the string contains this one.
  public func contains(_ string: String, options: TextOptions = []) -> QueryTerm {
    compared(.contains, .string(string), options)
  }

  /// Returns a condition that is true if the string begins with this one.
  public func starts(with string: String, options: TextOptions = []) -> QueryTerm {
    compared(.beginsWith, .string(string), options)
  }

  /// Returns a condition that is true if the string ends with this one.
  public func ends(with string: String, options: TextOptions = []) -> QueryTerm {
    compared(.endsWith, .string(string), options)
  }

  /// Returns a condition that is true if the string matches a pattern: `*` matches any characters, `?` one character,
  /// and `\` escapes the next character.
  public func like(_ pattern: String, options: TextOptions = []) -> QueryTerm {
    compared(.like, .string(pattern), options)
  }

  /// Returns a condition that is true if the string equals this one, with options for case and diacritics.
  public func equals(_ string: String, options: TextOptions) -> QueryTerm {
    compared(.equal, .string(string), options)
  }
}

extension QueryPath where Value: _TextAttribute {
  /// Returns a condition that is true if the string contains the words of a search. The attribute must be declared
  /// `searchable`.
  ///
  ///     books.where { $0.title.matches("cof* bea -tea") }
  ///
  /// Words are sequences of letters and digits. Case and diacritics are ignored. Every word of `search` must occur as a
  /// whole word. `cof*` matches any word with that prefix, and `-tea` excludes a word. Null never matches, and a search
  /// without a word matches nothing. An attribute that is not searchable is misuse.
  ///
  /// - Complexity: With the word index, O(rows that contain the rarest of the words); otherwise O(length of all
  ///   strings).
  public func matches(_ search: String) -> QueryTerm {
    var copy = search
    let hasWord = copy.withUTF8 { TextSearch(UnsafeRawBufferPointer($0)) } != nil
    return hasWord ? compared(.text, .string(search)) : QueryTerm { _ in .constant(false) }
  }
}
