// Comparing an attribute with a value or with another attribute. The values are of the attribute's type, or
// one of both is optional.

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

extension QueryPath where Value: ScalarValue {
  /// The attribute is equal to the value.
  public static func == (path: Self, value: Value) -> QueryTerm {
    path.compared(.equal, QueryValue(value))
  }

  /// The attribute is not equal to the value.
  public static func != (path: Self, value: Value) -> QueryTerm {
    path.compared(.notEqual, QueryValue(value))
  }

  /// One attribute is equal to the other.
  public static func == (a: Self, b: Self) -> QueryTerm {
    a.compared(.equal, b)
  }

  /// One attribute is not equal to the other.
  public static func != (a: Self, b: Self) -> QueryTerm {
    a.compared(.notEqual, b)
  }
}

extension QueryPath where Value: ScalarValue & Comparable {
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

  /// One attribute is below the other.
  public static func < (a: Self, b: Self) -> QueryTerm {
    a.compared(.less, b)
  }

  /// One attribute is below or equal to the other.
  public static func <= (a: Self, b: Self) -> QueryTerm {
    a.compared(.lessOrEqual, b)
  }

  /// One attribute is above the other.
  public static func > (a: Self, b: Self) -> QueryTerm {
    a.compared(.greater, b)
  }

  /// One attribute is above or equal to the other.
  public static func >= (a: Self, b: Self) -> QueryTerm {
    a.compared(.greaterOrEqual, b)
  }
}

// Of optional attributes.
extension QueryPath {
  /// The attribute is equal to the value; with nil: it is null.
  public static func == <V: ScalarValue>(path: Self, value: V?) -> QueryTerm where Value == V? {
    path.compared(.equal, QueryValue(value))
  }

  /// The attribute is not equal to the value, which null never is; with nil: it is not null.
  public static func != <V: ScalarValue>(path: Self, value: V?) -> QueryTerm where Value == V? {
    path.compared(.notEqual, QueryValue(value))
  }

  /// The attribute is below the value; null is not.
  public static func < <V: ScalarValue & Comparable>(path: Self, value: V) -> QueryTerm
  where Value == V? {
    path.compared(.less, QueryValue(value))
  }

  /// The attribute is below or equal to the value; null is not.
  public static func <= <V: ScalarValue & Comparable>(path: Self, value: V) -> QueryTerm
  where Value == V? {
    path.compared(.lessOrEqual, QueryValue(value))
  }

  /// The attribute is above the value; null is not.
  public static func > <V: ScalarValue & Comparable>(path: Self, value: V) -> QueryTerm
  where Value == V? {
    path.compared(.greater, QueryValue(value))
  }

  /// The attribute is above or equal to the value; null is not.
  public static func >= <V: ScalarValue & Comparable>(path: Self, value: V) -> QueryTerm
  where Value == V? {
    path.compared(.greaterOrEqual, QueryValue(value))
  }

  /// One attribute is equal to the other; two nulls are equal.
  public static func == <V: ScalarValue>(a: Self, b: Self) -> QueryTerm where Value == V? {
    a.compared(.equal, b)
  }

  /// One attribute is equal to the other.
  public static func == <V: ScalarValue>(a: Self, b: QueryPath<V>) -> QueryTerm where Value == V? {
    a.compared(.equal, b)
  }

  /// One attribute is equal to the other.
  public static func == <V: ScalarValue>(a: QueryPath<V>, b: Self) -> QueryTerm where Value == V? {
    a.compared(.equal, b)
  }

  /// One attribute is not equal to the other; two nulls are equal.
  public static func != <V: ScalarValue>(a: Self, b: Self) -> QueryTerm where Value == V? {
    a.compared(.notEqual, b)
  }

  /// One attribute is not equal to the other.
  public static func != <V: ScalarValue>(a: Self, b: QueryPath<V>) -> QueryTerm where Value == V? {
    a.compared(.notEqual, b)
  }

  /// One attribute is not equal to the other.
  public static func != <V: ScalarValue>(a: QueryPath<V>, b: Self) -> QueryTerm where Value == V? {
    a.compared(.notEqual, b)
  }

  /// One attribute is below the other; null is not.
  public static func < <V: ScalarValue & Comparable>(a: Self, b: Self) -> QueryTerm
  where Value == V? {
    a.compared(.less, b)
  }

  /// One attribute is below or equal to the other; null is not.
  public static func <= <V: ScalarValue & Comparable>(a: Self, b: Self) -> QueryTerm
  where Value == V? {
    a.compared(.lessOrEqual, b)
  }

  /// One attribute is above the other; null is not.
  public static func > <V: ScalarValue & Comparable>(a: Self, b: Self) -> QueryTerm
  where Value == V? {
    a.compared(.greater, b)
  }

  /// One attribute is above or equal to the other; null is not.
  public static func >= <V: ScalarValue & Comparable>(a: Self, b: Self) -> QueryTerm
  where Value == V? {
    a.compared(.greaterOrEqual, b)
  }

  /// The link leads to this object; with nil, to none. The object must be managed; misuse otherwise.
  public static func == <T: Object>(path: Self, object: T?) -> QueryTerm where Value == T? {
    path.compared(.equal, QueryValue(object: object))
  }

  /// The link does not lead to this object; with nil: it leads to one.
  public static func != <T: Object>(path: Self, object: T?) -> QueryTerm where Value == T? {
    path.compared(.notEqual, QueryValue(object: object))
  }
}

extension QueryPath where Value: ScalarValue {
  /// It is one of these values.
  public func `in`(_ values: some Sequence<Value>) -> QueryTerm {
    let values = values.map { QueryValue($0) }
    return QueryTerm { .isIn(operand($0), values, []) }
  }
}

extension QueryPath where Value: ScalarValue & Comparable {
  /// It lies in the range, both ends included.
  public func between(_ range: ClosedRange<Value>) -> QueryTerm {
    QueryTerm {
      .between(operand($0), QueryValue(range.lowerBound), QueryValue(range.upperBound))
    }
  }
}

extension QueryPath {
  /// It is one of these values.
  public func `in`<V: ScalarValue>(_ values: some Sequence<V>) -> QueryTerm where Value == V? {
    let values = values.map { QueryValue($0) }
    return QueryTerm { .isIn(operand($0), values, []) }
  }

  /// It lies in the range, both ends included; null does not.
  public func between<V: ScalarValue & Comparable>(
    _ range: ClosedRange<V>
  ) -> QueryTerm where Value == V? {
    QueryTerm {
      .between(operand($0), QueryValue(range.lowerBound), QueryValue(range.upperBound))
    }
  }
}

// MARK: - Texts

extension QueryPath where Value: _TextAttribute {
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

  /// The text is this one, but for case or diacritics.
  public func equals(_ text: String, options: TextOptions) -> QueryTerm {
    compared(.equal, .string(text), options)
  }
}
