public import Foundation

/// A strategy of a ``StrategyValidator`` for deciding whether a value may be used.
public struct ValidationStrategy<Value: Sendable>: Sendable {
  let judge: @Sendable (Value) async -> Bool?
  /// The result for every value, including an outdated one; nil for a strategy that depends on the value.
  let allowsOutdated: @Sendable () async -> Bool?

  /// Creates a strategy from a closure, which returns nil if it cannot decide.
  public init(_ judge: @escaping @Sendable (Value) async -> Bool?) {
    self.judge = judge
    allowsOutdated = { nil }
  }

  /// Creates a strategy whose result is the same for every value.
  private init(whateverTheValue isValid: @escaping @Sendable () async -> Bool?) {
    judge = { _ in await isValid() }
    allowsOutdated = isValid
  }

  /// A strategy that checks a date in the value: the value is valid if the date is in the past and less than
  /// `maximum` ago. Has no result for a value without a date.
  public static func timestamp(
    _ maximum: Duration, now: @escaping @Sendable () -> Date = { Date() },
    lastUpdate: @escaping @Sendable (Value) -> Date?
  ) -> ValidationStrategy {
    ValidationStrategy { value in
      // `Double`, because a date from a server may be out of the range of `Duration`.
      lastUpdate(value).map {
        let age = now().timeIntervalSince($0)
        return age >= 0 && age < maximum / .seconds(1)
      }
    }
  }

  /// A strategy that considers values valid while the server is unreachable, and has no result otherwise.
  public static func reachability(
    _ isReachable: @escaping @Sendable () async -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy(whateverTheValue: { await isReachable() ? nil : true })
  }

  /// A strategy that considers every value valid.
  public static var valid: ValidationStrategy { ValidationStrategy(whateverTheValue: { true }) }

  /// A strategy that considers every value invalid.
  public static var invalid: ValidationStrategy { ValidationStrategy(whateverTheValue: { false }) }
}
