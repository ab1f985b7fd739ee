import Foundation
import TestSupport
import Testing

@testable import storecoder

@Suite struct `The command line` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  @Test(arguments: [
    ([], "no command is given"),
    (["fetch"], "there is no command 'fetch'"),
    (["imprt"], "there is no command 'imprt'; did you mean 'import'?"),
    (["query"], "query needs FILE or --store"),
    (["query", "--store"], "--store needs a value"),
    (["query", "--store", "x", "User", "a > 1", "b"], "query takes no 'b'"),
    (["query", "--store", "x", "--colour", "red"], "query has no option '--colour'"),
    (
      ["query", "--store", "x", "--limits=3"],
      "query has no option '--limits=3'; did you mean '--limit'?"
    ),
    (["query", "--json=yes", "--store", "x"], "--json takes no value"),
    (["import"], "import needs FILE"),
    (["import", "a.json"], "import needs --store"),
    (
      ["import", "a.json", "--store", "x", "--class", "My Class"],
      "'My Class' is not a valid class name"
    ),
    (["model", "a.json", "--class", "class"], "'class' is not a valid class name"),
    (["model", "a.json", "--class", "init"], "'init' is not a valid class name"),
    (["query", "--store", "\u{1B}[31m", "a", "b", "\u{9B}c"], "query takes no '\\u009bc'"),
    (["completions", "tcsh"], "there are completions for bash, zsh and fish, not for 'tcsh'"),
  ])
  func `an invalid command line is reported with status 2`(
    arguments: [String], problem: String
  ) throws {
    let outcome = try command.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("storecoder: \(problem)\n\nusage: storecoder "), "\(outcome)")
    #expect(outcome.output == "")
  }

  @Test(arguments: StoreCoderCommand.commands.map(\.name))
  func `each command has a help text with a valid example`(name: String) throws {
    let found = try #require(StoreCoderCommand.commands.first { $0.name == name })
    let outcome = try command.run([name, "--help"])
    #expect(outcome.status == 0)
    #expect(outcome.output == found.help)
    #expect(outcome.output.hasSuffix("\nexample: \(found.example)\n"))
    // Splits the example as a shell would.
    var words = found.example.prefix { $0 != ">" }.split(separator: "'").enumerated().flatMap {
      $0 % 2 == 1 ? [String($1)] : $1.split(separator: " ").map(String.init)
    }
    #expect(Array(words.prefix(2)) == ["storecoder", name])
    words.removeFirst(2)
    _ = try Arguments(words, of: found)
  }

  private func importShop() throws {
    let outcome = try command.run([
      "import", StorecoderTool.fixture("imports/shop.json"), "--envelope", "data.orders", "--store",
      command.store,
    ])
    #expect(outcome.status == 0)
  }

  @Test func `an unknown class, an invalid condition and an unknown attribute are reported`() throws
  {
    try importShop()
    func errors(_ arguments: String...) throws -> String {
      let outcome = try command.run(["query", "--store", command.store] + arguments)
      #expect(outcome.status == 1)
      return outcome.errors
    }
    #expect(
      try errors("Orders")
        == "storecoder: \(command.store): there is no class 'Orders'; "
        + "the file has Address, Coupon, Customer, Line, Order; did you mean 'Order'?\n")
    #expect(
      try errors("Order", "total >")
        == "storecoder: the query \"total >\": expected a value or an attribute at column 8\n")
    #expect(
      try errors("Order", "totla > 3")
        == "storecoder: Order: 'totla' is not an attribute; did you mean 'total'?\n")
    #expect(
      try errors("Order", "--sort", "-totla")
        == "storecoder: Order: 'totla' is not an attribute; did you mean 'total'?\n")
    #expect(
      try errors("Order", "--sort", "colour") == "storecoder: Order: 'colour' is not an attribute\n"
    )
    #expect(
      try errors("Order", "--columns", "id,colour")
        == "storecoder: Order: 'colour' is not an attribute\n")
    #expect(
      try errors("Order", "--columns", "totla")
        == "storecoder: Order: 'totla' is not an attribute; did you mean 'total'?\n")
    #expect(
      try errors("Order", "--columns", "id,") == "storecoder: Order: '' is not an attribute\n")
    #expect(
      try errors("Order", "--columns", "customer.nam")
        == "storecoder: Customer: 'nam' is not an attribute; did you mean 'name'?\n")
    #expect(
      try errors("Order", "--columns", "lines.sku")
        == "storecoder: Order: 'lines' is not a link to one object, so 'lines.sku' is not a column\n"
    )
    let missing = try command.run(["query", "--store", command.store + "s"])
    #expect(missing.errors == "storecoder: \(command.store)s: there is no such file\n")
  }

  @Test func `query supports counts, offsets and limits`() throws {
    try importShop()
    func output(_ arguments: String...) throws -> String {
      try command.run(["query", "--store", command.store, "Order"] + arguments).output
    }
    #expect(try output("paid == true", "--count") == "2\n")
    #expect(
      try output(
        "--sort", "customer.name,-total", "--offset", "1", "--limit", "1", "--columns", "id")
        == "id\n──\n 3\n1 object\n")
    #expect(try output("total < 0", "--json") == "[]\n")
    let wrong = try command.run(["query", "--store", command.store, "Order", "--limit", "-1"])
    #expect(wrong.status == 2)
    #expect(
      wrong.errors.hasPrefix("storecoder: --limit needs a whole number of at least 0, not '-1'\n"))
  }

  @Test func `query --columns accepts paths along links, in tables and in JSON`() throws {
    let file = try command.file(
      "posts.json",
      #"""
      [{"id": 1, "title": "A", "author": {"id": 7, "name": "Jo", "home": {"city": "Ulm"}}, "x.y": [1]},
       {"id": 2, "title": null, "author": null, "x.y": []}]
      """#)
    #expect(try command.run("import", file, "--store", command.store).status == 0)
    func query(_ arguments: String...) throws -> String {
      try command.run(["query", "Post", "--store", command.store, "--columns"] + arguments).output
    }
    #expect(
      try query("title,author.name,author.home.city") == """
        title  author.name  author.home.city
        ─────  ───────────  ────────────────
        A      Jo           Ulm
        –      –            –
        2 objects

        """)
    #expect(
      try query("title,author.name,author.id,author.home,x.y", "--json", "--sort", "-id") == """
        [
        {"title":null,"author.name":null,"author.id":null,"author.home":null,"x.y":[]},
        {"title":"A","author.name":"Jo","author.id":7,"author.home":{"city":"Ulm"},"x.y":[1]}
        ]

        """)
    #expect(try query("author.id", "--limit", "1").hasPrefix("author.id\n─────────\n        7\n"))
    #expect(
      try query("author", "--json", "--limit", "1").contains(
        #"{"author":{"id":7,"name":"Jo","home":{"city":"Ulm"}}}"#))
  }

  @Test func `--version shows the newest version of the changelog`() throws {
    let outcome = try command.run("--version")
    #expect(outcome.status == 0)
    #expect(outcome.output == "storecoder \(StoreCoderCommand.version)\n")
    let changelog = try String(
      contentsOf: StorecoderTool.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let headings = changelog.matches(of: /(?m)^## \[(.+)\]/).map { String($0.1) }
    let version = try #require(headings.first { $0 != "Unreleased" })
    let isUnreleased = headings.first == "Unreleased"
    #expect(StoreCoderCommand.version == version + (isUnreleased ? "+unreleased" : ""))
  }

  @Test func `query lists the classes as JSON`() throws {
    try importShop()
    let all = try command.run("query", "--store", command.store, "--json")
    #expect(
      all.output == """
        [
        {"class":"Address","objects":null,"key":[],"attributes":["street","city"]},
        {"class":"Coupon","objects":null,"key":[],"attributes":["code"]},
        {"class":"Customer","objects":2,"key":["id"],"attributes":["id","name"]},
        {"class":"Line","objects":null,"key":[],"attributes":["sku","count"]},
        {"class":"Order","objects":3,"key":["id"],"attributes":["id","placed","total",\
        "paid","note","tags","customer","address","lines","ratings","coupon","default","is-gift"]}
        ]

        """)
  }

  @Test func `the demo runs with built-in responses that equal the fixtures`() throws {
    for (response, name) in [
      (DemoResponses.list, "list"), (DemoResponses.detail, "detail-42"),
      (DemoResponses.refreshedList, "list-refreshed"),
    ] {
      let file = StorecoderTool.fixture("restaurants/\(name).json")
      #expect(
        try StorecoderTool.canonical(response)
          == StorecoderTool.canonical(String(contentsOfFile: file, encoding: .utf8)))
    }
    let demo = try command.run("demo")
    #expect(demo.status == 0 && demo.errors == "")
    #expect(demo.output.contains("10. The app is closed and opened again"))
  }
}
