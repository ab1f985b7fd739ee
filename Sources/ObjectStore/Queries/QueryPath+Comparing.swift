// Comparing an attribute with a value or with another attribute of its type; both may be optional.

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

// Two overloads take values, and the optional one is disfavored: of an enum with such a case, `.none` is the
// case and not null.

extension QueryPath where Value: ScalarValue {
  /// The attribute is equal to the value.
  public static func == (path: Self, value: Value) -> QueryTerm {
    path.compared(.equal, QueryValue(value))
  }

  /// The attribute is not equal to the value.
  public static func != (path: Self, value: Value) -> QueryTerm {
    path.compared(.notEqual, QueryValue(value))
  }
}

extension QueryPath where Value: _QueryScalar {
  /// The attribute is equal to the value; with nil: it is null.
  @_disfavoredOverload
  public static func == (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.equal, QueryValue(value))
  }

  /// The attribute is not equal to the value, which null never is; with nil: it is not null.
  @_disfavoredOverload
  public static func != (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.notEqual, QueryValue(value))
  }

  /// One attribute is equal to the other; two nulls are equal.
  public static func == <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.equal, b)
  }

  /// One attribute is not equal to the other; two nulls are equal.
  public static func != <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.notEqual, b)
  }
}

extension QueryPath where Value: ScalarValue & Comparable, Value._QueryStored: _QueryOrdered {
  /// The attribute is below the value.
  public static func < (path: Self, value: Value) -> QueryTerm {
    path.compared(.less, QueryValue(value))
  }

  /// The attribute is below or equal to the value.
  public static func <= (path: Self, value: Value) -> QueryTerm {
    path.compared(.lessOrEqual, QueryValue(value))
  }

  /// The attribute is above the value.
  public static func > (path: Self, value: Value) -> QueryTerm {
    path.compared(.greater, QueryValue(value))
  }

  /// The attribute is above or equal to the value.
  public static func >= (path: Self, value: Value) -> QueryTerm {
    path.compared(.greaterOrEqual, QueryValue(value))
  }
}

extension QueryPath
where
  Value: _QueryScalar, Value._QueryBase: Comparable,
  Value._QueryBase._QueryStored: _QueryOrdered
{
  /// The attribute is below the value; null is not, and nothing is below nil.
  @_disfavoredOverload
  public static func < (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.less, QueryValue(value))
  }

  /// The attribute is below or equal to the value; null is not, and nothing is below or equal to nil.
  @_disfavoredOverload
  public static func <= (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.lessOrEqual, QueryValue(value))
  }

  /// The attribute is above the value; null is not, and nothing is above nil.
  @_disfavoredOverload
  public static func > (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.greater, QueryValue(value))
  }

  /// The attribute is above or equal to the value; null is not, and nothing is above or equal to nil.
  @_disfavoredOverload
  public static func >= (path: Self, value: Value._QueryBase?) -> QueryTerm {
    path.compared(.greaterOrEqual, QueryValue(value))
  }

  /// One attribute is below the other; null is not.
  public static func < <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.less, b)
  }

  /// One attribute is below or equal to the other; null is not.
  public static func <= <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.lessOrEqual, b)
  }

  /// One attribute is above the other; null is not.
  public static func > <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.greater, b)
  }

  /// One attribute is above or equal to the other; null is not.
  public static func >= <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase == Value._QueryBase {
    a.compared(.greaterOrEqual, b)
  }
}

extension QueryPath {
  /// The link leads to this object, or the embedded object is this one; with nil, there is none. The object must
  /// be managed; misuse otherwise.
  public static func == <T: ObjectBase>(path: Self, object: T?) -> QueryTerm where Value == T? {
    path.compared(.equal, QueryValue(object: object))
  }

  /// The link does not lead to this object, or the embedded object is another; with nil: there is one.
  public static func != <T: ObjectBase>(path: Self, object: T?) -> QueryTerm where Value == T? {
    path.compared(.notEqual, QueryValue(object: object))
  }
}

extension QueryPath where Value: _QueryScalar {
  /// It is one of these values.
  public func `in`(_ values: some Sequence<Value._QueryBase>) -> QueryTerm {
    let values = values.map { QueryValue($0) }
    return QueryTerm { .isIn(operand($0), values, []) }
  }

  /// It is one of these values, of which nil is null.
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
  /// It lies in the range, both ends included; null does not.
  public func between(_ range: ClosedRange<Value._QueryBase>) -> QueryTerm {
    QueryTerm {
      .between(operand($0), QueryValue(range.lowerBound), QueryValue(range.upperBound))
    }
  }
}

// MARK: - Texts

// Enums and custom types that are stored as strings have these conditions, too.

extension QueryPath
where Value: _QueryScalar, Value._QueryBase._QueryStored: _TextAttribute {
  /// The text has this one in it.
  public func contains(_ text: String, options: TextOptions = []) -> QueryTerm {
    compared(.contains, .string(text), options)
  }

  /// The text begins with this one.
  public func starts(with text: String, options: TextOptions = []) -> QueryTerm {
    compared(.beginsWith, .string(text), options)
  }

  /// The text ends with this one.
  public func ends(with text: String, options: TextOptions = []) -> QueryTerm {
    compared(.endsWith, .string(text), options)
  }

  /// The text is of a pattern: `*` stands for any characters, `?` for one, `\` takes the next as it is.
  public func like(_ pattern: String, options: TextOptions = []) -> QueryTerm {
    compared(.like, .string(pattern), options)
  }

  /// The text is this one, but for case or diacritics.
  public func equals(_ text: String, options: TextOptions) -> QueryTerm {
    compared(.equal, .string(text), options)
  }
}

extension QueryPath where Value: _TextAttribute {
  /// Words occur in the text; the attribute is declared `searchable`.
  ///
  ///     books.where { $0.title.matches("cof* bea -tea") }
  ///
  /// Words are runs of letters and digits; case and diacritics do not count. Every word of `search` must
  /// occur as a whole word; `cof*` is any word that begins so, and of `-tea` there must be none. Null
  /// never matches. An attribute that is not searchable is an error, as is a search without a word, and
  /// thus misuse in a closure of `where`: see <doc:Queries> for what people type.
  ///
  /// - Complexity: by the word index that of the rows that have the rarest of the words; else that of all
  ///   texts.
  public func matches(_ search: String) -> QueryTerm { compared(.text, .string(search)) }
}
