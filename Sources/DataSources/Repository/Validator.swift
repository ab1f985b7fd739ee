public import Foundation

/// Says whether what a cache has may still be used.
///
/// `age` is how long ago the repository asked its main source for this very answer, or sent it there. It is
/// nil if it has not since it was made, for a query that is not `Hashable`, where the cache cannot give just this
/// answer again (see ``CacheDataSource``), and for one of those forgotten first when there are thousands.
nonisolated public protocol Validator<Value>: Sendable {
  /// What it looks at.
  associatedtype Value: Sendable

  /// Whether a value may still be used.
  func isValid(_ value: Value, age: Duration?) async -> Bool

  /// Whether a list may still be used. By default an empty one may if the main source has said so, any
  /// other if each value may.
  func isValid(_ values: [Value], age: Duration?) async -> Bool

  /// Whether also that may be used of which the repository knows that it may not be what the main source has:
  /// something was put or deleted since, or it is what the cache calls a page, or a part of the values
  /// asked for. It may where nothing else can be had; by default it may not.
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

/// What is valid for some time after it came from the main source, an empty list as well.
public struct AgeValidator<Value: Sendable>: Validator {
  private let maximum: Duration

  /// - Parameter maximum: how old it may become; at that age it is not valid any more.
  public init(_ maximum: Duration = .seconds(300)) {
    self.maximum = maximum
  }

  public func isValid(_ value: Value, age: Duration?) -> Bool { isValid(age) }

  public func isValid(_ values: [Value], age: Duration?) -> Bool { isValid(age) }

  private func isValid(_ age: Duration?) -> Bool {
    age.map { $0 < maximum } ?? false
  }
}

/// Asks several strategies in turn; the first that knows decides.
///
///     StrategyValidator([
///       .reachability { await network.isReachable },     // offline, all is valid
///       .timestamp(.seconds(300)) { $0.lastUpdate },
///     ])
public struct StrategyValidator<Value: Sendable>: Validator {
  private let strategies: [ValidationStrategy<Value>]
  private let otherwise: Bool

  /// - Parameters:
  ///   - strategies: what is asked, in this order.
  ///   - otherwise: what is true if no strategy knows.
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

  /// As the first strategy says that knows without a value: reachability, `valid` and `invalid`. Else not.
  public func allowsOutdated() async -> Bool {
    for strategy in strategies {
      if let allows = await strategy.allowsOutdated() { return allows }
    }
    return false
  }
}

/// A reason to use a value, or not to: part of a ``StrategyValidator``.
public struct ValidationStrategy<Value: Sendable>: Sendable {
  let judge: @Sendable (Value) async -> Bool?
  /// What it says of any value, also an outdated one; nil for a strategy that looks at the value.
  let allowsOutdated: @Sendable () async -> Bool?

  /// By a closure, which says nil where it does not know.
  public init(_ judge: @escaping @Sendable (Value) async -> Bool?) {
    self.judge = judge
    allowsOutdated = { nil }
  }

  /// By what is the same for each value.
  private init(whateverTheValue isValid: @escaping @Sendable () async -> Bool?) {
    judge = { _ in await isValid() }
    allowsOutdated = isValid
  }

  /// By the date that the value itself has: valid when less old than `maximum`, and not when it is of the
  /// future; without a date it does not know.
  public static func timestamp(
    _ maximum: Duration, now: @escaping @Sendable () -> Date = { Date() },
    lastUpdate: @escaping @Sendable (Value) -> Date?
  ) -> ValidationStrategy {
    ValidationStrategy { value in
      // In Double: a server's date may be further away than a Duration can tell.
      lastUpdate(value).map {
        let age = now().timeIntervalSince($0)
        return age >= 0 && age < maximum / .seconds(1)
      }
    }
  }

  /// Valid while the server cannot be reached; else it does not know.
  public static func reachability(
    _ isReachable: @escaping @Sendable () async -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy(whateverTheValue: { await isReachable() ? nil : true })
  }

  /// Always valid.
  public static var valid: ValidationStrategy { ValidationStrategy(whateverTheValue: { true }) }

  /// Never valid.
  public static var invalid: ValidationStrategy { ValidationStrategy(whateverTheValue: { false }) }
}
