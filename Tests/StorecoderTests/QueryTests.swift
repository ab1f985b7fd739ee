import Foundation
import TestSupport
import Testing

@testable import storecoder

@Suite struct `Queries of files, groups and formats` {
  private let command: StorecoderTool
  private let pets: String

  init() throws {
    command = try StorecoderTool()
    pets = try command.file(
      "pets.json",
      #"""
      [{"id": 1, "name": "Bella", "kind": "cow", "weight": 0.1, "owner": {"id": 7, "city": "Ulm"}},
       {"id": 2, "name": "Ciao", "kind": "dog", "weight": 0.2, "owner": {"id": 8, "city": "Bonn"}},
       {"id": 3, "name": null, "kind": "dog", "weight": null, "owner": {"id": 7, "city": "Ulm"}},
       {"id": 4, "name": "Da|vid", "kind": null, "weight": 12, "owner": null}]
      """#)
  }

  private func query(_ arguments: String...) throws -> String {
    let outcome = try command.run(["query", pets] + arguments)
    #expect(outcome.errors == "")
    return outcome.output
  }

  private func errors(_ arguments: String...) throws -> String {
    let outcome = try command.run(["query", pets] + arguments)
    #expect(outcome.status != 0 && outcome.output == "")
    return outcome.errors.components(separatedBy: "\n")[0]
  }

  @Test func `a file is queried without a store`() throws {
    #expect(try query("weight > 1", "--columns", "id", "--format", "csv") == "id\n4\n")
    #expect(try query("Owner", "city == 'Ulm'", "--json") == "[\n{\"id\":7,\"city\":\"Ulm\"}\n]\n")
    #expect(try query("Owner", "--count") == "2\n")
    #expect(
      try command.run(["query", "-", "--class", "Row", "a == 2", "--count"], input: "{\"a\":2}\n")
        .output == "1\n")
    #expect(
      try errors("Ownr", "id > 1")
        == "storecoder: \(pets): there is no class 'Ownr'; the file has Owner, Pet; did you mean 'Owner'?"
    )
  }

  @Test func `a store is queried as a file`() throws {
    #expect(try command.run("import", pets, "--store", command.store).status == 0)
    #expect(try command.run("query", command.store, "Pet", "id > 2", "--count").output == "2\n")
    let outcome = try command.run("query", command.store, "Pet", "--envelope", "data")
    #expect(
      outcome.errors.hasPrefix(
        "storecoder: --envelope is an option for files that are not stores\n"))
  }

  @Test func `groups have counts and aggregates`() throws {
    #expect(
      try query(
        "--group-by", "kind", "--sum", "weight", "--min", "name", "--max", "weight", "--average",
        "weight") == """
          kind  count  sum(weight)  min(name)  max(weight)  average(weight)
          ────  ─────  ───────────  ─────────  ───────────  ───────────────
          –         1           12  Da|vid              12               12
          cow       1          0.1  Bella              0.1              0.1
          dog       2          0.2  Ciao               0.2              0.2
          3 groups

          """)
    #expect(
      try query("--group-by", "owner.city,kind", "--sort", "-count,kind", "--format", "csv") == """
        owner.city,kind,count
        ,,1
        Ulm,cow,1
        Bonn,dog,1
        Ulm,dog,1

        """)
    #expect(
      try query("--group-by", "kind", "--sort", "-count", "--limit", "1", "--json")
        == "[\n{\"kind\":\"dog\",\"count\":2}\n]\n")
  }

  @Test func `aggregates without groups are one row`() throws {
    #expect(
      try query("--sum", "weight", "--format", "csv") == "count,sum(weight)\n4,12.3\n")
    #expect(
      try query("id > 9", "--sum", "weight", "--average", "weight", "--format", "ndjson")
        == #"{"count":0,"sum(weight)":0,"average(weight)":null}"# + "\n")
  }

  @Test func `sums are exact in decimal and fall back to floating point`() throws {
    let file = try command.file(
      "numbers.json",
      #"[{"a": 0.1, "b": 9007199254740993, "c": 1e300}, {"a": 0.2, "b": 1, "c": 1e300}]"#)
    let outcome = try command.run(
      "query", file, "--sum", "a,b,c", "--max", "b", "--format", "ndjson")
    #expect(
      outcome.output
        == #"{"count":2,"sum(a)":0.3,"sum(b)":9007199254740994,"sum(c)":2e+300,"max(b)":9007199254740993}"#
        + "\n")
  }

  @Test(arguments: [
    (["--group-by", "kind", "--columns", "id"], "--group-by and --columns exclude each other"),
    (["--sum", "weight", "--histogram", "id"], "--sum and --histogram exclude each other"),
    (["--group-by", "kind", "--count"], "--group-by and --count exclude each other"),
    (["--histogram", "kind", "--count"], "--histogram and --count exclude each other"),
    (["--count", "--columns", "id"], "--count and --columns exclude each other"),
    (["--sum", "weight", "--sum", "id"], "--sum is given twice; separate the names by commas"),
    (["--limit", "1", "--limit=2"], "--limit is given twice"),
    (["--limit=", "2"], "--limit needs a value"), (["--json=1"], "--json takes no value"),
    (["--=json"], "query has no option '--=json'"),
    (
      ["--histogram", "kind", "--json"],
      "--histogram is a picture; --group-by gives the numbers of other formats"
    ),
  ]) func `options that exclude each other are refused`(options: [String], problem: String) throws {
    let outcome = try command.run(["query", pets] + options)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("storecoder: \(problem)\n\nusage: "), "\(outcome)")
  }

  @Test func `groups and formats need a class`() throws {
    #expect(try command.run("import", pets, "--store", command.store).status == 0)
    func errors(_ arguments: String...) throws -> String {
      try command.run(["query", "--store", command.store] + arguments).errors
    }
    #expect(try errors("--sum", "weight").hasPrefix("storecoder: --sum needs CLASS\n"))
    #expect(
      try errors("--format", "csv").hasPrefix(
        "storecoder: without CLASS, --format is table or json, not 'csv'\n"))
  }

  @Test func `a histogram is drawn with a line for the number of objects`() throws {
    let lines = try query("--histogram", "kind").split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != " " } } == ["dog", "cow", "null", "kind"])
    #expect(lines.map { $0.count { $0 == "█" } } == [71, 35, 35, 0])
    #expect(lines[3] == "kind of 4 objects")
  }

  @Test func `mistakes in groups are reported`() throws {
    #expect(
      try errors("--sum", "name") == #"storecoder: --sum name: expected a number, found "Bella""#)
    #expect(
      try errors("--group-by", "kin")
        == "storecoder: Pet: 'kin' is not an attribute; did you mean 'kind'?")
    #expect(
      try errors("--group-by", "kind", "--sort", "cuont")
        == "storecoder: there is no column 'cuont'; the columns are kind, count; did you mean 'count'?"
    )
  }

  @Test func `formats are chosen by name`() throws {
    #expect(
      try query("id > 2", "--columns", "id,name", "--format", "markdown") == """
        | id | name |
        |--:|---|
        | 3 |  |
        | 4 | Da\\|vid |

        """)
    #expect(
      try query("id == 4", "--format", "ndjson")
        == #"{"id":4,"name":"Da|vid","kind":null,"weight":12,"owner":null}"# + "\n")
    #expect(
      try errors("--format", "cvs")
        == "storecoder: --format is table, json, ndjson, csv, markdown, not 'cvs'; did you mean 'csv'?"
    )
    #expect(
      try errors("--json", "--format", "csv")
        == "storecoder: --json and --format csv are different formats")
  }

  @Test func `an export can be a selection`() throws {
    #expect(try command.run("import", pets, "--store", command.store).status == 0)
    let outcome = try command.run(
      "export", "Pet", "id > 1", "--sort", "-id", "--limit", "2", "--columns", "id,owner.city",
      "--lines", "--store", command.store)
    #expect(
      outcome.output == #"{"id":4,"owner.city":null}"# + "\n" + #"{"id":3,"owner.city":"Ulm"}"#
        + "\n")
    let table = try command.run("export", "Pet", "--format", "table", "--store", command.store)
    #expect(
      table.errors.hasPrefix("storecoder: query shows tables; export writes other formats\n"))
  }

  @Test func `several files are imported one after the other`() throws {
    let owners = try command.file("owners.csv", "id,city\n9,Kiel\n")
    let outcome = try command.run("import", pets, owners, "--store", command.store, "--json")
    #expect(
      outcome.output == """
        {"class": "Pet", "inserted": 4, "updated": 0, "unchanged": 0, "merged": 0, "objects": {"Owner": 2, "Pet": 4}}
        {"class": "Owner", "inserted": 1, "updated": 0, "unchanged": 0, "merged": 0, "objects": {"Owner": 3, "Pet": 4}}

        """)
    let bad = try command.file("bad.json", "[{]")
    let failed = try command.run("import", pets, bad, owners, "--store", command.store)
    #expect(failed.status == 1)
    #expect(failed.errors.hasSuffix("\n\(pets): in the store\n\(owners): not imported\n"))
    let complete = try command.run("import", pets, owners, "--complete", "--store", command.store)
    #expect(complete.errors.hasPrefix("storecoder: --complete takes one file\n"))
  }

  @Test func `groups and conditions agree on the values that are equal`() throws {
    let file = try command.file(
      "rows.json",
      #"""
      [{"s": "\u00e9", "v": 1, "count": 2}, {"s": "e\u0301", "v": 1.0, "count": 2},
       {"s": "x", "v": "1", "count": 3}, {"s": "x", "v": 1e0, "count": 3}]
      """#)
    func lines(_ arguments: String...) throws -> [String] {
      let outcome = try command.run(["query", file, "--format", "ndjson"] + arguments)
      #expect(outcome.errors == "")
      return outcome.output.split(separator: "\n").map(String.init)
    }
    #expect(try lines("--group-by", "s").count == 3)
    #expect(
      try lines("--group-by", "v", "--sort", "-count") == [
        #"{"v":1,"count":3}"#, #"{"v":"1","count":1}"#,
      ])
    #expect(
      try lines("--group-by", "count", "--sort", "-count()", "--average", "count") == [
        #"{"count":2,"count()":2,"average(count)":2}"#,
        #"{"count":3,"count()":2,"average(count)":3}"#,
      ])
    let twice = try command.run("query", file, "--columns", "s,s")
    #expect(twice.errors == "storecoder: 's' is named twice\n")
  }

  @Test func `an average has the digits of its numbers`() throws {
    let file = try command.file("rows.json", #"[{"a": 0.1}, {"a": 0.1}, {"a": 0.1}, {"a": 0.2}]"#)
    let outcome = try command.run("query", file, "a < 0.15", "--average", "a", "--format", "csv")
    #expect(outcome.output == "count,average(a)\n3,0.1\n")
    let large = try command.file(
      "large.json", #"[{"a": -9223372036854775807}, {"a": -9223372036854775806}]"#)
    let half = try command.run("query", large, "--average", "a", "--format", "csv")
    #expect(half.output == "count,average(a)\n2,-9223372036854775806.5\n")
  }

  @Test func `objects are sorted by an attribute whose name has a dot`() throws {
    let file = try command.file("rows.json", #"[{"id": 1, "a.b": 2}, {"id": 2, "a.b": 1}]"#)
    let outcome = try command.run("query", file, "--sort", "a.b", "--columns", "id", "--json")
    #expect(outcome.output == "[\n{\"id\":2},\n{\"id\":1}\n]\n")
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "There is no /dev/full"),
    arguments: [
      ["query", "--json"], ["query"], ["query", "--count"], ["query", "--group-by", "kind"],
      ["query", "--format", "csv"], ["diff", "--store", "cache.store"],
    ]) func `output that cannot be written is an error`(words: [String]) throws
  {
    let other = try command.file("other.json", #"[{"id": 99}]"#)
    #expect(
      try command.run("import", other, "--class", "Pet", "--store", command.store).status == 0)
    let process = Process()
    process.executableURL = StorecoderTool.program
    process.currentDirectoryURL = command.folder.url
    process.arguments = [words[0], pets] + words.dropFirst()
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(text == "storecoder: the output cannot be written: No space left on device\n")
  }

  @Test func `a reader of a pipe may end early, and no files stay beside the store`() throws {
    let rows = (1...20_000).map { #"{"id": \#($0), "text": "some text"}"# }
    let file = try command.file("rows.ndjson", rows.joined(separator: "\n"))
    #expect(try command.run("import", file, "--store", command.store).status == 0)
    let process = Process()
    process.executableURL = StorecoderTool.program
    process.arguments = ["export", "Row", "--store", command.store]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    _ = try output.fileHandleForReading.read(upToCount: 10)
    try output.fileHandleForReading.close()
    #expect(try errors.fileHandleForReading.readToEnd() ?? Data() == Data())
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + SIGPIPE)
    let names = try FileManager.default.contentsOfDirectory(atPath: command.folder.url.path)
    #expect(!names.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }, "\(names)")
  }

  @Test(arguments: ["rows.csv", "rows.json"]) func `a named pipe is read as a file`(name: String)
    throws
  {
    let pipe = command.folder.file(name).path
    try #require(mkfifo(pipe, 0o600) == 0)
    let text = name.hasSuffix("csv") ? "id\n1\n2\n" : #"[{"id": 1}, {"id": 2}]"#
    Thread.detachNewThread {
      // Opening blocks until the command opens the pipe.
      try? FileHandle(forWritingAtPath: pipe)?.write(contentsOf: Data(text.utf8))
    }
    let outcome = try command.run("query", pipe, "--count")
    #expect(outcome.output == "2\n" && outcome.errors == "")
  }

  @Test func `a command that reads leaves no files beside the store`() throws {
    #expect(try command.run("import", pets, "--store", command.store).status == 0)
    #expect(try command.run("query", "Pet", "--store", command.store).status == 0)
    #expect(try command.run("diff", pets, "--store", command.store).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: command.folder.url.path)
    #expect(
      names.filter { $0.hasPrefix("cache.store") }.sorted() == ["cache.store", "cache.store.lock"])
  }
}
