import Foundation
import ObjectStore
import StoreCoding
import Testing

/// Bytes that arrive in chunks of one size.
struct CutBytes: AsyncSequence, Sendable {
  let bytes: [UInt8]
  let size: Int

  init(_ bytes: some Sequence<UInt8>, every size: Int) {
    self.bytes = Array(bytes)
    self.size = size
  }

  func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...], size: size) }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<UInt8>
    let size: Int

    mutating func next() async -> ArraySlice<UInt8>? {
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(size) }
      return rest.prefix(size)
    }
  }
}

/// The sizes of chunks, and the numbers of elements in a batch, with which streams are read.
let cuts: [(chunk: Int, batch: Int)] = [1, 2, 7, 4096].flatMap { chunk in
  [1, 3, 1000].map { (chunk, $0) }
}

/// Everything that a caller can see of a payload that was read at once or as a stream.
struct Reading: Equatable {
  var objects: [String] = []
  var outcomes: [String] = []
  var issues: [String] = []
  var offsets: [Int?] = []
  var issueCount = 0
  var merged = 0
  var elementCount = 0
  var byteCount = 0
  var metadata: JSONValue?
  var error: String?

  private mutating func add<T: Object>(_ result: ReadResult<T>) throws {
    outcomes += result.outcomes.map { "\($0)" }
    issues += result.issues.map(\.description)
    offsets += result.issues.map(\.byteOffset)
    issueCount += result.issueCount
    merged += result.merged
    elementCount = result.elementCount
    byteCount = result.byteCount
    metadata = try result.metadata("")
  }

  private mutating func encode(_ objects: [some Object], _ coder: StoreCoder) {
    self.objects = objects.map { object in
      do { return try coder.encode(object, useEnvelope: false).text } catch { return "\(error)" }
    }
  }

  /// Reads a payload at once.
  static func whole<T: Object>(
    _ type: T.Type, _ bytes: some Sequence<UInt8>, at path: String? = nil,
    _ change: (inout StoreCoder.Configuration) -> Void = { _ in }
  ) throws -> Reading {
    let coder = try makeCoder(change)
    var reading = Reading()
    do {
      let result = try coder.read([T].self, from: Data(bytes), at: path)
      try reading.add(result)
      reading.encode(result.objects, coder)
    } catch {
      reading.error = "\(error)"
    }
    return reading
  }

  /// Reads a payload as a stream.
  static func stream<T: Object>(
    _ type: T.Type, _ bytes: some Sequence<UInt8>, at path: String? = nil, chunk: Int,
    batch: Int, _ change: (inout StoreCoder.Configuration) -> Void = { _ in }
  ) async throws -> Reading {
    let coder = try makeCoder(change)
    var reading = Reading()
    var objects: [T] = []
    do {
      for try await result in coder.batches(
        of: type, from: CutBytes(bytes, every: chunk), at: path, size: batch)
      {
        #expect(result.objects.count <= batch)
        objects += result.objects
        try reading.add(result)
      }
    } catch {
      reading.error = "\(error)"
    }
    reading.encode(objects, coder)
    return reading
  }
}

/// Expects that a stream, with each of the `cuts`, gives the same as the payload that is read at once.
func expectSameAsWhole<T: Object>(
  _ type: T.Type, _ bytes: some Sequence<UInt8>, at path: String? = nil,
  cuts: [(chunk: Int, batch: Int)] = cuts, sourceLocation: SourceLocation = #_sourceLocation,
  _ change: (inout StoreCoder.Configuration) -> Void = { _ in }
) async throws {
  let whole = try Reading.whole(type, bytes, at: path, change)
  for (chunk, batch) in cuts {
    let stream = try await Reading.stream(
      type, bytes, at: path, chunk: chunk, batch: batch, change)
    let comment: Comment = "chunks of \(chunk), batches of \(batch)"
    if let error = whole.error {
      let count = stream.elementCount
      let advice =
        count == 0
        ? ""
        : count == 1
          ? "; the first element was applied" : "; the first \(count) elements were applied"
      #expect(stream.error == error + advice, comment, sourceLocation: sourceLocation)
      #expect(batch == 1000 ? count == 0 : count % batch == 0, sourceLocation: sourceLocation)
    } else if batch == 1000 {
      #expect(
        stream == whole || whole.elementCount == 0 && whole.metadata == nil, comment,
        sourceLocation: sourceLocation)
    } else {
      #expect(stream.error == nil, comment, sourceLocation: sourceLocation)
      #expect(stream.objects == whole.objects, comment, sourceLocation: sourceLocation)
      let isOwn = { (issue: String) in !issue.contains("merged into an earlier element") }
      #expect(
        stream.issues.filter(isOwn) == whole.issues.filter(isOwn), comment,
        sourceLocation: sourceLocation)
      if whole.merged == 0 {
        #expect(stream.offsets == whole.offsets, comment, sourceLocation: sourceLocation)
      }
      #expect(stream.elementCount == whole.elementCount, comment, sourceLocation: sourceLocation)
      if let metadata = whole.metadata, metadata != .null {
        #expect(stream.metadata == metadata, comment, sourceLocation: sourceLocation)
        #expect(stream.byteCount == whole.byteCount, comment, sourceLocation: sourceLocation)
      }
    }
  }
}
