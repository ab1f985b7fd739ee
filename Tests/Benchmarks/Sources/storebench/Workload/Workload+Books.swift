/// A row of plain values, 224 bytes of payload on average.
struct Book {
  var id: Int
  /// 28 bytes on average.
  var title: String
  /// 39 bytes on average.
  var subtitle: String
  /// 14 bytes.
  var isbn: String
  /// 2 bytes.
  var language: String
  /// 100 bytes on average.
  var summary: String
  /// 0 to 100, uniformly distributed, so that a range of 10 contains a tenth of the books.
  var price: Double
  var rating: Double
  var available: Bool
  var publishedSecondsSince1970: Int
  /// 1 to 1,000.
  var publisherID: Int

  /// The number of bytes in the values: strings as UTF-8, 8 for a number, 1 for a Boolean.
  var payloadByteCount: Int {
    let text =
      title.utf8.count + subtitle.utf8.count + isbn.utf8.count + language.utf8.count
      + summary.utf8.count
    return text + 8 * 5 + 1
  }
}

extension Book {
  // Values written by benchmarks. Prices are whole numbers, so that their sum is exact.

  static func price(of id: Int, revision: Int) -> Double { Double(id & 63 + revision) }
  static func isAvailable(_ id: Int, revision: Int) -> Bool { (id + revision) & 1 == 1 }
}

let publisherCount = 1_000

func makeBooks(count: Int, seed: UInt64) -> [Book] {
  var random = Random(seed: seed)
  return (0..<count).map { index in
    Book(
      id: index + 1,
      title: text(byteCount: random.within(18...38), &random),
      subtitle: text(byteCount: random.within(24...54), &random),
      isbn: "978-" + String(1_000_000_000 + random.below(9_000_000_000)),
      language: random.pick(languages),
      summary: text(byteCount: random.within(60...140), &random),
      price: Double(random.below(10_000)) / 100,
      rating: Double(random.within(10...50)) / 10,
      available: random.chance(percent: 70),
      publishedSecondsSince1970: 315_532_800 + random.below(45 * 365 * 86_400),
      publisherID: 1 + random.below(publisherCount))
  }
}

extension Workload {
  /// ISBNs of a thousand books.
  var someISBNs: [String] { shuffledBookKeys.prefix(1_000).map { books[$0 - 1].isbn } }

  /// The number of books that one sample takes from the start of an order.
  static let takenCount = 100
}

extension Sequence<Int> {
  /// A checksum of the numbers and their order.
  var orderedDigest: Int { reduce(0) { $0 &* 31 &+ $1 } }
}

/// Returns words truncated to exactly `byteCount` bytes (ASCII only, so that no character is cut).
private func text(byteCount: Int, _ random: inout Random) -> String {
  var bytes: [UInt8] = []
  while bytes.count < byteCount {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
    bytes.append(contentsOf: random.pick(bookWords).utf8)
  }
  return String(decoding: bytes.prefix(byteCount), as: UTF8.self)
}

private let languages = ["en", "de", "fr", "es", "it", "ja", "pl", "pt"]
private let bookWords = [
  "the", "lantern", "of", "winter", "a", "harbour", "and", "river", "under", "glass", "mountain",
  "letters", "from", "silent", "orchard", "king", "paper", "garden", "last", "summer", "night",
  "atlas", "for", "beginners", "history", "small", "engines", "salt", "iron", "promise", "house",
]
