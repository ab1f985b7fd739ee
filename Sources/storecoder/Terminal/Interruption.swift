import Foundation
import Synchronization

/// Handles Ctrl-C, `kill`, and the end of the terminal: a long operation stops after its current transaction, so that the
/// store stays consistent and no files are left beside it.
final class Interruption: Sendable {
  // Shared, because signal handlers belong to the process.
  static let shared = Interruption()

  private let hasHappened = Atomic(false)

  /// Thrown to stop an operation early.
  struct Stopped: Error {}

  /// Starts to catch the signals, which no longer end the process.
  func watch() {
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    // The parent process may have blocked them.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for number in numbers {
      let former = signal(number) { _ in
        Interruption.shared.hasHappened.store(true, ordering: .relaxed)
      }
      // `nohup` ignores the end of the terminal. C functions have no other comparison than that of their addresses.
      if number == SIGHUP,
        unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      {
        signal(number, SIG_IGN)
      }
    }
  }

  /// - Throws: `Stopped` after one of the signals.
  func check() throws {
    if hasHappened.load(ordering: .relaxed) { throw Stopped() }
  }
}
