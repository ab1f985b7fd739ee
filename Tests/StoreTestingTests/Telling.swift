import StoreTesting

/// What a failed expectation says behind its place, which is in the file of the test.
func told(in file: StaticString = #filePath, _ body: () throws -> Void) -> String {
  do {
    try body()
    return "nothing was thrown"
  } catch {
    let text = "\(error)"
    let prefix = "\(file):"
    guard error is StoreTestFailure, text.hasPrefix(prefix) else { return "no place: \(text)" }
    return String(text.dropFirst(prefix.count).drop { $0.isNumber }.dropFirst(2))
  }
}
