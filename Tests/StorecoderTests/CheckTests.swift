import Foundation
import TestSupport
import Testing

@Suite struct `storecoder check` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  @Test(arguments: [
    ("a.json", "[1, 2]", "JSON, an array of 2, 6 bytes"),
    ("a.txt", "{\"a\": 1}", "JSON, an object of 1 key, 8 bytes"),
    ("b.json", "7", "JSON, a single value, 1 byte"),
    ("a.ndjson", "", "NDJSON, 0 values, 0 bytes"),
    ("a.jsonl", "{\"a\": 1}\r\n[2]\r\n\r\n\"x\"", "NDJSON, 3 values, 20 bytes"),
    ("a.NDJSON", "\u{FEFF}1", "NDJSON, 1 value, 4 bytes"),
    ("b.ndjson", "1", "NDJSON, 1 value, 1 byte"),
  ])
  func `check reports the contents and the size of a valid file`(
    name: String, text: String, words: String
  ) throws {
    let path = try command.file(name, text)
    let outcome = try command.run("check", path)
    #expect(outcome.output == "\(path): \(words)\n")
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
  }

  @Test func `check reports the position of the first twenty invalid lines`() throws {
    let path = try command.file(
      "a.ndjson", "{\"a\": 1}\n{\"a\" 1}\n\n{\"a\": [1\n[1] 2\n{\"a\": 2}\n\"\\x\"")
    let outcome = try command.run("check", path)
    #expect(outcome.output == "")
    #expect(
      outcome.errors == """
        storecoder: \(path): 4 of 6 values are not valid JSON
        line 2, column 6: expected a colon after a key
        line 4, column 9: the text ends in the middle of a value
        line 5, column 5: unexpected text after the JSON value
        line 7, column 2: an invalid escape sequence

        """)
    #expect(outcome.status == 1)
    let many = try command.file("many.txt", String(repeating: "1\n]\n", count: 3_000))
    let errors = try command.run("check", many, "--ndjson").errors.split(separator: "\n")
    #expect(errors.count == 22)
    #expect(errors.first == "storecoder: \(many): 3000 of 6000 values are not valid JSON")
    #expect(
      errors.dropFirst(20).first == "line 40, column 1: expected a JSON value")
    #expect(errors.last == "… and 2980 more")
  }

  @Test func `check refuses a trailing comma unless --lenient is given`() throws {
    for (name, text, message) in [
      (
        "a.ndjson", "{\"a\": 1,}\n",
        "1 of 1 value is not valid JSON\nline 1, column 8: a trailing comma"
      ),
      ("a.json", "{\"a\":\n[1,],}", "line 2, column 3: a trailing comma"),
    ] {
      let path = try command.file(name, text)
      let outcome = try command.run("check", path)
      #expect(outcome.errors == "storecoder: \(path): \(message)\n")
      #expect(outcome.status == 1)
      #expect(try command.run("check", path, "--lenient").status == 0)
      let twice = try command.file(name, text.replacing(",}", with: ",,}"))
      #expect(try command.run("check", twice, "--lenient").status == 1)
    }
  }

  @Test(arguments: [
    ("a.json", "[\n{\"a\": 1},\n{\"a\": 2\n", 4),
    ("a.ndjson", "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3\n", 3),
    ("a.ndjson", "{\"a\": 1}\n{\"a\": 2 \n{\"a\": 3}\n", 2),
    ("a.ndjson", "{\"a\": 1}\n{\"a\": 2,\n\"b\" 2}\n{\"a\": 3}\n", 2),
    ("a.ndjson", "{\"a\": 1}\n{\"a\": \"2\n\"}\n{\"a\": 3}\n", 2),
    ("a.ndjson", "{\"a\": 1}\n{\"a\" 2}\n", 2),
  ])
  func `all commands report one line for an error`(name: String, text: String, line: Int) throws {
    let path = try command.file(name, text)
    let sound = try command.file("sound.ndjson", "{\"a\": 1}")
    for arguments in [
      ["check", path], ["model", path], ["import", path, "--store", command.store],
      ["drift", sound, "--", path],
    ] {
      let outcome = try command.run(arguments)
      #expect(outcome.status > 0)
      #expect(outcome.errors.contains("line \(line), column"), "\(outcome)")
    }
  }

  @Test func `check reports the right line of an error in a file of several batches`() throws {
    let line = "{\"text\": \"\(String(repeating: "x", count: 990))\"}\n"
    let path = try command.file("a.ndjson", String(repeating: line, count: 9_000) + "{]\n" + line)
    let outcome = try command.run("check", path)
    #expect(
      outcome.errors == """
        storecoder: \(path): 1 of 9002 values is not valid JSON
        line 9001, column 2: expected a quoted key in an object

        """, "\(outcome)")
  }

  @Test func `check reads the standard input`() throws {
    let sound = try command.run(["check", "-"], input: "[1, 2]\n")
    #expect(sound.output == "<stdin>: JSON, an array of 2, 7 bytes\n")
    let bad = try command.run(["check", "-"], input: "[1,\n x]")
    #expect(
      bad.errors == "storecoder: <stdin>: line 2, column 2: expected a JSON value\n"
    )
    #expect(bad.status == 1)
    let lines = try command.run(["check", "-", "--ndjson"], input: "{}\n\n[1]\n")
    #expect(lines.output == "<stdin>: NDJSON, 2 values, 8 bytes\n")
  }

  @Test func `check reports a missing file and a folder`() throws {
    let missing = try command.run("check", "nothing.json")
    #expect(missing.errors == "storecoder: nothing.json: there is no such file\n")
    let folder = try command.run("check", command.folder.url.path)
    #expect(folder.errors == "storecoder: \(command.folder.url.path): it is a folder\n")
  }
}
