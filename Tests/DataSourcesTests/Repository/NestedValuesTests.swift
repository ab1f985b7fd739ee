import ObjectStore
import TestSupport
import Testing
import ValueModels

@testable import DataSources

private final class NodeObject: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var number = 0
  @Persisted var children: List<NodeObject>
}

/// A value with nested values that have ids of their own.
private struct Node: Persistable, Hashable, Sendable {
  var id: String
  var number: Int
  var children: [Node] = []

  init(_ id: String, _ number: Int, _ children: [Node] = []) {
    self.id = id
    self.number = number
    self.children = children
  }

  init(managedObject object: NodeObject) {
    id = object.id
    number = object.number
    children = object.children.map(Node.init(managedObject:))
  }

  func managedObject() -> NodeObject {
    let object = NodeObject()
    object.id = id
    object.number = number
    for child in children { object.children.append(child.managedObject()) }
    return object
  }
}

/// A server that returns each value with the current nested values.
private actor NodeServer: DataSource {
  private var nodes: [String: Node] = [:]
  private var gate: Gate?
  private(set) var getCount = 0

  init(_ nodes: [Node]) {
    for node in nodes { self.nodes[node.id] = node }
  }

  func holdNext(at gate: Gate) { self.gate = gate }

  private func pass() async {
    let gate = gate
    self.gate = nil
    await gate?.pass()
  }

  private func whole(_ node: Node) -> Node {
    Node(node.id, node.number, node.children.compactMap { nodes[$0.id] }.map(whole))
  }

  func get(_ query: some Query) async throws -> Node {
    getCount += 1
    guard let node = (query as? IdQuery<String>).flatMap({ nodes[$0.id] }) else {
      throw DataSourceError.notFound(query: "node")
    }
    let found = whole(node)
    await pass()
    return found
  }

  func getAll(_ query: some Query) async throws -> [Node] { nodes.values.map(whole) }

  func put(_ value: Node, in query: some Query) async throws -> Node {
    for child in value.children { nodes[child.id] = child }
    nodes[value.id] = value
    await pass()
    return value
  }

  func putAll(_ values: [Node], in query: some Query) async throws -> [Node] {
    for value in values { nodes[value.id] = value }
    return values
  }

  func delete(_ query: some Query) async throws {
    if let id = (query as? IdQuery<String>)?.id { nodes[id] = nil }
  }

  func deleteAll(_ query: some Query) async throws { try await delete(query) }
}

@Suite struct `Nested values` {
  private let server = NodeServer([Node("leaf", 1), Node("top", 1, [Node("leaf", 1)])])
  private let storage = StoreDataSource(Node.self, configuration: .inMemory())
  private let repository: CacheRepository<NodeServer, PersistableDataSource<Node>>
  private let gate = Gate()

  private static let missing = "nothing was found for IdQuery(leaf)"

  init() {
    repository = CacheRepository(main: server, cache: storage)
  }

  private func held<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async
    -> Task<R, any Error>
  {
    await server.holdNext(at: gate)
    return await gate.firstRequest(body)
  }

  @Test func `a late response does not undo a put of a nested value`() async throws {
    let repository = repository
    let top = await held { try await repository.get("top") }
    try await repository.put(Node("leaf", 2), forId: "leaf")
    // A caller after the put receives the current value.
    #expect(try await repository.get("top").children == [Node("leaf", 2)])
    gate.open()
    #expect(try await top.value.children == [Node("leaf", 1)])
    #expect(try await repository.get("leaf").number == 2)
    #expect(try await repository.get("top").children == [Node("leaf", 2)])
  }

  @Test func `a late response to a put does not undo a newer put of a nested value`() async throws {
    let repository = repository
    let top = await held {
      try await repository.put(Node("top", 3, [Node("leaf", 1)]), forId: "top")
    }
    try await repository.put(Node("leaf", 2), forId: "leaf")
    gate.open()
    _ = try await top.value
    #expect(try await repository.get("leaf").number == 2)
    #expect(try await repository.get("top").children == [Node("leaf", 2)])
  }

