import Foundation
import TestSupport
import Testing

@Suite struct `Checking files` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  @Test(arguments: [
    ("a.json", "[1, 2]", "JSON, an array of 2, 6 bytes"),
    ("a.txt", "{\"a\": 1,}", "JSON, an object of 1 key, 9 bytes"),
    ("a.ndjson", "", "NDJSON, 0 values, 0 bytes"),
    ("a.jsonl", "{\"a\": 1}\r\n[2]\r\n\r\n\"x\"", "NDJSON, 3 values, 20 bytes"),
    ("a.NDJSON", "\u{FEFF}1", "NDJSON, 1 value, 4 bytes"),
  ])
  func `what a sound file has`(name: String, text: String, words: String) throws {
    let path = try command.file(name, text)
    let outcome = try command.run("check", path)
    #expect(outcome.output == "\(path): \(words)\n")
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
  }

  @Test func `each bad line has its place, and the first twenty are told`() throws {
    let path = try command.file(
      "a.ndjson", "{\"a\": 1}\n{\"a\" 1}\n\n{\"a\": [1\n[1] 2\n{\"a\": 2}\n\"\\x\"")
    let outcome = try command.run("check", path)
    #expect(outcome.output == "")
    #expect(
      outcome.errors == """
        storecoder: \(path): of 6 values 4 are no JSON
        line 2, column 6: expected a colon after a key
        line 4, column 9: the text ends in the middle of a value
        line 5, column 5: unexpected text after the JSON value
        line 7, column 2: an invalid escape sequence

        """)
    #expect(outcome.status == 1)
    let many = try command.file("many.txt", String(repeating: "1\n]\n", count: 3_000))
    let errors = try command.run("check", many, "--ndjson").errors.split(separator: "\n")
    #expect(errors.count == 22)
    #expect(errors.first == "storecoder: \(many): of 6000 values 3000 are no JSON")
    #expect(
      errors.dropFirst(20).first == "line 40, column 1: expected a JSON value")
    #expect(errors.last == "… and 2980 more")
  }

  @Test func `strictly no trailing comma, on no line`() throws {
    let path = try command.file("a.ndjson", "{\"a\": 1,}\n")
    #expect(try command.run("check", path).status == 0)
    let outcome = try command.run("check", path, "--strict")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("\nline 1, column 8: "), "\(outcome)")
  }

  @Test func `lines far into a large file, and over parts of it`() throws {
    let line = "{\"text\": \"\(String(repeating: "x", count: 990))\"}\n"
    let path = try command.file("a.ndjson", String(repeating: line, count: 9_000) + "{]\n" + line)
    let outcome = try command.run("check", path)
    #expect(
      outcome.errors == """
        storecoder: \(path): of 9002 values 1 is no JSON
        line 9001, column 2: expected a quoted key in an object

        """, "\(outcome)")
  }

  @Test func `the standard input`() throws {
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

  @Test func `a file that is not there, and a folder`() throws {
    let missing = try command.run("check", "nothing.json")
    #expect(missing.errors == "storecoder: nothing.json: there is no such file\n")
    let folder = try command.run("check", command.folder.url.path)
    #expect(folder.errors == "storecoder: \(command.folder.url.path): it is a folder\n")
  }
}
