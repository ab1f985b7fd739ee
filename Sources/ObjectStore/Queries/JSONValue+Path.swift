public import Foundation

extension JSONValue {
  /// A value inside a JSON attribute, in a query closure: `$0.extra["hours"]["from"]`.
  ///
  /// It is compared with strings, numbers, Booleans, JSON values and other attributes. Numbers are compared by value:
  /// `1` equals `1.0`. A value of another type never matches `==`, an order or a string condition. A missing value and
  /// JSON's null equal nil.
  public struct Path {
    /// The path of the value, which the operations of ``QueryPath`` compare.
    fileprivate let path: QueryPath<JSONValue?>

    fileprivate init<Value>(_ start: QueryPath<Value>, _ step: JSONStep) {
      path = QueryPath(start.root, start.names, start.form, start.json + [step])
    }
  }
}

/// A type that JSON values are compared with: strings, numbers, `Bool` and ``JSONValue``.
nonisolated public protocol _JSONOperand: ScalarValue {}

/// A type with an order that JSON values are compared with: strings and numbers.
nonisolated public protocol _JSONOrdered: _JSONOperand {}

extension JSONValue: _JSONOperand {}
extension Bool: _JSONOperand {}
extension String: _JSONOrdered {}
extension Int: _JSONOrdered {}
extension Int8: _JSONOrdered {}
extension Int16: _JSONOrdered {}
extension Int32: _JSONOrdered {}
extension Int64: _JSONOrdered {}
extension UInt8: _JSONOrdered {}
extension UInt16: _JSONOrdered {}
extension UInt32: _JSONOrdered {}
extension UInt64: _JSONOrdered {}
extension Float: _JSONOrdered {}
extension Double: _JSONOrdered {}
extension Decimal: _JSONOrdered {}

extension QueryPath where Value: _QueryScalar, Value._QueryBase._QueryStored == JSONValue {
  /// Accesses a member of the JSON object in the attribute. For other JSON values it is missing.
  public subscript(name: String) -> JSONValue.Path {
    JSONValue.Path(self, .member(ExactString(name)))
  }

  /// Accesses an element of the JSON array in the attribute. For other JSON values, and outside of the array, it is
  /// missing, also at an index below 0.
  public subscript(index: Int) -> JSONValue.Path { JSONValue.Path(self, JSONStep(index: index)) }
}

extension JSONValue.Path {
  /// Accesses a member of this JSON object. For other JSON values it is missing.
  public subscript(name: String) -> Self {
    Self(path, .member(ExactString(name)))
  }

  /// Accesses an element of this JSON array. For other JSON values, and outside of the array, it is missing, also at an
  /// index below 0.
  public subscript(index: Int) -> Self { Self(path, JSONStep(index: index)) }

  // MARK: - Equality

  /// Returns a condition that is true if the value equals this one. Nil matches null and missing values.
  public static func == (a: Self, value: JSONValue?) -> QueryTerm {
    a.path.compared(.equal, QueryValue(value))
  }

  /// Returns a condition that is true if the value is missing or does not equal this one. With nil, the condition is
  /// true if the value exists and is not null.
  public static func != (a: Self, value: JSONValue?) -> QueryTerm {
    a.path.compared(.notEqual, QueryValue(value))
  }

  /// Returns a condition that is true if the value equals this one. Nil matches null and missing values.
  public static func == <V: _JSONOperand>(a: Self, value: V?) -> QueryTerm {
    a.path.compared(.equal, QueryValue(value))
  }

  /// Returns a condition that is true if the value is missing or does not equal this one. With nil, the condition is
  /// true if the value exists and is not null.
  public static func != <V: _JSONOperand>(a: Self, value: V?) -> QueryTerm {
    a.path.compared(.notEqual, QueryValue(value))
  }

  /// Returns a condition that is true if the value equals one of these.
  public func `in`<V: _JSONOperand>(_ values: some Sequence<V>) -> QueryTerm {
    let values = values.map { QueryValue($0) }
    return QueryTerm { .isIn(path.operand($0), values, []) }
  }

  /// Returns a condition that is true if the value equals one of these, which may be of different types. Null also
  /// matches missing values.
  public func `in`(_ values: [JSONValue]) -> QueryTerm {
    let values = values.map { QueryValue($0) }
    return QueryTerm { .isIn(path.operand($0), values, []) }
  }

