import Foundation

/// A policy for retries with exponential backoff: each delay is twice the previous one up to a limit, and is
/// shortened by a random part, so that many clients do not retry at the same time.
///
///     Retry(attempts: 4, firstDelay: .milliseconds(500))   // waits at most 0.5, 1 and 2 s
///
/// Cancelling the task ends a delay immediately.
public struct Retry: Sendable {
  /// The maximum number of attempts, including the first. With 1 or less, there is no retry.
  public var attempts: Int
  /// The delay after the first failure.
  public var firstDelay: Duration
  /// The longest delay. If the server requests a longer one, there is no retry.
  public var longestDelay: Duration
  /// The random part of a delay, from 0 for none to 1 for all of it. Values outside this range are clamped.
  public var jitter: Double
  private let clock: any Clock<Duration>
  private let random: @Sendable () -> Double

  /// Creates a policy.
  /// - Parameters:
  ///   - attempts: The maximum number of attempts, including the first.
  ///   - firstDelay: The delay after the first failure.
  ///   - longestDelay: The longest delay.
  ///   - jitter: The random part of a delay, 0 to 1.
  ///   - clock: The clock that measures delays.
  ///   - random: A generator of numbers in `0..<1` for the jitter.
  public init(
    attempts: Int = 3, firstDelay: Duration = .milliseconds(250),
    longestDelay: Duration = .seconds(30), jitter: Double = 0.5,
    clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.attempts = attempts
    self.firstDelay = firstDelay
    self.longestDelay = longestDelay
    self.jitter = jitter
    self.clock = clock
    self.random = random
  }

  /// A policy without retries.
  public static let never = Retry(attempts: 1)

  /// Returns the delay after a number of failures.
  public func delay(afterFailures count: Int) -> Duration {
    let longest = min(max(longestDelay, .zero), Self.longestOfAll)
    var delay = min(max(firstDelay, .zero), longest)
    // 128 doublings exceed the limit for every first delay except zero.
    for _ in 0..<min(max(count, 1) - 1, 128) where delay < longest {
      delay = min(delay * 2, longest)
    }
    return delay * (1 - Self.part(jitter) * Self.part(random()))
  }

  /// About 68 years.
  private static let longestOfAll = Duration.seconds(1 << 31)

  /// The number clamped to 0...1; 0 for NaN.
  private static func part(_ number: Double) -> Double {
    number > 0 ? min(number, 1) : 0
  }

  /// Runs `body` until it succeeds, the attempts are used up or `isWorthRetrying` returns false for an error.
  func repeating<R>(
    _ body: () async throws -> R, while isWorthRetrying: (any Error) -> Bool
  ) async throws -> R {
    try await repeating(body) { outcome, failureCount in
      guard case .failure(let error) = outcome, isWorthRetrying(error) else { return nil }
      return delay(afterFailures: failureCount)
    }
  }

  /// Runs `body` until `delay` returns nil for its outcome or the attempts are used up.
  /// - Parameter delay: A closure that returns the time to wait before the next attempt, given the outcome of the
  ///   last one and the number of failed attempts; nil to stop. It is not called for a `CancellationError`.
  func repeating<R>(
    _ body: () async throws -> R,
    after delay: (_ outcome: Result<R, any Error>, _ failureCount: Int) -> Duration?
  ) async throws -> R {
    var failureCount = 0
    while true {
      try Task.checkCancellation()
      let outcome: Result<R, any Error>
      do {
        outcome = .success(try await body())
      } catch {
        // A cancelled task throws `CancellationError` even if `body` failed with another error because of it.
        try Task.checkCancellation()
        if error is CancellationError { throw error }
        outcome = .failure(error)
      }
      failureCount += 1
      guard failureCount < attempts, let pause = delay(outcome, failureCount) else {
        return try outcome.get()
      }
      try await clock.sleep(for: pause)
    }
  }
}
