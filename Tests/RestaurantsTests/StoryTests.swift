import Foundation
import LoopbackServer
import ObjectStore
import TestSupport
import Testing

@testable import restaurants

/// The example as it is told.
@MainActor @Suite struct `The story of the restaurants` {
  @Test func `it is told as it was`() async throws {
    let folder = try TemporaryFolder()
    var told = ""
    let terminal = Terminal { told += $0 }
    try await Story(terminal: terminal, configuration: .file(folder.file("restaurants"))).run()
    let lines = told.trimmingCharacters(in: .newlines)
    #expect(lines == (try CodingFixtures.snapshot("restaurants", recording: lines)))
  }

  @Test func `what the article quotes of it is in it`() throws {
    let article = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/StoreCoding/StoreCoding.docc/Example.md"), encoding: .utf8)
    let quotes = article.components(separatedBy: "```text\n").dropFirst()
    #expect(!quotes.isEmpty)
    let told = String(decoding: try CodingFixtures.data("dumps/restaurants.txt"), as: UTF8.self)
    for quote in quotes { #expect(told.contains(quote.components(separatedBy: "```")[0])) }
  }

  @Test func `between its starts the app's file is closed`() async throws {
    let folder = try TemporaryFolder()
    let restaurants = try RestaurantsServer()
    let server = try LoopbackServer(handler: restaurants.respond)
    let configuration = StoreConfiguration.file(folder.file("restaurants"))
    let story = Story(terminal: Terminal { _ in }, configuration: configuration)
    _ = try await story.firstStart(server, restaurants)
    // Refused while anybody has it open.
    try Store.deleteFiles(configuration)
  }

  @Test func `a screen is made anew when what it shows differs, and only then`() throws {
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
