import Testing

@Suite struct `storecoder diff` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  private func importOrders() throws -> String {
    let file = try command.file("orders.json", #"[{"id": 1, "n": 2}, {"id": 2, "n": 3}]"#)
    #expect(try command.run("import", file, "--store", command.store).status == 0)
    return file
  }

  @Test func `the status is 1 if an import would change something`() throws {
    let same = try importOrders()
    let fewer = try command.file("fewer.json", #"[{"id": 1, "n": 2}]"#)
    let changed = try command.file("changed.json", #"[{"id": 1, "n": 7}]"#)
    func status(_ command: String, _ file: String, _ options: String...) throws -> Int32 {
      try self.command.run(
        [command, file, "--class", "Order", "--store", self.command.store] + options
      ).status
    }
    #expect(try status("diff", same) == 0)
    #expect(try status("diff", fewer) == 0)
    #expect(try status("diff", fewer, "--complete") == 1)
    #expect(try status("diff", changed) == 1)
    #expect(try status("diff", changed, "--json") == 1)
    #expect(try status("import", changed, "--dry-run") == 0)
    #expect(try status("import", fewer, "--dry-run", "--complete") == 0)
  }

  @Test func `an object of which only attributes become known is listed and counts as equal`()
    throws
  {
    let file = try command.file("orders.json", #"[{"id": 1, "note": "a"}, {"id": 2}]"#)
    #expect(try command.run("import", file, "--store", command.store).status == 0)
    let later = try command.file("later.json", #"[{"id": 2, "note": null}]"#)
    let outcome = try command.run("diff", later, "--class", "Order", "--store", command.store)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        = Order 2: now known: note
        0 to insert, 0 to update, 1 equal, 1 not in the file

        """)
  }

  @Test func `the status is 2 if the file or the store cannot be compared`() throws {
    let file = try importOrders()
    let broken = try command.file("broken.json", "[{")
    let other = try command.file("other.json", #"[{"n": "x"}]"#)
    for file in [broken, other, "missing.json"] {
      let outcome = try command.run("diff", file, "--class", "Order", "--store", command.store)
      #expect(outcome.status == 2 && outcome.output == "" && outcome.errors != "")
      let dryRun = try command.run(
        "import", file, "--class", "Order", "--store", command.store, "--dry-run")
      #expect(dryRun.status == 1 && dryRun.errors == outcome.errors)
    }
    #expect(try command.run("diff", file, "--store", "missing.store").status == 2)
  }

  // MARK: - The class of the file's objects

  @Test func `a file without a class of its name is compared with the class that has its keys`()
    throws
  {
    _ = try importOrders()
    let file = try command.file("today.json", #"[{"n": 2, "id": 1}, {"id": 2, "n": 9}]"#)
    let outcome = try command.run("diff", file, "--store", command.store)
    #expect(
      outcome.output == """
        ~ Order 2: n 3 → 9
        0 to insert, 1 to update, 1 equal, 0 not in the file

        """)
    #expect(
      outcome.errors
        == "storecoder: \(file) is compared with the class Order, which has the same keys\n")
    let json = try command.run("diff", file, "--store", command.store, "--json")
    #expect(json.output.hasPrefix(#"{"class": "Order", "inserted": 0, "updated": 1"#))
    let named = try command.run("diff", file, "--store", command.store, "--class", "Today")
    #expect(named.output.hasSuffix("2 to insert, 0 to update, 0 equal, 0 not in the file\n"))
    #expect(named.errors == "")
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `an import leaves the choice between the class with its keys and a new one`(
    options: [String]
  ) throws {
    _ = try importOrders()
    let file = try command.file("today.json", #"[{"id": 2, "n": 9}]"#)
    let outcome = try command.run(["import", file, "--store", command.store] + options)
    #expect(
      outcome.errors
        == "storecoder: \(file): the class Order of \(command.store) has the keys of its objects; "
        + "choose --class Order, or --class Today for a new class\n")
    #expect(outcome.status == 1)
    #expect(
      try command.run("query", "Order", "n == 3", "--count", "--store", command.store).output
        == "1\n")
    #expect(
      try command.run("import", file, "--store", command.store, "--class", "Today").status == 0)
    // Two classes have these keys now.
    let later = try command.file("later.json", #"[{"id": 2, "n": 9}]"#)
    let difference = try command.run("diff", later, "--store", command.store)
    #expect(
      difference.errors
        == "storecoder: \(later): the classes Order, Today of \(command.store) have the keys of its "
        + "objects; choose --class Order, --class Today, or --class Later for a new class\n")
    #expect(difference.status == 2)
  }

  @Test func `a class with other keys or with a content key is not mistaken for another`() throws {
    let file = try command.file("notes.json", #"[{"text": "a", "n": 1}]"#)
    #expect(try command.run("import", file, "--store", command.store).status == 0)
    let more = try command.file("more.json", #"[{"text": "a", "n": 1, "x": 0}]"#)
    let outcome = try command.run("diff", more, "--store", command.store)
    #expect(outcome.output.hasSuffix("1 to insert, 0 to update, 0 equal, 0 not in the file\n"))
    let same = try command.file("same.json", #"[{"text": "a", "n": 1}]"#)
    let equal = try command.run("diff", same, "--store", command.store)
    #expect(equal.output.hasSuffix("0 to insert, 0 to update, 1 equal, 0 not in the file\n"))
    #expect(equal.status == 0)
  }

  @Test func `counts of one object are in the singular`() throws {
    let file = try command.file("orders.json", #"[{"id": 1, "n": {"a": {"b": 1}, "c": 2}}]"#)
    let outcome = try command.run("import", file, "--store", command.store)
    #expect(outcome.output.contains("\n1 object: 1 inserted, 0 updated, 0 unchanged\n"))
  }
}
