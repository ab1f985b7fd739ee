import Foundation
import Testing

@testable import storecoder

@Suite struct `Terminal output` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  @Test func `tables with wide characters fit the terminal`() {
    var table = TextTable(["id", "name", "text"])
    table.alignedRight = [0]
    table.rows = [["1", "椎名高志", String(repeating: "word ", count: 20)], ["22", "Jo", "–"]]
    #expect(
      table.text(width: 30) == """
        id  name      text
        ──  ────────  ────────────────
         1  椎名高志  word word word …
        22  Jo        –
        """)
    #expect(Terminal.fit("椎名高志", 5) == "椎名…")
    #expect(Terminal.columns(of: "🇩🇪✅⭐𠀀\u{200B}e\u{301}❤️❤") == 12)
    #expect(Terminal.printable("a\u{202E}b") == "a\\u202eb")
    #expect(Terminal.fit("abc", 5, alignedRight: true) == "  abc")
  }

  @Test func `without a terminal, a long value does not widen the other rows`() {
    var table = TextTable(["a", "b"])
    let long = String(repeating: "x", count: 1_000)
    table.rows = [[long, "1"], ["y", "2"]]
    let lines = table.text(width: nil).split(separator: "\n")
    #expect(lines[2] == "\(long)  1")
    #expect(lines[3] == "y" + String(repeating: " ", count: 101) + "2")
  }

  private func table(
    _ text: String, _ arguments: String..., terminalColumns: Int? = nil
  ) throws -> String {
    let outcome = try command.run(
      "import", command.file("rows.json", text), "--class", "Row", "--store", command.store)
    #expect(outcome.errors == "")
    return try command.run(
      ["query", "Row", "--store", command.store] + arguments, columns: 40,
      terminalColumns: terminalColumns
    ).output
  }

  @Test func `tables show values of several types as JSON`() throws {
    let text = """
      [{"id": 1, "v": [1, {"a": null}, "x"], "w": 1, "l": [[1, 2.5], "y"]},
       {"id": 2, "v": "x", "w": true, "l": []},
       {"id": 3, "v": {"b": 12345678901234567890123}, "w": null, "l": [{}]}]
      """
    #expect(
      try table(text) == """
        id  v                              w     l
        ──  ─────────────────────────────  ────  ─────────────
         1  [1,{"a":null},"x"]             1     [[1,2.5],"y"]
         2  "x"                            true  []
         3  {"b":12345678901234567890123}  –     [{}]
        3 objects

        """)
  }

  // A terminal would interpret control characters.
  @Test func `control characters in the data are escaped for the terminal`() throws {
    let text = #"[{"id": 1, "a": "\u001b[31mred\u007f\u009b", "b\u0007": [1, "\u001b"]}]"#
    let shown = try table(text)
    #expect(
      shown == #"""
        id  a                          b\u0007
        ──  ─────────────────────────  ────────────
         1  \u001b[31mred\u007f\u009b  [1,"\u001b"]
        1 object

        """#)
    let exported = try command.run("export", "Row", "--lines", "--store", command.store)
    #expect(exported.output.contains("red\u{7F}\u{9B}"))
    let later = try command.file("later.json", #"[{"id": 1, "a": "\u001b[0m\ttab"}]"#)
    let difference = try command.run("diff", later, "--class", "Row", "--store", command.store)
    #expect(
      difference.output.hasPrefix(
        #"~ Row 1: a "\u{1B}[31mred\u{7F}\u{9B}" → "\u{1B}[0m\ttab""# + "\n"))
    let missing = try command.run("query", "\u{1B}[31m", "--store", command.store)
    #expect(missing.errors.hasSuffix(#"there is no class '\u001b[31m'; the file has Row"# + "\n"))
  }

  @Test func `a narrow table shows the number of omitted attributes`() throws {
    let members = (1...40).map { "\"a\($0)\": \($0)" }.joined(separator: ",")
    let text = "[{\"id\": 7,\(members)}]"
    #expect(
      try table(text, terminalColumns: 40) == """
        id  a1  a2
        ──  ──  ──
         7   1   2
        1 object; 38 of 41 attributes left out, see --columns

        """)
    #expect(
      try table(text, "--columns", "a39,a40", terminalColumns: 40).hasSuffix("\n1 object\n"))
    #expect(try table(text, terminalColumns: 600).hasSuffix("\n1 object\n"))
  }

  @Test func `a table that is not written to a terminal has all attributes and characters`() throws
  {
    let members = (1...40).map { "\"a\($0)\": \($0)" }.joined(separator: ",")
    let long = String(repeating: "x", count: 200)
    let output = try table("[{\"id\": 7,\(members), \"text\": \"\(long)\"}]")
    #expect(output.contains("a40") && output.contains(long))
    #expect(output.hasSuffix("\n1 object\n"))
  }

  @Test func `changes and headers have colors in a terminal unless NO_COLOR is set`() throws {
    let file = try command.file("rows.json", #"[{"id": 1, "a": "\u001b[5m"}, {"id": 2, "a": ""}]"#)
    #expect(
      try command.run("import", file, "--class", "Row", "--store", command.store).status == 0)
    let later = try command.file("later.json", #"[{"id": 2, "a": "x"}, {"id": 3, "a": ""}]"#)
    let arguments = ["diff", later, "--class", "Row", "--store", command.store]
    #expect(
      try command.run(arguments, terminalColumns: 80, hasColors: true).output == """
        \u{1B}[32m+ Row 3\u{1B}[0m
        \u{1B}[33m~ Row 2: a "" → "x"\u{1B}[0m
        1 to insert, 1 to update, 0 equal, 1 not in the file

        """)
    #expect(
      try command.run(arguments, terminalColumns: 80).output.hasPrefix("+ Row 3\n~ Row 2"))
    #expect(try command.run(arguments, hasColors: true).output.hasPrefix("+ Row 3\n~ Row 2"))
    let query = ["query", "Row", "id == 1", "--store", command.store]
    #expect(
      try command.run(query, terminalColumns: 80, hasColors: true).output == """
        \u{1B}[1mid  a\u{1B}[0m
        ──  ─────────
         1  \\u001b[5m
        1 object

        """)
  }
}
