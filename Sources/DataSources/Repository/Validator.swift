public import Foundation

/// A rule that decides whether cached values may still be used.
///
/// `age` is the time since the repository requested exactly this response from its main source, or sent it there. It
/// is nil if the repository has not done so since it was created, if the query is not `Hashable`, if the cache cannot
/// return exactly this response (see ``CacheDataSource``), and for the oldest responses when there are thousands.
nonisolated public protocol Validator<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// Returns true if a value may still be used.
  func isValid(_ value: Value, age: Duration?) async -> Bool

  /// Returns true if a list may still be used. By default, an empty list may be used if its age is known, and any
  /// other list if each of its values may be used.
  func isValid(_ values: [Value], age: Duration?) async -> Bool

  /// Returns true if values that are possibly outdated may be used: because of a later put or deletion, or because
  /// the result is the cache's own page or lacks some of the requested values. Return true if no other values are
  /// available. The default is false.
  func allowsOutdated() async -> Bool
}

extension Validator {
  public func isValid(_ values: [Value], age: Duration?) async -> Bool {
    if values.isEmpty { return age != nil }
    for value in values {
      if await !isValid(value, age: age) { return false }
    }
    return true
  }

  public func allowsOutdated() async -> Bool { false }
}

/// A validator that checks the age: a response, including an empty list, is valid for some time after it was requested.
public struct AgeValidator<Value: Sendable>: Validator {
  private let maximum: Duration

  /// Creates a validator.
  /// - Parameter maximum: The age at which a response ceases to be valid.
  public init(_ maximum: Duration = .seconds(300)) {
    self.maximum = maximum
  }

  public func isValid(_ value: Value, age: Duration?) -> Bool { isValid(age) }

  public func isValid(_ values: [Value], age: Duration?) -> Bool { isValid(age) }

  private func isValid(_ age: Duration?) -> Bool {
    age.map { $0 < maximum } ?? false
  }
}

/// A validator that tries several strategies in order. The first one that returns a result decides.
///
///     StrategyValidator([
///       .reachability { await network.isReachable },     // offline, everything is valid
///       .timestamp(.seconds(300)) { $0.lastUpdate },
///     ])
public struct StrategyValidator<Value: Sendable>: Validator {
  private let strategies: [ValidationStrategy<Value>]
  private let otherwise: Bool

  /// Creates a validator.
  /// - Parameters:
  ///   - strategies: The strategies, in order.
  ///   - otherwise: The result if no strategy has one.
  public init(_ strategies: [ValidationStrategy<Value>], otherwise: Bool = false) {
    self.strategies = strategies
    self.otherwise = otherwise
  }

  public func isValid(_ value: Value, age: Duration?) async -> Bool {
    for strategy in strategies {
      if let isValid = await strategy.judge(value) { return isValid }
    }
    return otherwise
  }

  /// The result of the first strategy that does not depend on the value and has a result: reachability, `valid` or
  /// `invalid`. False if there is none.
  public func allowsOutdated() async -> Bool {
    for strategy in strategies {
      if let allows = await strategy.allowsOutdated() { return allows }
    }
    return false
  }
}

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
