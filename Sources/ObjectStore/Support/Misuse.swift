/// Stops the program because its programmer broke a rule of the API (never because of data).
///
/// `fatalError` and not `preconditionFailure`: the text of the latter is lost in release builds.
@usableFromInline @inline(never)
package func misuse(_ message: @autoclosure () -> String) -> Never {
  fatalError(message())
}
