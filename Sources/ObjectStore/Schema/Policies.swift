/// What an explicit null of a payload does.
public enum NullPolicy: Sendable, Hashable {
  /// Clears an optional attribute, empties a collection; an error where neither can be.
  case clear
  /// Leaves the attribute alone.
  case skip
  /// Assigns the declared default. One that is another each time (`Date()`) changes the object each
  /// time; ``skip`` gives it to new objects only.
  case `default`
  /// Is an error, also for an optional attribute.
  case fail
}

/// What a value of the wrong type does.
public enum MismatchPolicy: Sendable, Hashable {
  /// Refuses the payload.
  case `throw`
  /// Leaves the attribute alone.
  case skipAttribute
  /// Leaves out the element: of the attribute, if it is a collection; else of the collection around
  /// that says the same, or of the top-level list. Fails where there is none.
  case skipElement
  /// Assigns the declared default. One that is another each time (`Date()`) changes the object each
  /// time; ``skipAttribute`` gives it to new objects only.
  case useDefault
}

/// How a JSON subtree is kept as text.
public enum RawPolicy: Sendable, Hashable {
  /// Byte for byte as sent.
  case exact
  /// Without white space, keys sorted; numbers and strings token for token.
  case minified
}
