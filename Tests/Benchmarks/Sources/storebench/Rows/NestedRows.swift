import Foundation
import ObjectStore
import StoreCoding

extension Benchmark {
  /// P1, continued: lists whose objects contain objects with a key, which the list repeats.
  static var nested: [Benchmark] {
    [
      Benchmark(
        id: "P1.nested", what: "articles with one of 500 authors: JSON into an empty store",
        targets: [.timesFaster(14)],
        ours: { try StoreRows.decodeArticles($0, isRefresh: false) },
        baselineName: "JSONDecoder", baseline: FoundationBaseline.decodeArticles),
      Benchmark(
        id: "P2.nested", what: "articles with one of 500 authors: the same JSON again",
        targets: [.timesFaster(13)],
        ours: { try StoreRows.decodeArticles($0, isRefresh: true) },
        baselineName: "JSONDecoder", baseline: FoundationBaseline.decodeArticles),
      Benchmark(
        id: "P1.counts", what: "articles: JSON into an empty store, only counts",
        targets: [],
        ours: { try StoreRows.countArticles($0) },
        baselineName: "with objects",
        baseline: { try StoreRows.decodeArticles($0, isRefresh: false) }),
    ]
  }
}

extension Workload {
  /// A list of articles, 270 bytes each, as many as users.
  fileprivate var articleList: Data {
    var random = Random(seed: 2_711)
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for id in 1...max(1, sizes.users) {
      if id > 1 { bytes.appendText(",") }
      bytes.appendText("{")
      bytes.appendField("id", integer: id)
      bytes.appendField("title", string: "Title \(random.below(100_000)) of a longer article")
      bytes.appendField("likes", integer: random.below(10_000))
      bytes.appendField("score", scaled: random.below(1_000), places: 2)
      bytes.appendKey("author")
      let author = random.below(500) + 1
      bytes.appendText("{")
      bytes.appendField("id", integer: author)
      bytes.appendField("name", string: "Author number \(author)")
      bytes.appendField("mail", string: "author.\(author)@example.org")
      bytes.appendText("}")
      bytes.appendKey("tags")
      bytes.appendText(#"["news","item \#(random.below(50))"]}"#)
    }
    bytes.appendText("]")
    return Data(bytes)
  }
}

extension StoreRows {
  fileprivate static func decodeArticles(_ workload: Workload, isRefresh: Bool) throws -> Side? {
    let data = workload.articleList
    let known = StoreCoder(store: try Store())
    if isRefresh { try known.decodeArray(StoredArticle.self, from: data) }
    return Side(operationCount: workload.sizes.users) { watch in
      try watch.time {
        let coder = isRefresh ? known : StoreCoder(store: try Store())
        return (coder, try coder.decodeArray(StoredArticle.self, from: data))
      } checking: { _, articles in
        sum(articles)
      }
    }
  }

  private static func sum(_ articles: some Sequence<StoredArticle>) -> Int {
    var sum = 0
    for article in articles { sum &+= article.id &+ (article.author?.id ?? 0) }
    return sum
  }

  fileprivate static func countArticles(_ workload: Workload) throws -> Side? {
    let data = workload.articleList
    return Side(operationCount: workload.sizes.users) { watch in
      try watch.time {
        let coder = StoreCoder(store: try Store())
        return (coder, try coder.readAll([StoredArticle].self, from: data).inserted)
      } checking: { coder, _ in
        sum(coder.store.objects(StoredArticle.self))
      }
    }
  }
}

extension FoundationBaseline {
  fileprivate static func decodeArticles(_ workload: Workload) -> Side {
    let data = workload.articleList
    return Side(operationCount: workload.sizes.users) { watch in
      try watch.time {
        try JSONDecoder().decode([DecodedArticle].self, from: data)
      } checking: {
        $0.reduce(into: 0) { $0 = $0 &+ $1.id &+ $1.author.id }
      }
    }
  }
}

final class StoredArticle: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var likes = 0
  @Persisted var score = 0.0
  @Persisted var author: StoredAuthor?
  @Persisted var tags: List<String>
}

final class StoredAuthor: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var mail = ""
}

private struct DecodedArticle: Decodable {
  struct Author: Decodable {
    var id: Int
    var name: String
    var mail: String
  }

  var id: Int
  var title: String
  var likes: Int
  var score: Double
  var author: Author
  var tags: [String]
}
