import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Updates and dictionaries that are nested deeply, on a thread with 512 KB of stack.
@Suite struct `Deep values on a small stack` {
  /// Objects that stand in each other; the innermost links to nothing.
  private static func chain(_ count: Int) -> Data {
    let open = (0..<count).map { "{\"id\":\($0),\"next\":" }.joined()
    return Data((open + "null" + String(repeating: "}", count: count)).utf8)
  }

  @Test func `updates of the default depth are compared, hashed and printed`() {
    let found = onSmallStack {
      do {
        let coder = try makeCoder()
        let data = Self.chain(512)
        let first = try coder.updateDictionary(for: Coding.KeyedLink.self, from: data)
        let second = try coder.updateDictionary(for: Coding.KeyedLink.self, from: data)
        let text = "\(first)"
        let end = "[id: 511, next: null" + String(repeating: "]", count: 512)
        return "\(first == second) \(first.hashValue == second.hashValue) "
          + "\(text.prefix(34)) \(text.hasSuffix(end))"
      } catch {
        return "\(error)"
      }
    }
    #expect(found == "true true [id: 0, next: [id: 1, next: [id: 2 true")
  }

  @Test func `untyped values are taken over, however deep they are`() {
    let found = onSmallStack {
      var value: Any = 1
      for level in 0..<500 { value = level % 2 == 0 ? ["a": value] as [String: Any] : [value] }
      return UpdateValue(any: value).map { "\($0.description.prefix(15))" } ?? "nil"
    }
    #expect(found == "[[a: [[a: [[a: ")
  }
}
