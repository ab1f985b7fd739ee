import Foundation
import Testing

@Suite struct `Objects that lead back to themselves` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  private func importFiles(_ files: [(className: String, text: String)]) throws {
    for (className, text) in files {
      let path = try command.file("part.json", text)
      let outcome = try command.run(
        "import", path, "--class", className, "--store", command.store)
      #expect(outcome.errors == "")
    }
  }

  @Test func `each stands in its JSON once, and its key where it comes again`() throws {
    try importFiles([
      (
        "Order",
        """
        [{"id": 1, "total": 2, "customer": {"id": "c1", "name": "Jo"}},
         {"id": 2, "total": 3, "customer": {"id": "c1", "name": "Jo"}},
         {"id": 3, "total": 4, "customer": {"id": "c2", "name": "Bo"}}]
        """
      ),
      ("Customer", #"[{"id": "c1", "orders": [{"id": 1}, {"id": 2}]}]"#),
    ])
    let exported = try command.run("export", "Order", "--lines", "--store", command.store)
    #expect(exported.errors == "")
    #expect(
      exported.output == """
        {"id":1,"total":2,"customer":{"id":"c1","name":"Jo",\
        "orders":[{"id":1},{"id":2,"total":3,"customer":{"id":"c1"}}]}}
        {"id":2,"total":3,"customer":{"id":"c1","name":"Jo",\
        "orders":[{"id":1,"total":2,"customer":{"id":"c1"}},{"id":2}]}}
        {"id":3,"total":4,"customer":{"id":"c2","name":"Bo"}}

        """)
    let queried = try command.run(
      "query", "Order", "id == 1", "--json", "--store", command.store)
    #expect(queried.output == "[\n\(exported.output.prefix { $0 != "\n" })\n]\n")
    let table = try command.run("query", "Customer", "--store", command.store)
    #expect(
      table.output == """
        id  name  orders
        ──  ────  ───────────
        c1  Jo    2 × Order
        c2  Bo    0 × objects
        2 objects

        """)
  }

  /// Over all paths there would be more than anybody can write.
  @Test func `all that lead to all end, however many`() throws {
    let all = (1...40).map { #"{"id": \#($0)}"# }.joined(separator: ",")
    func objects(_ name: String) -> String {
      "[" + (1...40).map { "{\"id\": \($0), \"\(name)\": [\(all)]}" }.joined(separator: ",") + "]"
    }
    try importFiles([("Owner", objects("nodes")), ("Node", objects("owners"))])
    let exported = try command.run("export", "Owner", "--lines", "--store", command.store)
    #expect(exported.errors == "")
    let lines = exported.output.split(separator: "\n")
    #expect(lines.count == 40)
    for line in lines {
      // Each of the 80 objects in full once, and its key wherever else a list names it.
      #expect(line.components(separatedBy: "\"nodes\":[").count == 41)
      #expect(line.components(separatedBy: "\"owners\":[").count == 41)
    }
  }

  @Test func `the same object twice beside each other is written twice`() throws {
    let text = """
      [{"id": 1, "lines": [{"product": {"id": 7, "name": "A"}}, {"product": {"id": 7, "name": "A"}}]}]
      """
    try importFiles([("Sale", text)])
    let exported = try command.run("export", "Sale", "--store", command.store)
    #expect(try StorecoderTool.canonical(exported.output) == StorecoderTool.canonical(text))
  }
}
