import Foundation
import ObjectStore
import StoreCoding

extension Benchmark {
  /// P32: objects that payloads know in part. The classes are those of P31. A new row that lacks attributes evaluates the
  /// defaults of its class, which may differ from row to row.
  static var knownAttributes: [Benchmark] {
    [
      Benchmark(
        id: "P32.partial", what: "items: JSON with 2 of 6 attributes into an empty store",
        targets: [.timesTheCost(1.6)], ours: { _ in try decode(summaries) },
        baselineName: "JSON with all attributes", baseline: { _ in try decode(details) }),
      Benchmark(
        id: "P32.complete", what: "10,000 partial items: JSON with all attributes",
        targets: [.timesTheCost(1.3)], ours: { _ in try refresh(summaries) },
        baselineName: "the same JSON into an empty store", baseline: { _ in try decode(details) }),
      Benchmark(
        id: "P32.isKnown", what: "items: isKnown of an attribute", targets: [],
        ours: { _ in try isKnown() }, baselineName: "the attribute read",
        baseline: { _ in try readCount() }, sidesMayDiffer: true),
      Benchmark(
        id: "P32.memory", what: "items: memory for each, a third with unknown attributes",
        unit: .bytes, targets: [.timesTheCost(1.1)],
        ours: { _ in memory(isUser: false) },
        baselineName: "the same objects of the user", baseline: { _ in memory(isUser: true) }),
      Benchmark(
        id: "P32.size", what: "file: bytes of an item with unknown attributes", unit: .bytes,
        targets: [.timesTheCost(1.1)], ours: { _ in try size(isUser: false) },
        baselineName: "the same objects of the user", baseline: { _ in try size(isUser: true) },
        sidesMayDiffer: true),
    ]
  }

  private static func list(_ count: Int, isPartial: (Int) -> Bool) -> Data {
    let items = (1...count).map {
      let summary = #"{"id":\#($0),"title":"Item number \#($0)""#
      let rest = #","count":\#($0 % 7),"price":\#($0).5,"isOpen":true,"note":"n""#
      return summary + (isPartial($0) ? "}" : rest + "}")
    }
    return Data("[\(items.joined(separator: ","))]".utf8)
  }

  private static var summaries: Data { list(10_000) { _ in true } }
  private static var details: Data { list(10_000) { _ in false } }

  private static func decode(_ data: Data) throws -> Side {
    Side(operationCount: 10_000) { watch in
      let coder = StoreCoder(store: try Store())
      try coder.check(UntrackedItem.self)
      watch.check(try watch.time { try coder.decodeArray(UntrackedItem.self, from: data).count })
    }
  }

  private static func refresh(_ known: Data) throws -> Side {
    let data = details
    return Side(operationCount: 10_000) { watch in
      let coder = StoreCoder(store: try Store())
      try coder.decodeArray(UntrackedItem.self, from: known)
      watch.check(try watch.time { try coder.decodeArray(UntrackedItem.self, from: data).count })
    }
  }

  private static func isKnown() throws -> Side {
    let coder = StoreCoder(store: try Store())
    let items = try coder.decodeArray(UntrackedItem.self, from: summaries)
    return Side(operationCount: 10_000) { watch in
      watch.check(watch.time { items.count { $0.isKnown(\.count) } })
    }
  }

  private static func readCount() throws -> Side {
    let coder = StoreCoder(store: try Store())
    let items = try coder.decodeArray(UntrackedItem.self, from: summaries)
    return Side(operationCount: 10_000) { watch in
      watch.check(watch.time { items.count { $0.count > 0 } })
    }
  }

  /// A coder whose objects are whole if they are the user's.
  private static func coder(_ store: Store, isUser: Bool) -> StoreCoder {
    var configuration = StoreCoder.Configuration.default
    if isUser { configuration.decodesAs = .user }
    return StoreCoder(store: store, configuration: configuration)
  }

  private static func memory(isUser: Bool) -> Side {
    let payload = list(10_000) { $0 % 3 == 0 }
    return Side(operationCount: 10_000) { watch in
      guard let before = heapBytesInUse() else { return }
      let store = try Store()
      try coder(store, isUser: isUser).readAll([UntrackedItem].self, from: payload)
      guard let after = heapBytesInUse() else { return }
      watch.charge(Double(after - before))
      watch.check(store.objects(UntrackedItem.self).count)
    }
  }

  private static func size(isUser: Bool) throws -> Side {
    let folder = try ScratchFolder()
    let url = folder.url.appending(path: "items.store")
    try coder(Store(configuration: .file(url)), isUser: isUser)
      .readAll([UntrackedItem].self, from: summaries)
    let size = try Data(contentsOf: url).count
    return Side(operationCount: 10_000) { $0.charge(Double(size)) }
  }
}
