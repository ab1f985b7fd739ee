/// Stops the program because its code violated a rule of the API (never because of data).
///
/// Uses `fatalError`, because release builds drop the message of `preconditionFailure`.
@usableFromInline @inline(never)
package func misuse(_ message: @autoclosure () -> String) -> Never {
  fatalError(message())
}
