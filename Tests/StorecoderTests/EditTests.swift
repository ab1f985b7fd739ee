import Foundation
import ObjectStore
import StoreCoding
import TestSupport
import Testing

@testable import storecoder

private enum Shop {
  final class Order: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var note: String?
    override class var tracksEdits: Bool { true }
  }
}

@Suite struct `Edits on the command line` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
    let store = try Store(configuration: .file(command.folder.file("cache.store")))
    let coder = StoreCoder(store: store)
    let orders = try coder.decodeArray(
      Shop.Order.self,
      from: Data(#"[{"id":1,"note":"a"},{"id":2,"note":null},{"id":3},{"id":4}]"#.utf8))
    try store.write {
      orders[0].note = "b"
      orders[1].note = "c"
      store.delete(orders[2])
    }
    try store.settle(
      try #require(try store.takeEdit(of: orders[1])),
      .rejected(Edit.Rejection(general: ["too short"])))
  }

  private func output(_ arguments: String...) throws -> String {
    let outcome = try command.run(["query", "--store", command.store] + arguments)
    #expect(outcome.status == 0, "\(outcome)")
    return outcome.output
  }

  @Test func `query --edited shows the edits of all classes`() throws {
    #expect(
      try output("--edited") == """
        edited Order 1: note "a" → "b"
        edited Order 2: note null → "c"  (rejected: too short)
        deleted Order 3
        3 edits

        """)
    #expect(try output("--edited", "--count") == "3\n")
    #expect(
      try output("--edited", "--json").split(separator: "\n")[1]
        == #"{"attributes":{"note":{"new":"b","old":"a"}},"change":"edited","class":"Order","key":1},"#
    )
  }

  @Test func `query --edited shows the edited objects of a class`() throws {
    #expect(try output("Order", "--edited", "--count") == "2\n")
    #expect(try output("Order", "@rejected", "--count") == "1\n")
    let json = try output("Order", "--edited", "--json")
    #expect(json.contains(#""note":"b""#))
    #expect(!json.contains(#""id":4"#))
  }

  @Test func `query lists no base table`() throws {
    #expect(try !output().contains("base"))
  }

  @Test func `an import keeps the edits`() throws {
    let file = try command.file("orders.json", #"[{"id":1,"note":"z"},{"id":3},{"id":5}]"#)
    let outcome = try command.run("import", file, "--class", "Order", "--store", command.store)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      try output("--edited") == """
        edited Order 1: note "z" → "b"
        edited Order 2: note null → "c"  (rejected: too short)
        deleted Order 3
        3 edits

        """)
  }
}
