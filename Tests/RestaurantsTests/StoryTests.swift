import Foundation
import LoopbackServer
import ObjectStore
import TestSupport
import Testing

@testable import restaurants

/// The example's output and screens.
@MainActor @Suite struct `The tour of the restaurants app` {
  @Test func `the output of the tour matches its snapshot`() async throws {
    let folder = try TemporaryFolder()
    var output = ""
    let terminal = Terminal { output += $0 }
    try await Story(terminal: terminal, configuration: .restaurants(in: folder.file("restaurants")))
      .run()
    let lines = output.trimmingCharacters(in: .newlines)
    #expect(lines == (try CodingFixtures.snapshot("restaurants", recording: lines)))
  }

  @Test func `the output quoted by the article is part of the snapshot`() throws {
    let article = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/StoreCoding/StoreCoding.docc/Example.md"), encoding: .utf8)
    let quotes = article.components(separatedBy: "```text\n").dropFirst()
    #expect(!quotes.isEmpty)
    let output = String(decoding: try CodingFixtures.data("dumps/restaurants.txt"), as: UTF8.self)
    for quote in quotes { #expect(output.contains(quote.components(separatedBy: "```")[0])) }
  }

  @Test func `the app's file is closed between its starts`() async throws {
    let folder = try TemporaryFolder()
    let restaurants = ResourceServer.restaurants()
    let server = try restaurants.listen()
    let configuration = StoreConfiguration.restaurants(in: folder.file("restaurants"))
    let story = Story(terminal: Terminal { _ in }, configuration: configuration)
    try await story.firstStart(server, restaurants)
    // This throws if the file is open.
    try Store.deleteFiles(configuration)
  }

  @Test func `a screen is rendered again only if its contents changed`() throws {
    let store = try Store()
    let restaurant = try store.write { try store.create(Restaurant.self, value: ["id": 1]) }
    var count = 0
    let screen = Screen {
      count += 1
      return ["restaurant", restaurant.name]
    }
    #expect(screen.draw())
    #expect(screen.drawing == " ▸ │ restaurant\n ▸ │ \n")
    #expect(!screen.draw())
    #expect(screen.drawing == "   │ restaurant\n   │ \n")
    try store.update(restaurant, \.cuisine <- "French")
    #expect(!screen.draw())
    #expect(count == 1)
    try store.update(restaurant, \.name <- "Chez Léonie")
    #expect(screen.draw())
    #expect(screen.drawing == "   │ restaurant\n ▸ │ Chez Léonie\n")
    #expect(count == 2)
  }
}
