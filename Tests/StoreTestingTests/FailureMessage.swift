import StoreTesting

/// Returns the message of the expectation that fails in `body`, without its source location.
func failureMessage(in file: StaticString = #filePath, _ body: () throws -> Void) -> String {
  do {
    try body()
    return "nothing was thrown"
  } catch {
    let text = "\(error)"
    let prefix = "\(file):"
    guard error is StoreTestFailure, text.hasPrefix(prefix) else {
      return "no source location: \(text)"
    }
    return String(text.dropFirst(prefix.count).drop { $0.isNumber }.dropFirst(2))
  }
}
