import ObjectStore
import Testing

/// The `deinit` of a model class is user code that runs where the last reference to an object is released.
@Suite struct `Releasing objects` {
  final class Node: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var nodes: List<Node>
    @Persisted var byName: Map<String, Node?>
    var didEnd: (() -> Void)?

    convenience init(_ id: Int, didEnd: (() -> Void)? = nil) {
      self.init()
      self.id = id
      self.didEnd = didEnd
    }

    deinit { didEnd?() }
  }

  struct Refused: Error {}

  @Test func `deinit of an object removed from an unmanaged collection may read the collection`()
    async
  {
    await #expect(processExitsWith: .success) {
      let parent = Node(0)
      var counts: [Int] = []
      func node(_ id: Int) -> Node { Node(id) { counts.append(parent.nodes.count) } }
      for id in 1...4 { parent.nodes.append(node(id)) }
      parent.nodes.remove(at: 3)
      parent.nodes.removeAll { $0.id == 1 }
      parent.nodes[0] = node(5)
      parent.nodes.removeAll()
      #expect(counts == [3, 2, 2, 0, 0])
      parent.byName["a"] = Node(6) { counts.append(parent.byName.count) }
      parent.byName["a"] = nil
      #expect(counts.last == 0)
      parent.byName["a"] = Node(7) { counts.append(10 + parent.byName.count) }
      parent.byName.removeAll()
      #expect(counts.last == 10)
    }
  }

  @Test func `deinit of an object whose add is rolled back may write to the store`() async {
    await #expect(processExitsWith: .success) {
      let store = try Store()
      for isNested in [false, true] {
        var isWriting: Bool?
        var node: Node? = Node(1) {
          isWriting = store.isInWriteTransaction
          try? store.write { try store.add(Node(2), update: .modified) }
        }
        func addAndFail() throws {
          if let node { try store.add(node) }
          node?.nodes.append(Node(3))
          node = nil
          throw Refused()
        }
        if isNested {
          try store.write { #expect(throws: Refused.self) { try store.write { try addAndFail() } } }
        } else {
          #expect(throws: Refused.self) { try store.write { try addAndFail() } }
        }
        #expect(isWriting == isNested)
        #expect(store.objects(Node.self).map(\.id) == [2])
      }
    }
  }
}
