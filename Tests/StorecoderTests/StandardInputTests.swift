import Foundation
import TestSupport
import Testing

@Suite struct `The standard input of storecoder` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  private static let document = #"{"page": 1, "users": [{"id": 1, "n": 1}, {"id": 2, "n": 2.5}]}"#

  @Test(arguments: [
    (["--envelope", "users"], document, "User"),
    ([], #"[{"id": 1, "n": 1}, {"id": 2, "n": 2.5}]"#, "Item"),
    (["--class", "Row"], "{\"id\": 1, \"n\": 1}\n{\"id\": 2, \"n\": 2.5}\n", "Row"),
  ])
  func `importing the same standard input again changes nothing`(
    options: [String], text: String, className: String
  ) throws {
    for counts in ["2 inserted, 0 updated, 0 unchanged", "0 inserted, 0 updated, 2 unchanged"] {
      let outcome = try command.run(
        ["import", "-", "--store", command.store] + options, input: text)
      #expect(outcome.errors == "")
      #expect(
        outcome.output.hasPrefix(
          "<stdin> → \(command.store), class \(className)\n2 objects: \(counts)\n"), "\(outcome)")
    }
    let exported = try command.run("export", className, "--lines", "--store", command.store)
    #expect(exported.output == "{\"id\":1,\"n\":1}\n{\"id\":2,\"n\":2.5}\n")
  }

  @Test func `import reads large input from standard input`() throws {
    let lines = (1...50_000).map {
      "{\"id\": \($0), \"name\": \"Number \($0), and so on and so on\"}\n"
    }
    let outcome = try command.run(
      ["import", "-", "--class", "Row", "--store", command.store, "--json"], input: lines.joined())
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("\"inserted\": 50000"))
  }

  @Test func `diff and model read the standard input`() throws {
    _ = try command.run(
      ["import", "-", "--class", "User", "--store", command.store], input: #"[{"id": 1, "n": 1}]"#)
    let difference = try command.run(
      ["diff", "-", "--class", "User", "--store", command.store], input: #"[{"id": 1, "n": 3}]"#)
    #expect(difference.output.hasPrefix("~ User 1: n 1 → 3\n"), "\(difference)")
    let model = try command.run(["model", "-", "--envelope", "users"], input: Self.document)
    #expect(model.errors == "")
    #expect(
      model.output == """
        import ObjectStore

        final class User: Object {
          @Persisted(primaryKey: true) var id: Int
          @Persisted var n = 0.0

          override class var listEnvelope: String? { "users" }
        }

        """)
  }

  @Test(arguments: [
    ("", "line 1, column 1: the JSON text is empty"), ("[1]", "not all of its values are objects"),
    ("{\"a\": 1}\n{\"a\" 1}\n", "line 2, column 6: expected a colon after a key"),
  ])
  func `invalid standard input is reported with its position`(text: String, problem: String) throws
  {
    for arguments in [["import", "-", "--store", command.store], ["model", "-"]] {
      let outcome = try command.run(arguments, input: text)
      #expect(outcome.errors == "storecoder: <stdin>: \(problem)\n")
      #expect(outcome.status == 1)
    }
    #expect(!FileManager.default.fileExists(atPath: command.store))
  }

  @Test func `an interrupted import of the standard input reports the number of stored objects`()
    throws
  {
    // 20 MB are five batches, and the import is interrupted after the first.
    let name = String(repeating: "x", count: 1_000)
    let lines = (1...20_000).map { "{\"id\": \($0), \"name\": \"\(name)\"}\n" }
    let log = command.store + "-wal"
    let outcome = try command.run(
      ["import", "-", "--class", "Row", "--store", command.store], input: lines.joined()
    ) {
      let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
      return size ?? 0 > 200_000
    }
    try #require(outcome.status != 0)
    let count = try command.run("query", "--store", command.store, "Row", "--count")
    let stored = try #require(Int(count.output.dropLast()))
    #expect(
      outcome.errors
        == "storecoder: interrupted: \(stored) objects of <stdin> are in the store, which is consistent\n"
    )
  }

  @Test func `an import that waits for input can be interrupted`() throws {
    let pipe = command.folder.file("rows.ndjson").path
    try #require(mkfifo(pipe, 0o600) == 0)
    var writer: FileHandle?
    let outcome = try command.run(["import", pipe, "--store", command.store]) {
      // Opening blocks until the command opens the pipe for reading. It then waits for data.
      writer = FileHandle(forWritingAtPath: pipe)
      usleep(20_000)
      return true
    }
    withExtendedLifetime(writer) {}
    #expect(outcome.status == 1)
    #expect(outcome.errors == "storecoder: interrupted: nothing of \(pipe) is in the store\n")
  }

  @Test func `an import interrupted during its first pass stores nothing`() throws {
    let pipe = command.folder.file("rows.ndjson").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let outcome = try command.run(["import", pipe, "--store", command.store]) {
      // Opening blocks until the command opens the pipe for reading.
      guard let handle = FileHandle(forWritingAtPath: pipe) else { return true }
      Thread.detachNewThread {
        _ = signal(SIGPIPE, SIG_IGN)
        let lines = Data(String(repeating: "{\"id\": 1}\n", count: 1_000).utf8)
        let end = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < end, (try? handle.write(contentsOf: lines)) != nil {}
      }
      return true
    }
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == "storecoder: interrupted: nothing of \(pipe) is in the store\n")
    #expect(!FileManager.default.fileExists(atPath: command.store))
  }
}
