import Foundation
import Synchronization

/// Ctrl-C: work that takes long ends behind its present transaction, and the store is whole.
final class Interruption: Sendable {
  // A process has one, as it has one signal.
  static let shared = Interruption()

  private let hasHappened = Atomic(false)

  /// Thrown where work ends early.
  struct Stopped: Error {}

  /// From now on an interrupt does not end the process.
  func watch() {
    // Who starts it may have blocked them.
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupts, nil)
    signal(SIGINT) { _ in
      Interruption.shared.hasHappened.store(true, ordering: .relaxed)
    }
  }

  /// - Throws: `Stopped` if there was an interrupt.
  func check() throws {
    if hasHappened.load(ordering: .relaxed) { throw Stopped() }
  }
}
