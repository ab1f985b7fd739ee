import Foundation
import TestSupport
import Testing

@Suite struct `storecoder import` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  private func importShop() throws -> StorecoderTool.Outcome {
    try command.run(
      "import", StorecoderTool.fixture("imports/shop.json"), "--envelope", "data.orders", "--store",
      command.store)
  }

  @Test func `an import infers classes from the file`() throws {
    let outcome = try importShop()
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        \(StorecoderTool.fixture("imports/shop.json")) → \(command.store), class Order
        3 objects: 3 inserted, 0 updated, 0 unchanged
        class     objects
        ────────  ───────
        Customer        2
        Order           3

        """)
    let classes = try command.run("query", "--store", command.store)
    #expect(
      classes.output == """
        class     objects  key         attributes
        ────────  ───────  ──────────  \(String(repeating: "─", count: 96))
        Address            (embedded)  street, city
        Coupon             (embedded)  code
        Customer        2  id          id, name
        Line               (embedded)  sku, count
        Order           3  id          id, placed, total, paid, note, tags, customer, address, lines, ratings, \
        coupon, default, is-gift

        """)
  }

  @Test func `importing the same file twice changes nothing`() throws {
    _ = try importShop()
    let outcome = try command.run(
      "import", StorecoderTool.fixture("imports/shop.json"), "--envelope=data.orders", "--store",
      command.store, "--json")
    #expect(
      outcome.output == """
        {"class": "Order", "inserted": 0, "updated": 0, "unchanged": 3, "merged": 0, \
        "objects": {"Customer": 2, "Order": 3}}

        """)
  }

  // MARK: - Objects with the same key

  private static let merged =
    "storecoder: warning: 2 objects have the same 'id' as an earlier one of the file, "
    + "and the values were merged\n"

  @Test func `an import warns of objects with the same key and counts them as merged`() throws {
    let path = try command.file(
      "dup.json", #"[{"id":1,"n":"a"},{"id":1,"n":"b"},{"id":2,"n":"c"},{"id":2,"n":"c"}]"#)
    let first = try command.run("import", path, "--store", command.store)
    #expect(first.errors == Self.merged)
    #expect(first.status == 0)
    #expect(
      first.output.contains("4 objects: 2 inserted, 0 updated, 0 unchanged, 2 merged\n"))
    let again = try command.run("import", path, "--store", command.store, "--json")
    #expect(again.errors == Self.merged)
    #expect(
      again.output == """
        {"class": "Dup", "inserted": 0, "updated": 0, "unchanged": 2, "merged": 2, \
        "objects": {"Dup": 2}}

        """)
    let difference = try command.run("diff", path, "--store", command.store)
    #expect(difference.errors == Self.merged)
    #expect(difference.output == "0 to insert, 0 to update, 2 equal, 2 merged, 0 not in the file\n")
    let counts = try command.run("diff", path, "--store", command.store, "--json")
    #expect(
      counts.output
        == #"{"class": "Dup", "inserted": 0, "updated": 0, "unchanged": 2, "merged": 2, "missing": 0, "changes": []}"#
        + "\n")
  }

  @Test func `an import detects the same key in different batches of a large file`() throws {
    let objects = (0..<5_001).map { #"{"lang":"\#($0 == 5_000 ? 7 : $0)"}"# }
    let path = try command.file("large.json", "[\(objects.joined(separator: ","))]")
    let outcome = try command.run("import", path, "--key", "lang", "--store", command.store)
    #expect(
      outcome.errors
        == "storecoder: warning: 1 object has the same 'lang' as an earlier one of the file, "
        + "and the values were merged\n")
    #expect(
      outcome.output.contains("5001 objects: 5000 inserted, 0 updated, 0 unchanged, 1 merged"))
  }

  @Test func `equal objects without a key are not merged`() throws {
    let path = try command.file("equal.json", #"[{"n":1},{"n":1}]"#)
    let outcome = try command.run("import", path, "--store", command.store)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("2 objects: 2 inserted, 0 updated, 0 unchanged\n"))
  }

  @Test func `an import infers one type from objects of a class at several paths`() throws {
    let text = """
      {"id":1,"edges":[{"node":"b"}],"price":{"edges":[{"node":"a"}]},"day":{"price":{"edges":[{"node":2}]}}}

      """
    let outcome = try command.run(
      "import", command.file("things.ndjson", text), "--store", command.store)
    #expect(outcome.errors == "")
    let exported = try command.run("export", "Thing", "--lines", "--store", command.store)
    #expect(exported.output == text)
  }

  @Test func `an export equals the imported file`() throws {
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

  // Regression tests: each of these was lost, refused or changed once.
  @Test(arguments: [
    // A nested object with the name and a key of the file's class is of another class.
    #"[{"id":1,"name":"A","user":{"id":1,"kind":"fb"}},{"id":2,"name":"B","user":{"id":2,"kind":"fb"}}]"#,
    // Nulls among the elements of lists and maps of JSON.
    #"[{"id":1,"f":[null]},{"id":2,"f":[1,"a",null]},{"id":3,"f":[]}]"#,
    #"[{"id":1,"f":[{"a":1},null]}]"#, #"[{"id":1,"m":{"1":null,"2":3}}]"#,
    // Objects nested in objects of the same name.
    #"[{"id":1,"d":{"d":{"d":{"d":{"d":1}}}}}]"#,
    #"[{"id":1,"child":{"id":2,"child":{"id":3,"child":{"id":4}}}}]"#,
    // Numbers that a Double cannot represent.
    #"[{"id":1,"v":9007199254740993},{"id":2,"v":0.5}]"#,
    #"[{"id":1,"v":0.12345678901234567890}]"#, #"[{"id":1,"v":18446744073709551615}]"#,
    #"[{"id":1,"v":123456789012345678901234567890}]"#, #"[{"id":1,"v":1.5},{"id":2,"v":1e3}]"#,
    // Names that are not Swift identifiers, and members with values of several types.
    #"[{"id":1,"x":{"":1}}]"#, #"[{"id":1,"a b":1,"a-b":2,"class":3,"SELECT":"x","_row":5}]"#,
    #"[{"id":1,"t":1},{"id":2,"t":"x"},{"id":3,"t":[1]},{"id":4,"t":{"y":null}},{"id":5,"t":null}]"#,
    #"[{"id":1,"e":{}},{"id":2,"e":{}}]"#, #"[{"id":1,"a":[[1],[2,[3]]]}]"#,
    #"[{"t":"a b"},{"t":"ab"},{"t":"a\"b c"},{"t":"a\"bc"}]"#,
  ])
  func `unusual objects are exported as they were imported`(text: String) throws {
    let path = try command.file("thing.json", text)
    let outcome = try command.run("import", path, "--store", command.store)
    #expect(outcome.errors == "")
    let exported = try command.run("export", "Thing", "--store", command.store)
    #expect(try StorecoderTool.canonical(exported.output) == StorecoderTool.canonical(text))
    let again = try command.run("import", path, "--store", command.store)
    #expect(again.output.contains(" 0 inserted, 0 updated, "), "\(again)")
  }

  @Test func `canonically equivalent names remain different`() throws {
    let members = "\"cafe\u{301}\":2,\"caf\u{e9}\":\"x\""
    let text = "{\"id\":1,\(members),\"o\":{\(members)}}\n"
    let path = try command.file("thing.json", text)
    let outcome = try command.run("import", path, "--store", command.store)
    #expect(outcome.errors == "")
    let exported = try command.run("export", "Thing", "--lines", "--store", command.store)
    #expect(Array(exported.output.utf8) == Array(text.utf8))
    for (name, count) in [
      ("cafe\u{301} == 2", 1), ("caf\u{e9} == 'x'", 1), ("caf\u{e9} == 'y'", 0),
    ] {
      let found = try command.run("query", "Thing", name, "--count", "--store", command.store)
      #expect(found.output == "\(count)\n", "\(found)")
    }
  }

  @Test func `an object with 3,000 members becomes a map`() throws {
    let members = (1...3_000).map { #""k\#($0)": \#($0)"# }.joined(separator: ",")
    let path = try command.file("wide.json", "[{\"id\": 1, \"m\": {\(members)}}]")
    #expect(try command.run("import", path, "--store", command.store).status == 0)
    let explained = try command.run("explain", "Wide", "--store", command.store)
    #expect(explained.output.contains("Map<String, Int>"))
  }

  @Test(arguments: [
    (#"{"id":1,"note":null}"#, #"[{"id":1,"note":null,"l":[1],"o":{"a":1}}]"#),
    (#"{"id":1,"l":[]}"#, #"[{"id":1,"note":"x","l":[],"o":{"a":1}}]"#),
    // Null for a list is an empty list.
    (#"{"id":1,"l":null}"#, #"[{"id":1,"note":"x","l":[],"o":{"a":1}}]"#),
    (#"{"id":1,"o":null}"#, #"[{"id":1,"note":"x","l":[1]}]"#),
  ])
  func `a later file may lack values or have null`(
    later: String, expected: String
  ) throws {
    let path = try command.file("thing.json", #"[{"id":1,"note":"x","l":[1],"o":{"a":1}}]"#)
    _ = try command.run("import", path, "--store", command.store)
    let second = try command.file("thing.json", "[\(later)]")
    let outcome = try command.run("import", second, "--store", command.store)
    #expect(outcome.errors == "")
    let exported = try command.run("export", "Thing", "--store", command.store)
    #expect(
      try StorecoderTool.canonical(exported.output) == StorecoderTool.canonical(expected),
      "\(exported.output)")
  }

  @Test func `objects without a key are identified by their content`() throws {
    let path = StorecoderTool.fixture("imports/events.ndjson")
    for counts in ["3 inserted, 0 updated, 0 unchanged", "0 inserted, 0 updated, 3 unchanged"] {
      let outcome = try command.run("import", path, "--store", command.store)
      #expect(outcome.output.contains("class Event\n3 objects: \(counts)"), "\(outcome)")
    }
    let lines = try command.run("export", "Event", "--lines", "--store", command.store)
    #expect(
      lines.output == """
        {"at":1,"kind":"start"}
        {"at":2,"kind":"stop","reason":"done"}
        {"at":1,"kind":"start"}

        """)
  }

  @Test func `a later file updates objects by key and may add members`() throws {
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
        {"class": "Order", "inserted": 1, "updated": 1, "unchanged": 0, "merged": 0, \
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

  @Test func `a file with incompatible types is refused and changes nothing`() throws {
    _ = try importShop()
    let before = try command.run("export", "Order", "--store", command.store).output
    let other = try command.file(
      "other.json",
      #"[{"id": 1, "paid": "yes", "address": 3}, {"id": 9, "paid": "no", "lines": ["x"]}]"#)
    let outcome = try command.run("import", other, "--class", "Order", "--store", command.store)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        storecoder: \(other): the file does not match \(command.store):
        line 1, column 38: Order.address is Address in the store but Int in this file
        line 1, column 76: Order.lines is List<Line> in the store but List<String> in this file
        choose another class (--class) or another store (--store)

        """)
    #expect(try command.run("export", "Order", "--store", command.store).output == before)
  }

  @Test(arguments: [
    ("[1, 2]", "not all of its values are objects"),
    ("[]", "it contains no objects"), ("", "line 1, column 1: the JSON text is empty"),
    (#"[{"a": 1}, {"a": ]"#, "line 1, column 18: expected a JSON value"),
    ("{\"a\": 1}\n{\"a\": 1}}\n", "line 2, column 9: unexpected text after the JSON value"),
    (
      "{\"a\": 1}\n{\"a\": [1\n{\"a\": 2}\n",
      "line 3, column 1: expected a comma or the end of the array or object after a value"
    ),
    ("{}", "the objects have no members to make a class of"),
    (
      "[{\"id\": 1},\n {\"id\": 1, \"\": 2}]",
      "line 2, column 16: a member with an empty name, which a class cannot have"
    ),
    ("{\"a\": 1}\n{\"a\" 1}\n", "line 2, column 6: expected a colon after a key"),
  ])
  func `a file without valid objects is refused with the reason`(
    text: String, problem: String
  ) throws {
    let path = try command.file("bad.json", text)
    let outcome = try command.run("import", path, "--store", command.store)
    let prefix = problem.hasPrefix("the objects") ? "" : "\(path): "
    #expect(outcome.errors == "storecoder: \(prefix)\(problem)\n")
    #expect(outcome.status == 1)
    #expect(!FileManager.default.fileExists(atPath: command.store))
  }

  @Test func `objects without the key of their class are refused on import`() throws {
    _ = try importShop()
    let other = try command.file("other.json", #"[{"number": 1}]"#)
    let outcome = try command.run("import", other, "--class", "Order", "--store", command.store)
    #expect(
      outcome.errors == """
        storecoder: \(other): the file does not match \(command.store):
        line 1, column 2: objects of Order are identified by 'id' in the store but without a key in this file
        choose another class (--class) or another store (--store)

        """)
    let owned = try command.run("import", other, "--class", "Address", "--store", command.store)
    #expect(
      owned.errors.contains(
        "objects of Address are embedded in other objects in the store but without a key "
          + "in this file"))
    let folder = try command.run("import", command.folder.url.path, "--store", command.store)
    #expect(folder.errors == "storecoder: \(command.folder.url.path): it is a folder\n")
    let export = try command.run("export", "Address", "--store", command.store)
    #expect(export.errors == "storecoder: Address: its objects are embedded in others\n")
  }

  @Test(arguments: [
    ("{\"id\":1}\n{\"id\":2}\n{\"id\":\"zz\"}\n", "line 3, column 7: ", "an integer"),
    ("{\"id\":1}\n{\"id\":2.5}\n", "", "an integer"), ("{\"id\":1}\n{\"n\":2}\n", "", "an integer"),
  ])
  func `a value that cannot be the key of its class is refused with its position`(
    text: String, position: String, expected: String
  ) throws {
    let first = try command.file("n.json", #"[{"id":7}]"#)
    #expect(try command.run("import", first, "--store", command.store).status == 0)
    let path = try command.file("n.ndjson", text)
    let outcome = try command.run("import", path, "--class", "N", "--store", command.store)
    #expect(
      outcome.errors == """
        storecoder: \(path): the file does not match \(command.store):
        \(position)objects of N are identified by 'id' in the store, but in this file not all have \
        \(expected) as 'id'
        choose another class (--class) or another store (--store)

        """)
  }

  @Test func `objects without members are exported as they were imported`() throws {
    let path = try command.file("thing.json", #"[{"id":1,"o":{"a":1,"l":[2]}}]"#)
    _ = try command.run("import", path, "--store", command.store)
    let later = try command.file("thing.json", #"[{"id":2,"o":{}}]"#)
    #expect(try command.run("import", later, "--store", command.store).errors == "")
    let exported = try command.run("export", "Thing", "--lines", "--store", command.store)
    #expect(exported.output == "{\"id\":1,\"o\":{\"a\":1,\"l\":[2]}}\n{\"id\":2,\"o\":{}}\n")
  }

  @Test func `a --key that is not in each object is refused`() throws {
    let outcome = try command.run(
      "import", StorecoderTool.fixture("imports/shop.json"), "--envelope", "data.orders", "--key",
      "note", "--store", command.store)
    #expect(
      outcome.errors == """
        storecoder: 'note' cannot be the key of Order: it must be an integer in each object, or a string in each

        """)
  }

  @Test func `an interrupted import leaves a consistent store that the next import completes`()
    throws
  {
    @Sendable func lines(_ ids: ClosedRange<Int>) -> String {
      let name = String(repeating: "x", count: 1_000)
      return ids.map { "{\"id\": \($0), \"name\": \"\(name)\"}\n" }.joined()
    }
    let store = command.store
    let path = try command.file("many.ndjson", lines(1...60_000))
    let outcome = try command.run(["import", path, "--store", store]) {
      // True once the first batch is written.
      let size = try? FileManager.default.attributesOfItem(atPath: store + "-wal")[.size] as? Int
      return size ?? 0 > 200_000
    }
    try #require(outcome.status != 0)
    let count = try command.run("query", "--store", store, "Many", "--count")
    let stored = try #require(Int(count.output.dropLast()))
    #expect(
      outcome.errors
        == "storecoder: interrupted: \(stored) objects of \(path) are in the store, which is consistent\n"
    )
    _ = try command.file("many.ndjson", lines(1...(stored + 100)))
    let rest = try command.run("import", path, "--store", store)
    #expect(
      rest.output.contains(
        "\(stored + 100) objects: 100 inserted, 0 updated, \(stored) unchanged"))
  }

  @Test func `diff shows the effect of an import and changes nothing`() throws {
    _ = try importShop()
    let later = try command.file(
      "later.json", #"[{"id": 2, "total": 8}, {"id": 4, "total": 1}, {"id": 1, "total": 12.5}]"#)
    let before = try command.run("export", "Order", "--store", command.store).output
    let outcome = try command.run("diff", later, "--class", "Order", "--store", command.store)
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        + Order 4
        ~ Order 2: total 7.0 → 8.0
        1 to insert, 1 to update, 1 equal, 1 not in the file

        """)
    let json = try command.run(
      "diff", later, "--class", "Order", "--store", command.store, "--json")
    #expect(
      json.output.hasPrefix(
        #"""
        {"class": "Order", "inserted": 1, "updated": 1, "unchanged": 1, "merged": 0, "missing": 1, "changes": [
          {"attributes":{"total":{"new":8,"old":7}},"change":"updated","class":"Order","key":2},
          {"attributes":{"address":{"new":null},
        """#))
    #expect(json.output.hasSuffix(#""change":"inserted","class":"Order","key":4}\#n]}\#n"#))
    #expect(try command.run("export", "Order", "--store", command.store).output == before)
  }

  // MARK: - Complete files

  /// Stores orders with the ids 1 to 15.
  private func importOrders() throws {
    let lines = (1...15).map { #"{"id": \#($0), "open": \#($0 < 5), "customer": {"id": 1}}"# }
    let outcome = try command.run(
      "import", command.file("orders.ndjson", lines.joined(separator: "\n")), "--class", "Order",
      "--store", command.store)
    #expect(outcome.status == 0)
  }

  private func orders() throws -> String {
    let query = ["query", "--store", command.store, "Order", "--json"]
    return try command.run(query).output
  }

  private func ids() throws -> [Int] {
    let objects = try JSONSerialization.jsonObject(with: Data(orders().utf8)) as? [[String: Any]]
    return (objects ?? []).compactMap { $0["id"] as? Int }
  }

  private func importFile(_ ids: some Sequence<Int>, _ options: String...) throws
    -> StorecoderTool.Outcome
  {
    let objects = ids.map { #"{"id": \#($0), "open": true}"# }
    let path = try command.file("new.json", "[\(objects.joined(separator: ","))]")
    return try command.run(
      ["import", path, "--class", "Order", "--store", command.store] + options)
  }

  @Test func `an import of a complete file deletes the objects that the file lacks`() throws {
    try importOrders()
    let plan = try importFile([1, 2, 3, 5, 6, 7, 8, 16], "--complete", "--dry-run")
    #expect(
      plan.output == """
        + Order 16
        ~ Order 5: open false → true
        ~ Order 6: open false → true
        ~ Order 7: open false → true
        ~ Order 8: open false → true
        - Order 4
        - Order 9
        - Order 10
        - Order 11
        - Order 12
        - Order 13
        - Order 14
        - Order 15
        1 to insert, 4 to update, 3 equal, 8 to delete

        """)
    #expect(try ids() == Array(1...15))
    let outcome = try importFile([1, 2, 3, 5, 6, 7, 8, 16], "--complete")
    #expect(outcome.errors == "")
    #expect(
      outcome.output.contains("8 objects: 1 inserted, 4 updated, 3 unchanged, 8 deleted\n"))
    #expect(try ids() == [1, 2, 3, 5, 6, 7, 8, 16])
    let again = try importFile([1, 2, 3], "--complete", "--json")
    #expect(again.output.contains(#""merged": 0, "deleted": 5, "objects""#))
  }

  @Test func `a condition restricts the objects that a complete file deletes`() throws {
    try importOrders()
    let outcome = try importFile([1, 2], "--complete", "--where", "open == YES")
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("2 deleted\n"))
    #expect(try ids() == [1, 2] + Array(5...15))
    let wrong = try importFile([1], "--complete", "--where", "opened == YES")
    #expect(
      wrong.errors == "storecoder: Order: 'opened' is not an attribute; did you mean 'open'?\n")
  }

  @Test func `an import that would delete most objects deletes none without force`() throws {
    try importOrders()
    let outcome = try importFile([1], "--complete")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        storecoder: \(command.folder.file("new.json").path): (Order): the list may be incomplete: it lacks \
        14 of 15 objects; it would remove Order 2, Order 3, Order 4, Order 5, Order 6, Order 7, Order 8, \
        Order 9, Order 10, Order 11 and 4 more
        --force deletes them
        1 object of the file is in the store

        """)
    #expect(try ids().count == 15)
    let other = try command.run(
      "import", command.file("o.json", #"[{"id":1}]"#), "--class", "order", "--complete", "--store",
      command.store)
    #expect(
      other.errors == "storecoder: \(command.store): there is no class 'order'; "
        + "the file has Customer, Order; did you mean 'Order'?\n")
    let plan = try importFile([1], "--complete", "--dry-run", "--all")
    #expect(plan.errors.hasSuffix("and 4 more\n--force deletes them\n"))
    #expect(try importFile([1], "--complete", "--force").output.contains("14 deleted\n"))
    #expect(try ids() == [1])
  }

  @Test(arguments: ["where", "force"])
  func `options of complete files need a complete file`(option: String) throws {
    try importOrders()
    let outcome = try importFile([1], "--\(option)=x".replacing("force=x", with: "force"))
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("storecoder: --\(option) needs --complete\n"))
  }
}
