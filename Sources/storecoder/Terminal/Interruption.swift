import Foundation
import Synchronization

/// Handles Ctrl-C: a long operation stops after its current transaction, so the store stays consistent.
final class Interruption: Sendable {
  // Shared, because signal handlers belong to the process.
  static let shared = Interruption()

  private let hasHappened = Atomic(false)

  /// Thrown to stop an operation early.
  struct Stopped: Error {}

  /// Starts to catch interrupts, which no longer end the process.
  func watch() {
    // The parent process may have blocked the signal.
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupts, nil)
    signal(SIGINT) { _ in
      Interruption.shared.hasHappened.store(true, ordering: .relaxed)
    }
  }

  /// - Throws: `Stopped` after an interrupt.
  func check() throws {
    if hasHappened.load(ordering: .relaxed) { throw Stopped() }
  }
}
