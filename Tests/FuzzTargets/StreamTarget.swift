import Foundation
import ObjectStore
import StoreCoding
import TestSupport

/// Reads a payload as a stream, and compares the result with that of reading it at once.
enum StreamTarget {
  static func run(_ bytes: [UInt8]) {
    var input = InputBytes(bytes)
    let shape = input.byte()
    let options = PayloadOptions(input.byte() & 7)
    let cuts = StreamCuts(chunk: 1 + input.byte(), batch: 1 + input.byte() % 8)
    let payload = Array(input.rest)
    wait {
      switch shape % 6 {
      case 0: await StreamLaws<Coding.BareUser>(nil, options).check(payload, cuts)
      case 1: await StreamLaws<Coding.User>(nil, options).check(payload, cuts)
      case 2: await StreamLaws<Coding.PagedUser>(nil, options).check(payload, cuts)
      case 3: await StreamLaws<Coding.Order>("/data/*/node", options).check(payload, cuts)
      case 4: await StreamLaws<Coding.Person>("/1", options).check(payload, cuts)
      default: await StreamLaws<Coding.AdoptableAnimal>(nil, options).check(payload, cuts)
      }
    }
  }
}

/// The sizes of the chunks and batches of a stream.
struct StreamCuts {
  var chunk: Int
  var batch: Int
}

/// Bytes that arrive in chunks of one size.
private struct Chunks: AsyncSequence, Sendable {
  let bytes: [UInt8]
  let size: Int

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<UInt8>
    let size: Int

    mutating func next() async -> ArraySlice<UInt8>? {
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(size) }
      return rest.prefix(size)
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...], size: size) }
}

/// Everything that a caller can see of a payload that was read at once or as a stream.
private struct Reading<T: Object>: Equatable {
  var objects: [String] = []
  var outcomes: [String] = []
  var issues: [String] = []
  var offsets: [Int?] = []
  var merged = 0
  var elementCount = 0
  var byteCount = 0
  var metadata: JSONValue?
  var error: String?

  mutating func add(_ result: ReadResult<T>) throws {
    outcomes += result.outcomes.map { "\($0)" }
    issues += result.issues.map(\.description)
    offsets += result.issues.map(\.byteOffset)
    merged += result.merged
    elementCount = result.elementCount
    byteCount = result.byteCount
    metadata = try result.metadata("")
  }

  mutating func encode(_ objects: [T], _ coder: StoreCoder) {
    self.objects = objects.map { object in
      do {
        return String(decoding: try coder.encode(object), as: UTF8.self)
      } catch {
        return "\(error)"
      }
    }
  }
}

/// The laws of reading streams of objects of one class.
private struct StreamLaws<T: Object> {
  private let path: String?
  private let options: PayloadOptions

  init(_ path: String?, _ options: PayloadOptions) {
    self.path = path
    self.options = options
  }

  func check(_ payload: [UInt8], _ cuts: StreamCuts) async {
    let stream = await self.stream(payload, cuts)
    let uncut = await self.stream(payload, StreamCuts(chunk: .max, batch: cuts.batch))
    law(stream, equals: uncut, "chunks of \(cuts.chunk) bytes give the same as one chunk")
    // Only whole payloads may have another encoding.
    if stream.error?.contains("a stream must be UTF-8") == true { return }
    // A stream cannot enter the members of an object, as the `*` in a path can.
    let expectsArray = stream.error?.contains("expected an array of objects") == true
    if path?.contains("*") == true, expectsArray { return }
    // A stream may also be objects one after the other.
    let first = payload.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if path == nil, T.listEnvelope == nil, first == UInt8(ascii: "{") { return }
    compare(stream, with: whole(payload), cuts)
  }

  private func compare(_ stream: Reading<T>, with whole: Reading<T>, _ cuts: StreamCuts) {
    if let error = whole.error {
      let count = stream.elementCount
      let advice =
        count == 0
        ? ""
        : count == 1
          ? "; the first element was applied" : "; the first \(count) elements were applied"
      law(stream.error, equals: error + advice, "a stream has the error of the whole payload")
      return law(count % cuts.batch, equals: 0, "whole batches are applied before an error")
    }
    law(stream.error, equals: nil, "a stream has no error")
    law(stream.objects, equals: whole.objects, "a stream has the objects of the whole payload")
    law(stream.elementCount, equals: whole.elementCount, "a stream has as many elements")
    let isOwn = { (issue: String) in !issue.contains("merged into an earlier element") }
    law(
      stream.issues.filter(isOwn), equals: whole.issues.filter(isOwn), "a stream has the issues")
    if let metadata = whole.metadata, metadata != .null {
      law(stream.metadata, equals: metadata, "a stream has the metadata of the whole payload")
    }
  }

  private func makeCoder() -> StoreCoder {
    do {
      return StoreCoder(store: try Store(), configuration: options.configuration)
    } catch {
      fatalError("\(error)")
    }
  }

  private func whole(_ payload: [UInt8]) -> Reading<T> {
    let coder = makeCoder()
    var reading = Reading<T>()
    do {
      let result = try coder.read([T].self, from: Data(payload), at: path)
      try reading.add(result)
      reading.encode(result.objects, coder)
    } catch {
      reading.error = "\(error)"
    }
    return reading
  }

  private func stream(_ payload: [UInt8], _ cuts: StreamCuts) async -> Reading<T> {
    let coder = makeCoder()
    var reading = Reading<T>()
    var objects: [T] = []
    do {
      let chunks = Chunks(bytes: payload, size: cuts.chunk)
      for try await result in coder.batches(of: T.self, from: chunks, at: path, size: cuts.batch) {
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
