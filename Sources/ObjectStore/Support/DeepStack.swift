import Foundation

/// Runs work that may recurse as deeply as a payload is nested, on a stack of sufficient size.
///
/// Threads other than the main thread have 512 KB of stack on Apple platforms, which a few hundred nested objects
/// exhaust. The depth is checked first, and shallow work stays on the caller's stack.
///
/// User code (defaults, initializers, conversions) still runs on the calling thread, in the caller's isolation and
/// with its task-local values; see ``onCaller(_:)``.
///
///     caller   run ─▶ waits ─────────────▶ runs the request ─▶ waits ─▶ returns the result
///                │                ▲                │              ▲
///     thread     └▶ body ─ onCaller, waits ────────┴▶ body goes on ─┘
package enum DeepStack {
  /// The number of levels that fit on the caller's stack, whatever its size.
  package static let shallowDepth = 24
  /// The maximum number of levels.
  package static let depthLimit = 16_384
  /// An upper bound for the stack that one level uses, even in debug builds.
  private static let bytesPerLevel = 32 << 10

  /// An error for a failure to create a thread with a sufficient stack.
  struct NoThread: Error, CustomStringConvertible {
    let depth: Int
    var description: String { "the system has no memory for a stack of \(depth) nested levels" }
  }

  /// Runs `body` on a new thread and returns its result.
  ///
  /// - Parameter depth: The number of levels that `body` may recurse.
  /// - Throws: ``NoThread``, or the error that `body` throws.
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

  /// Runs `body`, which calls user code, on the thread that called ``run(depth:_:)``. Outside a deep stack, runs it
  /// directly.
  package static func onCaller<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let call = DeepCall.current else { return try body() }
    var result: Result<R, E>?
    call.request { result = Result { () throws(E) in try body() } }
    guard let result else { misuse("the caller of a deep stack returned no result") }
    return try result.get()
  }
}
