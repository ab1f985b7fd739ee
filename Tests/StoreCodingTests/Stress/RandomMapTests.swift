import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// Maps and sets of strings in any order, compared with a dictionary and a set.
///
/// `STORE_RANDOM_STEPS` sets the number of payloads per seed. `STORE_RANDOM_SEED` adds a seed.
@Suite struct `Random maps and sets` {
  private final class Bag: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var counts: Map<String, Int>
    @Persisted var parts: Map<String, Part?>
    @Persisted var tags: MutableSet<String>
    @Persisted var words: MutableSet<String?>
  }

  private final class Part: EmbeddedObject {
    @Persisted var size = 0
  }

  private static let steps = SeededRandom.steps(100)
  private static let seeds = SeededRandom.seeds(1...3)

  /// A string that shares its first bytes with many others.
  private func text(_ random: inout SeededRandom) -> String {
    let starts = ["", "a", "\0", "a\0", "abcdefgh", "abcdefgh\0", "abcdefghi", "é", "日本語", "ÿÿÿÿ"]
    let start = starts[random.below(starts.count)]
    return random.once(in: 2) ? start : start + String(random.below(12))
  }

  private func json(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { $0 == "\0" ? "\\u0000" : String($0) }
    return "\"" + escaped.joined() + "\""
  }

  @Test(arguments: Self.seeds)
  func `maps and sets in any order equal a dictionary and a set`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let coder = try StoreCoder(store: Store())
    for step in 0..<Self.steps {
      let count = random.below(step % 5 == 0 ? 200 : 24)
      let names = (0..<count).map { _ in text(&random) }
      let unique = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
      let counts = names.enumerated().map { "\(json($1)):\($0)" }
      let parts = names.enumerated().map { index, name in
        "\(json(name)):" + (index % 3 == 0 ? "null" : "{\"size\":\(index)}")
      }
      let words = names.enumerated().map { $0 % 7 == 3 ? "null" : json($1) }
      let payload = """
        {"id":1,"counts":{\(counts.joined(separator: ","))},"parts":{\(parts.joined(separator: ","))},
        "tags":[\(names.map(json).joined(separator: ","))],"words":[\(words.joined(separator: ","))]}
        """
      let result = try coder.read(Bag.self, from: Data(payload.utf8))
      let bag = try #require(result.objects.first)
      let sorted = unique.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      #expect(bag.counts.keys == sorted && bag.parts.keys == sorted)
      #expect(bag.counts.values == sorted.map { unique[$0] })
      #expect(
        bag.parts.values.map { $0?.size }
          == sorted.map { unique[$0].flatMap { $0 % 3 == 0 ? nil : $0 } })
      #expect(Array(bag.tags) == sorted)
      let known = Set(names.enumerated().map { $0 % 7 == 3 ? nil : $1 })
      #expect(Set(bag.words) == known && bag.words.count == known.count)
      #expect(result.issues.count == 2 * (names.count - unique.count))
      let again = try coder.read(Bag.self, from: Data(payload.utf8))
      #expect(again.outcomes == [.unchanged])
    }
  }
}
