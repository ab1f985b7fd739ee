import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Damaged stores on the command line` {
  private let command: StorecoderTool

  /// Creates a store and changes a value in its file.
  init() throws {
    command = try StorecoderTool()
    let url = URL(filePath: command.store)
    do {
      let store = try Store(configuration: .file(url))
      try store.write {
        let report = RatingReport()
        report.id = 1
        report.rating = Rating(7, "needle-in-it")
        try store.add(report)
      }
    }
    var data = try Data(contentsOf: url)
    while let range = data.range(of: Data("needle".utf8)) {
      data.replaceSubrange(range, with: Data("noodle".utf8))
    }
    try data.write(to: url)
  }

  @Test(arguments: [
    ["query"], ["query", "Rating"], ["query", "Rating", "--count"], ["query", "Rating", "--json"],
    ["query", "RatingReport", "--json"], ["query", "RatingReport", "rating.stars == 3"],
    ["export", "Rating"], ["export", "RatingReport", "--lines"],
  ])
  func `a damaged store is reported and not shown as empty`(arguments: [String]) throws {
    let outcome = try command.run(arguments + ["--store", command.store])
    #expect(outcome.status != 0)
    #expect(
      outcome.errors.contains("\(command.store): the file is damaged: Rating"))
    if arguments[0] == "query", arguments.count < 3 { #expect(outcome.output == "") }
  }

  @Test(arguments: ["import", "diff"])
  func `import and diff do not write to a damaged store`(name: String) throws {
    let before = try Data(contentsOf: URL(filePath: command.store))
    let file = try command.file("r.json", #"[{"userID": 8, "restaurantID": "cafe", "stars": 1}]"#)
    let outcome = try command.run(name, file, "--class", "Rating", "--store", command.store)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("the file is damaged: Rating"))
    #expect(try Data(contentsOf: URL(filePath: command.store)).count == before.count)
  }

  @Test func `an import into an undamaged class stores the objects and reports the damage`() throws
  {
    let file = try command.file("dogs.json", #"[{"id": 1, "name": "Rex"}]"#)
    let outcome = try command.run("import", file, "--class", "Dog", "--store", command.store)
    #expect(outcome.status != 0 && outcome.output == "")
    #expect(outcome.errors.contains("the file is damaged: Rating"))
    #expect(outcome.errors.hasSuffix("\n1 object of \(file) is in the store\n\(Self.advice)"))
  }

  // MARK: - Changes by other tools

  private var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: command.folder.url.path).sorted()
    }
  }

  private static let advice =
    "checksums are also wrong if another tool changed the file; --accept-edits accepts its changes\n"

  private func importReport(_ arguments: String...) throws -> StorecoderTool.Outcome {
    let file = try command.file("r.json", #"[{"id": 2}]"#)
    return try command.run(
      ["import", file, "--class", "RatingReport", "--store", command.store] + arguments)
  }

  @Test func `repeated commands report a damaged file without renaming it`() throws {
    let file = try command.file("r.json", #"[{"userID": 8, "restaurantID": "cafe", "stars": 1}]"#)
    for _ in 1...3 {
      let outcome = try command.run("import", file, "--class", "Rating", "--store", command.store)
      #expect(
        outcome.errors == """
          storecoder: \(command.store): the file is damaged: Rating.id: the checksum is wrong
          \(Self.advice)
          """)
      #expect(outcome.status == 1)
      let query = try command.run("query", "Rating", "--store", command.store)
      #expect(query.errors == outcome.errors)
    }
    #expect(try !files.contains { $0.contains("damaged") })
  }

  @Test(arguments: [
    (["query", "Rating", "--json"], "noodle-in-it"), (["export", "Rating"], "noodle-in-it"),
    (["explain", "Rating"], "note"),
  ])
  func `a reading command with --accept-edits shows edits without changing the file`(
    arguments: [String], expected: String
  ) throws {
    let before = try Data(contentsOf: URL(filePath: command.store))
    let outcome = try command.run(arguments + ["--accept-edits", "--store", command.store])
    #expect(outcome.errors == "")
    #expect(outcome.output.contains(expected))
    #expect(try Data(contentsOf: URL(filePath: command.store)) == before)
  }

  @Test func `an import with --accept-edits makes the file readable for later commands`() throws {
    // A previous failed import has no effect.
    #expect(try importReport().status == 1)
    let file = try command.file("r.json", #"[{"id": 2}]"#)
    let difference = try command.run(
      "diff", file, "--class", "RatingReport", "--store", command.store, "--accept-edits")
    #expect(difference.errors == "" && difference.output.hasSuffix("1 not in the file\n"))
    let outcome = try importReport("--accept-edits")
    #expect(outcome.errors == "" && outcome.status == 0)
    let query = try command.run("query", "Rating", "--json", "--store", command.store)
    #expect(query.errors == "" && query.output.contains("noodle-in-it"))
  }

  @Test func `an import accepts edits that an app has reported as damage`() throws {
    do {
      let store = try Store(configuration: .file(URL(filePath: command.store)))
      _ = store.objects(RatingReport.self).first?.rating
      #expect(store.damage.count == 1)
    }
    let refused = try importReport()
    #expect(refused.errors.hasSuffix(Self.advice) && refused.status == 1)
    #expect(try !files.contains { $0.contains("damaged") })
    #expect(try importReport("--accept-edits").errors == "")
    let store = try Store(configuration: .file(URL(filePath: command.store)))
    #expect(store.objects(RatingReport.self).count == 2 && store.damage.isEmpty)
  }

  @Test func `invalid edits are refused even with --accept-edits`() throws {
    let url = URL(filePath: command.store)
    var data = try Data(contentsOf: url)
    let range = try #require(data.range(of: Data("noodle".utf8)))
    data.replaceSubrange(range, with: [0xFF, 0xFE, 0xFF, 0xFE, 0xFF, 0xFE])
    try data.write(to: url)
    let outcome = try command.run("query", "Rating", "--accept-edits", "--store", command.store)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("the file is damaged: Rating"))
    #expect(!outcome.errors.contains("--accept-edits"))
  }

  @Test func `undamaged attributes of a damaged store are shown`() throws {
    let outcome = try command.run(
      "query", "RatingReport", "--columns", "id", "--store", command.store)
    #expect(outcome.errors == "")
    #expect(outcome.output == "id\n──\n 1\n1 object\n")
  }
}
