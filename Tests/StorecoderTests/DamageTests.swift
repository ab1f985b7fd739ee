import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct `Stores with damage` {
  private let command: StorecoderTool

  /// A store in which somebody changed a value.
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
  func `are not shown as empty ones`(arguments: [String]) throws {
    let outcome = try command.run(arguments + ["--store", command.store])
    #expect(outcome.status != 0)
    #expect(
      outcome.errors.contains("\(command.store): the file is damaged: Rating"))
    if arguments[0] == "query", arguments.count < 3 { #expect(outcome.output == "") }
  }

  @Test(arguments: ["import", "diff"])
  func `are not written to`(name: String) throws {
    let before = try Data(contentsOf: URL(filePath: command.store))
    let file = try command.file("r.json", #"[{"userID": 8, "restaurantID": "cafe", "stars": 1}]"#)
    let outcome = try command.run(name, file, "--class", "Rating", "--store", command.store)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("the file is damaged: Rating"))
    #expect(try Data(contentsOf: URL(filePath: command.store)).count == before.count)
  }

  @Test func `take in what leads to nothing that is damaged, and tell`() throws {
    let file = try command.file("dogs.json", #"[{"id": 1, "name": "Rex"}]"#)
    let outcome = try command.run("import", file, "--class", "Dog", "--store", command.store)
    #expect(outcome.status != 0 && outcome.output == "")
    #expect(outcome.errors.contains("the file is damaged: Rating"))
    #expect(outcome.errors.hasSuffix("\nthe 1 objects of \(file) are in the store\n"))
  }

  @Test func `what is sound in them is shown`() throws {
    let outcome = try command.run(
      "query", "RatingReport", "--columns", "id", "--store", command.store)
    #expect(outcome.errors == "")
    #expect(outcome.output == "id\n──\n 1\n1 object\n")
  }
}
