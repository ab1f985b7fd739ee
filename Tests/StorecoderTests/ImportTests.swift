import Foundation
import TestSupport
import Testing

@Suite struct `Importing` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  private func importShop() throws -> StorecoderTool.Outcome {
    try command.run(
      "import", StorecoderTool.fixture("imports/shop.json"), "--envelope", "data.orders", "--store",
      command.store)
  }

  @Test func `classes are made of what the file has`() throws {
    let outcome = try importShop()
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        \(StorecoderTool.fixture("imports/shop.json")) → \(command.store), class Order
        3 objects: 3 inserted, 0 updated, 0 left alone
        class     objects
        ────────  ───────
        Customer        2
        Order           3

        """)
    let classes = try command.run("query", "--store", command.store)
    #expect(
      classes.output == """
        class     objects  key               attributes
        ────────  ───────  ────────────────  ───────────────────────────────────────────
        Address            (part of others)  street, city
        Coupon             (part of others)  code
        Customer        2  id                id, name
        Line               (part of others)  sku, count
        Order           3  id                id, placed, total, paid, note, tags, custo…

        """)
  }

  @Test func `the same file again changes nothing`() throws {
    _ = try importShop()
    let outcome = try command.run(
      "import", StorecoderTool.fixture("imports/shop.json"), "--envelope=data.orders", "--store",
      command.store, "--json")
    #expect(
      outcome.output == """
        {"class": "Order", "inserted": 0, "updated": 0, "unchanged": 3, \
        "objects": {"Customer": 2, "Order": 3}}

        """)
  }

  @Test func `what comes out is what went in`() throws {
    _ = try importShop()
    let text = try String(
      contentsOfFile: StorecoderTool.fixture("imports/shop.json"), encoding: .utf8)
    let orders = try StorecoderTool.canonical(text, at: "data", "orders")
    let exported = try command.run("export", "Order", "--store", command.store)
    #expect(exported.status == 0)
    #expect(try StorecoderTool.canonical(exported.output) == orders)
    let queried = try command.run("query", "--store", command.store, "Order", "--json")
    #expect(queried.output == exported.output)
  }

  @Test func `objects without a key are told apart by what they say`() throws {
    let path = StorecoderTool.fixture("imports/events.ndjson")
    for counts in ["3 inserted, 0 updated, 0 left", "0 inserted, 0 updated, 3 left"] {
      let outcome = try command.run("import", path, "--store", command.store)
      #expect(outcome.output.contains("class Event\n3 objects: \(counts) alone"), "\(outcome)")
    }
    let lines = try command.run("export", "Event", "--lines", "--store", command.store)
    #expect(
      lines.output == """
        {"at":1,"kind":"start"}
        {"at":2,"kind":"stop","reason":"done"}
        {"at":1,"kind":"start"}

        """)
  }

  @Test func `a later file updates by keys and may have more`() throws {
    _ = try importShop()
    let later = try command.file(
      "later.json",
      """
      [{"id": 2, "total": 8, "customer": {"id": "c2", "name": "Bobby"}, "rush": true}, {"id": 4, "total": 1}]
      """)
    let outcome = try command.run(
      "import", later, "--class", "Order", "--store", command.store, "--json")
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        {"class": "Order", "inserted": 1, "updated": 1, "unchanged": 0, \
        "objects": {"Customer": 2, "Order": 4}}

        """)
    let table = try command.run(
      "query", "--store", command.store, "Order", "total > 5", "--sort", "-total", "--columns",
      "id,total,customer,rush,placed")
    #expect(
      table.output == """
        id  total  customer     rush  placed
        ──  ─────  ───────────  ────  ──────────
         1   12.5  Customer c1  –     2024-03-01
         2    8.0  Customer c2  true  2024-03-02
        2 objects

        """)
  }

  @Test func `a file of another kind is refused, and nothing is changed`() throws {
    _ = try importShop()
    let before = try command.run("export", "Order", "--store", command.store).output
    let other = try command.file(
      "other.json", #"[{"id": 1, "paid": "yes", "total": 3}, {"id": 9, "paid": "no", "lines": 3}]"#)
    let outcome = try command.run("import", other, "--class", "Order", "--store", command.store)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        storecoder: \(command.store): the file's classes are others:
        Order.paid: Bool, now String
        Order.lines: List<Line>, now Int?
        name another class (--class) or another store (--store)

        """)
    #expect(try command.run("export", "Order", "--store", command.store).output == before)
  }

  @Test(arguments: [
    ("[1, 2]", "what it holds are not objects alone"),
    ("[]", "it holds no object"), ("", "line 1, column 1: there is no JSON text"),
    (#"[{"a": 1}, {"a": ]"#, "line 1, column 18: a character that begins no JSON value"),
    ("{\"a\": 1}\n{\"a\": 1}}\n", "line 2, column 9: something after the end of the JSON value"),
    ("{\"a\": 1}\n{\"a\" 1}\n", "line 2, column 6: no colon after a key"),
  ])
  func `what is no file of objects is told with its place`(text: String, problem: String) throws {
    let path = try command.file("bad.json", text)
    let outcome = try command.run("import", path, "--store", command.store)
    #expect(outcome.errors == "storecoder: \(path): \(problem)\n")
    #expect(outcome.status == 1)
    #expect(!FileManager.default.fileExists(atPath: command.store))
  }

  @Test func `a key that is none is told`() throws {
    let outcome = try command.run(
      "import", StorecoderTool.fixture("imports/shop.json"), "--envelope", "data.orders", "--key",
      "note", "--store", command.store)
    #expect(
      outcome.errors == """
        storecoder: 'note' is no key of Order: not each object has an integer, or each a text, there

        """)
  }

  @Test func `interrupted it leaves a store that is whole, and goes on where it stopped`() throws {
    let lines = (1...60_000).map { #"{"id": \#($0), "name": "Number \#($0)"}"# }
    let path = try command.file("many.ndjson", lines.joined(separator: "\n"))
    let arguments = ["import", path, "--store", command.store]
    let log = command.store + "-wal"
    let outcome = try command.run(arguments) {
      // The first parts are written.
      let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
      return size ?? 0 > 200_000
    }
    let count = try command.run("query", "--store", command.store, "Many", "--count")
    let stored = try #require(Int(count.output.dropLast()))
    if outcome.status != 0 {
      #expect(
        outcome.errors
          == "storecoder: interrupted: \(stored) objects of \(path) are in the store, whole\n")
    }
    let rest = try command.run(arguments)
    #expect(
      rest.output.contains(
        "60000 objects: \(60_000 - stored) inserted, 0 updated, \(stored) left alone"))
  }

  @Test func `diff tells what an import would do, and changes nothing`() throws {
    _ = try importShop()
    let later = try command.file(
      "later.json", #"[{"id": 2, "total": 8}, {"id": 4, "total": 1}, {"id": 1, "total": 12.5}]"#)
    let before = try command.run("export", "Order", "--store", command.store).output
    let outcome = try command.run("diff", later, "--class", "Order", "--store", command.store)
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        + 4
        ~ 2  total 7.0 → 8.0
        - 3
        1 to insert, 1 to update, 1 equal, 1 not in the file

        """)
    #expect(try command.run("export", "Order", "--store", command.store).output == before)
  }
}
