public import Foundation

/// A type that queries can compare: a scalar, or an optional scalar.
nonisolated public protocol _QueryScalar {
  /// The type of a value that is not null.
  associatedtype _QueryBase: ScalarValue
}

extension Optional: _QueryScalar where Wrapped: ScalarValue {
  public typealias _QueryBase = Wrapped
}

/// The stored types that queries can order: numbers, dates and strings.
nonisolated public protocol _QueryOrdered {}

/// The stored types for which queries compute a minimum and a maximum: numbers and dates.
nonisolated public protocol _QueryMeasured: _QueryOrdered {}

extension String: _QueryOrdered {}
extension Double: _QueryMeasured {}
extension Float: _QueryMeasured {}
extension Decimal: _QueryMeasured {}
extension Date: _QueryMeasured {}
