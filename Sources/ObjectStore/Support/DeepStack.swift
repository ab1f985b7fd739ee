import Foundation

/// Work whose recursion may be as deep as a payload, on a stack that is large enough for it.
///
/// Threads other than the main one have 512 KB on Apple platforms, which a few hundred nested
/// objects use up. Shallow work never comes here: it is told apart by its depth first and done
/// where it began.
package enum DeepStack {
  /// Levels that are done on the caller's stack, whatever it is.
  package static let shallowDepth = 24
  /// More levels than this are refused.
  package static let depthLimit = 16_384
  /// More than a level takes, also without optimization.
  private static let bytesPerLevel = 32 << 10

  // Sendable: one thread uses it at a time, the caller waits meanwhile.
  private final class Work<R>: @unchecked Sendable {
    private var body: (() throws -> R)?
    var result: Result<R, any Error>?

    init(_ body: @escaping () throws -> R) {
      self.body = body
    }

    /// Lets go of the body: it does not outlive the call.
    func run() {
      guard let body = body.take() else { return }
      result = Result { try body() }
    }
  }

  /// Runs `body` on a thread of its own and waits for it.
  ///
  /// - Parameter depth: How deep it may go.
  package static func run<R>(depth: Int, _ body: () throws -> R) throws -> R {
    try withoutActuallyEscaping(body) { body in
      let work = Work(body)
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        work.run()
        done.signal()
      }
      thread.stackSize = (max(depth, shallowDepth) + 64) * bytesPerLevel
      thread.qualityOfService = Thread.current.qualityOfService
      thread.start()
      done.wait()
      guard let result = work.result else { throw CancellationError() }
      work.result = nil
      return try result.get()
    }
  }
}
