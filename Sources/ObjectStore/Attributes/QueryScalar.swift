public import Foundation

/// What queries compare: a single value, or one that may be null.
nonisolated public protocol _QueryScalar {
  /// The value where it is not null.
  associatedtype _QueryBase: ScalarValue
}

extension Optional: _QueryScalar where Wrapped: ScalarValue {
  public typealias _QueryBase = Wrapped
}

/// The stored types whose values a query puts in order: numbers, dates and texts.
nonisolated public protocol _QueryOrdered {}

/// The stored types of which a query finds the smallest and the largest value: numbers and dates.
nonisolated public protocol _QueryMeasured: _QueryOrdered {}

extension String: _QueryOrdered {}
extension Double: _QueryMeasured {}
extension Float: _QueryMeasured {}
extension Decimal: _QueryMeasured {}
extension Date: _QueryMeasured {}
