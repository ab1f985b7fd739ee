import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

/// The code in the article Streams.
@Suite struct `The article about streams` {
  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var total = 0
  }

  private let store: Store
  private let coder: StoreCoder

  init() throws {
    store = try Store()
    coder = StoreCoder(store: store)
  }

  @Test func `the loop over chunks works`() async throws {
    let page = Data(#"{"data": {"orders": [{"id": 1}, {"id": 2}]}}"#.utf8)
    let length = Double(page.count)
    let chunks = AsyncStream { continuation in
      continuation.yield(page.prefix(30))
      continuation.yield(page.dropFirst(30))
      continuation.finish()
    }
    var (count, progress) = (0, 0.0)

    for try await batch in coder.batches(of: Order.self, from: chunks, at: "data.orders") {
      count += batch.objects.count
      progress = Double(batch.byteCount) / length
    }

    #expect(count == 2 && progress == 1)
  }

  @Test func `the loop over a file and the import work`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("orders.ndjson")
    try Data("{\"id\": 1}\n{\"id\": 2}\n".utf8).write(to: file)
    var count = 0

    for try await batch in coder.batches(of: Order.self, contentsOf: file) {
      count += batch.objects.count
    }

    #expect(count == 2)

    let summary = try await coder.readAll([Order].self, contentsOf: file)
    print(summary.inserted, summary.updated, summary.issueCount)

    #expect(summary.inserted == 0 && summary.unchanged == 2)

    @concurrent func importOrders(
      _ file: URL, into configuration: StoreConfiguration
    ) async throws -> ReadResult<Order>.Counts {
      let coder = StoreCoder(store: try Store(configuration: configuration))
      return try await coder.readAll([Order].self, contentsOf: file)
    }

    #expect(try await importOrders(file, into: store.configuration).unchanged == 2)
  }

  @Test func `the error of a batch has the text in the article`() async throws {
    let lines = (0..<2_000).map {
      $0 == 1_204 ? #"{"id":7,"total":"x"}"# : #"{"id":\#($0 + 10_000)}"#
    }
    let chunks = AsyncStream { continuation in
      continuation.yield(Data(lines.joined(separator: "\n").utf8))
      continuation.finish()
    }
    let error = await #expect(throws: StoreCodingError.self) {
      try await coder.readAll([Order].self, from: chunks)
    }
    #expect(
      error?.description
        == #"[1204].total (Order.total, id 7): expected Int, found string "x" at line 1205, "#
        + "column 17; the first 1000 elements were applied")
  }
}
