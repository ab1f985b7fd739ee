import Foundation
import ObjectStore
import StoreCoding

/// The type that `JSONDecoder` decodes from a payload with a list.
protocol ListDocument: Codable, Hashable {
  associatedtype Element: Codable, Hashable
  var elements: [Element] { get }
}

extension Array: ListDocument where Element: Codable & Hashable {
  var elements: [Element] { self }
}

/// A JSON list with the class and the struct that represent it. It has a row for decoding and one for encoding.
///
///     ListShape("P20.uuid", "lists of 8 UUIDs", EightUUIDs.self, [PlainUUIDs].self) { workload in
///       listOfEights(workload.sizes.listed) { … }
///     }
///
/// The content proves the work of both directions: the objects in the store, encoded by its coder and decoded by
/// `JSONDecoder`, equal the elements that `JSONDecoder` reads from the payload.
struct ListShape<Stored: Object, Document: ListDocument> {
  let id: String
  let what: String
  let data: (Workload) throws -> Data
  var targets: [Target] = [.timesFaster(8)]
  var dates = DateCoding.asDeclared
  /// True if both sides write line breaks and indentation.
  var isPretty = false
  /// False if another shape measures the same encoding work.
  var isEncoded = true

  /// The representation of dates in the baseline.
  enum DateCoding {
    /// The structs have strings, the cheapest option of `JSONDecoder`.
    case asDeclared
    case iso8601
  }

  init(
    _ id: String, _ what: String, _ stored: Stored.Type, _ document: Document.Type,
    data: @escaping (Workload) throws -> Data
  ) {
    self.id = id
    self.what = what
    self.data = data
  }

  /// Returns a modified copy.
  func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  var benchmarks: [Benchmark] {
    let decoding = Benchmark(
      id: id, what: what + ": JSON into an empty store", targets: targets, ours: storeDecoding,
      baselineName: "JSONDecoder", baseline: foundationDecoding)
    let encoding = Benchmark(
      id: id + ".encode", what: what + ": objects to JSON", targets: targets, ours: storeEncoding,
      baselineName: "JSONEncoder", baseline: foundationEncoding)
    return isEncoded ? [decoding, encoding] : [decoding]
  }

  // MARK: - Our side

  private func storeDecoding(_ workload: Workload) throws -> Side {
    let data = try data(workload)
    var content: Int?
    return Side(operationCount: try elementCount(of: data)) { watch in
      try watch.time {
        let coder = StoreCoder(store: try Store())
        return (coder, try coder.decodeArray(Stored.self, from: data))
      } checking: { coder, objects in
        try firstTime(&content) { try self.content(of: coder.encodeArray(objects)) }
      }
    }
  }

  private func storeEncoding(_ workload: Workload) throws -> Side {
    var configuration = StoreCoder.Configuration()
    if isPretty { configuration.outputFormatting.insert(.prettyPrinted) }
    let coder = StoreCoder(store: try Store(), configuration: configuration)
    let objects = try coder.decodeArray(Stored.self, from: try data(workload))
    var content: Int?
    return Side(operationCount: objects.count) { watch in
      try watch.time {
        try coder.encodeArray(objects)
      } checking: { written in
        try firstTime(&content) { try self.content(of: written) }
      }
    }
  }

  // MARK: - The baseline

  private func foundationDecoding(_ workload: Workload) throws -> Side {
    let data = try data(workload)
    var content: Int?
    return Side(operationCount: try elementCount(of: data)) { watch in
      try watch.time {
        try decoder.decode(Document.self, from: data)
      } checking: { document in
        firstTime(&content) { document.elements.hashValue }
      }
    }
  }

  private func foundationEncoding(_ workload: Workload) throws -> Side {
    let elements = try decoder.decode(Document.self, from: try data(workload)).elements
    var content: Int?
    return Side(operationCount: elements.count) { watch in
      try watch.time {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        if case .iso8601 = dates { encoder.dateEncodingStrategy = .iso8601 }
        return try encoder.encode(elements)
      } checking: { written in
        try firstTime(&content) { try self.content(of: written) }
      }
    }
  }

  private var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    if case .iso8601 = dates { decoder.dateDecodingStrategy = .iso8601 }
    return decoder
  }

  // MARK: - Proof

  private func elementCount(of data: Data) throws -> Int {
    try decoder.decode(Document.self, from: data).elements.count
  }

  /// A hash of the elements in the JSON of a list.
  private func content(of list: Data) throws -> Int {
    try decoder.decode([Document.Element].self, from: list).hashValue
  }
}

/// Computes the content only once, because reading it back may take longer than the measured work.
private func firstTime(_ known: inout Int?, _ find: () throws -> Int) rethrows -> Int {
  if let known { return known }
  let found = try find()
  known = found
  return found
}
