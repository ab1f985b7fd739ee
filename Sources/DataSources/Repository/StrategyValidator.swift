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
