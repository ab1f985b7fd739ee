import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// What a result tells of the values that were passed over, and what it costs.
@Suite struct Issues {
  final class Lenient: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(.mismatch(.skipAttribute)) var next: Lenient?
  }

  /// Links in each other, none of which but the first has a key, around a long text.
  private static func nested(_ depth: Int) -> Data {
    let text = String(repeating: "x", count: 4_000_000)
    let open = String(repeating: #"{"next":"#, count: depth)
    let close = String(repeating: "}", count: depth)
    return Data(#"{"id":1,"next":\#(open){"x":"\#(text)"}\#(close)}"#.utf8)
  }

  @Test func `objects without a key are read once, however deep they stand`() throws {
    let coder = try makeCoder()
    func seconds(_ depth: Int) throws -> Duration {
      let data = Self.nested(depth)
      return try (0..<3).map { _ in
        try ContinuousClock().measure {
          let result = try coder.read(Lenient.self, from: data)
          #expect(result.issues.map(\.path) == ["next"])
        }
      }.min() ?? .zero
    }
    // Each level read all below it again: four hundred times the time.
    #expect(try seconds(400) < seconds(1) * 10)
  }
}