  @Test func `a value that contains a changed value is current or not valid`() async throws {
    _ = try await repository.get("top")
    try await repository.put(Node("leaf", 2), forId: "leaf")
    #expect(try await repository.get("top").children == [Node("leaf", 2)])
    #expect(await server.getCount == 1)
    try await repository.put(Node("leaf", 3), in: IdQuery("leaf"), operation: .main)
    #expect(try await repository.get("top").children == [Node("leaf", 3)])
    #expect(await server.getCount == 2)
  }

  @Test func `a late response to a put does not restore a deleted nested value`() async throws {
    let repository = repository
    let top = await held {
      try await repository.put(Node("top", 3, [Node("leaf", 1)]), forId: "top")
    }
    try await repository.delete("leaf")
    gate.open()
    _ = try await top.value
    #expect(await text { _ = try await storage.get("leaf") } == Self.missing)
  }

  @Test func `a late response to a put does not overwrite a newer nested value in the cache`()
    async throws
  {
    let repository = repository
    let top = await held {
      try await repository.put(Node("top", 3, [Node("leaf", 1)]), forId: "top")
    }
    try await repository.put(Node("leaf", 2), forId: "leaf")
    gate.open()
    _ = try await top.value
    #expect(try await storage.get("leaf").number == 2)
  }

  /// The cache has lost the link, but the server may have kept it.
  @Test func `a value that contained a deleted value is fetched again`() async throws {
    #expect(try await repository.get("top").children == [Node("leaf", 1)])
    try await repository.delete("leaf")
    try await repository.put(Node("leaf", 2), forId: "leaf")
    #expect(
      await text { _ = try await repository.get("top", operation: .cache) }
        == "the cached value for IdQuery(top) is no longer valid")
    #expect(try await repository.get("top").children == [Node("leaf", 2)])
  }

  @Test func `a cache without nesting information is assumed to have nested values`() async throws {
    let repository = CacheRepository(main: server, cache: PlainCache(storage))
    let top = await held { try await repository.get("top") }
    try await repository.put(Node("leaf", 2), forId: "leaf")
    gate.open()
    #expect(try await top.value.children == [Node("leaf", 1)])
    #expect(try await repository.get("leaf", operation: .cache).number == 2)
  }

  /// The nested values of the two puts have different keys.
  @Test func `concurrent puts without common nested values are all cached`() async throws {
    let repository = repository
    let other = await held {
      try await repository.put(Node("other", 3, [Node("twig", 1)]), forId: "other")
    }
    try await repository.put(Node("top", 3, [Node("leaf", 2)]), forId: "top")
    try await repository.delete("unknown")
    gate.open()
    _ = try await other.value
    #expect(try await storage.get("other").children == [Node("twig", 1)])
    #expect(try await storage.get("top").children == [Node("leaf", 2)])
  }

  /// The server's responses to the puts arrive in the order of the requests.
  @Test func `puts that wait for a slow cache are all cached`() async throws {
    let cache = FlakyCache(storage)
    let repository = CacheRepository(main: server, cache: cache)
    cache.holdNext(at: gate)
    var puts: [Task<Node, any Error>] = []
    for number in 1...5 {
      let node = Node("n\(number)", number)
      puts.append(Task { try await repository.put(node, forId: node.id) })
      await waitUntil { gate.arrivedCount + repository.cacheMutex.waiterCount == number }
    }
    gate.open()
    for put in puts { _ = try await put.value }
    #expect(try await storage.getAll(AllObjectsQuery()).map(\.number) == [1, 2, 3, 4, 5])
  }

  @Test func `the keys of values include those of nested values`() async throws {
    let values = [Node("top", 1, [Node("leaf", 1), Node("leaf", 2)]), Node("other", 1)]
    let keys = try await storage.keys(of: values, in: VoidQuery())
    #expect(keys?.sorted() == ["leaf", "leaf", "other", "top"])
    #expect(try await storage.getAll(AllObjectsQuery()).isEmpty)
    let item = ItemEntity(id: "a")
    #expect(try await itemSource().keys(of: [item], in: AllObjectsQuery()) == ["a"])
    let memory = InMemoryDataSource<ItemEntity>()
    #expect(await memory.keys(of: [item], in: IdQuery("list")) == ["list"])
    #expect(await memory.keys(of: [item, item], in: IdsQuery(["b", "c"])) == ["b", "c"])
    #expect(await memory.keys(of: [item], in: UnheardQuery()) == nil)
  }
}
