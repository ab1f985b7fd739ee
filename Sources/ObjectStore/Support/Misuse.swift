/// Stops the program because its code violated a rule of the API (never because of data).
///
/// Uses `fatalError`, because release builds drop the message of `preconditionFailure`.
@usableFromInline @inline(never)
package func misuse(_ message: @autoclosure () -> String) -> Never {
  fatalError(message())
}

/// Stops a debug build because of a probable programming error. A release build continues, because the value may come from
/// a request, which must not stop a server.
///
/// Not `assertionFailure`, because the optimizer may treat that as unreachable with `-Ounchecked`.
@inline(never)
package func debugMisuse(_ message: @autoclosure () -> String) {
  #if DEBUG
    misuse(message())
  #endif
}
