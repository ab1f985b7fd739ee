import Foundation
import ObjectStore
import StoreCoding

// The same page again, for classes that keep more of it than their attributes.

/// The class with which the others are compared.
private final class PlainPlace: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(json: "address.city") var city: String?
}

/// A place that keeps the members that no attribute reads.
private final class KeptPlace: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(json: "address.city") var city: String?
  @Persisted(.unread) var rest: JSONValue = [:]
}

/// A place with a value of a Codable type.
private final class CodedPlace: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(json: "address.city") var city: String?
  @Persisted var hours = Hours()

  struct Hours: CodablePersistable {
    var days: [Int] = []
    var from: String?
  }
}

extension Benchmark {
  static var keptMembers: [Benchmark] {
    [
      Benchmark(
        id: "P2.unread", what: "places: the same JSON again, unread members kept",
        targets: [.timesTheCost(2)], ours: { try decodeAgain($0, as: KeptPlace.self) },
        baselineName: "without .unread", baseline: { try decodeAgain($0, as: PlainPlace.self) }),
      Benchmark(
        id: "P2.codable", what: "places: the same JSON again, a Codable value each",
        targets: [.timesTheCost(3)], ours: { try decodeAgain($0, as: CodedPlace.self) },
        baselineName: "without the value", baseline: { try decodeAgain($0, as: PlainPlace.self) }),
    ]
  }

  private static func decodeAgain<T: Object>(_ workload: Workload, as type: T.Type) throws -> Side {
    let places = (0..<workload.sizes.users).map { id in
      #"{"id":\#(id),"name":"Place \#(id)","address":{"city":"Oslo","floor":1},"#
        + #""hours":{"days":[1,\#(id % 7)],"from":"8:00"}}"#
    }
    let data = Data("[\(places.joined(separator: ","))]".utf8)
    let store = try Store()
    let coder = StoreCoder(store: store)
    try coder.decodeArray(type, from: data)
    let version = store.version
    return Side(operationCount: places.count) { watch in
      try watch.time {
        try coder.decodeArray(type, from: data)
      } checking: { places in
        store.version == version ? places.count : -1
      }
    }
  }
}
