import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@Suite struct `Streams of objects` {
  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var total = 0
    @Persisted var note = ""
  }

  /// A source that runs a closure for each chunk, in the isolation of the loop. Nil ends the stream.
  private struct Source: AsyncSequence {
    let chunk: (Int) throws -> String?

    func makeAsyncIterator() -> Iterator { Iterator(chunk: chunk) }

    struct Iterator: AsyncIteratorProtocol {
      let chunk: (Int) throws -> String?
      var count = 0

      mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> String.UTF8View? {
        count += 1
        return try chunk(count - 1)?.utf8
      }
    }
  }

  private struct Failure: Error {}

  private func orders(_ ids: some Sequence<Int>) -> String {
    ids.map { #"{"id":\#($0),"total":\#($0)0}"# }.joined(separator: ",")
  }

  /// The ids in each batch, and the error.
  private func batches(
    _ coder: StoreCoder, _ text: String, at path: String? = nil, chunk: Int = 5, size: Int = 2
  ) async -> (ids: [[Int]], error: String?) {
    var ids: [[Int]] = []
    do {
      let chunks = CutBytes(text.utf8, every: chunk)
      for try await batch in coder.batches(of: Order.self, from: chunks, at: path, size: size) {
        ids.append(batch.objects.map(\.id))
      }
      return (ids, nil)
    } catch {
      return (ids, "\(error)")
    }
  }

  // MARK: - Batches

  @Test func `the elements of an array arrive in batches of at most the size`() async throws {
    let coder = try makeCoder()
    let (ids, error) = await batches(coder, "[\(orders(1...5))]")
    #expect(ids == [[1, 2], [3, 4], [5]] && error == nil)
    #expect(coder.store.version == 3)
  }

  @Test func `an empty array without envelope has no batch`() async throws {
    #expect(await batches(try makeCoder(), " [ ] ").ids == [])
  }

  @Test func `a batch is applied when it is requested`() async throws {
    let coder = try makeCoder()
    var iterator = coder.batches(
      of: Order.self, from: CutBytes("[\(orders(1...3))]".utf8, every: 100), size: 1
    ).makeAsyncIterator()
    #expect(try await iterator.next(isolation: #isolation)?.objects.map(\.total) == [10])
    #expect(coder.store.objects(Order.self).count == 1)
  }

  @Test(arguments: [0, 1, 2, 3])
  func `long white space between elements ends a batch and is not kept`(place: Int) async throws {
    let space = String(repeating: "\n", count: 200_000)
    var places = ["", "", "", ""]
    places[place] = space
    let text =
      #"[\#(places[0]){"id":1},{"id":2}\#(places[1]),\#(places[2]){"id":3}\#(places[3])]"#
    // At the last place, the third element is applied before the wrong bracket.
    let wrong = place == 3 ? [] : ["\(text.dropLast())}"]
    for text in [text, text.replacing("3", with: "x")] + wrong {
      try await expectSameAsWhole(Order.self, text.utf8, cuts: [(4096, 2)])
    }
    let (ids, error) = await batches(try makeCoder(), text, chunk: 4096, size: 1000)
    #expect(error == nil)
    #expect(ids == ([1, 2].contains(place) ? [[1, 2], [3]] : [[1, 2, 3]]))
  }

  @Test func `ends of lines are counted once across dropped white space`() async throws {
    let lines = String(repeating: "\r\n", count: 100_000)
    for size in [4095, 4096, 65536] {
      let (_, error) = await batches(
        try makeCoder(), #"[{"id":1}\#(lines),{"id":"x"}]"#, chunk: size, size: 1000)
      #expect(
        error
          == #"[1].id (Order.id): expected Int, found string "x" at line 100001, column 8; "#
          + "the first element was applied")
    }
  }

  @Test(
    arguments: [1000, 100_000],
    [
      ("d", #"{"q":"~","d":"#, "}"),
      ("data.d", #"{"d":[~],"data":{"q":"d","n":{"d":[1]},"\u0064":"#, "}}"),
      ("/data/1/a~1b", #"{"data":[{"a/b":[~]},{"q":"]\"[{","a\/b":"#, "}]}"),
      ("/data/1", #"{"x":{"data":[1,[2]]},"data":{"0":[~],"1":"#, "}}"),
      ("/1/0", "[[~],[", "]]"),
    ])
  func `elements are delivered while a source with a long beginning waits`(
    byteCount: Int, payload: (path: String, head: String, tail: String)
  ) async throws {
    let coder = try makeCoder()
    let filling = String(repeating: "1", count: byteCount)
    let head = payload.head.replacing("~", with: filling)
    var isDelivered = false
    var wasDelivered = false
    let source = Source { count in
      wasDelivered = isDelivered
      return count < 3
        ? [head, #"[{"id":1}"# + "\n,", #"{"id":2}]"# + payload.tail][count] : nil
    }
    for try await _ in coder.batches(of: Order.self, from: source, at: payload.path, size: 1) {
      isDelivered = true
    }
    #expect(wasDelivered)
    #expect(coder.store.objects(Order.self).count == 2)
  }

  @Test func `long white space between the values of a sequence ends a batch`() async throws {
    let space = String(repeating: "\n", count: 200_000)
    let text = #"{"id":1} {"id":2}\#(space){"id":3}\#(space)"#
    let (ids, error) = await batches(try makeCoder(), text, chunk: 4096, size: 1000)
    #expect(error == nil)
    #expect(ids == [[1, 2], [3]])
    let wrong = await batches(try makeCoder(), text + "]", chunk: 4096, size: 1000)
    #expect(
      wrong.error
        == #"[3]: expected a JSON value, found "]" at line 400001, column 1; the first 3 elements were applied"#
    )
  }

  @Test func `a batch ends after 4 MiB`() async throws {
    let coder = try makeCoder()
    let note = String(repeating: "x", count: 3 << 20)
    let text =
      "[" + (1...3).map { #"{"id":\#($0),"note":"\#(note)"}"# }.joined(separator: ",") + "]"
    let (ids, error) = await batches(coder, text, chunk: 1 << 16, size: 1000)
    #expect(ids == [[1, 2], [3]] && error == nil)
  }

  @Test func `a batch has its outcomes and the counts from the beginning`() async throws {
    let coder = try makeCoder()
    try coder.decodeArray(Order.self, "[\(orders([2]))]")
    let text = #"[{"id":1},{"id":2,"total":21},{"id":1,"total":0},{"id":1,"total":5}]"#
    var found: [[Int]] = []
    for try await batch in coder.batches(
      of: Order.self, from: CutBytes(text.utf8, every: 7), size: 2)
    {
      found.append([
        batch.inserted, batch.updated, batch.unchanged, batch.merged, batch.elementCount,
        batch.byteCount,
      ])
    }
    #expect(found == [[1, 1, 0, 0, 2, 29], [0, 1, 0, 1, 4, 67]])
  }

  @Test func `an element with the key of an earlier batch updates the object`() async throws {
    let coder = try makeCoder()
    let (ids, _) = await batches(coder, #"[{"id":1,"total":5},{"id":1,"note":"x"}]"#, size: 1)
    #expect(ids == [[1], [1]])
    let order = try #require(coder.store.object(ofType: Order.self, forPrimaryKey: 1))
    #expect(order.total == 5 && order.note == "x")
  }

  @Test func `a sequence of objects at a path in each has no metadata`() async throws {
    let text = #"{"node": {"id": 1}} {"node": {"id": 2}}"#
    let coder = try makeCoder()
    var ids: [Int] = []
    for try await batch in coder.batches(
      of: Order.self, from: CutBytes(text.utf8, every: 7), at: "/*/node")
    {
      ids += batch.objects.map(\.id)
      #expect(try batch.metadata("node") == nil)
    }
    #expect(ids == [1, 2])
  }

  @Test func `a size below 1 is misuse`() async {
    let result = await #expect(processExitsWith: .failure, observing: .misuseText) {
      let coder = try makeCoder()
      for try await _ in coder.batches(of: Order.self, from: CutBytes([], every: 1), size: 0) {}
    }
    result.says("The size of a batch must be at least 1 (was 0)")
  }

  // MARK: - Sequences

  @Test(arguments: [
    "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n", "{\"id\":1}\r\n{\"id\":2}\r\n{\"id\":3}",
    "\n\n{\"id\":1}\n\r\n \n{\"id\":2}\n\n{\"id\":3}\n\n", "{\"id\":1}{\"id\":2}{\"id\":3}",
    "\u{FEFF}{\"id\": 1,\n \"note\": \"}\\n{\"}\n{\"id\":2} {\"id\":3} ",
  ])
  func `objects in lines or one after the other arrive in batches`(text: String) async throws {
    for chunk in [1, 2, 7, 4096] {
      let (ids, error) = await batches(try makeCoder(), text, chunk: chunk)
      #expect(ids == [[1, 2], [3]] && error == nil, "\(chunk)")
    }
  }

  @Test(arguments: [
    (
      "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n{\"id\":4,}x\n{\"id\":5}\n",
      "[4]: expected a JSON value, found \"x\" at line 4, column 10; the first 4 elements were applied"
    ),
    (
      "{\"id\":1}\r\n\r\n{\"id\":\"x\"}\r\n{\"id\":3}\r\n",
      "[1].id (Order.id): expected Int, found string \"x\" at line 3, column 7"
    ),
    (
      "{\"id\":1}\n{\"id\":2}\n{\"id\":3\n{\"id\":4}\n{\"id\":5}\n",
      "[2] (id 3): expected a comma or the end of the array or object after a value, "
        + "found \"{\\\"id\\\":4}\" at line 4, column 1; the first 2 elements were applied"
    ),
    (
      "{\"id\":1},\n{\"id\":2}",
      "[1]: expected a JSON value, found \",\" at line 1, column 9"
    ),
    (
      "{\"id\":1}\n[{\"id\":2}]\n", "[1]: expected Order, found an array at line 2, column 1"
    ),
    ("{\"id\":1}\n{\"id\":", "[1].id: the text ends in the middle of a value at line 2, column 7"),
    (
      "{\"orders\":[{\"id\":1}]}",
      "[0]: no key of the object belongs to Order, found the key 'orders' at line 1, column 1"
    ),
  ])
  func `an error in a sequence has its line`(
    text: String, expected: String
  ) async throws {
    for chunk in [1, 2, 7, 4096] {
      let error = await batches(try makeCoder(), text, chunk: chunk).error
      #expect(error == expected, "\(chunk)")
    }
  }

  @Test func `an element of a sequence can be skipped`() async throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let text = "{\"id\":1}\n5\n[]\n{\"id\":\"x\"}\nnull\n{\"id\":2}\n\"x\""
    let summary = try await coder.readAll(
      [Order].self, from: CutBytes(text.utf8, every: 3), size: 2)
    #expect(summary.inserted == 2 && summary.elementCount == 7 && summary.issueCount == 5)
    #expect(
      summary.issues.map(\.description) == [
        "[1]: expected Order, found number 5 at line 2, column 1",
        "[2]: expected Order, found an array at line 3, column 1",
        "[3].id (Order.id): expected Int, found string \"x\" at line 4, column 7",
        "[4]: expected Order, found null at line 5, column 1",
        "[6]: expected Order, found string \"x\" at line 7, column 1",
      ])
    #expect(summary.issues.map(\.byteOffset) == [9, 11, 20, 25, 39])
  }

  @Test func `each object of a sequence can contain the object to read`() async throws {
    let text = "{\"node\":{\"id\":1}}\n{\"node\":{\"id\":2}}\n"
    #expect(await batches(try makeCoder(), text, at: "/*/node", size: 1).ids == [[1], [2]])
  }

  // MARK: - Metadata

  private let page =
    #"{"total":3,"data":{"orders":[{"id":1},{"id":2},{"id":3}],"size":3},"next":"/2"}"#

  @Test func `the first batch has the metadata before the list, and the last batch all of it`()
    async throws
  {
    var found: [[JSONValue?]] = []
    let chunks = CutBytes(page.utf8, every: 4)
    for try await batch in try makeCoder().batches(
      of: Order.self, from: chunks, at: "data.orders", size: 1)
    {
      found.append([
        try batch.metadata("total"), try batch.metadata("next"), try batch.metadata("data.size"),
      ])
    }
    #expect(found == [[3, nil, nil], [nil, nil, nil], [nil, nil, nil], [3, "/2", 3]])
  }

  @Test func `the last batch of an envelope arrives without elements`() async throws {
    #expect(
      await batches(try makeCoder(), page, at: "data.orders", size: 3).ids == [[1, 2, 3], []])
    #expect(await batches(try makeCoder(), page, at: "data.orders", size: 4).ids == [[1, 2, 3]])
    #expect(await batches(try makeCoder(), #"{"a":[],"b":1}"#, at: "a").ids == [[]])
  }

  @Test(arguments: [
    (
      #"{"orders":[{"id":1},{"id":2}],"x":1,"orders":[{"id":3}]}"#, "orders",
      "orders: the key 'orders' occurs twice in one object at line 1, column 37; "
        + "the first 2 elements were applied"
    ),
    (
      #"{"data":{"orders":[{"id":1}]},"data":{}}"#, "data.orders",
      "data: the key 'data' occurs twice in one object at line 1, column 31"
    ),
  ])
  func `the key of the envelope must not occur twice`(
    text: String, path: String, expected: String
  ) async throws {
    #expect(await batches(try makeCoder(), text, at: path).error == expected)
  }

  // MARK: - Errors

  @Test func `an error ends the loop, and the batches before it remain`() async throws {
    let coder = try makeCoder()
    let chunks = CutBytes(#"[{"id":1},{"id":2},{"id":3},{"id":null},{"id":5}]"#.utf8, every: 9)
    var iterator = coder.batches(of: Order.self, from: chunks, size: 2).makeAsyncIterator()
    #expect(try await iterator.next(isolation: #isolation)?.objects.count == 2)
    var found = ""
    do {
      _ = try await iterator.next(isolation: #isolation)
    } catch {
      found = "\(error)"
    }
    #expect(
      found == "[3].id (Order.id): null for an Int that is not optional at line 1, column 35; "
        + "the first 2 elements were applied")
    #expect(try await iterator.next(isolation: #isolation) == nil)
    #expect(coder.store.objects(Order.self).map(\.id).sorted() == [1, 2])
  }

  @Test(arguments: ["FF FE 5B 00", "FE FF 00 5B", "5B 00 5D 00", "00 00 00 5B", "FF FE 00 00"])
  func `a stream in UTF-16 or UTF-32 is refused`(bytes: String) async throws {
    let bytes = bytes.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    let stream = try await Reading.stream(Order.self, bytes, chunk: 1, batch: 1)
    #expect(stream.error == "a stream must be UTF-8, found UTF-16 or UTF-32")
  }

  @Test func `an endless first element is refused`() async throws {
    #expect(StoreCoder.Limits().streamElementByteCount == 16 << 20)
    let coder = try makeCoder { $0.limits.streamElementByteCount = 1 << 20 }
    let piece = String(repeating: " 7,", count: 10_000)
    var received = 0
    let source = Source { count in
      let chunk = count == 0 ? #"{"a":[{"list":["# : piece
      received += chunk.utf8.count
      return chunk
    }
    let found = await #expect(throws: StoreCodingError.self) {
      try await coder.readAll([Order].self, from: source, at: "a")
    }
    #expect(
      found?.description
        == "a[0]: the limit of 1048576 bytes for an element of a stream is exceeded "
        + "at line 1, column 7")
    #expect(received < (1 << 20) + 40_000)
  }

  @Test(arguments: [1, 7, 4096])
  func `an element above the limit is refused with its place`(chunk: Int) async throws {
    let note = String(repeating: "é", count: 1000)
    for end in ["", #""},{"id":4}],"x":1}"#, #""}]"#] {
      let stream = try await Reading.stream(
        Order.self,
        (#"{"a":[{"id":1}, {"id":2},"# + "\n" + #" {"id":3,"note":""# + note + end).utf8,
        at: "a", chunk: chunk, batch: 1
      ) { $0.limits.streamElementByteCount = 1000 }
      #expect(
        stream.error
          == "a[2]: the limit of 1000 bytes for an element of a stream is exceeded "
          + "at line 2, column 2; the first 2 elements were applied")
    }
  }

  @Test func `an error inside an element above the limit is reported instead`() async throws {
    let lines = "{\"id\":1\n" + String(repeating: "{\"id\":2}\n", count: 1000)
    for chunk in [1, 7, 4096] {
      let stream = try await Reading.stream(Order.self, lines.utf8, chunk: chunk, batch: 1) {
        $0.limits.streamElementByteCount = 1000
      }
      #expect(
        stream.error
          == "[0] (id 1): expected a comma or the end of the array or object after a value, "
          + #"found "{\"id\":2}" "# + "at line 2, column 1")
    }
  }

  @Test(arguments: [
    #"{"x":"........................................","a":[{"id":1}]}"#,
    #"{"a":[{"id":1}],"x":"........................................"}"#,
    #"{"a":[{"id":1}]}                                              "#,
  ])
  func `more bytes outside the list than the limit are refused`(text: String) async throws {
    for chunk in [1, 7] {
      let stream = try await Reading.stream(
        Order.self, text.utf8, at: "a", chunk: chunk, batch: 1
      ) { $0.limits.metadataByteCount = 32 }
      let applied = text.hasPrefix(#"{"x"#) ? "" : "; the first element was applied"
      #expect(
        stream.error
          == "the limit of 32 bytes outside the list of a stream is exceeded" + applied)
    }
  }

  @Test func `text after a full last batch counts towards the limit outside the list`() async throws
  {
    let elements = (1...10).map {
      #"{"id":\#($0),"pad":"\#(String(repeating: "x", count: 1_000))"}"#
    }
    let tail = String(repeating: "y", count: 5_000)
    let text = #"{"a":[\#(elements.joined(separator: ","))],"t":"\#(tail)"}"#
    for chunk in [1, 7, 64, 512, 1_024, 4_096] {
      let stream = try await Reading.stream(
        Order.self, text.utf8, at: "a", chunk: chunk, batch: 10
      ) { $0.limits.metadataByteCount = 1_000 }
      #expect(
        stream.error
          == "the limit of 1000 bytes outside the list of a stream is exceeded; "
          + "the first 10 elements were applied", "chunks of \(chunk)")
    }
  }

  @Test func `strings in place of objects are skipped like in a whole payload`() async throws {
    let strings = Array(repeating: #""a""#, count: 20).joined(separator: ",")
    try await expectSameAsWhole(
      Order.self, #"[\#(strings),{"id":1},"yyy",{"id":2}]"#.utf8
    ) { $0.mismatches = .skipElement }
  }

  @Test func `a stream above the limit of a payload is refused`() async throws {
    for chunk in [1, 7, 4096] {
      let stream = try await Reading.stream(
        Order.self, "[\(orders(1...9))]".utf8, chunk: chunk, batch: 1
      ) { $0.limits.byteCount = 50 }
      #expect(
        stream.error == "the limit of 50 bytes is exceeded; the first 2 elements were applied")
    }
  }

  @Test func `an error of the source is rethrown, and the batches before it remain`() async throws {
    let coder = try makeCoder()
    let source = Source { count in
      if count == 2 { throw Failure() }
      return (count == 0 ? "[" : ",") + #"{"id":\#(2 * count)},{"id":\#(2 * count + 1)}"#
    }
    await #expect(throws: Failure.self) {
      for try await _ in coder.batches(of: Order.self, from: source, size: 3) {}
    }
    #expect(coder.store.objects(Order.self).map(\.id).sorted() == [0, 1, 2])
  }

  @Test func `a missing file is an error of the file system`() async throws {
    let file = try TemporaryFolder().file("orders.json")
    let coder = try makeCoder()
    await #expect(throws: CocoaError.self) {
      for try await _ in coder.batches(of: Order.self, contentsOf: file) {}
    }
  }

  // MARK: - Transactions and tasks

  @Test func `no write is open while the stream waits for bytes`() async throws {
    let coder = try makeCoder()
    var wasWriting: [Bool] = []
    let source = Source { count in
      wasWriting.append(coder.store.isInWriteTransaction)
      return count < 3 ? #"{"id":\#(count)}"# : nil
    }
    for try await _ in coder.batches(of: Order.self, from: source, size: 1) {}
    #expect(wasWriting == [false, false, false, false])
    #expect(coder.store.version == 3)
  }

  @Test func `a cancelled task ends the loop between two batches`() async throws {
    let text = "[\(orders(1...10))]"
    let task = Task { @concurrent in
      let coder = try makeCoder()
      var count = 0
      do {
        for try await batch in coder.batches(
          of: Order.self, from: CutBytes(text.utf8, every: 4096), size: 3)
        {
          count += batch.objects.count
          withUnsafeCurrentTask { $0?.cancel() }
        }
      } catch is CancellationError {
        return (count, coder.store.objects(Order.self).count)
      }
      return (-1, -1)
    }
    #expect(try await task.value == (3, 3))
  }

  @Test func `a source that ends because its task is cancelled does not end the payload`()
    async throws
  {
    let task = Task { @concurrent in
      let coder = try makeCoder()
      let source = Source { count in
        if count == 0 { return #"{"id":1}{"id":2}"# }
        withUnsafeCurrentTask { $0?.cancel() }
        return nil
      }
      do {
        for try await _ in coder.batches(of: Order.self, from: source, size: 2) {}
      } catch is CancellationError {
        return coder.store.objects(Order.self).count
      }
      return -1
    }
    #expect(try await task.value == 2)
  }

  @MainActor @Test func `a loop on the main actor reads there`() async throws {
    let coder = try makeCoder()
    var ids: [Int] = []
    for try await batch in coder.batches(
      of: Order.self, from: CutBytes("[\(orders(1...3))]".utf8, every: 4), size: 2)
    {
      MainActor.assertIsolated()
      ids += batch.objects.map(\.id)
    }
    #expect(ids == [1, 2, 3])
    let summary = try await coder.readAll(
      [Order].self, from: CutBytes("[\(orders(2...4))]".utf8, every: 4))
    #expect(summary.inserted == 1 && summary.unchanged == 2)
  }

  private actor Importer {
    let coder: StoreCoder

    init() throws {
      coder = try StoreCoder(store: Store())
    }

    func read(_ text: String) async throws -> [Int] {
      var counts: [Int] = []
      for try await batch in coder.batches(
        of: Order.self, from: CutBytes(text.utf8, every: 4), size: 2)
      {
        counts.append(batch.objects.count)
      }
      let summary = try await coder.readAll([Order].self, from: CutBytes(text.utf8, every: 4))
      return counts + [summary.unchanged]
    }
  }

  @Test func `a loop in an actor reads there`() async throws {
    #expect(try await Importer().read("[\(orders(1...3))]") == [2, 1, 3])
  }

  @concurrent
  private func importInBackground(_ configuration: StoreConfiguration, _ text: String) async throws
    -> ReadResult<Order>.Counts
  {
    let coder = StoreCoder(store: try Store(configuration: configuration))
    return try await coder.readAll([Order].self, from: CutBytes(text.utf8, every: 4), size: 2)
  }

  @Test func `a concurrent function reads into another handle of the store`() async throws {
    let store = try Store()
    let summary = try await importInBackground(store.configuration, "[\(orders(1...3))]")
    #expect(summary.inserted == 3)
    store.refresh()
    #expect(store.objects(Order.self).count == 3)
  }

  // MARK: - Sources

  @Test func `bytes that arrive one by one are read`() async throws {
    let bytes = AsyncStream<UInt8> { continuation in
      for byte in page.utf8 { continuation.yield(byte) }
      continuation.finish()
    }
    let coder = try makeCoder()
    var ids: [[Int]] = []
    for try await batch in coder.batches(of: Order.self, from: bytes, at: "data.orders", size: 2) {
      ids.append(batch.objects.map(\.id))
    }
    #expect(ids == [[1, 2], [3]])
    let again = AsyncStream<UInt8> { continuation in
      for byte in page.utf8 { continuation.yield(byte) }
      continuation.finish()
    }
    let summary = try await coder.readAll([Order].self, from: again, at: "data.orders")
    #expect(summary.unchanged == 3)
    #expect(try summary.metadata("next") == "/2")
  }

  @Test func `an element that arrives byte by byte is applied before the next byte`() async throws {
    let (bytes, continuation) = AsyncStream<UInt8>.makeStream()
    var iterator = try makeCoder().batches(of: Order.self, from: bytes, size: 1)
      .makeAsyncIterator()
    for byte in #"{"id":7}"#.utf8 { continuation.yield(byte) }
    #expect(try await iterator.next(isolation: #isolation)?.objects.map(\.id) == [7])
  }

  @Test func `a file larger than a chunk is read`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("orders.json")
    let note = String(repeating: "é", count: 100)
    let lines = (1...2000).map { #"{"id":\#($0),"note":"\#(note)"}"# }.joined(separator: "\n")
    try Data(lines.utf8).write(to: file)
    let coder = try makeCoder()
    var counts: [Int] = []
    for try await batch in coder.batches(of: Order.self, contentsOf: file) {
      counts.append(batch.objects.count)
      #expect(batch.objects.allSatisfy { $0.note == note })
    }
    #expect(counts == [1000, 1000])
    let summary = try await coder.readAll([Order].self, contentsOf: file)
    #expect(summary.unchanged == 2000 && summary.byteCount == lines.utf8.count)
  }

  // MARK: - Summaries

  @Test(
    arguments: [
      ("[1-4]", 2), ("[1-4]", 3), (" [1-4 ] \n", 4), ("[]  ", 1), ("{1-4}\n\n", 2),
    ])
  func `a summary counts all bytes, also those after the last batch`(
    form: String, size: Int
  ) async throws {
    let text =
      form.hasPrefix("{")
      ? orders(1...4).replacing("},{", with: "}\n{") + "\n\n"
      : form.replacing("1-4", with: orders(1...4))
    for chunk in [1, 7, 4096] {
      let coder = try makeCoder()
      let summary = try await coder.readAll(
        [Order].self, from: CutBytes(text.utf8, every: chunk), size: size)
      #expect(summary.byteCount == text.utf8.count)
      let pages = try coder.pages(of: Order.self, complete: .all)
      let page = try await pages.readAll(from: CutBytes(text.utf8, every: chunk), size: size)
      #expect(page.byteCount == text.utf8.count)
    }
  }

  @Test func `a summary counts outcomes and issues over all batches`() async throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    try coder.decodeArray(Order.self, "[\(orders(1...2))]")
    let text =
      #"{"a":[{"id":1,"total":10},{"id":2,"total":0},{"id":3},{"id":"x"},"#
      + #"{"id":5,"note":"a","note":"b"},{"id":5}],"more":true}"#
    let summary = try await coder.readAll(
      [Order].self, from: CutBytes(text.utf8, every: 7), at: "a", size: 2)
    #expect(summary.inserted == 2 && summary.updated == 1)
    #expect(summary.unchanged == 1 && summary.merged == 1)
    #expect(summary.elementCount == 6 && summary.byteCount == text.utf8.count)
    #expect(
      summary.issues.map(\.description) == [
        #"a[3].id (Order.id): expected Int, found string "x" at line 1, column 61"#,
        #"a[4].note (Order.note, id 5): the key 'note' occurs twice in one object "#
          + "at line 1, column 85",
        "a[5] (id 5): merged into an earlier element with the same primary key "
          + "at line 1, column 97",
      ])
    #expect(summary.issueCount == 3)
    #expect(try summary.metadata("more") == true)
  }

  @Test func `a summary describes itself with its counts`() async throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let text = #"{"a":[{"id":1},{"id":2},{"id":"x"}],"more":true}"#
    let bytes = CutBytes(text.utf8, every: 7)
    let summary = try await coder.readAll([Order].self, from: bytes, at: "a")
    let expected =
      "ReadResult<Order>.Counts(3 elements: 2 inserted, 0 updated, 0 unchanged, 0 merged; 1 issue, 48 bytes)"
    #expect("\(summary)" == expected)
    #expect(String(reflecting: summary) == expected)
    var dumped = ""
    dump(summary, to: &dumped)
    #expect(!dumped.contains("onfiguration"))
  }

  @Test func `a summary keeps the first 10,000 issues`() async throws {
    let coder = try makeCoder { $0.mismatches = .skipElement }
    let text = "[" + Array(repeating: "0", count: 10_002).joined(separator: ",") + "]"
    let summary = try await coder.readAll([Order].self, from: CutBytes(text.utf8, every: 4096))
    #expect(summary.issues.count == 10_000 && summary.issueCount == 10_002)
    #expect(summary.issues.last?.path == "[9999]")
  }
}