  // MARK: - Order

  /// Returns a condition that is true if the value is less than this one. False for other types, null and nil.
  public static func < <V: _JSONOrdered>(a: Self, value: V?) -> QueryTerm {
    a.path.compared(.less, QueryValue(value))
  }

  /// Returns a condition that is true if the value is less than or equal to this one. False for other types, null and
  /// nil.
  public static func <= <V: _JSONOrdered>(a: Self, value: V?) -> QueryTerm {
    a.path.compared(.lessOrEqual, QueryValue(value))
  }

  /// Returns a condition that is true if the value is greater than this one. False for other types, null and nil.
  public static func > <V: _JSONOrdered>(a: Self, value: V?) -> QueryTerm {
    a.path.compared(.greater, QueryValue(value))
  }

  /// Returns a condition that is true if the value is greater than or equal to this one. False for other types, null
  /// and nil.
  public static func >= <V: _JSONOrdered>(a: Self, value: V?) -> QueryTerm {
    a.path.compared(.greaterOrEqual, QueryValue(value))
  }

  /// Returns a condition that is true if the value is in the range, both ends included. False for other types and null.
  public func between(_ range: ClosedRange<some _JSONOrdered>) -> QueryTerm {
    QueryTerm {
      .between(path.operand($0), QueryValue(range.lowerBound), QueryValue(range.upperBound))
    }
  }

  // MARK: - Strings

  /// Returns a condition that is true if the value is a string that contains this one.
  public func contains(_ string: String, options: TextOptions = []) -> QueryTerm {
    path.compared(.contains, .string(string), options)
  }

  /// Returns a condition that is true if the value is a string that begins with this one.
  public func starts(with string: String, options: TextOptions = []) -> QueryTerm {
    path.compared(.beginsWith, .string(string), options)
  }

  /// Returns a condition that is true if the value is a string that ends with this one.
  public func ends(with string: String, options: TextOptions = []) -> QueryTerm {
    path.compared(.endsWith, .string(string), options)
  }

  /// Returns a condition that is true if the value is a string that matches a pattern: `*` matches any characters, `?`
  /// one character, and `\` escapes the next character.
  public func like(_ pattern: String, options: TextOptions = []) -> QueryTerm {
    path.compared(.like, .string(pattern), options)
  }

  /// Returns a condition that is true if the value is a string that equals this one, with options for case and
  /// diacritics.
  public func equals(_ string: String, options: TextOptions) -> QueryTerm {
    path.compared(.equal, .string(string), options)
  }

  // MARK: - Other attributes

  /// Returns a condition that is true if the value equals an attribute. Null, and a missing value, equal null.
  public static func == <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase: _JSONOperand {
    a.path.compared(.equal, b)
  }

  /// Returns a condition that is true if the value does not equal an attribute.
  public static func != <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase: _JSONOperand {
    a.path.compared(.notEqual, b)
  }

  /// Returns a condition that is true if the value is less than an attribute. False for null.
  public static func < <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase: _JSONOrdered {
    a.path.compared(.less, b)
  }

  /// Returns a condition that is true if the value is less than or equal to an attribute. False for null.
  public static func <= <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase: _JSONOrdered {
    a.path.compared(.lessOrEqual, b)
  }

  /// Returns a condition that is true if the value is greater than an attribute. False for null.
  public static func > <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase: _JSONOrdered {
    a.path.compared(.greater, b)
  }

  /// Returns a condition that is true if the value is greater than or equal to an attribute. False for null.
  public static func >= <Other: _QueryScalar>(a: Self, b: QueryPath<Other>) -> QueryTerm
  where Other._QueryBase: _JSONOrdered {
    a.path.compared(.greaterOrEqual, b)
  }

  /// Returns a condition that is true if two values inside JSON are the same JSON: `1` is not `1.0`.
  public static func == (a: Self, b: Self) -> QueryTerm { a.path.compared(.equal, b.path) }

  /// Returns a condition that is true if two values inside JSON are not the same JSON.
  public static func != (a: Self, b: Self) -> QueryTerm { a.path.compared(.notEqual, b.path) }
}
