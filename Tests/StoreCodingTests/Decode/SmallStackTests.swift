import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Deeply nested updates and dictionaries on a thread with a stack of 512 KB.
@Suite struct `Deep values on a small stack` {
  /// A chain of nested objects.
  private static func chain(_ count: Int) -> Data {
    let open = (0..<count).map { "{\"id\":\($0),\"next\":" }.joined()
    return Data((open + "null" + String(repeating: "}", count: count)).utf8)
  }

  @Test func `updates of the default depth are compared, hashed and printed on a small stack`() {
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

  @Test func `a rejection of the maximum depth is read on a small stack`() {
    let names = Array(repeating: "next", count: 63)
    let found = onSmallStack {
      do {
        let body =
          String(repeating: #"{"next":"#, count: 63) + #"["a"]"# + String(repeating: "}", count: 63)
        let rejection = try makeCoder().rejection(of: Coding.KeyedLink.self, in: Data(body.utf8))
        return rejection.attributes.map { "\($0.attribute): \($0.messages)" }.joined()
      } catch {
        return "\(error)"
      }
    }
    #expect(found == names.joined(separator: ".") + #": ["a"]"#)
  }

  @Test func `an update has at most 512 levels even if payloads may have more`() {
    let found = onSmallStack {
      do {
        let coder = try makeCoder { $0.limits.depth = 16_384 }
        var texts: [String] = []
        for count in [500, 512, 513, 4_000, 16_000] {
          do {
            let data = Self.chain(count)
            let update = try coder.updateDictionary(for: Coding.KeyedLink.self, from: data)
            try coder.store.write {
              try coder.store.create(Coding.KeyedLink.self, value: update, update: .modified)
            }
            texts.append("\(count) applied")
          } catch {
            let error = error as? StoreCodingError
            texts.append("\(count) \(error?.expected ?? "") \(error?.byteOffset ?? 0)")
          }
        }
        return texts.joined(separator: "\n")
      } catch {
        return "\(error)"
      }
    }
    #expect(
      found == """
        500 applied
        512 applied
        513 512 nested arrays and objects 8594
        4000 512 nested arrays and objects 8594
        16000 512 nested arrays and objects 8594
        """)
  }

  @Test(arguments: [500, 511, 512, 1_000])
  func `a dictionary that is too deep is rejected before it is traversed`(depth: Int) {
    var value: Any = 1
    for _ in 0..<depth { value = ["a": value] as [String: Any] }
    // Unsafe: never modified, and this thread waits for the other.
    nonisolated(unsafe) let nested = value
    let found = onSmallStack {
      message {
        try makeCoder().decode(Coding.KeyedLink.self, from: ["id": 1, "x": nested])
      }
    }
    #expect(
      found
        == (depth < 512
          ? "no error" : "the limit of 512 nested arrays and objects is exceeded"))
  }

  @Test func `500 levels of untyped values are converted on a small stack`() {
    let found = onSmallStack {
      var value: Any = 1
      for level in 0..<500 { value = level % 2 == 0 ? ["a": value] as [String: Any] : [value] }
      return UpdateValue(any: value).map { "\($0.description.prefix(15))" } ?? "nil"
    }
    #expect(found == "[[a: [[a: [[a: ")
  }
}
