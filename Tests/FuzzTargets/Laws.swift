import Foundation

/// Traps with a message if a law is broken, in optimized code, too.
func law(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { fatalError("broken law: \(message())") }
}

/// Traps with both values if they differ.
func law<Value: Equatable>(_ found: Value, equals expected: Value, _ message: String) {
  if found != expected {
    fatalError("broken law: \(message)\n   found \(found)\nexpected \(expected)")
  }
}

/// The description of the error that `body` throws; nil if it throws none.
func failure(of body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}

/// Reads the elements of a value that is a collection.
func touch(_ value: Any?) {
  guard let elements = value as? any Sequence else { return }
  for _ in elements {}
}

/// Runs `body` in a task and waits for its end.
func wait(for body: @escaping @Sendable () async -> Void) {
  let end = DispatchSemaphore(value: 0)
  Task.detached {
    await body()
    end.signal()
  }
  end.wait()
}

/// The bytes of an input, which are consumed from the front. After the last one, all are zero.
struct InputBytes {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

  /// A number of `count` bytes, the least significant first.
  mutating func number(byteCount: Int) -> Int {
    (0..<byteCount).reduce(0) { number, index in number | byte() << (8 * index) }
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    let bytes = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return bytes
  }
}
