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
      // Without SA_RESTART, waiting for input ends with an error.
      var action = sigaction()
      var former = sigaction()
      sigaction(number, nil, &former)
      // `nohup` ignores the end of the terminal.
      if number == SIGHUP, former.isIgnoring { continue }
      action.handler = { number in
        // A second signal ends the process.
        signal(number, SIG_DFL)
        Interruption.shared.hasHappened.store(true, ordering: .relaxed)
      }
      sigaction(number, &action, nil)
    }
  }

  /// - Throws: `Stopped` after one of the signals.
  func check() throws {
    if hasHappened.load(ordering: .relaxed) { throw Stopped() }
  }
}

extension sigaction {
  fileprivate var handler: (@convention(c) (Int32) -> Void)? {
    get {
      #if canImport(Darwin)
        __sigaction_u.__sa_handler
      #else
        __sigaction_handler.sa_handler
      #endif
    }
    set {
      #if canImport(Darwin)
        __sigaction_u.__sa_handler = newValue
      #else
        __sigaction_handler.sa_handler = newValue
      #endif
    }
  }

  // Swift can compare C function pointers only by address.
  fileprivate var isIgnoring: Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
