import Foundation
import Testing

@Suite struct `Cycles of links` {
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

  @Test func `an object on a cycle is written in full once and as its key elsewhere`() throws {
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

  // Expanding every path would not terminate in practice.
  @Test func `objects that all link to each other are exported and imported again`() throws {
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
      // Each of the 80 objects is written in full once; other lists contain its key.
      #expect(line.components(separatedBy: "\"nodes\":[").count == 41)
      #expect(line.components(separatedBy: "\"owners\":[").count == 41)
    }
    let again = try command.run(
      ["import", "-", "--class", "Owner", "--store", command.store], input: exported.output)
    #expect(again.errors == "")
    #expect(again.output.contains("40 objects: 0 inserted, 0 updated, 40 unchanged"))
  }

  private func outputs(_ commands: [String]...) throws -> [String] {
    try commands.map { try command.run($0 + ["--store", command.store]).output }
  }

  /// Imports orders with lines, customers with a list of orders, and a product with a map of buyers.
  private func importShop() throws {
    let lines = #""lines": [{"n": 1, "product": {"id": 9, "label": "A"}}], "note": null"#
    try importFiles([
      (
        "Order",
        """
        [{"id": 1, "total": 2, \(lines), "customer": {"id": "c1", "name": "Jo"}},
         {"id": 2, "total": 3, \(lines), "customer": {"id": "c1", "name": "Jo"}},
         {"id": 3, "total": 4, \(lines), "customer": {"id": "c2", "name": "Bo"}}]
        """
      ),
      (
        "Customer",
        """
        [{"id": "c1", "name": "Jo", "orders": [{"id": 1, "total": 2, \(lines)},
                                               {"id": 2, "total": 3, \(lines)}]},
         {"id": "c2", "name": "Bo", "orders": []}]
        """
      ),
      ("Product", #"[{"id": 9, "label": "A", "buyers": {"1": {"id": "c1", "name": "Jo"}}}]"#),
    ])
  }

  @Test(arguments: ["Order", "Customer", "Product"])
  func `importing an export changes nothing`(name: String) throws {
    try importShop()
    let commands = [
      ["explain", "Order"], ["explain", "Customer"], ["explain", "Product"], ["export", "Order"],
      ["export", "Customer"], ["export", "Product"],
    ]
    func all() throws -> [String] { try commands.flatMap { try outputs($0) } }
    let before = try all()
    #expect(before[0].contains("total     ") && before.allSatisfy { !$0.isEmpty })
    for options in [[], ["--lines"]] {
      let exported = try outputs(["export", name] + options)[0]
      let count = name == "Order" ? 3 : name == "Customer" ? 2 : 1
      let compared = try command.run(
        ["diff", "-", "--class", name, "--store", command.store], input: exported)
      #expect(compared.errors == "")
      #expect(
        compared.output == "0 to insert, 0 to update, \(count) equal, 0 not in the file\n")
      let outcome = try command.run(
        ["import", "-", "--class", name, "--store", command.store], input: exported)
      #expect(outcome.errors == "")
      #expect(
        outcome.output.contains(": 0 inserted, 0 updated, \(count) unchanged"),
        "\(outcome)")
    }
    #expect(try all() == before)
  }

  @Test func `importing an edited export applies the edits at any depth`() throws {
    try importShop()
    let exported = try outputs(["export", "Customer"])[0]
    let changed = exported.replacing(#""total":3"#, with: #""total":3.5"#)
      .replacing(#""label":"A""#, with: #""label":"B","new":true"#)
    #expect(changed != exported)
    let outcome = try command.run(
      ["import", "-", "--class", "Customer", "--store", command.store], input: changed)
    #expect(outcome.errors == "")
    let again = try outputs(["export", "Customer"])[0]
    #expect(try StorecoderTool.canonical(again) == StorecoderTool.canonical(changed))
    #expect(
      try outputs(["query", "Product", "--columns", "id,label,new"])[0] == """
        id  label  new
        ──  ─────  ────
         9  B      true
        1 object

        """)
  }

  @Test func `a bare key makes the other attributes optional only if no object has that key`()
    throws
  {
    try importShop()
    let outcome = try command.run(
      ["import", "-", "--class", "Customer", "--store", command.store],
      input: #"[{"id": "c2", "name": "Bo", "orders": [{"id": 3}, {"id": 77}]}]"#)
    #expect(outcome.errors == "")
    #expect(
      try outputs(["query", "Order", "id > 2", "--columns", "id,total"])[0] == """
        id  total
        ──  ─────
         3      4
        77      –
        2 objects

        """)
  }

  @Test func `nested objects with the same key but different values are refused`() throws {
    try importShop()
    let outcome = try command.run(
      ["import", "-", "--class", "Order", "--store", command.store],
      input: """
        [{"id": 1, "customer": {"id": "c1", "name": "Jo"}},
         {"id": 2, "customer": {"id": "c1", "name": "Bo"}}]
        """)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        storecoder: <stdin>: the file does not match \(command.store):
        line 1, column 24: objects of Customer are identified by 'id' in the store but embedded in \
        other objects in this file
        choose another class (--class) or another store (--store)

        """)
  }

  @Test func `an object that is linked to twice without a cycle is written in full twice`() throws {
    let text = """
      [{"id": 1, "lines": [{"product": {"id": 7, "name": "A"}}, {"product": {"id": 7, "name": "A"}}]}]
      """
    try importFiles([("Sale", text)])
    let exported = try command.run("export", "Sale", "--store", command.store)
    #expect(try StorecoderTool.canonical(exported.output) == StorecoderTool.canonical(text))
  }
}
