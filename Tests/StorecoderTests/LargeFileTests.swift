import Foundation
import TestSupport
import Testing

/// Files that are larger than the pieces in which they are read.
@Suite struct `Large files of storecoder` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  /// 4,500 objects with 1,500 keys, 0.5 MB.
  private static let objects: [String] = (0..<4_500).map {
    let note = String(repeating: #"é\n]}"#, count: 8 + $0 % 7)
    return #"{"id": \#($0 % 1_500), "note": "\#(note)", "list": [[1, "]"], {"a": null}]}"#
  }

  private static let expected = """
    {"class": "Row", "inserted": 1500, "updated": 0, "unchanged": 0, "merged": 3000, \
    "objects": {"Row": 1500}}

    """

  private struct Form: CustomTestStringConvertible {
    let testDescription: String
    var head = ""
    var separator = ""
    var tail = ""
    var envelope: String?

    init(
      _ name: String, _ head: String, _ separator: String, _ tail: String, envelope: String? = nil
    ) {
      testDescription = name
      (self.head, self.separator, self.tail, self.envelope) = (head, separator, tail, envelope)
    }

    func text(_ objects: [String]) -> String { head + objects.joined(separator: separator) + tail }
  }

  private static let forms = [
    Form("array", "[", ",\r\n ", "]\n"), Form("trailing comma", "[", ",", ",]"),
    Form(
      "envelope", #"{"n": [{}], "data": {"n": {"rows": []}, "rows": ["#, ",", #"], "rest": 1}}"#,
      envelope: "data.rows"),
    Form("lines", "", "\n", "\n"), Form("concatenated", "", "", ""),
    Form("separate lines", "\u{FEFF}\n", "\n\n ", ""),
  ]

  @Test func `an NDJSON file may have values over several lines and in UTF-16`() throws {
    let text = "{\"id\":\n1}\n\n{\"id\":2} {\"id\":3}"
    let path = command.folder.file("rows.ndjson")
    try (Data([0xFF, 0xFE]) + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
      .write(to: path)
    let outcome = try command.run("import", path.path, "--store", command.store)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("3 objects: 3 inserted, 0 updated, 0 unchanged\n"))
  }

  private func run(_ form: Form, _ text: String) throws -> StorecoderTool.Outcome {
    let options = form.envelope.map { ["--envelope", $0] } ?? []
    return try command.run(
      [
        "import", try command.file("rows.json", text), "--class", "Row", "--store", command.store,
        "--json",
      ] + options)
  }

  @Test(arguments: forms)
  private func `a list in several batches is imported as a whole`(form: Form) throws {
    let outcome = try run(form, form.text(Self.objects))
    #expect(outcome.output == Self.expected)
    let exported = try command.run("export", "Row", "--store", command.store)
    let last = "[\(Self.objects.suffix(1_500).joined(separator: ","))]"
    #expect(try StorecoderTool.canonical(exported.output) == StorecoderTool.canonical(last))
  }

  @Test(arguments: forms)
  private func `nothing is stored of a list whose last batch has an error`(form: Form) throws {
    var objects = Self.objects
    objects[4_499] = #"{"id": 1, "note": +}"#
    let text = form.text(objects)
    let before = try #require(text.range(of: "+")).lowerBound
    let line = text[..<before].unicodeScalars.count { $0 == "\n" } + 1
    let start = text[..<before].unicodeScalars.lastIndex(of: "\n")
    let column = text.unicodeScalars.distance(
      from: start.map(text.unicodeScalars.index(after:)) ?? text.startIndex, to: before)
    // A byte order mark has no column, and CR LF is one line end.
    let outcome = try run(form, text)
    #expect(
      outcome.errors == """
        storecoder: \(command.folder.file("rows.json").path): line \(line), column \(column + 1): \
        expected a JSON value

        """)
    #expect(outcome.status == 1)
    #expect(!FileManager.default.fileExists(atPath: command.store))
  }

  @Test func `the position of an incompatible value in a later batch is that in the file`() throws {
    _ = try command.run(
      ["import", "-", "--class", "Row", "--store", command.store],
      input: #"[{"id": 1, "rank": {"x": 5}}]"#)
    let objects = Self.objects + [#"{"id": 1, "rank": 5}"#]
    let outcome = try run(Form("array", "", "", ""), "[\(objects.joined(separator: ",\n"))]")
    #expect(
      outcome.errors.contains(
        "\nline 4501, column 19: Row.rank is Rank in the store but Int in this file\n"),
      "\(outcome.errors)")
  }

  @Test func `a large value before the envelope is skipped and validated`() throws {
    // 5.6 MB, more than is skipped at once.
    let rows = (0..<10).map { _ in Self.objects.joined(separator: ",") }.joined(separator: ",")
    func text(_ middle: String) -> String {
      #"{"old": [1, {"a": []}], "map": {"a": {}, "b": [\#(rows)\#(middle)], "c": 1}, "rows": [{"id": 1}]}"#
    }
    let form = Form("", "", "", "", envelope: "rows")
    let outcome = try run(form, text(""))
    #expect(outcome.output.contains(#""inserted": 1,"#))
    let mistaken = try run(form, text(", [1 2]"))
    #expect(
      mistaken.errors.hasSuffix(
        ": expected a comma or the end of the array or object after a value\n"))
  }

  @Test(arguments: [#"{"id": 1, "items": [ITEMS]}"#, #"[{"id": 1, "items": [ITEMS]}]"#])
  func `a single object of many pieces is imported`(text: String) throws {
    let items = Self.objects.prefix(1_500).joined(separator: ",")
    let outcome = try run(
      Form("", "", "", ""), text.replacingOccurrences(of: "ITEMS", with: items))
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        {"class": "Row", "inserted": 1, "updated": 0, "unchanged": 0, "merged": 0, \
        "objects": {"Item": 1500, "Row": 1}}

        """)
  }

  @Test func `an object without its closing bracket is refused at the next element's error`() throws
  {
    var objects = Self.objects
    objects[10].removeLast()
    let outcome = try run(Form("", "", "", ""), "[\(objects.joined(separator: ",\n"))]")
    #expect(
      outcome.errors
        == "storecoder: \(command.folder.file("rows.json").path): line 12, column 1: "
        + "expected a quoted key in an object\n")
  }

  @Test func `text in UTF-16 is imported`() throws {
    let text = "[\(Self.objects.joined(separator: ","))]"
    let url = command.folder.file("rows.json")
    try #require(text.data(using: .utf16)).write(to: url)
    let outcome = try command.run(
      "import", url.path, "--class", "Row", "--store", command.store, "--json")
    #expect(outcome.output == Self.expected)
  }

  @Test func `objects that follow each other must be objects`() throws {
    for (text, column, problem) in [
      (#"{"id": 1} 5"#, 11, "unexpected text after the JSON value"),
      (#"{"id": 1}[{}]"#, 10, "unexpected text after the JSON value"),
      (#"{"id": 1}{"id"}"#, 15, "expected a colon after a key"),
      (#"{"id": 1}{"id": 2"#, 18, "the text ends in the middle of a value"),
      (#"[{"id": 1}] {"id": 2}"#, 13, "unexpected text after the JSON value"),
    ] {
      let outcome = try run(Form("", "", "", ""), text)
      #expect(
        outcome.errors
          == "storecoder: \(command.folder.file("rows.json").path): line 1, column \(column): "
          + "\(problem)\n")
    }
  }

  #if os(Linux)
    @Test func `memory does not grow with the file`() throws {
      func peak(_ repetitions: Int) throws -> Int {
        let objects = (0..<repetitions).flatMap { _ in Self.objects }
        let path = try command.file("rows.json", "[\(objects.joined(separator: ",\n"))]")
        return try peakMemory(["import", path, "--class", "Row", "--store", command.store])
      }
      _ = try peak(1)
      // 1 MB and 20 MB.
      #expect(try peak(36) - peak(2) < 8 << 20)
    }

    /// Runs a command and returns its peak resident memory in bytes.
    private func peakMemory(_ arguments: [String]) throws -> Int {
      let process = Process()
      process.executableURL = StorecoderTool.program
      process.arguments = arguments
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      var peak = 0
      while process.isRunning {
        let path = "/proc/\(process.processIdentifier)/status"
        let status = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        if let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
        {
          peak = max(peak, kilobytes << 10)
        }
        usleep(1_000)
      }
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
      return peak
    }
  #endif
}
