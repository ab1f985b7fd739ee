import Foundation

/// Runs work whose recursion may be as deep as a payload on a stack that is large enough for it.
///
/// Threads other than the main one have 512 KB on Apple platforms, which a few hundred nested
/// objects use up. Shallow work stays on the caller's stack: the depth is checked first.
///
/// The user's code (defaults, initializers, conversions) still runs on the calling thread, in the
/// caller's isolation and with its task-local values: ``onCaller(_:)``.
///
///     caller   run ─▶ waits ─────────────▶ runs the request ─▶ waits ─▶ returns the result
///                │                ▲                │              ▲
///     thread     └▶ body ─ onCaller, waits ────────┴▶ body goes on ─┘
package enum DeepStack {
  /// The number of levels that run on the caller's stack, whatever its size.
  package static let shallowDepth = 24
  /// The greatest accepted number of levels.
  package static let depthLimit = 16_384
  /// More than a level takes, also without optimization.
  private static let bytesPerLevel = 32 << 10

  /// The system could not create a thread with a stack of that size.
  struct NoThread: Error, CustomStringConvertible {
    let depth: Int
    var description: String { "the system has no memory for a stack of \(depth) nested levels" }
  }

  /// Runs `body` on a new thread and returns its result.
  ///
  /// - Parameter depth: The number of levels that `body` may recurse.
  /// - Throws: ``NoThread``; what `body` throws.
  package static func run<R>(depth: Int, _ body: () throws -> R) throws -> R {
    var result: Result<R, any Error>?
    let work = { result = Result { try body() } }
    withoutActuallyEscaping(work) { work in
      let call = DeepCall(work)
      let thread = Thread { call.run() }
      thread.stackSize = (max(depth, shallowDepth) + 64) * bytesPerLevel
      thread.qualityOfService = Thread.current.qualityOfService
      thread.start()
      call.serve()
    }
    guard let result else { throw NoThread(depth: depth) }
    return try result.get()
  }

  /// Runs `body`, which calls the user's code, on the thread that called ``run(depth:_:)``; directly if this is no
  /// thread of a deep stack.
  package static func onCaller<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let call = DeepCall.current else { return try body() }
    var result: Result<R, E>?
    call.request { result = Result { () throws(E) in try body() } }
    guard let result else { misuse("the caller of a deep stack gave no result") }
    return try result.get()
  }
}
