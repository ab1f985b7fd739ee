import Foundation

/// How often to try, and how long to wait in between: twice as long each time, up to a limit, and a random
/// part less, so that many clients do not come back at once.
///
///     Retry(attempts: 4, firstDelay: .milliseconds(500))   // waits about 0.5, 1 and 2 s
///
/// Cancelling the task ends the waiting at once.
public struct Retry: Sendable {
  /// How often to try, the first time included; 1 or less is never again.
  public var attempts: Int
  /// How long to wait after the first failure.
  public var firstDelay: Duration
  /// The longest to wait, also where the server asks for more: then it is not tried again.
  public var longestDelay: Duration
  /// The part of a delay that is random: 0 for none, 1 for all of it. What is less or more counts as these.
  public var jitter: Double
  private let clock: any Clock<Duration>
  private let random: @Sendable () -> Double

  /// - Parameters:
  ///   - attempts: how often to try, the first time included.
  ///   - firstDelay: how long to wait after the first failure.
  ///   - longestDelay: the longest to wait.
  ///   - jitter: the part of a delay that is random, 0 to 1.
  ///   - clock: what is waited by.
  ///   - random: numbers from 0 to below 1, for the jitter.
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

  /// Tries once.
  public static let never = Retry(attempts: 1)

  /// How long to wait after so many failures.
  public func delay(afterFailures count: Int) -> Duration {
    let longest = min(max(longestDelay, .zero), Self.longestOfAll)
    var delay = min(max(firstDelay, .zero), longest)
    // More doublings than these make any delay the longest, but for none at all.
    for _ in 0..<min(max(count, 1) - 1, 128) where delay < longest {
      delay = min(delay * 2, longest)
    }
    return delay * (1 - Self.part(jitter) * Self.part(random()))
  }

  /// About 68 years.
  private static let longestOfAll = Duration.seconds(1 << 31)

  /// A number from 0 to 1; 0 for what is no number.
  private static func part(_ number: Double) -> Double {
    number > 0 ? min(number, 1) : 0
  }

  /// Runs `body` until it succeeds, the attempts are used up or an error is not worth another attempt.
  func repeating<R>(
    _ body: () async throws -> R, while isWorthRetrying: (any Error) -> Bool
  ) async throws -> R {
    try await repeating(body) { outcome, failureCount in
      guard case .failure(let error) = outcome, isWorthRetrying(error) else { return nil }
      return delay(afterFailures: failureCount)
    }
  }

  /// Runs `body` until `delay` returns nil for its outcome or the attempts are used up.
  /// - Parameter delay: The time to wait before the next attempt, for the outcome of the last one and the number of
  ///   failed attempts. It is not called for a `CancellationError`.
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
